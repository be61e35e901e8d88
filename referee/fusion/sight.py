"""What the record may still rely on after the table was out of view: dark, covered, or the camera pushed."""

from __future__ import annotations

from referee.fusion.desk import Desk, Judged, Question
from referee.observations import ViewChanged, ViewState
from referee.rules.entries import Draw

BLINK_S = 0.5
"""Nobody gets anything done in so short a time."""

SHORT_S = 1.5
"""In so short a time one card at most was laid or drawn: the record goes on, and what does not fit then is asked."""

ONE_MOVE_S = 4.0
"""In so long a time a card may have been drawn, no more than one."""

JUST_BACK_S = 2.0
"""A card that nobody was seen to lay, found so soon after, came while the table was out of view."""


class Sight:
    """Whether the table is in view. While it is not, the desk is blind, and rulings pause."""

    def __init__(self) -> None:
        self._lost: tuple[float, str] | None = None
        self._again_s: float | None = None
        self._back_s = float("-inf")
        self._free: bool | None = None
        self._free_s = 0.0
        self._says = False

    def changes(self, desk: Desk, seen: ViewChanged) -> None:
        """The eye says whether the pile is in view and at rest from now on; after a blink all goes on as it was."""
        if self._lost is not None and seen.state is not ViewState.LOST and seen.t_s - self._lost[0] <= BLINK_S:
            self._lost, self._back_s, desk.blind = None, seen.t_s, False
        if seen.state is ViewState.LOST:
            self._again_s = None
        elif self._again_s is None:
            self._again_s = seen.t_s
        free = seen.state is ViewState.READY
        self._says = self._says or seen.state in (ViewState.HAND_OVER, ViewState.SETTLING)
        if self._free is not False or free:
            self._free_s = seen.t_s
        self._free = free

    def hidden_s(self, t_s: float) -> float | None:
        """For how long something has hidden the pile, or moved on it, at `t_s`; None where the eye does not say."""
        if not self._says:
            return None
        return 0.0 if self._free else t_s - self._free_s

    def lost(self, desk: Desk, t_s: float, reason: str) -> None:
        """The table is out of view since `t_s`."""
        if self._lost is None:
            self._lost = t_s, reason
            desk.blind = True

    def again(self, desk: Desk, t_s: float, *, rests: bool = False) -> list[Judged | Question]:
        """Something was seen at `t_s`. After a longer gap the record is out of step, and says so.

        rests: it was the table at rest and as it had been; then no card came meanwhile, and at most one was drawn.
        """
        if self._lost is None:
            return []
        (lost_s, reason), self._lost = self._lost, None
        self._back_s, desk.blind = t_s, False
        gap_s = (t_s if self._again_s is None else self._again_s) - lost_s
        state = desk.state
        if gap_s <= BLINK_S or state.phase != "play":
            return []
        if not desk.in_step and not rests:
            desk.lose_step(None)  # the card that lay on top may lie under others now
        if not desk.in_step:
            return []
        if not state.top:
            desk.lose_step(None)  # whatever lies there now need not be the first card
            return []
        if gap_s <= (ONE_MOVE_S if rests else SHORT_S):
            if not rests:
                desk.footing.bares(explained=False)
            seat = state.to_act
            debt = next((d for d in state.debts if d.seat is seat), None)
            perhaps = Draw(0, debt.cause if debt else "turn", most=debt.left if debt else 1)
            return list(desk.write(seat, perhaps, t_s=t_s, evidence=())) if seat else []
        text = f"I could not see the table for {gap_s:.0f} s ({reason}). Whose turn is it, and did anyone draw?"
        desk.lose_step(None, text)
        return [Question(text, t_s)]

    def just_back(self, t_s: float) -> bool:
        """Whether the table has only just come into view again at `t_s`."""
        return t_s - self._back_s <= JUST_BACK_S
