"""Puts the blocks of a sound device on the session clock: by count of samples, held to the times that come along.

A sound card's second is not quite a second (±200 parts in a million is 0.7 s an hour), blocks arrive late when the
machine is busy, and some systems give no usable conversion times (A7) or lose sound without a flag (A4). So:
- a block's time is the count of samples since the first one, plus a slowly followed difference to the clock (drift);
- sound is missing when blocks stay late for a while; a burst that catches up was only late;
- the flag of the device, with the jump of its conversion times, is believed at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.capture.input_devices import StreamTimes

LATE_S = 0.05
"""A block later than this is suspect."""
SURE_AFTER_S = 0.25
"""So long must all blocks be late before sound counts as missing."""
FOLLOW_S = 30.0
"""Time constant of following the drift."""
_LONGEST_AGE_S = 2.0
_LONGEST_JUMP_S = 60.0
_EARLY_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a block lies. missing: samples lost before it (to be filled with silence); since_s: since when."""

    t_s: float
    missing: int = 0
    since_s: float = 0.0


class BlockClock:
    """One run of a device; made anew when it is opened again.

    rate_hz: of the device. anchor_s: time of its first sample; None: as the first block says.
    """

    def __init__(self, rate_hz: int, anchor_s: float | None = None) -> None:
        self._rate_hz = rate_hz
        self._anchor_s = anchor_s
        self._count = 0
        self._skew_s = 0.0
        self.slowed_s = 0.0
        """How much time was slowed down in all, because sound came before it could have been there."""
        self._settled_skew_s: float | None = None
        self._late: list[tuple[float, float, float]] = []  # arrived, lateness, would-be time
        self._adc_s = 0.0  # of the block before
        self._adc_end_s = 0.0

    @property
    def drift_ppm(self) -> float:
        """How much faster the session clock runs than the device's, in parts in a million; 0 in the first minute."""
        counted_s = self._count / self._rate_hz
        if self._settled_skew_s is None or counted_s < 2 * FOLLOW_S:
            return 0.0
        return round(1e6 * (self._skew_s - self._settled_skew_s) / (counted_s - FOLLOW_S), 1)

    def place(self, samples: int, arrived_s: float, times: StreamTimes, *, overflowed: bool = False) -> Placed:
        """The time of a block of so many samples that arrived at `arrived_s` on the session clock."""
        measured_s = arrived_s - self._age_s(samples, times)
        if self._anchor_s is None:
            self._anchor_s = measured_s
        jumped = self._jump(samples, times)
        if overflowed and jumped:
            since_s = self._counted_s()
            self._count += jumped
            self._late.clear()
            return self._taken(samples, jumped, since_s)
        lateness_s = measured_s - self._counted_s()
        if lateness_s > LATE_S:
            self._late.append((arrived_s, lateness_s, self._counted_s()))
            if arrived_s - self._late[0][0] >= SURE_AFTER_S:
                missing = round(min(late_s for _, late_s, _ in self._late) * self._rate_hz)
                since_s = self._late[0][2]
                self._late.clear()
                self._count += missing
                return self._taken(samples, missing, since_s)
        else:
            self._late.clear()
            self._follow(lateness_s, samples / self._rate_hz)
        return self._taken(samples)

    def at(self, counted_s: float) -> float:
        """The session time of the sample that lies `counted_s` after the first one."""
        return (self._anchor_s or 0.0) + counted_s + self._skew_s

    def skip(self, samples: int) -> float:
        """So many samples are known to be missing; returns the time of the first of them."""
        since_s = self._counted_s()
        self._count += samples
        return since_s

    def _taken(self, samples: int, missing: int = 0, since_s: float = 0.0) -> Placed:
        placed = Placed(self._counted_s(), missing, since_s)
        self._count += samples
        return placed

    def _counted_s(self) -> float:
        return self.at(self._count / self._rate_hz)

    def _follow(self, lateness_s: float, block_s: float) -> None:
        if lateness_s < -LATE_S:
            # The very first block came late; time may slow down for it, and never turn back.
            back_s = min(-_EARLY_SHARE * lateness_s, block_s / 2)
            self._skew_s -= back_s
            self.slowed_s += back_s
            return
        counted_s = self._count / self._rate_hz
        self._skew_s += lateness_s * block_s / (min(FOLLOW_S, counted_s) + block_s)
        if self._settled_skew_s is None and counted_s >= FOLLOW_S:
            self._settled_skew_s = self._skew_s

    def _age_s(self, samples: int, times: StreamTimes) -> float:
        age_s = times.current_s - times.adc_s
        believable = times.adc_s > self._adc_s and 0 <= age_s <= _LONGEST_AGE_S  # 0, or standing still: not so
        return age_s if believable else samples / self._rate_hz

    def _jump(self, samples: int, times: StreamTimes) -> int:
        jump_s = times.adc_s - self._adc_end_s if self._adc_end_s and times.adc_s else 0.0
        self._adc_s = times.adc_s
        self._adc_end_s = times.adc_s + samples / self._rate_hz if times.adc_s else 0.0
        return round(jump_s * self._rate_hz) if LATE_S / 5 < jump_s < _LONGEST_JUMP_S else 0
