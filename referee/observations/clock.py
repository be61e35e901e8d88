"""The clock that everything live runs on: seconds on the session clock, injected so that tests own the time."""

from __future__ import annotations

from typing import Protocol


class Clock(Protocol):
    """Seconds since the session began, monotonic; nobody can set it (S6)."""

    def now_s(self) -> float:
        """The time now."""

    def sleep(self, seconds: float) -> None:
        """Wait."""
