"""A file is heard like a microphone: any rate, stereo, clipped, silent, very long, broken, without sound."""

from __future__ import annotations

import wave
import weakref
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from referee.capture.media import MediaWriter, Samples, SoundChunk
from referee.capture.sound_events import FLOOR_DBFS, Clipped, Level, Silent
from referee.capture.sound_file import file_sound
from referee.faults import InputFault


def recording(path: Path, seconds: float, rate_hz: int = 16_000, channels: int = 1, level: float = 8000) -> Path:
    """A tone of 300 Hz in wave form, written piece by piece."""
    piece = np.sin(2 * np.pi * 300 * np.arange(rate_hz) / rate_hz) * level
    samples = np.repeat(np.clip(piece, -32768, 32767), channels).astype("<i2").tobytes()
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        for _ in range(int(seconds)):
            file.writeframesraw(samples)
    return path


def chunks(path: Path) -> list[SoundChunk]:
    return [one for one in file_sound(path) if isinstance(one, SoundChunk)]


@pytest.mark.parametrize(("rate_hz", "channels"), [(8_000, 1), (11_025, 2), (44_100, 2), (48_000, 1), (96_000, 2)])
def test_any_rate_and_stereo_look_like_a_microphone(tmp_path: Path, rate_hz: int, channels: int) -> None:
    heard = chunks(recording(tmp_path / "a.wav", 3, rate_hz, channels))
    assert {(c.rate_hz, c.samples.dtype.name, c.samples.ndim) for c in heard} == {(16_000, "int16", 1)}
    assert {len(c.samples) for c in heard[:-1]} == {1600}
    assert all(after.t_s == pytest.approx(before.t_s + before.duration_s) for before, after in pairwise(heard))
    assert sum(c.duration_s for c in heard) == pytest.approx(3.0, abs=0.02)
    assert np.abs(heard[15].samples).max() == pytest.approx(8000, rel=0.05)


def test_the_level_is_told_as_by_a_microphone(tmp_path: Path) -> None:
    levels = [one for one in file_sound(recording(tmp_path / "a.wav", 2)) if isinstance(one, Level)]
    assert [round(one.t_s, 3) for one in levels] == [0.5, 1.0, 1.5, 2.0]
    assert all(one.rms_dbfs == pytest.approx(-15.3, abs=0.1) for one in levels)
    assert all(one.peak_dbfs == pytest.approx(-12.2, abs=0.1) for one in levels)


def test_a_clipped_recording_says_when(tmp_path: Path) -> None:
    spans = [one for one in file_sound(recording(tmp_path / "a.wav", 1, level=60_000)) if isinstance(one, Clipped)]
    assert spans[0].t_s == pytest.approx(0.0, abs=0.01)
    assert spans[-1].end_s == pytest.approx(1.0, abs=0.01)
    assert not any(isinstance(one, Clipped) for one in file_sound(recording(tmp_path / "b.wav", 1, level=32_000)))


def test_a_silent_recording_is_no_fault(tmp_path: Path) -> None:
    heard = list(file_sound(recording(tmp_path / "a.wav", 5, level=0)))
    assert [type(one) for one in heard if not isinstance(one, SoundChunk | Level)] == [Silent]
    assert {one.rms_dbfs for one in heard if isinstance(one, Level)} == {FLOOR_DBFS}


def test_a_long_recording_is_streamed(tmp_path: Path) -> None:
    """Ten minutes pass by and at most two chunks are alive at a time; so would an hour's."""
    alive: list[weakref.ref[Samples]] = []
    count, last_s = 0, 0.0
    for one in file_sound(recording(tmp_path / "long.wav", 600, rate_hz=8_000), chunk_s=1.0):
        if isinstance(one, SoundChunk):
            count, last_s = count + 1, one.t_s
            alive = [ref for ref in alive if ref() is not None] + [weakref.ref(one.samples)]
            assert len(alive) <= 2
    assert count >= 600
    assert last_s == pytest.approx(599, abs=1.5)


def test_a_cut_recording_is_heard_up_to_the_cut(tmp_path: Path) -> None:
    whole = recording(tmp_path / "a.wav", 4).read_bytes()
    (tmp_path / "cut.wav").write_bytes(whole[: len(whole) // 2])
    assert sum(c.duration_s for c in chunks(tmp_path / "cut.wav")) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("gone.wav", None, "is not there"),
        ("empty.wav", b"", "is empty"),
        ("text.mp3", b"no sound at all" * 99, "cannot be read as video or sound"),
        ("headless.wav", b"RIFF\x00\x00\x00\x00WAVE", "cannot be read|holds no sound|can be decoded"),
    ],
)
def test_a_broken_recording_is_one_clear_line(tmp_path: Path, name: str, content: bytes | None, says: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputFault, match=says) as fault:
        list(file_sound(tmp_path / name))
    assert name in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_film_without_sound_is_one_clear_line(tmp_path: Path) -> None:
    with MediaWriter(tmp_path / "mute.mkv", width_px=64, height_px=48, frame_rate_hz=10) as writer:
        writer.picture(np.zeros((48, 64, 3), np.uint8))
    with pytest.raises(InputFault, match="no sound"):
        list(file_sound(tmp_path / "mute.mkv"))
