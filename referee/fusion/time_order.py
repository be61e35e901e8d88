"""Puts observations of eye and ear back into the order in which they happened.

A word is known half a second after it was said, a card only when it rests: without a short wait, a call made before
a card landed would be judged after it. Both senses say up to when nothing earlier can still come from them, so that
the wait is no longer than it must be.
"""

from __future__ import annotations

import heapq
import itertools

from referee.observations import Observation

LAG_S = 2.5
"""The longest wait, for a sense that does not say that it has settled: a hand left on the pile, endless talk."""


class TimeOrder:
    """Holds each observation until nothing earlier can still arrive, at most until `lag_s` after it happened."""

    def __init__(self, lag_s: float = LAG_S) -> None:
        self._lag_s = lag_s
        self._held: list[tuple[float, int, Observation]] = []
        self._arrivals = itertools.count()
        self.released_s = float("-inf")
        """All that happened up to here was given out: what is put in from now on with an earlier time is late."""

    def put(self, observation: Observation) -> None:
        """Take one observation; equal times keep the order of arrival."""
        heapq.heappush(self._held, (observation.t_s, next(self._arrivals), observation))

    def release(self, now_s: float, settled_s: float = float("-inf")) -> list[Observation]:
        """What is safe to judge at `now_s`, in the order in which it happened.

        settled_s: nothing that happened before this can still be put in.
        """
        return self._pop_until(max(now_s - self._lag_s, settled_s))

    def flush(self) -> list[Observation]:
        """Everything still held: the recording is over."""
        return self._pop_until(float("inf"))

    def _pop_until(self, t_s: float) -> list[Observation]:
        self.released_s = max(self.released_s, t_s)
        ready: list[Observation] = []
        while self._held and self._held[0][0] <= t_s:
            ready.append(heapq.heappop(self._held)[2])
        return ready
