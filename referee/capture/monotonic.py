"""The machine's own monotonic clock as a session clock."""

from __future__ import annotations

import time


class MonotonicClock:
    """Counts from when it was made; see `referee.observations.clock.Clock`."""

    def __init__(self) -> None:
        self._began_s = time.monotonic()

    def now_s(self) -> float:
        """Seconds since it was made."""
        return time.monotonic() - self._began_s

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(max(0.0, seconds))
