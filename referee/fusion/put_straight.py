"""A card that was just laid moves: put straight, or a second card of the same player? What follows will tell."""

from __future__ import annotations

from dataclasses import dataclass

from referee.cards import Seat
from referee.fusion.desk import Desk, Judged, Question
from referee.observations import CardLanded, CardLifted
from referee.rules.entries import Play


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was asked of which card; same: it reads as the one that lay there."""

    seen: CardLanded
    seat: Seat
    play: Play
    same: bool
    text: str


class PutStraight:
    """Keeps the card of which it was asked whether it is another one, until somebody moves."""

    def __init__(self) -> None:
        self._asked: _Asked | None = None

    def ask(self, seen: CardLanded, seat: Seat, play: Play, *, same: bool) -> Question:
        """The card that `seat` laid was perhaps only moved.

        same: it reads as that card did; if not, nobody knows which of the two readings is right.
        """
        text = f"Did {seat} lay another card, {play.card.code}, or only move the one that lay there?"
        self._asked = _Asked(seen, seat, play, same, text)
        return Question(text, seen.t_s, (seen.id,))

    def moves_on(self, desk: Desk) -> None:
        """Play goes on: the card was only moved, and lies there however it is to be read."""
        asked, self._asked = self._asked, None
        if asked is None:
            return
        desk.footing.bares(explained=False)
        if not asked.same:
            desk.lose_step(asked.seat, asked.text)
            desk.lies(asked.play.card)

    def taken_back(self, desk: Desk, lifted: CardLifted) -> list[Judged]:
        """That very card is taken back, and another lies below it: it was a second one."""
        asked = self._asked
        if asked is None or lifted.reading.card != asked.play.card or lifted.seat not in (asked.seat, None):
            return []
        self._asked = None
        written = desk.write(asked.seat, asked.play, t_s=asked.seen.t_s, evidence=(asked.seen.id,))
        desk.doubts()  # asked already
        return written
