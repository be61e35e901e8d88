"""The end of a round and the beginning of the next: hands counted, the winner told, the first card turned up."""

from __future__ import annotations

from typing import Literal

from referee.cards import Seat
from referee.fusion.desk import Desk, Judged, Question
from referee.fusion.showing import OpenHand, result_of
from referee.rules.profiles import Profile

NEXT_ROUND_S = 20.0
"""Nobody gathers, shuffles and deals in less time: a card that lands so long after the last one may be the first of
the next round, where nobody saw the pile cleared."""

UNDEALT_S = 60.0
"""So long after the last card that came, the next one is the first of another round even if no deal was seen."""

A_DEAL = 3
"""So many visits to the draw pile, with no card laid between them, are a deal where nobody saw the pile cleared."""


class RoundEnd:
    """What is known of the hands once somebody went out."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._hands: dict[Seat, OpenHand] = {}
        self._over_s: float | None = None
        self._moved_s = float("-inf")
        self._visits = {"arm": 0, "cards": 0}
        self.certain = False
        """True once a hand was laid open, or it was asked whether the round is over at all."""
        self.counted = False
        """True when every hand was counted and the round is closed."""

    def over(self, t_s: float) -> None:
        """Somebody went out at `t_s`, if nobody had before."""
        if self._over_s is None:
            self._over_s = self._moved_s = t_s

    def gathers(self, t_s: float) -> None:
        """A card came to the pile or left it at `t_s`, and began no round: hands are thrown together."""
        self._moved_s = t_s
        self._visits = dict.fromkeys(self._visits, 0)

    def deals(self, seen: Literal["arm", "cards"]) -> None:
        """A hand was at the draw pile, or cards left it."""
        self._visits[seen] += 1

    @property
    def dealt(self) -> bool:
        """True once a hand was at the draw pile after the last card had come to the pile or to a place."""
        return any(self._visits.values())

    def show(self, desk: Desk, seat: Seat, hand: OpenHand) -> list[Judged]:
        """A hand laid open after the round; the last one that was missing closes it."""
        winner = desk.state.winner
        losers = _losers(desk)
        if seat not in losers or self.counted or winner is None:
            return []
        self._hands[seat], self.certain = hand, True
        self.gathers(hand.t_s)
        if not all(s in self._hands and self._hands[s].whole for s in losers):
            return []
        self.counted = True
        result = result_of(winner, self._hands, self._profile, hand.t_s)
        return [desk.write_result(result, t_s=hand.t_s, evidence=tuple(h.evidence for h in self._hands.values()))]

    def begins_anew(self, t_s: float, *, cleared: bool) -> bool:
        """Whether a card that lands at `t_s` begins the next round.

        It does on a cleared pile. Where that was not seen, hands that are thrown together would look the same: then
        only after a deal, or a long time.
        """
        waited_s = t_s - self._moved_s if self._over_s is not None else 0.0
        dealt = max(self._visits.values()) >= A_DEAL
        return cleared or waited_s >= (NEXT_ROUND_S if dealt else UNDEALT_S)

    def missing(self, desk: Desk, t_s: float) -> list[Question]:
        """What to ask when the round was not closed by the hands that were seen."""
        if self.counted or desk.state.phase != "over" or desk.state.winner is None:
            return []
        names = ", ".join(str(s) for s in _losers(desk) if s not in self._hands or not self._hands[s].whole)
        return [Question(f"The round is over, but the hand of {names} was not seen whole: count it by hand.", t_s)]


def _losers(desk: Desk) -> list[Seat]:
    return [seat for seat in desk.state.active if seat is not desk.state.winner]


def to_be_replaced(desk: Desk) -> bool:
    """Whether the first card must go back and another be turned up (rows E4 to E8)."""
    start = desk.state.start
    return start is not None and start.effect == "redraw" and not desk.state.moves
