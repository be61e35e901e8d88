"""Taking a deck's photographs with the table's camera: what is said, and the keys that are heard."""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.output import console

if TYPE_CHECKING:
    from referee.capture.video_devices import CameraDriver
    from referee.observations.clock import Clock
    from referee.training.enrol_live import Asked, Wish


def take_photographs(
    folder: Path,
    camera: str | None,
    driver: CameraDriver | None = None,
    clock: Clock | None = None,
    lines: Iterable[str] | None = None,
) -> None:
    """Photograph the faces that `folder` lacks, asking for each in turn.

    camera: its name, None for the first; driver, clock and lines (what the person types) are the machine's own unless
    given. Raises InputFault when there is no camera, or when faces are missing in the end.
    """
    from referee.capture.camera import Camera, CameraEvent, CameraLost
    from referee.faults import InputFault
    from referee.training.enrol_live import photograph_deck
    from referee.vision.reader import open_reader

    if driver is None:
        from referee.capture.opencv_camera import OpenCvDriver

        driver = OpenCvDriver()
    if clock is None:
        from referee.capture.monotonic import MonotonicClock

        clock = MonotonicClock()
    keys = _Keys(sys.stdin if lines is None else lines)
    out = console(err=True)

    def happened(event: CameraEvent) -> None:
        out.print(event.why if isinstance(event, CameraLost) else "the camera is there again", markup=False)

    eye = Camera(driver, clock, camera, on_event=happened)
    eye.open()
    out.print("Lay down one card at a time, alone, and leave it until it is taken.  s: skip  r: again  q: stop")
    frames = eye.frames()
    try:
        missing = photograph_deck(frames, folder, open_reader(), keys.wishes, _tell)
    finally:
        eye.stop()
        next(frames, None)
    if missing:
        mend = "call again with the same folder: only these are asked for"
        raise InputFault(f"still lacks {len(missing)} faces: {' '.join(missing[:8])}", where=str(folder), mend=mend)


def _tell(asked: Asked) -> None:
    from referee.cli.read import code_in_words
    from referee.training.enrol_live import Told

    words = code_in_words(asked.code)
    seen = code_in_words(asked.seen) if asked.seen else ""
    line = {
        Told.SHOW: f"{asked.done + 1:2} of {asked.total}: lay down the {words} ({asked.code})",
        Told.TAKEN: f"    {words}: taken",
        Told.SEVERAL: "    more than one card is in the picture: leave only one",
        Told.OTHER: f"    that looks like the {seen}; it must be the {words}",
    }[asked.told]
    console(err=True).print(line, markup=False)


class _Keys:
    """What a person types, read in a thread of its own so that no frame waits for it."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._typed: deque[str] = deque()
        self._lines = lines
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self._lines:
            self._typed.append(line.strip().lower()[:1])

    def wishes(self) -> list[Wish]:
        from referee.training.enrol_live import Wish

        meant = {"s": Wish.SKIP, "r": Wish.REDO, "q": Wish.STOP}
        typed = [self._typed.popleft() for _ in range(len(self._typed))]
        return [meant[key] for key in typed if key in meant]
