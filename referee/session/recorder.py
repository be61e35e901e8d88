"""Records picture and sound in pieces, on a thread of its own, and never stands in the referee's way.

What it cannot write in time it drops, oldest pictures first, and says so. When the disk fills, video stops first,
then sound; the log goes on (S4). Each piece is checked once it is closed.
"""

from __future__ import annotations

import shutil
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from referee.capture.media import Frame, SoundChunk
from referee.session.continuity import gap
from referee.session.pieces import PieceWriting

Tell: TypeAlias = Callable[[str, float, Mapping[str, Any]], object]
"""Writes a line of the log: its type, its time, its payload."""

SEGMENT_S = 20.0
FRAMES_WAITING = 30
CHUNKS_WAITING = 600
_LOOK_EVERY_S = 1.0
_RETRY_AFTER_S = 30.0
_STEADY_S = 2.0


@dataclass(frozen=True, slots=True)
class DiskRoom:
    """How much of the disk stays free. Below `video_bytes` video stops, below `sound_bytes` sound as well.

    Video comes back once twice that is free.
    """

    video_bytes: int = 500_000_000
    sound_bytes: int = 100_000_000

    def allows(self, free_bytes: int, *, video_now: bool) -> tuple[bool, bool]:
        """(video, sound): what may be recorded with so much room."""
        video_from = self.video_bytes if video_now else 2 * self.video_bytes
        return free_bytes >= video_from, free_bytes >= self.sound_bytes


