"""How the session clock, the wall clock and the sound card's clock go together (S1, S6)."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from referee.observations.clock import Clock

JUMP_S = 1.0
"""Wall clock and monotonic clock may disagree by so much before it is told."""

_BIN_S = 5.0
_FIT_BINS = 360


class SessionClock:
    """Seconds since the session began, on the machine's monotonic clock; `began_at_s` is where it continues."""

    def __init__(self, began_at_s: float = 0.0, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._zero_s = monotonic() - began_at_s

    def now_s(self) -> float:
        """Seconds since the session began."""
        return self._monotonic() - self._zero_s

    def now_is(self, t_s: float) -> None:
        """Set it, before anything was timed by it."""
        self._zero_s = self._monotonic() - t_s

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(max(0.0, seconds))


def boot_id() -> str:
    """What tells one start of this machine from another; empty where the system does not say."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def anchor(wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> dict[str, Any]:
    """This moment on the wall clock (ISO 8601, UTC) and on the machine's clock since boot `boot_id`."""
    moment = dt.datetime.fromtimestamp(wall(), dt.UTC)
    return {
        "wall": moment.isoformat(timespec="milliseconds"),
        "monotonic_s": round(monotonic(), 3),
        "boot_id": boot_id(),
    }


class ClockWatch:
    """Notices when somebody sets the wall clock, or the machine slept: durations are not touched by it (S6)."""

    def __init__(self, clock: Clock, wall: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._wall = wall
        self._offset_s = wall() - clock.now_s()

    def jump_s(self) -> float | None:
        """By how much the wall clock has jumped against the session clock since it was last asked, or None."""
        offset_s = self._wall() - self._clock.now_s()
        jumped_s = offset_s - self._offset_s
        if abs(jumped_s) <= JUMP_S:
            return None
        self._offset_s = offset_s
        return jumped_s


class SoundClock:
    """Times sound by its count of samples, fitted to when chunks arrive (S1).

    A chunk can arrive late but never early, so only the earliest arrival of every five seconds counts. Through these
    a line is fitted over the last half hour; its slope is how far the sound card's second is off.
    """

    def __init__(self, rate_hz: int) -> None:
        self._rate_hz = rate_hz
        self._count = 0
        self._bins: list[tuple[float, float]] = []
        self._bin_end_s = _BIN_S
        self._best: tuple[float, float] | None = None
        self._line: tuple[float, float] | None = None

    def stamp(self, samples: int, arrived_s: float) -> float:
        """The session time of the first of `samples` new samples, the last of which arrived at `arrived_s`."""
        begin_s = self._count / self._rate_hz
        self._count += samples
        end_s = self._count / self._rate_hz
        late_s = arrived_s - end_s
        if self._best is None or late_s < self._best[1]:
            self._best = (end_s, late_s)
        if end_s >= self._bin_end_s:
            self._bins = [*self._bins, self._best][-_FIT_BINS:]
            self._best, self._bin_end_s = None, end_s + _BIN_S
            self._line = _fitted(self._bins)
        if self._line is None:
            return begin_s + (self._best or self._bins[-1])[1]
        offset_s, slope = self._line
        return begin_s + offset_s + slope * begin_s

    def lost(self, samples: int) -> None:
        """So many samples were taken but never came: those after them keep their time."""
        self._count += samples

    @property
    def samples(self) -> int:
        """How many samples came so far."""
        return self._count

    @property
    def drift_ppm(self) -> float:
        """How much longer the sound card's second is than the session clock's, in millionths."""
        return self._line[1] * 1e6 if self._line else 0.0

    def residual_ms(self) -> float:
        """How far the earliest arrivals lie from the line, in milliseconds (root of the mean square)."""
        if not self._line or not self._bins:
            return 0.0
        offset_s, slope = self._line
        squares = [(late_s - offset_s - slope * at_s) ** 2 for at_s, late_s in self._bins]
        return float((sum(squares) / len(squares)) ** 0.5 * 1000)


def _fitted(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Offset and slope of the least-squares line through (at_s, late_s); no slope from less than three points."""
    n = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if n >= 3 and spread else 0.0
    return mean_y - slope * mean_x, slope
