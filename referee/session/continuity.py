"""Notices holes in picture and sound. A hole is an event; what comes after it keeps its true time."""

from __future__ import annotations

from typing import Any

PICTURE_GAP_S = 1.0
SOUND_GAP_S = 0.15


class Continuity:
    """Follows one stream. `after` is told each item's span and says whether something is missing before it."""

    def __init__(self, what: str, tolerated_s: float, end_s: float | None = None) -> None:
        self.what = what
        self._tolerated_s = tolerated_s
        self._end_s = end_s

    @property
    def end_s(self) -> float | None:
        """Up to where the stream came, None before its first item."""
        return self._end_s

    def after(self, t_s: float, duration_s: float = 0.0) -> dict[str, Any] | None:
        """The payload of a `gap` line when the item at `t_s` begins later than the stream allows, else None."""
        before, self._end_s = self._end_s, max(self._end_s or 0.0, t_s + duration_s)
        if before is None or t_s - before <= self._tolerated_s:
            return None
        return gap(self.what, before, t_s, "nothing came")


def gap(what: str, from_s: float, until_s: float, why: str) -> dict[str, Any]:
    """The payload of a `gap` line."""
    return {"what": what, "from_s": round(from_s, 3), "until_s": round(until_s, 3), "why": why}
