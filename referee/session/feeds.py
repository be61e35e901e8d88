"""Threads that take frames and sound from their sources, hand them to the recorder, and queue them for the judge."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from referee.capture.media import Frame, Pace, SoundChunk
from referee.faults import InputFault

T = TypeVar("T", bound=Frame | SoundChunk)


class Feed(Generic[T]):
    """Pulls `items` on a thread of its own; iterating it gives those that the judge is to see.

    on_item: told each item as it comes (the recorder). wanted: which of them the judge sees. room: how many may wait
    for the judge; patient: wait for room, else the oldest go (`dropped` counts them, `on_drop` is told their times).
    """

    def __init__(
        self,
        items: Iterable[T],
        *,
        name: str,
        on_item: Callable[[T], object],
        wanted: Callable[[T], bool],
        room: int,
        patient: bool,
        on_drop: Callable[[float], object] = lambda _t_s: None,
    ) -> None:
        self.dropped = 0
        self._items = items
        self._on_item = on_item
        self._wanted = wanted
        self._room = room
        self._patient = patient
        self._on_drop = on_drop
        self._waiting: deque[T] = deque()
        self._changed = threading.Condition()
        self._ended = False
        self._abandoned = False
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._pull, name=name, daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[T]:
        """What waits, then what comes, to the end of the source. Raises what the source raised."""
        while True:
            try:
                item = self.next(None)
            except StopIteration:
                return
            if item is not None:
                yield item

    @property
    def waiting(self) -> int:
        """How many wait for the judge."""
        return len(self._waiting)

    def next(self, timeout_s: float | None) -> T | None:
        """What waits or comes next; None if nothing did in time. Raises StopIteration at the end of the source."""
        with self._changed:
            ready = self._changed.wait_for(lambda: self._waiting or self._ended, timeout_s)
            if self._waiting:
                item = self._waiting.popleft()
                self._changed.notify_all()
                return item
        if not ready:
            return None
        if self._fault is not None:
            raise self._fault
        raise StopIteration

    def close(self) -> None:
        """Wait for no more room, and for the thread, whose source was stopped."""
        with self._changed:
            self._abandoned = True
            self._changed.notify_all()
        self._thread.join(5.0)

    def _pull(self) -> None:
        try:
            for item in self._items:
                self._on_item(item)
                if self._wanted(item):
                    self._put(item)
        except InputFault as fault:
            self._fault = fault
        except Exception as fault:  # told to the judge's thread, which ends the session in order
            self._fault = fault
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _put(self, item: T) -> None:
        with self._changed:
            while self._patient and len(self._waiting) >= self._room and not self._abandoned:
                self._changed.wait()
            if len(self._waiting) >= self._room:
                gone = self._waiting.popleft()
                self.dropped += 1
                self._on_drop(gone.t_s)
            self._waiting.append(item)
            self._changed.notify_all()


def paced(rate_hz: float) -> Callable[[Frame], bool]:
    """Wants at most `rate_hz` frames a second, the same as a replay of their recording picks."""
    pace = Pace(rate_hz)
    return lambda frame: pace.due(frame.t_s)
