"""Keeps a connection to the broker: opens it, serves it, and after a growing pause opens it again."""

from __future__ import annotations

import threading
from collections.abc import Callable

from referee.hall.backing_off import BackOff
from referee.hall.mqtt import Connection, Refused, Unreachable
from referee.observations.clock import Clock

LOOK_S = 0.25
"""So often it is looked whether the end was asked for."""

OnState = Callable[[str, str], object]
"""Told `running`, `lost` or `refused`, and why."""


class KeepConnected:
    """A thread of its own. begin: opens the connection; serve: called with it, until it raises Unreachable or ends.

    on_state is told once for each change. Nothing that goes wrong here reaches anybody else.
    """

    def __init__(
        self,
        name: str,
        begin: Callable[[], Connection],
        serve: Callable[[Connection], None],
        *,
        clock: Clock,
        on_state: OnState,
        back_off: BackOff | None = None,
    ) -> None:
        self._begin, self._serve, self._clock, self._on_state = begin, serve, clock, on_state
        self._back_off = back_off or BackOff()
        self._ending = threading.Event()
        self._told = ""
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to connect."""
        self._thread.start()

    def stop(self, within_s: float = 3.0) -> None:
        """End it, and wait for the last word to be said, but never long."""
        self._ending.set()
        if self._thread.ident is not None:
            self._thread.join(within_s)

    @property
    def ending(self) -> bool:
        """Whether `stop` was called."""
        return self._ending.is_set()

    def tell(self, state: str, why: str = "") -> None:
        """Tell a state, if it is another than before."""
        if state != self._told:
            self._told = state
            self._on_state(state, why)

    def _run(self) -> None:
        while not self.ending:
            try:
                self._once()
            except Refused as fault:
                self.tell("refused", str(fault))
            except Unreachable as fault:
                self.tell("lost", f"the broker cannot be reached: {fault}")
            except Exception as fault:
                self.tell("lost", f"{type(fault).__name__}: {fault}")
            self._wait(self._back_off.next_s())

    def _once(self) -> None:
        connection = self._begin()
        try:
            self._back_off.reset()
            self.tell("running")
            self._serve(connection)
        finally:
            connection.close()

    def _wait(self, seconds: float) -> None:
        until_s = self._clock.now_s() + seconds
        while not self.ending and (left_s := until_s - self._clock.now_s()) > 0:
            self._clock.sleep(min(left_s, LOOK_S))
