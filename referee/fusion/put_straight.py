"""A card that was just laid moves: put straight, or a second card of the same player? What follows will tell."""

from __future__ import annotations

from referee.cards import Seat
from referee.fusion.desk import Desk, Judged, Question
from referee.observations import CardLanded, CardLifted
from referee.rules.entries import Play


class PutStraight:
    """Keeps the card of which it was asked whether it is another one, until somebody moves."""

    def __init__(self) -> None:
        self._asked: tuple[CardLanded, Seat, Play, bool, Question] | None = None

    def ask(self, seen: CardLanded, seat: Seat, play: Play, *, same: bool) -> Question:
        """The card that `seat` laid was perhaps only moved.

        same: it reads as that card did; if not, nobody knows which of the two readings is right.
        """
        text = f"Did {seat} lay another card, {play.card.code}, or only move the one that lay there?"
        question = Question(text, seen.t_s, (seen.id,))
        self._asked = seen, seat, play, same, question
        return question

    def moves_on(self, desk: Desk) -> None:
        """Play goes on: the card was only moved, and lies there however it is to be read."""
        asked, self._asked = self._asked, None
        if asked is None:
            return
        desk.footing.bares(explained=False)
        if not asked[3]:
            desk.lose_step(asked[1], asked[4].text)
            desk.lies(asked[2].card)

    def taken_back(self, desk: Desk, lifted: CardLifted) -> list[Judged]:
        """That very card is taken back, and another lies below it: it was a second one."""
        if self._asked is None:
            return []
        seen, seat, play, _, _ = self._asked
        if lifted.reading.card != play.card or lifted.seat not in (seat, None):
            return []
        self._asked = None
        written = desk.write(seat, play, t_s=seen.t_s, evidence=(seen.id,))
        desk.doubts()  # asked already
        return written