class Recorder:
    """Writes what it is given into `folder/media`; `picture` and `sound` never wait unless `patient`.

    tell: writes log lines (`segment`, `gap`, `state`), and is called on the recorder's thread. first_number: of its
    first piece. make_room: asked before each piece; deletes old media, where the user set a budget. patient: for
    sources that can wait (a film judged at full speed): waits in place of dropping. channels: of the sound, 1 or 2.
    on_state: told on the recorder's thread whether it records (`running`, `lost`), and why not.
    """

    def __init__(
        self,
        folder: Path,
        tell: Tell,
        *,
        size_px: tuple[int, int],
        rate_hz: int | None,
        frame_rate_hz: float = 15.0,
        first_number: int = 1,
        segment_s: float = SEGMENT_S,
        room: DiskRoom | None = None,
        make_room: Callable[[], object] = lambda: None,
        patient: bool = False,
        channels: int = 1,
    ) -> None:
        self.dropped = 0
        self.on_state: Callable[[str, str], object] = lambda _state, _why: None
        self._folder = folder
        self._tell = tell
        self._room = room or DiskRoom()
        self._make_room = make_room
        self._patient = patient
        self._pieces = PieceWriting(
            folder,
            tell,
            size_px=size_px,
            rate_hz=rate_hz,
            frame_rate_hz=frame_rate_hz,
            first_number=first_number,
            segment_s=segment_s,
            channels=channels,
        )
        self._on = {"video": True, "sound": True}
        self._stopped_s: dict[str, float] = {}
        self._look_s = self._failed_s = float("-inf")
        self._lost_s = float("inf")
        self._waiting: deque[Frame | SoundChunk] = deque()
        self._frames_waiting = 0
        self._hole: tuple[float, float] | None = None
        self._changed = threading.Condition()
        self._ending = False
        self._thread = threading.Thread(target=self._work, name="recorder", daemon=True)
        self._thread.start()

    def picture(self, frame: Frame) -> None:
        """Record a frame."""
        with self._changed:
            while self._patient and self._frames_waiting >= FRAMES_WAITING and self._thread.is_alive():
                self._changed.wait(1.0)
            if self._frames_waiting >= FRAMES_WAITING:
                self._drop_oldest_frame()
            self._frames_waiting += 1
            self._waiting.append(frame)
            self._changed.notify_all()

    def sound(self, chunk: SoundChunk) -> None:
        """Record a run of sound."""
        with self._changed:
            if len(self._waiting) - self._frames_waiting < CHUNKS_WAITING:
                self._waiting.append(chunk)
            else:
                self.dropped += 1  # the writer stands still; the piece fills the hole with silence
            self._changed.notify_all()

    def close(self) -> None:
        """Write what waits, close the last piece and end the thread."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        self._thread.join()

    @property
    def nudged(self) -> int:
        """Frames whose time had to be moved on (S8)."""
        return self._pieces.nudged

    def _drop_oldest_frame(self) -> None:
        for i, item in enumerate(self._waiting):
            if isinstance(item, Frame):
                del self._waiting[i]
                self._frames_waiting -= 1
                self.dropped += 1
                from_s = self._hole[0] if self._hole else item.t_s
                self._hole = (from_s, item.t_s)
                return

    def _work(self) -> None:
        item: Frame | SoundChunk | None = None
        while True:
            with self._changed:
                while not self._waiting and not self._ending:
                    self._changed.wait()
                if not self._waiting:
                    break
                item = self._waiting.popleft()
                if isinstance(item, Frame):
                    self._frames_waiting -= 1
                hole, self._hole = self._hole, None
                self._changed.notify_all()
            if hole is not None:
                self._tell("gap", hole[0], gap("recording", *hole, "the recorder fell behind"))
            self._guarded(self._write, item)
        self._guarded(lambda _last: self._pieces.close(), item)

    def _guarded(self, step: Callable[[Frame | SoundChunk], object], item: Frame | SoundChunk | None) -> None:
        """Whatever a codec or a disk comes up with costs a piece, never the recording or the referee."""
        if item is None:
            return
        try:
            step(item)
        except Exception as fault:
            self._pieces.abandon()
            if item.t_s >= self._failed_s + _RETRY_AFTER_S:
                self._failed_s = item.t_s
                self._tell("state", item.t_s, {"what": "a piece failed", "why": f"{type(fault).__name__}: {fault}"})
            self._tell_state(item.t_s, f"{type(fault).__name__}: {fault}")
        else:
            self._tell_state(item.t_s, "" if all(self._on.values()) else "the disk is full")

    def _tell_state(self, t_s: float, fault: str) -> None:
        """`lost` while something cannot be recorded; `running` again once all was, for a while."""
        if fault:
            self._lost_s = t_s
            self.on_state("lost", fault)
        elif t_s > self._lost_s + _STEADY_S:
            self._lost_s = float("inf")
            self.on_state("running", "")

    def _write(self, item: Frame | SoundChunk) -> None:
        if self._pieces.needs_new(item) and item.t_s >= self._look_s:
            if self._pieces.close():
                self._make_room()
                self._look_at_room(item.t_s)
            else:
                self._disk_is_full(item.t_s)
        if not self._pieces.write(item, video=self._on["video"], sound=self._on["sound"]):
            self._disk_is_full(item.t_s)

    def _look_at_room(self, t_s: float) -> None:
        self._look_s = t_s + _LOOK_EVERY_S
        try:
            free = shutil.disk_usage(self._folder).free
        except OSError:
            return
        self._allow(*self._room.allows(free, video_now=self._on["video"]), t_s)

    def _disk_is_full(self, t_s: float) -> None:
        """The system said so, whatever the reserve promised: video goes first, sound only if that did not help."""
        self._pieces.abandon()
        self._make_room()
        self._allow(False, self._on["video"] and self._on["sound"], t_s)
        self._look_s = t_s + _RETRY_AFTER_S

    def _allow(self, video: bool, sound: bool, t_s: float) -> None:
        for what, now in (("video", video), ("sound", sound)):
            if self._on[what] and not now:
                self._tell("state", t_s, {"what": f"{what} stopped", "why": "the disk is full"})
                self._stopped_s[what] = t_s
            elif now and not self._on[what]:
                self._tell("state", t_s, {"what": f"{what} goes on", "why": "there is room again"})
                self._tell("gap", self._stopped_s[what], gap(what, self._stopped_s[what], t_s, "the disk was full"))
            self._on[what] = now
