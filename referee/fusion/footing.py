"""How firmly the record stands: nobody is accused on a chain of which a link is not certain.

Whose turn it is and who owes what rest on all that was seen before. One thing that nobody saw would make later moves
look like fouls; where that is likely, what would be an accusation becomes a question, and the record waits for a lap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.cards import Seat
from referee.rules.ruling import Incident, Ruling

LEGIBLE = 0.7
"""Below this share of belief in the readings that were kept of a card, its fit is asked about and not judged."""

RESTS_ON_ORDER = frozenset(
    {
        "out_of_turn",
        "multiple_cards",
        "played_while_skipped",
        "wrong_first_player",
        "start_effect_missed",
        "drew_without_cause",
        "penalty_not_drawn",
        "drew_too_few",
        "passed_without_drawing",
        "stacked_not_allowed",
        "early_play",
    }
)
"""Incidents that rest on whose turn it is, or who owes what."""

RESTS_ON_FIT = frozenset({"illegal_play", "hand_card_after_draw", "colour_not_changed"})
"""Incidents that rest on what the cards on the pile are."""


@dataclass(slots=True)
class _Accused:
    """Who was accused of what by the turn order, and for how many moves it is remembered."""

    seat: Seat
    code: str
    moves: int


class Footing:
    """What of the last moves is less than certain."""

    def __init__(self) -> None:
        self._soft = 0
        self._accused: _Accused | None = None
        self._legible, self._top_legible = 1.0, 1.0

    def soften(self, moves: int) -> None:
        """Who makes the next move is told from the turn order alone: for so many moves nothing is proven by it."""
        self._soft = max(self._soft, moves)

    def reads(self, share: float) -> None:
        """The next card that is written is legible to this share."""
        self._legible = share

    def confirmed(self, seat: Seat) -> None:
        """`seat` took its card back: the table agrees that it was wrong."""
        if self._accused is not None and self._accused.seat is seat:
            self._accused = None

    def firm(self) -> None:
        """The record begins anew."""
        self._soft, self._accused = 0, None

    def weigh(self, ruling: Ruling, seat: Seat, *, play: bool, lap: int) -> tuple[Ruling, Incident | None]:
        """The ruling on a move of `seat` without what it cannot carry, and the accusation that became a question.

        play: whether a card was laid; lap: for how many moves an accusation that nobody answered is remembered: a
        second one in so short a time is more likely the record's fault than another player's.
        """
        doubtful = play and min(self._legible, self._top_legible) < LEGIBLE
        if play:
            self._top_legible, self._legible = self._legible, 1.0
        incidents = tuple(_asked(i) if doubtful and i.code in RESTS_ON_FIT else i for i in ruling.incidents)
        ordered = [i for i in incidents if i.kind == "foul" and i.code in RESTS_ON_ORDER]
        if not ordered:
            self._forget()
            return ruling._replace(incidents=incidents), None
        before, code = self._accused, ordered[0].code
        again = before is not None and (before.seat, before.code) != (seat, code)
        if doubtful or self._soft or again:
            self.firm()
            return ruling._replace(incidents=tuple(i for i in incidents if i not in ordered)), ordered[0]
        self._accused = _Accused(seat, code, lap)
        return ruling._replace(incidents=incidents), None

    def _forget(self) -> None:
        self._soft = max(0, self._soft - 1)
        if self._accused is not None:
            self._accused.moves -= 1
            if self._accused.moves <= 0:
                self._accused = None


def _asked(incident: Incident) -> Incident:
    return replace(incident, kind="question", certainty="likely", remedy="show_card")
