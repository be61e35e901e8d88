"""Clips cut out of recorded pieces: picture and sound stay together, and nothing is decoded."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.capture.clips import Piece, cut_clip
from referee.capture.media import MediaWriter, frames, probe, sound_chunks
from referee.faults import InputFault

RATE_HZ, SOUND_HZ = 25, 16_000
FLASH_S = (1.0, 3.0, 5.0, 7.0)


def write_beeps_and_flashes(path: Path, from_s: float, until_s: float, size_px: int = 128) -> Piece:
    """A white picture and a tone of 80 ms begin together at each of FLASH_S."""
    begins = np.array(FLASH_S)

    def on(t_s: NDArray[np.float64]) -> NDArray[np.bool_]:
        late = t_s[:, None] - begins[None, :]
        return np.asarray(((late >= -1e-9) & (late < 0.08)).any(axis=1))

    with MediaWriter(path, width_px=size_px, height_px=size_px, frame_rate_hz=RATE_HZ) as writer:
        for n in range(round((until_s - from_s) * RATE_HZ)):
            t_s = from_s + n / RATE_HZ
            bright = bool(on(np.array([t_s]))[0])
            noise = np.random.default_rng(n).integers(0, 30, (size_px, size_px, 3), np.uint8)
            writer.picture(noise + (200 if bright else 0))
            times = t_s + np.arange(SOUND_HZ // RATE_HZ) / SOUND_HZ
            tone = 12_000 * np.sin(2 * np.pi * 1000 * times) * on(times)
            writer.sound(tone.astype(np.int16))
    return Piece(path, from_s)


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> list[Piece]:
    folder = tmp_path_factory.mktemp("pieces")
    return [
        write_beeps_and_flashes(folder / "1.mkv", 0.0, 4.0),
        write_beeps_and_flashes(folder / "2.mkv", 4.0, 8.0),
    ]


def flashes(path: Path) -> list[float]:
    bright = [(f.t_s, float(f.image_bgr.mean()) > 120) for f in frames(path)]
    return [t for (t, now), (_, before) in zip(bright[1:], bright[:-1], strict=True) if now and not before]


def beeps(path: Path) -> list[float]:
    chunks = list(sound_chunks(path))
    samples = np.concatenate([c.samples for c in chunks]).astype(float)
    loud = np.flatnonzero(np.abs(samples) > 4000) / SOUND_HZ + chunks[0].t_s
    return [float(loud[0]), *(float(b) for a, b in itertools.pairwise(loud) if b - a > 0.5)]


@pytest.mark.parametrize(
    ("from_s", "until_s", "shown"),
    [(0.5, 3.5, (1.0, 3.0)), (2.6, 6.2, (3.0, 5.0)), (4.4, 8.0, (5.0, 7.0))],
    ids=["one piece", "over the joint", "the second piece"],
)
def test_s2_picture_and_sound_of_a_clip_are_within_40_ms(
    pieces: list[Piece], tmp_path: Path, from_s: float, until_s: float, shown: tuple[float, ...]
) -> None:
    clip = cut_clip(pieces, from_s, until_s, tmp_path / "clip.mp4")
    assert clip.from_s <= from_s
    seen = [t for t in flashes(clip.path) if any(abs(t + clip.from_s - s) < 0.2 for s in shown)]
    heard = [t for t in beeps(clip.path) if any(abs(t + clip.from_s - s) < 0.2 for s in shown)]
    assert len(seen) == len(heard) == len(shown)
    for wanted, picture_s, sound_s in zip(shown, seen, heard, strict=True):
        assert abs(picture_s - sound_s) <= 0.04
        assert picture_s + clip.from_s == pytest.approx(wanted, abs=0.04)


def test_the_clip_ends_where_it_should(pieces: list[Piece], tmp_path: Path) -> None:
    clip = cut_clip(pieces, 2.6, 6.2, tmp_path / "clip.mp4")
    assert clip.until_s == pytest.approx(6.2, abs=0.05)
    assert probe(clip.path).duration_s == pytest.approx(clip.until_s - clip.from_s, abs=0.15)


def test_s3_a_piece_that_was_cut_off_gives_what_it_holds(pieces: list[Piece], tmp_path: Path) -> None:
    broken = tmp_path / "broken.mkv"
    data = pieces[0].path.read_bytes()
    broken.write_bytes(data[: len(data) * 3 // 4])
    clip = cut_clip([Piece(broken, 0.0)], 0.5, 3.5, tmp_path / "clip.mp4")
    assert flashes(clip.path)[0] + clip.from_s == pytest.approx(1.0, abs=0.04)


def test_a_piece_of_another_size_ends_the_clip(pieces: list[Piece], tmp_path: Path) -> None:
    other = write_beeps_and_flashes(tmp_path / "other.mkv", 4.0, 6.0, size_px=96)
    clip = cut_clip([pieces[0], other], 2.6, 6.0, tmp_path / "clip.mp4")
    assert clip.until_s < 4.0


def test_a_span_that_was_never_recorded_is_said_so(pieces: list[Piece], tmp_path: Path) -> None:
    with pytest.raises(InputFault, match=r"no recorded picture of 20\.0-22\.0 s is left"):
        cut_clip(pieces, 20.0, 22.0, tmp_path / "clip.mp4")
    assert not (tmp_path / "clip.mp4").exists()
