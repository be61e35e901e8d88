"""What a hall knows of its tables: messages go in, with the hall's own time, and one overview comes out. No I/O."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from referee.hall.messages import Presence, TableState, WrongMessage, decode
from referee.hall.needs import needs_of, urgency
from referee.hall.topics import read_topic

STALE_S = 35.0
"""Nothing for so long, three heartbeats and a half, from a table that is said to be there: it hangs."""

CLOCKS_DIFFER_S = 5.0
FORGOTTEN_S = 18 * 3600.0
"""A table that was left offline the day before is not of this evening."""

MOST_TABLES = 400
_MOST_FAULTS = 50

Status: TypeAlias = Literal["same_name", "online", "stale", "offline", "ended"]


@dataclass(frozen=True, slots=True)
class TableView:
    """A table on the board. since_s: hall time at which its status began, None: before this hall came to know it.

    needs: (code, hall time since when), the most urgent first. clock_off_s: how far its clock is ahead of the hall's,
    where that is more than a message takes. instances: how many tables have this name now.
    """

    name: str
    status: Status
    since_s: float | None
    state: TableState | None
    needs: tuple[tuple[str, float], ...] = ()
    clock_off_s: float | None = None
    instances: int = 1


@dataclass(frozen=True, slots=True)
class MessageFault:
    """Messages of one sender that could not be used. kind: `newer`, `older` or `malformed`."""

    table: str
    kind: str
    why: str
    count: int


@dataclass(frozen=True, slots=True)
class Overview:
    """One moment of the hall. broker: `running`, `lost` or `refused`, since when and why. Times are the clock's."""

    at_s: float
    broker: str
    broker_since_s: float
    why: str
    tables: tuple[TableView, ...] = ()
    faults: tuple[MessageFault, ...] = ()
    left_out: int = 0


@dataclass(slots=True)
class _Known:
    name: str
    state: TableState | None = None
    presence: Presence | None = None
    heard_s: float = 0.0
    presence_s: float | None = None
    needs: dict[str, float] = field(default_factory=dict)
    off_s: deque[float] = field(default_factory=lambda: deque(maxlen=3))

    def online(self) -> bool:
        return self.presence is not None and self.presence.online

    def stale(self, now_s: float, connected_s: float) -> bool:
        return now_s - max(self.heard_s, connected_s) > STALE_S


class Gathering:
    """The tables of one hall, by what they published under `prefix`. Times `now_s` are the hall's own."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._known: dict[tuple[str, str], _Known] = {}
        self._faults: dict[tuple[str, str], MessageFault] = {}
        self._connected_s = 0.0
        self.left_out = 0

    def connected(self, now_s: float) -> None:
        """The broker is reached (again): silence before now was not the tables'."""
        self._connected_s = now_s

    def receive(self, topic: str, payload: bytes, *, retained: bool, now_s: float, wall_s: float) -> None:
        """Take a message; one that cannot be used is counted, never raised. wall_s: the hall's wall clock now."""
        try:
            parts = read_topic(self._prefix, topic)
        except ValueError:
            self._fault(topic, WrongMessage("malformed", "no such topic"))
            return
        key = (_key(parts.table), parts.instance)
        if not payload:  # cleared away by the table's next start
            self._known.pop(key, None)
            return
        try:
            message = decode(parts.kind, payload)
            if (message.table, message.instance) != (parts.table, parts.instance):
                raise WrongMessage("malformed", "it is of another table than its topic")
        except WrongMessage as fault:
            self._fault(parts.table, fault)
            return
        self._faults = {at: one for at, one in self._faults.items() if at[0] != parts.table}
        if retained and wall_s - message.at.timestamp() > FORGOTTEN_S and key not in self._known:
            return
        if key not in self._known and len(self._known) >= MOST_TABLES:
            self.left_out += 1
            return
        known = self._known.setdefault(key, _Known(message.table))
        known.heard_s = now_s
        if isinstance(message, Presence):
            changed = known.presence is None or known.presence.online != message.online
            known.presence = message
            if changed:
                known.presence_s = None if retained else now_s
            return
        known.state = message
        known.needs = {code: known.needs.get(code, now_s) for code in needs_of(message)}
        if not retained:
            known.off_s.append(message.at.timestamp() - wall_s)

    def tables(self, now_s: float) -> list[TableView]:
        """Every table: those that need somebody first, then those that are away, then the rest by name."""
        groups: dict[str, list[_Known]] = {}
        for (key, _), known in self._known.items():
            groups.setdefault(key, []).append(known)
        found = (self._view(group, now_s) for group in groups.values())
        return sorted((view for view in found if view is not None), key=_order)

    def faults(self) -> list[MessageFault]:
        """Senders whose messages could not be used, and have not been mended since."""
        return sorted(self._faults.values(), key=lambda fault: (fault.table, fault.kind))

    def _view(self, group: list[_Known], now_s: float) -> TableView | None:
        there = [one for one in group if one.online() and not one.stale(now_s, self._connected_s)]
        if len(there) > 1:
            since_s = max((one.presence_s for one in there if one.presence_s is not None), default=None)
            return TableView(there[0].name, "same_name", since_s, None, instances=len(there))
        one = there[0] if there else max(group, key=_recent)
        if one.presence is None:
            return None  # the rest of what it says is on its way
        if one.online():
            status: Status = "online" if there else "stale"
        else:
            status = "ended" if one.presence.ended else "offline"
        since_s = one.heard_s if status == "stale" else one.presence_s
        needs = sorted(one.needs.items(), key=lambda need: (urgency(need[0]), need[1])) if status == "online" else []
        return TableView(one.name, status, since_s, one.state, tuple(needs), _clock_off_s(one.off_s))

    def _fault(self, table: str, fault: WrongMessage) -> None:
        key = (table, fault.kind)
        if key not in self._faults and len(self._faults) >= _MOST_FAULTS:
            self.left_out += 1
            return
        before = self._faults.get(key)
        self._faults[key] = MessageFault(table[:80], fault.kind, fault.why, before.count + 1 if before else 1)


def _clock_off_s(off_s: Iterable[float]) -> float | None:
    """The least difference of the last messages: one that was held up on its way says nothing of clocks."""
    least_s = min(off_s, key=abs, default=0.0)
    return least_s if abs(least_s) > CLOCKS_DIFFER_S else None


def _recent(known: _Known) -> tuple[float, float]:
    said = [message.at.timestamp() for message in (known.state, known.presence) if message is not None]
    return known.heard_s, max(said, default=0.0)


def _order(view: TableView) -> tuple[int, int, float, list[tuple[int, str]]]:
    statuses: dict[Status, int] = {"same_name": 0, "online": 2, "stale": 1, "offline": 1, "ended": 3}
    place = 0 if view.needs else statuses[view.status]
    first = view.needs[0] if view.needs else None
    return place, urgency(first[0]) if first else -1, first[1] if first else 0.0, _by_number(view.name)


def _by_number(name: str) -> list[tuple[int, str]]:
    """`Table 9` before `Table 10`."""
    return [(int(part), "") if part.isdecimal() else (0, part.casefold()) for part in _split(name)]


def _split(name: str) -> list[str]:
    parts: list[str] = []
    for char in name:
        if parts and parts[-1].isdecimal() == char.isdecimal():
            parts[-1] += char
        else:
            parts.append(char)
    return parts


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()
