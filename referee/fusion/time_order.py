"""Puts observations of eye and ear back into the order in which they happened.

A word is known half a second after it was said, a card only when it rests: without a short wait, a call made before
a card landed would be judged after it.
"""

from __future__ import annotations

import heapq
import itertools

from referee.observations import Observation

LAG_S = 1.2
"""Longer than the listener needs to end an utterance (speech.md: 0.55 s) and the eye to see a card rest."""


class TimeOrder:
    """Holds each observation until nothing earlier can still arrive, `lag_s` after it happened."""

    def __init__(self, lag_s: float = LAG_S) -> None:
        self._lag_s = lag_s
        self._held: list[tuple[float, int, Observation]] = []
        self._arrivals = itertools.count()

    def put(self, observation: Observation) -> None:
        """Take one observation; equal times keep the order of arrival."""
        heapq.heappush(self._held, (observation.t_s, next(self._arrivals), observation))

    def release(self, now_s: float) -> list[Observation]:
        """What is safe to judge at `now_s`, in the order in which it happened."""
        return self._pop_until(now_s - self._lag_s)

    def flush(self) -> list[Observation]:
        """Everything still held: the recording is over."""
        return self._pop_until(float("inf"))

    def _pop_until(self, t_s: float) -> list[Observation]:
        ready: list[Observation] = []
        while self._held and self._held[0][0] <= t_s:
            ready.append(heapq.heappop(self._held)[2])
        return ready
