"""A table's voice in the hall: its newest public state, published from a thread of its own that disturbs nobody."""

from __future__ import annotations

import datetime as dt
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

from referee.hall.backing_off import BackOff
from referee.hall.broker import Broker
from referee.hall.keeping_connected import LOOK_S, KeepConnected, OnState
from referee.hall.messages import Presence, PublicState, TableState, WrongMessage, decode, encode
from referee.hall.mqtt import Came, Connection, Unreachable, tls_context
from referee.hall.topics import Topic, namesakes, read_topic
from referee.observations.clock import Clock

HEARTBEAT_S = 10.0
"""So often the state is sent though nothing has changed: a hall knows by it that the table still lives."""

PAUSE_S = 0.1
"""Changes that follow each other faster go out as one."""

_NAMESAKES_REMEMBERED = 50


class Source(Protocol):
    """Where the newest state is taken from. Only the newest: whatever was not sent in time is replaced by it."""

    def newest(self) -> tuple[int, PublicState]:
        """The state, and its number: it grows with every change."""

    def changed(self, seen: int, timeout_s: float) -> bool:
        """Wait until the state has another number than `seen`; False after the timeout."""


class NewestState:
    """A `Source` that holds one state: `put` replaces it, and never waits for anybody."""

    def __init__(self, state: PublicState) -> None:
        self._state, self._number = state, 0
        self._changed = threading.Condition()

    def put(self, state: PublicState) -> None:
        """This is the state now."""
        with self._changed:
            self._state, self._number = state, self._number + 1
            self._changed.notify_all()

    def newest(self) -> tuple[int, PublicState]:
        """See `Source`."""
        with self._changed:
            return self._number, self._state

    def changed(self, seen: int, timeout_s: float) -> bool:
        """See `Source`."""
        with self._changed:
            return self._changed.wait_for(lambda: self._number != seen, timeout_s)


def table_name(given: str) -> str:
    """A table's name as it is sent: single spaces, at most 80 characters; `table` for an empty one."""
    return " ".join(given.split())[:80].strip() or "table"


class Publisher:
    """Publishes `source` as the table `table`, from `start` to `stop`. wall: the clock that messages are dated by.

    on_state is told `running`, `lost`, `refused` or `same_name` (another table has this name too), and why; once for
    each change.
    """

    def __init__(
        self,
        broker: Broker,
        table: str,
        source: Source,
        *,
        clock: Clock,
        on_state: OnState = lambda _state, _why: None,
        wall: Callable[[], float] = time.time,
        back_off: BackOff | None = None,
    ) -> None:
        self.table, self.instance = table_name(table), secrets.token_hex(8)
        self._broker, self._source, self._clock, self._wall = broker, source, clock, wall
        if broker.tls:
            tls_context(broker.tls)  # files that cannot be used are told here, not from the thread
        self._others: deque[Came] = deque(maxlen=_NAMESAKES_REMEMBERED)
        self._online: set[str] = set()
        name = f"hall: {self.table}"
        self._keep = KeepConnected(name, self._open, self._serve, clock=clock, on_state=on_state, back_off=back_off)

    def start(self) -> None:
        """Begin to publish."""
        self._keep.start()

    def stop(self) -> None:
        """Publish the last state, say that the session has ended, and leave; at once if there is no broker."""
        self._keep.stop()

    def _open(self) -> Connection:
        will = (self._topic("presence"), encode(self._presence(online=False)))
        connection = Connection(self._broker, will=will, on_message=self._others.append)
        connection.open()
        return connection

    def _serve(self, connection: Connection) -> None:
        self._online.clear()
        connection.subscribe(namesakes(self._broker.prefix, self.table))
        sent = self._send(connection)
        connection.publish(self._topic("presence"), encode(self._presence(online=True)))
        sent_s = self._clock.now_s()
        while not self._keep.ending:
            if connection.lost:
                raise Unreachable("it has gone")
            self._look_at_others(connection)
            changed = self._source.changed(sent, LOOK_S)
            if changed or self._clock.now_s() - sent_s >= HEARTBEAT_S:
                sent, sent_s = self._send(connection), self._clock.now_s()
                self._clock.sleep(PAUSE_S)
        self._send(connection)
        connection.publish(self._topic("presence"), encode(self._presence(online=False, ended=True)))

    def _send(self, connection: Connection) -> int:
        number, state = self._source.newest()
        connection.publish(self._topic("state"), encode(TableState.of(state, self.table, self.instance, self._at())))
        return number

    def _look_at_others(self, connection: Connection) -> None:
        """Tell of another table with this name; clear away what an earlier start of this one has left behind."""
        while self._others:
            came = self._others.popleft()
            try:
                instance = read_topic(self._broker.prefix, came.topic).instance
                said = decode("presence", came.payload)
            except (ValueError, WrongMessage):
                continue
            if instance == self.instance or not isinstance(said, Presence):
                continue
            if said.online:
                self._online.add(instance)
                continue
            self._online.discard(instance)
            for kind in ("state", "presence"):
                connection.publish(Topic(self.table, instance, kind).under(self._broker.prefix), b"")
        if self._online:
            self._keep.tell("same_name", f"another table is called {self.table} too: give one of them another name")
        else:
            self._keep.tell("running")

    def _presence(self, *, online: bool, ended: bool = False) -> Presence:
        return Presence(table=self.table, instance=self.instance, at=self._at(), online=online, ended=ended)

    def _topic(self, kind: str) -> str:
        return Topic(self.table, self.instance, kind).under(self._broker.prefix)

    def _at(self) -> dt.datetime:
        return dt.datetime.fromtimestamp(self._wall(), dt.UTC)
