"""Whether those before a player may have drawn and passed, although nobody saw the card in their hand.

A hand that looks like the table, or that was hidden by another, may have drawn. Then the next one to play is not
out of turn for certain: it is asked, not judged.
"""

from __future__ import annotations

from referee.cards import Seat
from referee.fusion.desk import Desk, Judged, Question
from referee.observations import ArmSeen
from referee.rules.entries import Draw


class GivingWay:
    """Remembers which arms came and went since the last move."""

    def __init__(self) -> None:
        self._came: dict[Seat, tuple[float, float]] = {}
        self._perhaps: set[Seat] = set()
        self._moved_s = float("-inf")

    def saw(self, arm: ArmSeen) -> None:
        """An arm was over a pile or its own place."""
        self._came[arm.seat] = arm.t_s, arm.until_s

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
        for _ in desk.state.active:
            state = desk.state
            waiting = state.to_act
            if waiting is mover:
                break
            if waiting is not None and state.drawn is not None and state.drawn.seat is waiting:
                waiting = state.following(waiting)
            if not desk.in_step or state.debts or waiting in (None, mover) or not self._may(waiting, t_s):
                break
            assert waiting is not None
            self._perhaps.discard(waiting)
            self._came.pop(waiting, None)
            written += desk.write(waiting, Draw(0, "turn", most=1), t_s=t_s, evidence=evidence)
            written.append(Question(f"Did {waiting} draw a card and pass? I did not see it.", t_s, evidence))
        return written

    def _may(self, seat: Seat | None, t_s: float) -> bool:
        if seat is None:
            return False
        came_s, gone_s = self._came.get(seat, (float("-inf"), float("inf")))
        return seat in self._perhaps or self._moved_s < came_s < gone_s < t_s
