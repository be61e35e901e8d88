"""The pieces of a recording: begun, filled, closed, checked and told to the log, one after the other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from referee.capture.media import Frame, SoundChunk, probe
from referee.capture.segment_writer import SegmentWriter
from referee.faults import InputFault
from referee.session.folder import MEDIA_FOLDER, segment_name

_JOIN_S = 1.0
"""A new piece begins where the sound of the last one ended, if that is no longer ago than this."""

_DURATION_OFF_S = 0.5


class PieceWriting:
    """Writes pieces of about `segment_s` into `folder/media`. Not for several threads at once.

    tell: writes a log line. A new piece begins with a frame, or with sound where there is no video.
    """

    def __init__(
        self,
        folder: Path,
        tell: Callable[[str, float, Mapping[str, Any]], object],
        *,
        size_px: tuple[int, int],
        rate_hz: int | None,
        frame_rate_hz: float,
        first_number: int,
        segment_s: float,
        channels: int = 1,
    ) -> None:
        self.nudged = 0
        self._media = folder / MEDIA_FOLDER
        self._tell = tell
        self._size_px = size_px
        self._rate_hz = rate_hz
        self._channels = channels
        self._frame_rate_hz = max(1, round(frame_rate_hz))
        self._number = first_number
        self._segment_s = segment_s
        self._writer: SegmentWriter | None = None
        self._streams = (True, True)
        self._sound_end_s: float | None = None

    def needs_new(self, item: Frame | SoundChunk) -> bool:
        """Whether a piece has to be begun for `item`."""
        if self._writer is None:
            return True
        leads = isinstance(item, Frame) or not self._streams[0]
        return leads and item.t_s - self._writer.begin_s >= self._segment_s

    def write(self, item: Frame | SoundChunk, *, video: bool, sound: bool) -> bool:
        """Write `item`, in a new piece where one is due or other streams are wanted; False when the disk is full."""
        sound = sound and self._rate_hz is not None
        wanted = video if isinstance(item, Frame) else sound
        if not wanted:
            return True
        try:
            if isinstance(item, Frame):
                self._follow_size(item)
            if self._writer is None or (video, sound) != self._streams:
                self._begin(item, video, sound)
            assert self._writer is not None
            if isinstance(item, Frame):
                self._writer.picture(item.image_bgr, item.t_s)
            else:
                self._writer.sound(item.samples if item.sides is None else item.sides, item.t_s)
        except OSError:
            return False
        return True

    def close(self) -> bool:
        """Close the piece, check it and tell the log what it holds; False when the disk is full."""
        writer, self._writer = self._writer, None
        if writer is None:
            return True
        self._sound_end_s = writer.sound_end_s
        self.nudged += writer.nudged
        try:
            writer.close()
        except OSError as fault:
            self._tell(
                "state", writer.end_s, {"what": "piece not closed", "file": writer.path.name, "why": str(fault)}
            )
            return False
        if not writer.frames and not writer.samples:
            writer.path.unlink(missing_ok=True)
            return True
        if fault_found := _faulty(writer):
            self._tell(
                "state", writer.end_s, {"what": "piece is faulty", "file": writer.path.name, "why": fault_found}
            )
        self._tell("segment", writer.begin_s, segment_record(writer))
        return True

    def abandon(self) -> None:
        """Let the piece go as it is: nothing more can be written to it."""
        if self._writer is not None:
            self._sound_end_s = self._writer.sound_end_s
            self._writer.abandon()
            self._writer = None

    def _begin(self, item: Frame | SoundChunk, video: bool, sound: bool) -> None:
        self.close()
        begin_s = item.t_s
        if self._sound_end_s is not None and 0 < begin_s - self._sound_end_s < _JOIN_S:
            begin_s = self._sound_end_s
        begin_s = int(begin_s * 1000 + 1e-6) / 1000  # as in its name: times in it are whole milliseconds
        path = self._media / segment_name(self._number, begin_s)
        self._number += 1
        self._streams = (video, sound)
        self._writer = SegmentWriter(
            path,
            begin_s=begin_s,
            size_px=self._size_px if video else None,
            rate_hz=self._rate_hz if sound else None,
            channels=self._channels,
            frame_rate_hz=self._frame_rate_hz,
        )

    def _follow_size(self, frame: Frame) -> None:
        size_px = (frame.image_bgr.shape[1], frame.image_bgr.shape[0])
        if size_px != self._size_px:  # the camera was changed: a piece has one size
            self.close()
            self._size_px = size_px


def segment_record(writer: SegmentWriter) -> dict[str, Any]:
    """The payload of the `segment` line of a piece that was closed."""
    return {
        "file": f"{MEDIA_FOLDER}/{writer.path.name}",
        "from_s": round(writer.begin_s, 3),
        "until_s": round(writer.end_s, 3),
        "frames": writer.frames,
        "samples": writer.samples,
        "nudged": writer.nudged,
        "silence_s": round(writer.silence_s, 3),
        "bytes": writer.path.stat().st_size,
        "sha256": hash_of(writer.path),
    }


def hash_of(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _faulty(writer: SegmentWriter) -> str:
    """What is wrong with a piece that was just closed, "" if nothing (C10)."""
    try:
        facts = probe(writer.path)
    except InputFault as fault:
        return fault.what
    if writer.frames and not facts.has_video:
        return "it holds no picture"
    expected_s = writer.end_s - writer.begin_s
    if abs(facts.duration_s - expected_s) > _DURATION_OFF_S:
        return f"it lasts {facts.duration_s:.1f} s instead of {expected_s:.1f} s"
    return ""
