"""A hall's ear at the broker: what tables publish goes into the gathering, and the broker's state beside it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from referee.faults import InputFault
from referee.hall.backing_off import BackOff
from referee.hall.broker import Broker
from referee.hall.gathering import Gathering, Overview
from referee.hall.keeping_connected import LOOK_S, KeepConnected
from referee.hall.mqtt import Came, Connection, Refused, Unreachable, tls_context
from referee.hall.topics import all_tables
from referee.observations.clock import Clock

LONGEST_PAUSE_S = 8.0


class Listening:
    """Listens at `broker` from `start` to `stop`. on_state: told when the broker is lost and found again, and why."""

    def __init__(
        self,
        broker: Broker,
        *,
        clock: Clock,
        wall: Callable[[], float] = time.time,
        on_state: Callable[[str, str], object] = lambda _state, _why: None,
    ) -> None:
        self._broker, self._clock, self._wall, self._on_state = broker, clock, wall, on_state
        if broker.tls:
            tls_context(broker.tls)  # files that cannot be used are told here, not from the thread
        self._gathering = Gathering(broker.prefix)
        self._guard = threading.Lock()
        self._state, self._since_s, self._why = "lost", clock.now_s(), ""
        self.received = 0
        self._keep = KeepConnected(
            "hall",
            self._open,
            self._serve,
            clock=clock,
            on_state=self._told,
            back_off=BackOff(longest_s=LONGEST_PAUSE_S),
        )

    def start(self) -> None:
        """Begin to listen. Raises InputFault at once if the broker refuses us; one that is away is waited for."""
        try:
            self._open().close()
        except Refused as fault:
            raise InputFault(
                str(fault), where=self._broker.address, mend="check [hall] in the settings, or --user"
            ) from None
        except Unreachable:
            pass  # the thread tells it, and tries again
        self._keep.start()

    def stop(self) -> None:
        """End it."""
        self._keep.stop()

    def overview(self) -> Overview:
        """The hall as it is known now."""
        now_s = self._clock.now_s()
        with self._guard:
            gathering = self._gathering
            tables, faults = tuple(gathering.tables(now_s)), tuple(gathering.faults())
            return Overview(now_s, self._state, self._since_s, self._why, tables, faults, gathering.left_out)

    def _open(self) -> Connection:
        connection = Connection(self._broker, on_message=self._came)
        connection.open()
        return connection

    def _serve(self, connection: Connection) -> None:
        connection.subscribe(all_tables(self._broker.prefix))
        while not self._keep.ending:
            if connection.lost:
                raise Unreachable("it has gone")
            self._clock.sleep(LOOK_S)

    def _came(self, came: Came) -> None:
        with self._guard:
            self.received += 1
            self._gathering.receive(
                came.topic, came.payload, retained=came.retained, now_s=self._clock.now_s(), wall_s=self._wall()
            )

    def _told(self, state: str, why: str) -> None:
        with self._guard:
            self._state, self._since_s, self._why = state, self._clock.now_s(), why
            if state == "running":
                self._gathering.connected(self._since_s)
        self._on_state(state, why)
