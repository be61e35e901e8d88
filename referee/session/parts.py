"""The parts that run beside each other at a live table, each with a state that everybody may see."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType


class Parts:
    """States by part: `running`, `lost` (trying again), `off`, `stopped`. on_change is called after each change.

    It is called on the thread of the part that changed, so it must be quick; its faults are its own.
    """

    def __init__(self) -> None:
        self._states: dict[str, str] = {}
        self._why: dict[str, str] = {}
        self._guard = threading.Lock()
        self.on_change: Callable[[], None] = lambda: None

    def set(self, part: str, state: str, why: str = "") -> bool:
        """A part is in this state; from any thread. Returns whether it was in another before."""
        with self._guard:
            changed = self._states.get(part) != state
            self._states[part], self._why[part] = state, why
        if changed:
            with suppress(Exception):  # who looks on never stops a part
                self.on_change()
        return changed

    @property
    def states(self) -> Mapping[str, str]:
        """All of them now."""
        with self._guard:
            return MappingProxyType(dict(self._states))

    def why(self, part: str) -> str:
        """Why it is as it is, for people; empty if there is nothing to say."""
        with self._guard:
            return self._why.get(part, "")
