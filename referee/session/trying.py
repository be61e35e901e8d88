"""Keeps a sense that fails from ending the game: it is tried again, after ever longer pauses, and all are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")

PAUSES_S = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""How long a sense is left alone after each failure in a row; the last one holds on."""


class OnSense(Protocol):
    """Is told what became of a sense."""

    def lost(self, sense: str, t_s: float, why: str) -> None:
        """It failed at `t_s`, for the first time since it last worked."""

    def regained(self, sense: str, t_s: float, away_s: float) -> None:
        """It works again at `t_s`, after so many seconds."""


class Trying:
    """One sense: `eye` or `ear`. told: None lets its faults through, as a replay wants them."""

    def __init__(self, sense: str, told: OnSense | None) -> None:
        self._sense, self._told = sense, told
        self._lost_s: float | None = None
        self._again_s = float("-inf")
        self._failures = 0

    def rests(self, t_s: float) -> bool:
        """Whether it is left alone at `t_s`, after a failure."""
        return t_s < self._again_s

    def of(self, t_s: float, look: Callable[[], Sequence[T]]) -> Sequence[T]:
        """What `look` finds at `t_s` on the session clock; nothing when it fails."""
        try:
            found = look()
        except Exception as fault:
            if self._told is None:
                raise
            self._again_s = t_s + PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]
            self._failures += 1
            if self._lost_s is None:
                self._lost_s = t_s
                self._told.lost(self._sense, t_s, f"{type(fault).__name__}: {fault}")
            return []
        if self._lost_s is not None and self._told is not None:
            self._told.regained(self._sense, t_s, t_s - self._lost_s)
            self._lost_s, self._failures = None, 0
        return found
