"""Cards drawn, as entries: counted where they could be, with bounds where they could not.

What the rules explain is taken as explained, what could not be counted is never held against anyone, and the hand
keeps its bounds until it is shown, said or proven.
"""

from __future__ import annotations

from referee.cards import Seat
from referee.fusion.desk import Desk, Judged, Question
from referee.observations import CardsDrawn
from referee.rules.entries import Cause, Draw
from referee.rules.ruling import Debt

WITHOUT_CAUSE = frozenset({"drew_without_cause"})
"""Not told where an unheard call explains it."""

TOO_MANY = WITHOUT_CAUSE | {"drew_too_many"}
"""Not told of cards that were counted by what was said: another number may have been meant."""

SAID_S = 4.0
"""A number said so long before or with a draw is the number drawn, if the eye does not exclude it."""


class Drawing:
    """Writes draws to the desk. `say` keeps a number that was said ("I draw two")."""

    def __init__(self) -> None:
        self._said: tuple[int, float] | None = None

    def say(self, count: int, t_s: float) -> None:
        """Somebody said at `t_s` that so many cards are drawn."""
        self._said = count, t_s

    def write(self, desk: Desk, seat: Seat, seen: CardsDrawn) -> list[Judged | Question]:
        """The entries of one draw, and a question where neither eye, ear nor rules tell how many cards it was."""
        least, most = self._bounds(seen)
        if most == 0:
            return []
        evidence = (seen.id,)
        only_said = least == most and seen.at_least < seen.at_most
        if _in_turn_or_allowed(desk, seat) or seat is not seen.seat:
            desk.footing.guesses()
        if only_said:
            return _as_said(desk, seat, least, seen)
        if least == most:
            return _one_by_one(desk, seat, least, seen.t_s, evidence)
        if _explained(desk, seat, least):
            draw = Draw(least, _cause(desk, seat), most=most)
            return list(desk.write(seat, draw, t_s=seen.t_s, evidence=evidence))
        written = _one_by_one(desk, seat, least, seen.t_s, evidence)
        counts = " or ".join(str(n) for n in (least, most)) if most - least == 1 else f"{least} to {most}"
        question = f"How many cards did {seat} draw: {counts}?"
        desk.doubt_count(seat, question)
        return [*written, Question(question, seen.t_s, evidence)]

    def _bounds(self, seen: CardsDrawn) -> tuple[int, int]:
        """The eye's bounds, tightened by a number that was said with it and that they do not exclude."""
        said, self._said = self._said, None
        if said is not None and seen.at_least <= said[0] <= seen.at_most and abs(seen.t_s - said[1]) <= SAID_S:
            return said[0], said[0]
        return seen.at_least, seen.at_most


def _as_said(desk: Desk, seat: Seat, count: int, seen: CardsDrawn) -> list[Judged | Question]:
    """As many as were said. Those that the eye has not counted accuse nobody: they are asked about."""
    written = _one_by_one(desk, seat, seen.at_least, seen.t_s, (seen.id,))
    more = count - seen.at_least
    owed = _owed(desk, seat)
    extra = more - (owed.left if owed else int(desk.state.to_act is seat and desk.state.drawn is None))
    written += _one_by_one(desk, seat, more, seen.t_s, (seen.id,), untold=TOO_MANY)
    if extra > 0:
        written.append(Question(f"Did {seat} draw {count} cards? I heard the number.", seen.t_s, (seen.id,)))
    return written


def _one_by_one(
    desk: Desk,
    seat: Seat,
    count: int,
    t_s: float,
    evidence: tuple[str, ...],
    *,
    untold: frozenset[str] = frozenset(),
) -> list[Judged | Question]:
    """So many cards for certain. A call that nobody heard may be the cause where the record knows of none."""
    written: list[Judged | Question] = []
    reason = _unheard_call(desk, seat) if count else ""
    if reason and desk.state.strayed is not seat:
        written.append(Question(reason, t_s, evidence))
    untold |= WITHOUT_CAUSE if reason else frozenset[str]()
    for _ in range(count):
        draw = Draw(1, _cause(desk, seat))
        written += desk.write(seat, draw, t_s=t_s, evidence=evidence, untold=untold)
    return written


def _unheard_call(desk: Desk, seat: Seat) -> str:
    """What to ask when `seat` draws after a catch or a challenge that was perhaps not heard; empty without such."""
    state = desk.state
    if not desk.in_step or state.to_act is seat or _owed(desk, seat) is not None:
        return ""
    if state.last_card(seat) is not None:
        return f"Was {seat} caught without UNO? {seat} drew, and I heard no catch for certain."
    four = state.draw_four
    if four is not None and four.player is seat and four.status == "open":
        return f"Was the Wild Draw Four of {seat} challenged? {seat} drew, and I heard nothing of it."
    return ""


def benefit_of_doubt(desk: Desk, mover: Seat, t_s: float, evidence: tuple[str, ...]) -> list[Judged | Question]:
    """Before `mover` goes on: whoever drew some of several cards in one go may have taken them all.

    Cards held together look like one, and a draw may be hidden altogether; that they were too few, or none, would be
    an accusation on doubt.
    """
    state = desk.state
    found = [d for d in state.debts if d.seat is not mover and not d.told and d.left]
    if mover is not state.turn or state.taking is not None:  # or nobody saw the wrong card go back, and it costs none
        found = [d for d in found if d.left < d.total]
    written: list[Judged | Question] = []
    for debt in found if desk.in_step else []:
        perhaps = Draw(0, debt.cause, most=debt.left)
        written += desk.write(debt.seat, perhaps, t_s=t_s, evidence=evidence)
        desk.footing.guesses()
        seen = debt.total - debt.left
        text = f"Did {debt.seat} draw all {debt.total} cards? I saw {seen}."
        written.append(Question(text, t_s, evidence))
    return written


def _owed(desk: Desk, seat: Seat) -> Debt | None:
    """What a draw of `seat` serves: a debt, or cards that it was perhaps still to take."""
    state = desk.state
    return next((debt for debt in (*state.debts, *state.allowed) if debt.seat is seat), None)


def _in_turn_or_allowed(desk: Desk, seat: Seat) -> bool:
    """Whether cards that `seat` draws may be those of its turn as well as some that it was allowed to take."""
    state = desk.state
    return (
        state.to_act is seat
        and any(d.seat is seat for d in state.allowed)
        and not any(d.seat is seat for d in state.debts)
    )


def _cause(desk: Desk, seat: Seat) -> Cause:
    debt = _owed(desk, seat)
    return debt.cause if debt else "turn"


def _explained(desk: Desk, seat: Seat, least: int) -> bool:
    """Whether the rules say how many cards it was: one in one's turn, or no more than are owed."""
    if not desk.in_step:
        return False
    debt = _owed(desk, seat)
    if debt is not None:
        return least <= debt.left
    return desk.state.to_act is seat and least <= 1
