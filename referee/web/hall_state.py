"""What a table's board tells the hall: scores, round, rulings by their codes, health in words. Nothing else of it."""

from __future__ import annotations

from typing import Any, Protocol, cast

from referee.cards import Seat
from referee.fusion.desk import Question
from referee.hall.messages import Player, PublicRuling, PublicState
from referee.web.board import SHOWN_RULINGS, Board, Said

HALL_PART = "hall"
"""The part that publishes; it says nothing about itself, whoever reads it knows that it runs."""

_VIEWS = ("ready", "hand_over", "settling", "lost")


class HasBoard(Protocol):
    """A table with a board, as `TableLink` is."""

    def board(self) -> tuple[int, Board]:
        """The board, and its number."""

    def changed(self, seen: int, timeout_s: float) -> bool:
        """Wait until the board has another number than `seen`; False after the timeout."""


class BoardSource:
    """The `Source` of a publisher over a table's board, which holds one moment only: the newest."""

    def __init__(self, table: HasBoard) -> None:
        self._table = table

    def newest(self) -> tuple[int, PublicState]:
        """See `Source`."""
        number, board = self._table.board()
        return number, public_state(board)

    def changed(self, seen: int, timeout_s: float) -> bool:
        """See `Source`."""
        return self._table.changed(seen, timeout_s)


def public_state(board: Board) -> PublicState:
    """What of `board` everybody in the hall may know."""
    last = board.sheet[-1] if board.sheet else None
    finished = board.phase in ("round_over", "ended")
    rulings = [ruling for said in board.said if (ruling := _ruling(said)) is not None]
    return PublicState(
        round=max(1, len(board.sheet) + (0 if finished else 1)),
        phase=board.phase,
        view=cast(Any, board.view.state if board.view.state in _VIEWS else "ready"),
        asks=board.question is not None and not board.ended,
        hears=board.health.hears,
        players=[
            Player(
                seat=str(seat),
                name=(name or str(seat))[:80],
                points=last.totals.get(seat, 0) if last else 0,
            )
            for seat, name in board.plan.players.items()
        ],
        rulings=rulings[-SHOWN_RULINGS:],
        health={part: state for part, state in board.health.parts.items() if part != HALL_PART},
        winners=[str(seat) for seat in last.winners] if last and last.over else [],
    )


def _ruling(said: Said) -> PublicRuling | None:
    """A ruling as its code. A question of the eye is free text that may name cards: `asks` alone tells of it."""
    if isinstance(said.told, Question):
        return None
    incident = said.told.incident
    if incident.kind == "note":
        return None
    return PublicRuling(
        t_s=round(max(0.0, said.t_s), 2),
        incident=incident.code,
        variant=incident.variant,
        kind=incident.kind,
        certainty=incident.certainty,
        seat=str(incident.seat) if incident.seat else None,
        other=str(other) if isinstance(other := incident.facts.get("other"), Seat) else None,
        remedy=incident.remedy,
        option=incident.option,
        standing=said.standing,
    )
