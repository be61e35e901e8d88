"""Pieces of a recording: true times, gaps that stay gaps, full disks told, and what is left of a file cut off."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from referee.capture.media import frames, probe, sound_chunks
from referee.capture.segment_writer import SegmentWriter, remux
from referee.faults import InputFault

RATE_HZ = 16_000
SIZE_PX = (96, 64)


def shade(level: int) -> np.ndarray:
    return np.full((SIZE_PX[1], SIZE_PX[0], 3), level, np.uint8)


def tone(seconds: float, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(-8, 8, round(seconds * RATE_HZ)).astype(np.int16)


def write(path: Path, seconds: float, begin_s: float = 0.0, rate_hz: float = 15.0) -> SegmentWriter:
    """Frames and sound as a recorder gives them: a tenth of a second of sound after the frames it belongs to."""
    writer = SegmentWriter(path, begin_s=begin_s, size_px=SIZE_PX, rate_hz=RATE_HZ)
    sound = tone(seconds)
    for i in range(round(seconds * rate_hz)):
        t_s = begin_s + round(i / rate_hz, 3)
        writer.picture(shade(40 + i * 3 % 200), t_s)
        due = min(len(sound), round((t_s - begin_s) * 10) * RATE_HZ // 10)
        if due > writer.samples:
            writer.sound(sound[writer.samples : due], begin_s + writer.samples / RATE_HZ)
    writer.sound(sound[writer.samples :], begin_s + writer.samples / RATE_HZ)
    return writer


def test_frames_keep_their_times_and_sound_its_samples(tmp_path: Path) -> None:
    path = tmp_path / "piece.mkv"
    writer = write(path, 3.0, begin_s=71.2)
    writer.close()
    seen = [frame.t_s for frame in frames(path, begin_s=71.2)]
    assert seen == pytest.approx([71.2 + round(i / 15, 3) for i in range(45)], abs=1e-6)
    heard = np.concatenate([chunk.samples for chunk in sound_chunks(path)])
    assert np.array_equal(heard, tone(3.0))  # what the referee heard, not something like it
    assert (writer.frames, writer.samples, writer.nudged) == (45, 48_000, 0)
    assert probe(path).duration_s == pytest.approx(3.0, abs=0.1)


@pytest.mark.parametrize(("missing_s", "silence_s"), [(0.5, 0.5), (0.03, 0.0)])
def test_a_gap_in_the_sound_is_silence_not_a_shift(tmp_path: Path, missing_s: float, silence_s: float) -> None:
    path = tmp_path / "piece.mkv"
    with SegmentWriterClosing(path) as writer:
        writer.picture(shade(90), 0.0)
        writer.sound(tone(1.0), 0.0)
        writer.sound(tone(1.0, seed=1), 1.0 + missing_s)
    assert writer.silence_s == pytest.approx(silence_s)
    heard = np.concatenate([chunk.samples for chunk in sound_chunks(path)])
    assert len(heard) == round((2.0 + silence_s) * RATE_HZ)
    assert np.array_equal(heard[-RATE_HZ:], tone(1.0, seed=1))


def test_sound_that_comes_twice_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "piece.mkv"
    with SegmentWriterClosing(path) as writer:
        writer.picture(shade(90), 0.0)
        writer.sound(tone(1.0), 0.0)
        writer.sound(tone(1.0, seed=1), 0.6)
    assert writer.samples == round(1.6 * RATE_HZ)


class SegmentWriterClosing(SegmentWriter):
    """A writer that closes itself at the end of a block."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, begin_s=0.0, size_px=SIZE_PX, rate_hz=RATE_HZ)

    def __enter__(self) -> SegmentWriterClosing:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


def test_s8_times_that_do_not_grow_are_nudged_and_counted(tmp_path: Path) -> None:
    """Equal and backward times on write (PyAV #536, #1090)."""
    path = tmp_path / "piece.mkv"
    with SegmentWriterClosing(path) as writer:
        for t_s in (0.0, 0.1, 0.1, 0.05, 0.2):
            writer.picture(shade(100), t_s)
    assert writer.nudged == 2
    assert [round(frame.t_s, 3) for frame in frames(path)] == [0.0, 0.1, 0.101, 0.102, 0.2]


def test_s3_a_piece_cut_anywhere_can_be_read_up_to_there(tmp_path: Path) -> None:
    """Cut at every KiB: reading and mending never fail by surprise, and lose no more than two seconds."""
    given: list[tuple[int, float]] = []  # what had been given to the writer when the file had so many bytes
    path = tmp_path / "growing.mkv"
    growing = SegmentWriter(path, begin_s=0.0, size_px=SIZE_PX, rate_hz=RATE_HZ)
    sound = tone(4.0)
    for i in range(60):
        growing.picture(shade(40 + i * 3 % 200), round(i / 15, 3))
        due = round(i / 15 * 10) * RATE_HZ // 10
        if due > growing.samples:
            growing.sound(sound[growing.samples : due], growing.samples / RATE_HZ)
        given.append((path.stat().st_size, i / 15))
    growing.abandon()
    data = path.read_bytes()
    cut, mended = tmp_path / "cut.mkv", tmp_path / "mended.mkv"
    kept = 0
    for size in range(0, len(data), 1024):
        cut.write_bytes(data[:size])
        until_s = max((t_s for at, t_s in given if at <= size), default=0.0)
        last_s = last_frame_s(cut)
        assert until_s - last_s <= 2.0, size
        try:
            copied, _ = remux(cut, mended)
        except InputFault:
            assert until_s <= 2.0
            assert not mended.exists()
            continue
        kept += 1
        assert copied >= round(last_s * 15)
        assert probe(mended).duration_s >= last_s
        mended.unlink()
    assert kept > 15


def last_frame_s(path: Path) -> float:
    try:
        return max(frame.t_s for frame in frames(path))
    except InputFault:
        return 0.0


def test_a_full_disk_is_told_with_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = SegmentWriter(tmp_path / "piece.mkv", begin_s=0.0, size_px=SIZE_PX, rate_hz=RATE_HZ)
    write_, room = os.write, 3000

    def full(file: int, data: bytes) -> int:
        nonlocal room
        if len(data) > room:
            raise OSError(errno.ENOSPC, "No space left on device")
        room -= len(data)
        return write_(file, data)

    monkeypatch.setattr("referee.capture.segment_writer.os.write", full)
    noise = np.random.default_rng(1)

    def fill() -> None:
        for i in range(100):
            writer.picture(noise.integers(0, 255, (64, 96, 3)).astype(np.uint8), i / 15)

    with pytest.raises(OSError, match="No space left") as fault:
        fill()
    assert fault.value.errno == errno.ENOSPC
    writer.abandon()


def test_c9_pictures_at_a_varying_rate_keep_their_own_times(tmp_path: Path) -> None:
    """A camera that slows down in the dark: frames are never counted, each is at the time it was taken."""
    times = [0.0, 0.066, 0.133, 0.5, 0.533, 1.4, 1.401, 3.0]
    path = tmp_path / "vfr.mkv"
    writer = SegmentWriter(path, begin_s=0.0, size_px=SIZE_PX, rate_hz=None)
    for number, t_s in enumerate(times):
        writer.picture(shade(20 + 28 * number), t_s)
    writer.close()
    found = list(frames(path, begin_s=0.0))
    assert [frame.t_s for frame in found] == pytest.approx(times, abs=0.001)
    assert [round((frame.image_bgr.mean() - 20) / 28) for frame in found] == list(range(len(times)))
