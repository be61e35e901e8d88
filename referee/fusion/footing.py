"""How firmly the record stands: nobody is accused on a chain of which a link is not certain.

Whose turn it is and who owes what rest on all that was seen before, and one thing that nobody saw - a head before the
lens, a hand held over the pile - makes the next lawful move look like a foul. So what rests on the order of turns is
asked first, and ruled when the table agrees: the card goes back. What rests on the card below is ruled at once,
unless another card may have come between: one that a player laid after drawing, or under something hiding the pile.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.cards import Seat
from referee.rules.ruling import Incident, Ruling

LEGIBLE = 0.7
"""Below this share of belief in the readings that were kept of a card, its fit is asked about and not judged."""

HIDDEN_S = 2.0
"""Under something that hides the pile for longer, two players may have laid a card. A hand that lays one hides it for
0.3 s in the median of drawn films, for 1.7 s at most."""

UNWATCHED_S = 10.0
"""So long after the last move other cards may have come, where the eye does not say when it saw the pile."""

ONE_TURN_S = 4.0
"""Two draws of one player further apart than this may belong to two turns."""

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
        "early_play",
    }
)
"""Incidents that rest on whose turn it is, or who owes what."""

RESTS_ON_FIT = frozenset({"illegal_play", "stacked_not_allowed", "hand_card_after_draw", "colour_not_changed"})
"""Incidents that rest on what the cards on the pile are."""

RESTS_ON_LAST_CARD = frozenset({"last_draw_not_served"})
"""Incidents that rest on what card ended the round."""

RESTS_ON_TURN = frozenset({"drew_too_many"})
"""Incidents that rest on one player's draws being of one turn."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A ruling without what the record cannot carry.

    doubted: what was taken out of it; proven: what of that is so if the card goes back; by_order: whether anything of
    it rests on whose turn it is.
    """

    ruling: Ruling
    doubted: tuple[Incident, ...] = ()
    proven: tuple[Incident, ...] = ()
    by_order: bool = False


class Footing:
    """What of the last moves is less than certain."""

    def __init__(self) -> None:
        self._legible, self._top_legible = 1.0, 1.0
        self._hidden_s: float | None = None
        self._moved_s: float | None = None
        self._drawn: tuple[Seat | None, float] | None = None
        self._one_turn = True
        self.top_certain = True
        """Whether the last card that was laid lies on the one that the record has below it, and whose it is."""
        self._guess = self._laid_by_guess = self._bared = self._drew = False

    def reads(self, share: float) -> None:
        """The next card that is written is legible to this share."""
        self._legible = share

    def hides(self, hidden_s: float | None) -> None:
        """For so long nobody had seen the pile when the next move was made; None where the eye does not say."""
        self._hidden_s = hidden_s

    def guesses(self) -> None:
        """Who makes the next move, or whether it is one of the same turn, is told from the order of turns alone."""
        self._guess = True

    def settles(self, t_s: float) -> None:
        """What lies on the pile at `t_s` is known."""
        self._moved_s = t_s

    def bares(self, *, explained: bool) -> None:
        """A card went back, perhaps from another one than the record has below it.

        explained: the record knew why, so that the cards which that costs are not taken for those of a turn.
        """
        self._bared = True
        self._laid_by_guess = self._laid_by_guess or not explained

    def draws(self) -> None:
        """Somebody drew in its turn, or may have: the next one to lay a card may be any of two."""
        self._drew = True

    def anew(self) -> None:
        """The record begins anew."""
        self._moved_s = self._drawn = None
        self._one_turn = True
        self._guess = self._laid_by_guess = self._bared = self._drew = False

    def weigh_play(self, ruling: Ruling, t_s: float, *, in_step: bool) -> Weighed:
        """The ruling on a card laid at `t_s`.

        in_step: whether the record knows whose turn it is; if not, what rests on that is no ruling at all.
        """
        if any(incident.code == "impossible_card" for incident in ruling.incidents):
            self._legible = 0.0  # the deck has no such card left: it was misread, now or before
        legible = min(self._legible, self._top_legible) >= LEGIBLE
        guess, certain = self._guess, self._watched(t_s) and not (self._guess or self._bared or self._drew)
        self.top_certain = certain and in_step
        self._top_legible, self._legible = self._legible, 1.0
        self._moved_s, self._drawn = t_s, None
        self._one_turn, self._laid_by_guess = True, self._guess
        self._guess = self._bared = self._drew = False
        incidents = ruling.incidents if legible else tuple(map(_asked, ruling.incidents))
        by_order = _fouls(incidents, RESTS_ON_ORDER)
        by_fit = _fouls(incidents, RESTS_ON_FIT)
        if in_step and by_order:
            # A card that does not fit goes back whoever laid it: then that proves nothing of whose turn it was.
            return _without(ruling, incidents, (*by_order, *by_fit), by_fit or by_order, by_order=True)
        incidents = tuple(i for i in incidents if i not in by_order)
        heard = any(incident.certainty == "heard" for incident in by_fit)  # the colour of a wild, perhaps another
        if by_fit and (heard or not certain):
            return _without(ruling, incidents, by_fit, () if guess else by_fit)
        return Weighed(ruling._replace(incidents=incidents))

    def weigh_draw(self, ruling: Ruling, seat: Seat, t_s: float) -> Weighed:
        """The same for cards that `seat` drew at `t_s`: nothing that comes after can prove a doubt."""
        before, self._drawn = self._drawn, (seat, t_s)
        if before is None or before[0] is not seat:
            self._one_turn, before = not self._laid_by_guess and self._watched(t_s), None
        if self._guess or (before is not None and t_s - before[1] > ONE_TURN_S):
            self._one_turn = False
        self._guess = False
        by_order = _fouls(ruling.incidents, RESTS_ON_ORDER)
        by_turn = () if self._one_turn else _fouls(ruling.incidents, RESTS_ON_TURN)
        return _without(ruling, ruling.incidents, (*by_order, *by_turn), (), by_order=True)

    def weigh_end(self, ruling: Ruling) -> Weighed:
        """The same for the hands that were counted: what the last card cost another rests on its reading."""
        if self._top_legible >= LEGIBLE:
            return Weighed(ruling)
        asked = (_to_be_shown(i) if i.code in RESTS_ON_LAST_CARD else i for i in ruling.incidents)
        return Weighed(ruling._replace(incidents=tuple(asked)))

    def _watched(self, t_s: float) -> bool:
        """Whether no card can have come unseen, since the last one that is written, before the move at `t_s`."""
        if self._hidden_s is not None:
            return self._hidden_s <= HIDDEN_S
        return self._moved_s is None or t_s - self._moved_s <= UNWATCHED_S


def _without(
    ruling: Ruling,
    incidents: tuple[Incident, ...],
    doubted: tuple[Incident, ...],
    proven: tuple[Incident, ...],
    *,
    by_order: bool = False,
) -> Weighed:
    kept = tuple(i for i in incidents if i not in doubted)
    return Weighed(ruling._replace(incidents=kept), doubted, proven, by_order)


def _fouls(incidents: tuple[Incident, ...], codes: frozenset[str]) -> tuple[Incident, ...]:
    return tuple(i for i in incidents if i.kind == "foul" and i.code in codes)


def _asked(incident: Incident) -> Incident:
    return _to_be_shown(incident) if incident.code in RESTS_ON_FIT else incident


def _to_be_shown(incident: Incident) -> Incident:
    return replace(incident, kind="question", certainty="likely", remedy="show_card")
