"""What a sound source tells besides sound: gaps, clipping, level, and whether it listens at all.

Every event has `t_s` on the session clock, so that a ruling can say what could not be heard, and when.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

GapCause = Literal["overflow", "missing", "not taken in time", "lost"]
"""overflow: the device said so; missing: only the times show it; not taken in time: our own queue was full."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Sound is missing from `t_s` on and silence stands in for it, so that what follows keeps its time (A4).

    duration_s: 0 where the device reported an overflow and nothing tells how long it was.
    """

    t_s: float
    duration_s: float
    cause: GapCause


@dataclass(frozen=True, slots=True)
class Clipped:
    """The sound hit full scale between `t_s` and `end_s`: words in it are distorted. samples: how many did."""

    t_s: float
    end_s: float
    samples: int


@dataclass(frozen=True, slots=True)
class Level:
    """Loudness of the last half second, in dB below full scale (0 is full; `FLOOR_DBFS` is digital silence)."""

    t_s: float
    rms_dbfs: float
    peak_dbfs: float


@dataclass(frozen=True, slots=True)
class Silent:
    """Nothing but zeros came for some seconds: the microphone is muted, or the system denies access to it."""

    t_s: float
    duration_s: float


@dataclass(frozen=True, slots=True)
class Lost:
    """The microphone no longer gives sound since `t_s`: nobody is listening (A1). why: for people, one line."""

    t_s: float
    why: str


@dataclass(frozen=True, slots=True)
class Regained:
    """The microphone listens again from `t_s`, after `away_s` seconds and so many attempts (A11)."""

    t_s: float
    device: str
    away_s: float
    attempts: int


SoundEvent = Gap | Clipped | Level | Silent | Lost | Regained

FLOOR_DBFS = -96.0
"""Level of digital silence in 16 bits."""
