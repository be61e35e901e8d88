"""Whether those before a player may have moved, although nobody saw the card in their hand or on the pile.

A hand that looks like the table, or that was hidden by another, may have drawn; one that was at the discard pile may
have laid a card that was covered at once. Then the next one to play is not out of turn for certain: it is asked, not
judged.
"""

from __future__ import annotations

from referee.cards import Seat
from referee.fusion.desk import Desk, Judged, Question
from referee.observations import ArmSeen, Zone
from referee.rules.entries import Draw


class GivingWay:
    """Remembers which arms came and went since the last move."""

    def __init__(self) -> None:
        self._came: dict[Seat, tuple[float, float]] = {}
        self._at_pile: dict[Seat, tuple[float, float]] = {}
        self._perhaps: set[Seat] = set()
        self._moved_s = float("-inf")

    def saw(self, arm: ArmSeen) -> None:
        """An arm was over a pile or its own place."""
        self._came[arm.seat] = arm.t_s, arm.until_s
        if arm.zone is Zone.DISCARD:
            self._at_pile[arm.seat] = arm.t_s, arm.until_s

    def may_have_drawn(self, seat: Seat) -> None:
        """Perhaps `seat` drew, when it was not its turn for certain."""
        self._perhaps.add(seat)

    def moved(self, t_s: float) -> None:
        """Somebody laid a card or drew for certain."""
        self._moved_s = t_s
        self._perhaps.clear()

    def to(self, mover: Seat, desk: Desk, t_s: float, evidence: tuple[str, ...]) -> list[Judged | Question]:
        """`mover` is about to move: what those before it may have done."""
        written: list[Judged | Question] = []
        drawn = desk.state.drawn
        if drawn is not None and drawn.seat is mover and desk.in_step:  # perhaps that turn was over long since
            after = desk.state.following(mover)
            if self._between(self._at_pile.get(after), t_s):
                return [self._perhaps_laid(after, desk, t_s, evidence)]
        for _ in desk.state.active:
            state = desk.state
            waiting = state.to_act
            if waiting in (None, mover) or not desk.in_step:
                break
            assert waiting is not None
            if self._between(self._at_pile.get(waiting), t_s):
                return [*written, self._perhaps_laid(waiting, desk, t_s, evidence)]
            if state.drawn is not None and state.drawn.seat is waiting:
                waiting = state.following(waiting)
            if state.debts or waiting is mover or not self._may(waiting, t_s):
                break
            if self._between(self._at_pile.get(waiting), t_s):
                return [*written, self._perhaps_laid(waiting, desk, t_s, evidence)]
            self._perhaps.discard(waiting)
            self._came.pop(waiting, None)
            written += desk.write(waiting, Draw(0, "turn", most=1), t_s=t_s, evidence=evidence)
            written.append(Question(f"Did {waiting} draw a card and pass? I did not see it.", t_s, evidence))
        return written

    def _perhaps_laid(self, seat: Seat, desk: Desk, t_s: float, evidence: tuple[str, ...]) -> Question:
        text = f"{seat} was at the pile: was a card laid there that I did not see? Whose turn is it?"
        desk.lose_step(seat, text)
        return Question(text, t_s, evidence)

    def _may(self, seat: Seat, t_s: float) -> bool:
        return seat in self._perhaps or self._between(self._came.get(seat), t_s)

    def _between(self, visit: tuple[float, float] | None, t_s: float) -> bool:
        return visit is not None and self._moved_s < visit[0] < visit[1] < t_s
