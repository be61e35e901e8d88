"""Pictures and sound of a file come with the file's own times, and a bad file says so in one line."""

from pathlib import Path

import numpy as np
import pytest

from referee.capture.media import MediaWriter, frames, probe, sound_chunks
from referee.faults import InputFault

RATE_HZ = 16_000


@pytest.fixture(scope="module")
def beep_and_flash(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four seconds at ten frames a second: white picture and 1 kHz tone together at 2.0-2.1 s."""
    path = tmp_path_factory.mktemp("media") / "beep.mkv"
    tone = (np.sin(2 * np.pi * 1000 * np.arange(RATE_HZ // 10) / RATE_HZ) * 12_000).astype(np.int16)
    with MediaWriter(path, width_px=160, height_px=120, frame_rate_hz=10) as writer:
        for i in range(40):
            writer.picture(np.full((120, 160, 3), 255 if i == 20 else 30, np.uint8))
            writer.sound(tone if i == 20 else np.zeros_like(tone))
    return path


def test_sound_and_picture_agree_within_40_ms(beep_and_flash: Path) -> None:
    flash_s = [f.t_s for f in frames(beep_and_flash) if f.image_bgr.mean() > 128]
    loud_s = [c.t_s for c in sound_chunks(beep_and_flash, chunk_s=0.01) if np.abs(c.samples).max() > 6000]
    assert flash_s == pytest.approx([2.0], abs=0.001)
    assert loud_s[0] == pytest.approx(2.0, abs=0.04)


def test_chunks_count_samples(beep_and_flash: Path) -> None:
    chunks = list(sound_chunks(beep_and_flash, chunk_s=0.1))
    assert {len(c.samples) for c in chunks[:-1]} == {RATE_HZ // 10}
    times = [c.t_s for c in chunks]
    assert times == pytest.approx([times[0] + i * 0.1 for i in range(len(times))])
    assert sum(c.duration_s for c in chunks) == pytest.approx(4.0, abs=0.1)


def test_frame_rate_is_thinned_evenly(beep_and_flash: Path) -> None:
    times = [f.t_s for f in frames(beep_and_flash, max_rate_hz=5)]
    assert times == pytest.approx(np.arange(0, 4, 0.2), abs=0.001)


def test_probe(beep_and_flash: Path) -> None:
    facts = probe(beep_and_flash)
    assert (facts.has_video, facts.has_audio, facts.width_px, facts.height_px) == (True, True, 160, 120)
    assert facts.duration_s == pytest.approx(4.0, abs=0.1)


def test_s3_a_cut_off_recording_is_read_up_to_the_cut(beep_and_flash: Path, tmp_path: Path) -> None:
    whole = beep_and_flash.read_bytes()
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(whole[: int(len(whole) * 0.7)])
    assert 10 <= len(list(frames(cut))) < 40


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "is not there"), (b"", "is empty"), (b"no film at all" * 50, "cannot be read as video or sound")],
)
def test_bad_file_says_what_where_and_how_to_mend(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "bad.mkv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputFault, match=says) as fault:
        list(frames(path))
    assert "\n" not in str(fault.value)
    assert str(path) in str(fault.value)


def test_folder_and_missing_stream(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="is a folder"):
        probe(tmp_path)
    silent = tmp_path / "silent.mkv"
    with MediaWriter(silent, width_px=64, height_px=48, frame_rate_hz=10) as writer:
        writer.picture(np.zeros((48, 64, 3), np.uint8))
    assert len(list(frames(silent))) == 1
    with pytest.raises(InputFault, match="no sound"):
        list(sound_chunks(silent))
