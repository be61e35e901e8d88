"""Sound in which nothing can be heard: only zeros come from a muted or broken microphone, and where it is away."""

from __future__ import annotations

import numpy as np

from referee.hearing.recogniser import Samples

DEAD_AFTER_S = 1.0
"""A room is never so still: even a quiet one moves the last bit of a microphone."""

TOLD_EVERY_S = 2.0
"""A stretch that goes on is told piece by piece: whoever judges waits no longer than that for the ear."""


class DeadSound:
    """Finds the stretches of zeros, in sample positions counted from the first sample ever given."""

    def __init__(self, rate_hz: int) -> None:
        self._after, self._every = round(DEAD_AFTER_S * rate_hz), round(TOLD_EVERY_S * rate_hz)
        self._taken = 0
        self._since: int | None = None
        self._due = 0
        self._dead = False

    @property
    def untold(self) -> int | None:
        """Where a stretch begins that is not told yet; None while something sounds."""
        return self._since

    def feed(self, samples: Samples) -> list[tuple[int, int]]:
        """The stretches, or pieces of one that goes on, that are known to be dead with these samples."""
        found: list[tuple[int, int]] = []
        sounding = np.flatnonzero(samples)
        bounds = np.concatenate([[-1], sounding, [len(samples)]])
        begins, ends = bounds[:-1] + 1, bounds[1:]
        # In a quiet room every other sample may be zero: a short gap between two sounds is nothing.
        long = (begins == 0) | (ends == len(samples)) | (ends - begins >= self._after)
        for gap in np.flatnonzero((ends > begins) & long):
            begin, end = int(begins[gap]), int(ends[gap])
            if self._since is None or begin:
                self._begin(self._taken + begin)
            found += self._pieces(self._taken + end)
            if end < len(samples):
                found += self._ended(self._taken + end)
        if len(sounding) and bounds[-2] == len(samples) - 1:
            self._since = None
        self._taken += len(samples)
        return found

    def _ended(self, at: int) -> list[tuple[int, int]]:
        since, dead, self._since = self._since, self._dead, None
        return [(since, at)] if since is not None and dead and since < at else []

    def _begin(self, at: int) -> None:
        self._since, self._due, self._dead = at, at + self._after, False

    def _pieces(self, end: int) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        while self._since is not None and end >= self._due:
            found.append((self._since, self._due))
            self._since, self._due, self._dead = self._due, self._due + self._every, True
        return found
