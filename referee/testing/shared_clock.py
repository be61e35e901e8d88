"""A scripted clock for several threads: it runs as fast as they go, and never far ahead of the one that judges."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from referee.testing.manual_clock import ManualClock

PATIENCE_S = 0.1
"""So long in real time a thread is waited for that is not asleep; then it hangs, or waits for something else."""


class SharedClock(ManualClock):
    """See `ManualClock`. Time passes only while all who sleep by it are asleep, so that nobody oversleeps.

    follow: set it to the time of what is judged now (`Watching.reached_s`); time then stays within `lead_s` of
    that, so that an evening in seconds meets no thread that is late only because the machine is busy. Cameras should
    give at most four frames a second then.
    """

    def __init__(self, now_s: float = 0.0, *, lead_s: float = 0.85) -> None:
        super().__init__(now_s)
        self._guard = threading.RLock()
        self._woken = threading.Condition(self._guard)
        self._lead_s = lead_s
        self._until_s: dict[int, float] = {}
        self._awake: dict[int, float] = {}
        self.follow: Callable[[], float] | None = None

    def at(self, t_s: float, action: Callable[[], None]) -> None:
        """See `ManualClock`."""
        with self._guard:
            super().at(t_s, action)

    def sleep(self, seconds: float) -> None:
        """Let time pass as far as the others sleep too; waits while somebody is awake or the judge is behind."""
        me = threading.get_ident()
        with self._woken:
            until_s = self.now_s() + seconds
            self._awake.pop(me, None)
            self._until_s[me] = until_s
            while (left_s := until_s - self.now_s()) > 1e-9:
                if self._may_pass(until_s):
                    super().sleep(left_s)
                else:
                    self._woken.wait(0.0005)
            del self._until_s[me]
            self._awake[me] = time.monotonic()
            self._woken.notify_all()

    def _may_pass(self, until_s: float) -> bool:
        if until_s > min(self._until_s.values()):
            return False
        if self.follow is not None and until_s > self.follow() + self._lead_s:
            return False
        now_s = time.monotonic()
        self._awake = {thread: since_s for thread, since_s in self._awake.items() if now_s - since_s < PATIENCE_S}
        return not self._awake
