"""Growing pauses between attempts, each a little different, so that fifty tables do not come back in one instant."""

from __future__ import annotations

import random

FIRST_S = 0.5
LONGEST_S = 30.0


class BackOff:
    """Pauses in seconds: twice as long each time up to `longest_s`, of which the last half is drawn by lot."""

    def __init__(self, first_s: float = FIRST_S, longest_s: float = LONGEST_S, seed: int | None = None) -> None:
        self._first_s, self._longest_s = first_s, longest_s
        self._lots = random.Random(seed)
        self._attempts = 0

    def next_s(self) -> float:
        """How long to wait before the next attempt."""
        whole_s = min(self._longest_s, self._first_s * 2.0 ** min(self._attempts, 30))
        self._attempts += 1
        return whole_s * (0.5 + 0.5 * self._lots.random())

    def reset(self) -> None:
        """It has worked: begin with a short pause the next time."""
        self._attempts = 0
