"""A clock that stands still until somebody waits: hours of table time pass in milliseconds."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count


class ManualClock:
    """See `referee.observations.clock.Clock`. What is due while time passes happens at its own time, in order."""

    def __init__(self, now_s: float = 0.0) -> None:
        self._now_s = now_s
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()

    def now_s(self) -> float:
        """The time now."""
        return self._now_s

    def at(self, t_s: float, action: Callable[[], None]) -> None:
        """Let `action` happen at `t_s`; at once when time passes next, if that is over already."""
        heapq.heappush(self._due, (t_s, next(self._numbers), action))

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        until_s = self._now_s + seconds
        while self._due and self._due[0][0] <= until_s:
            t_s, _, action = heapq.heappop(self._due)
            self._now_s = max(self._now_s, t_s)
            action()
        self._now_s = max(self._now_s, until_s)
