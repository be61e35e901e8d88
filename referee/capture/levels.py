"""Loudness, clipping and dead silence of running sound, the same for a microphone and a file."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from referee.capture.media import Samples, SoundChunk
from referee.capture.sound_events import FLOOR_DBFS, Clipped, Level, Silent

FULL_SCALE = 32767
CLIPPED_RUN = 3
"""So many samples at full scale in a row are clipping; one alone may be a true peak."""
LEVEL_EVERY_S = 0.5
SILENT_AFTER_S = 3.0


class SoundMeter:
    """Watches chunks go by."""

    def __init__(self) -> None:
        self._squares = 0.0
        self._peak = 0
        self._counted = 0
        self._zero_since_s: float | None = None
        self._told_silent = False

    def of(self, chunk: SoundChunk) -> list[Level | Silent]:
        """What is to be said of this chunk: the level twice a second, silence once a stretch."""
        events: list[Level | Silent] = []
        if silent := self._silence(chunk):
            events.append(silent)
        # Not a dot product: that would wake the threads of the linear algebra library for nothing.
        self._squares += float(np.square(chunk.samples, dtype=np.float64).sum())
        self._peak = max(self._peak, _peak(chunk.samples))
        self._counted += len(chunk.samples)
        if self._counted >= LEVEL_EVERY_S * chunk.rate_hz:
            rms = math.sqrt(self._squares / self._counted)
            events.append(Level(chunk.t_s + chunk.duration_s, dbfs(rms), dbfs(self._peak)))
            self._squares, self._peak, self._counted = 0.0, 0, 0
        return events

    def _silence(self, chunk: SoundChunk) -> Silent | None:
        if chunk.samples.any():
            self._zero_since_s, self._told_silent = None, False
            return None
        if self._zero_since_s is None:
            self._zero_since_s = chunk.t_s
        lasted_s = chunk.t_s + chunk.duration_s - self._zero_since_s
        if self._told_silent or lasted_s < SILENT_AFTER_S:
            return None
        self._told_silent = True
        return Silent(self._zero_since_s, lasted_s)


def clipping(samples: NDArray[np.int16], t_s: float, rate_hz: int) -> Clipped | None:
    """The span of `samples` (n,) or (n, channels) that hit full scale `CLIPPED_RUN` times in a row, or None."""
    at_limit = (samples >= FULL_SCALE) | (samples <= -FULL_SCALE)
    columns = at_limit.reshape(len(samples), -1)
    run = columns[CLIPPED_RUN - 1 :].copy()
    for back in range(1, CLIPPED_RUN):
        run &= columns[CLIPPED_RUN - 1 - back : len(columns) - back]
    ends = np.flatnonzero(run.any(axis=1))
    if not len(ends):
        return None
    first, last = int(ends[0]), int(ends[-1]) + CLIPPED_RUN
    return Clipped(t_s + first / rate_hz, t_s + last / rate_hz, int(columns.any(axis=1).sum()))


def dbfs(amplitude: float) -> float:
    """Decibels of an int16 amplitude against full scale, not below `FLOOR_DBFS`."""
    return round(max(FLOOR_DBFS, 20 * math.log10(max(amplitude, 1e-9) / FULL_SCALE)), 1)


def _peak(samples: Samples) -> int:
    return max(int(samples.max(initial=0)), -int(samples.min(initial=0)))
