"""The hall's board as one small object in a device's language: rulings are put into words here, from their codes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from referee.hall.gathering import Overview, TableView
from referee.hall.messages import PublicRuling, TableState
from referee.rules.messages import sentence

SHOWN_RULINGS = 2


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the tournament's standings: points as they are printed."""

    place: int
    name: str
    match_points: str
    card_points: int
    rounds: int


@dataclass(frozen=True, slots=True)
class HallBoard:
    """One moment of the hall. title, standings: of the tournament, if any; fault: why its book is not read."""

    overview: Overview
    address: str
    title: str = ""
    standings: tuple[Place, ...] = ()
    fault: str = ""

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """The board for a page, with its texts in one language."""
        hall = self.overview
        return {
            "title": self.title,
            "broker": {
                "state": hall.broker,
                "address": self.address,
                "why": hall.why,
                **_ago(hall, hall.broker_since_s),
            },
            "tables": [_table(view, hall, language) for view in hall.tables],
            "faults": [
                {"table": one.table, "kind": one.kind, "why": one.why, "count": one.count} for one in hall.faults
            ],
            "left_out": hall.left_out,
            "standings": [
                {
                    "place": one.place,
                    "name": one.name,
                    "match_points": one.match_points,
                    "card_points": one.card_points,
                    "rounds": one.rounds,
                }
                for one in self.standings
            ],
            "fault": self.fault,
        }


class HallLink:
    """The board behind the hall's page: looked at again every `beat_s`, and numbered anew when it has changed.

    look: the board now. However fast fifty tables publish, a page is told twice a second at most.
    """

    def __init__(self, look: Callable[[], HallBoard], *, beat_s: float = 0.5) -> None:
        self._look, self._beat_s = look, beat_s
        self._changed = threading.Condition()
        self._number, self._board = 0, look()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="hall board", daemon=True)

    def start(self) -> None:
        """Begin to follow the hall."""
        self._thread.start()

    def stop(self) -> None:
        """End it."""
        self._ending.set()
        self._thread.join(3.0)

    def board(self) -> tuple[int, HallBoard]:
        """The board, and its number."""
        with self._changed:
            return self._number, self._board

    def changed(self, seen: int, timeout_s: float) -> bool:
        """Wait until the board has another number than `seen`; False after the timeout."""
        with self._changed:
            return self._changed.wait_for(lambda: self._number != seen, timeout_s)

    def _follow(self) -> None:
        while not self._ending.wait(self._beat_s):
            board = self._look()
            with self._changed:
                if _lasting(board) != _lasting(self._board):
                    self._board = board
                    self._number += 1
                    self._changed.notify_all()


def _lasting(board: HallBoard) -> tuple[Any, ...]:
    """The board without what changes by itself: when it was looked at, and heartbeats that say nothing new."""
    hall = board.overview
    tables = [replace(view, state=None) for view in hall.tables]
    states = [view.state and view.state.model_dump(exclude={"at"}) for view in hall.tables]
    return replace(board, overview=replace(hall, at_s=0.0, tables=())), tables, states


def _ago(hall: Overview, since_s: float | None) -> dict[str, float | None]:
    """How long ago, in seconds at the time of the board: a page counts on from there by its own clock."""
    return {"ago_s": None if since_s is None else round(max(0.0, hall.at_s - since_s), 1)}


def _table(view: TableView, hall: Overview, language: str) -> dict[str, Any]:
    state = view.state
    told = {
        "name": view.name,
        "status": view.status,
        **_ago(hall, view.since_s),
        "needs": [
            {"code": code.partition(":")[0], "part": code.partition(":")[2], **_ago(hall, since_s)}
            for code, since_s in view.needs
        ],
        "instances": view.instances,
        "clock_off_s": None if view.clock_off_s is None else round(view.clock_off_s),
    }
    return told if state is None else {**told, **_state(state, language)}


def _state(state: TableState, language: str) -> dict[str, Any]:
    names = {player.seat: player.name for player in state.players}
    return {
        "round": state.round,
        "phase": state.phase,
        "view": state.view,
        "hears": state.hears,
        "players": [
            {
                "name": player.name,
                "points": player.points,
                "won": player.seat in state.winners,
            }
            for player in state.players
        ],
        "rulings": [
            {
                "kind": ruling.kind,
                "certainty": ruling.certainty,
                "standing": ruling.standing,
                "text": _words(ruling, names, language),
                "t_s": ruling.t_s,
            }
            for ruling in reversed(state.rulings[-SHOWN_RULINGS:])
        ],
    }


def _words(ruling: PublicRuling, names: dict[str, str], language: str) -> str:
    """The ruling as a sentence without cards; a code that this hall does not know is shown as it is."""
    code = f"{ruling.incident}.{ruling.variant}" if ruling.variant else ruling.incident
    player, other = (names.get(seat, seat) if seat else None for seat in (ruling.seat, ruling.other))
    for remedy in (ruling.remedy, ""):
        try:
            return sentence(code, remedy, language, player=player, other=other)
        except KeyError:
            continue
    return f"{player}: {ruling.incident}" if player else ruling.incident
