"""The end of a round and the beginning of the next: hands counted, the winner told, the first card turned up."""

from __future__ import annotations

from referee.cards import Seat
from referee.fusion.desk import Desk, Judged, Question
from referee.fusion.showing import OpenHand, result_of
from referee.rules.profiles import Profile

NEXT_ROUND_S = 20.0
"""A card laid so long after somebody went out begins the next round, even if no hand was shown in between."""


class RoundEnd:
    """What is known of the hands once somebody went out."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._hands: dict[Seat, OpenHand] = {}
        self._over_s: float | None = None
        self.doubted = False
        """True once it was asked whether the round is over at all."""
        self.counted = False
        """True when every hand was counted and the round is closed."""

    def over(self, t_s: float) -> None:
        """Somebody went out at `t_s`, if nobody had before."""
        if self._over_s is None:
            self._over_s = t_s

    def show(self, desk: Desk, seat: Seat, hand: OpenHand) -> list[Judged]:
        """A hand laid open after the round; the last one that was missing closes it."""
        winner = desk.state.winner
        losers = _losers(desk)
        if seat not in losers or self.counted or winner is None:
            return []
        self._hands[seat] = hand
        if not all(s in self._hands and self._hands[s].whole for s in losers):
            return []
        self.counted = True
        result = result_of(winner, self._hands, self._profile, hand.t_s)
        return [desk.write_result(result, t_s=hand.t_s, evidence=tuple(h.evidence for h in self._hands.values()))]

    def begins_anew(self, t_s: float, *, cleared: bool) -> bool:
        """Whether a card that lands at `t_s` begins the next round: after hands were shown, or the pile cleared."""
        late = self._over_s is not None and t_s - self._over_s >= NEXT_ROUND_S
        return self.counted or cleared or late or bool(self._hands)

    def missing(self, desk: Desk, t_s: float) -> list[Question]:
        """What to ask when the round was not closed by the hands that were seen."""
        if self.counted or desk.state.phase != "over" or desk.state.winner is None:
            return []
        names = ", ".join(str(s) for s in _losers(desk) if s not in self._hands or not self._hands[s].whole)
        return [Question(f"The round is over, but the hand of {names} was not seen whole: count it by hand.", t_s)]


def _losers(desk: Desk) -> list[Seat]:
    return [seat for seat in desk.state.active if seat is not desk.state.winner]
