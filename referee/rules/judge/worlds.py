"""Which state is the table in? After a card that should go back, or one that was read two ways, there are several.

The state that the referee holds for right has `rivals`. The next move shows which of them the players are in: the one
under which they did least wrong. So nobody is blamed twice for one fault, nor for what the referee misread.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.rules.judge import landing
from referee.rules.judge.bench import Bench
from referee.rules.state import LetLie, State


def worked_out(b: Bench, rival: State | LetLie) -> State:
    """The state of a rival: most wrong cards go back at once, so theirs is worked out only when it is needed."""
    if isinstance(rival, State):
        return rival
    bench = Bench(b.profile, rival.before.copy(), rival.entry, rival.index, b.lines)
    bench.origin = rival.before
    if rival.standing == "victim":  # the draw that was due is told with the card, and the table let it pass
        bench.state.tell_debts(frozenset({rival.seat}))
    landing.land(bench, rival.seat, rival.play, rival.standing, moves_on=rival.moves_on)
    return bench.state


def settle(b: Bench, act: Callable[[Bench], None]) -> None:
    """Judge a move in every state that the table may be in, and keep the one that explains it best."""
    own = b.state
    rivals, lean = own.rivals, own.lean
    if not rivals:
        act(b)
        return
    order = [*rivals, own] if lean == "rivals" else [own, *rivals]
    best: Bench | None = None
    for rival in order:
        state = worked_out(b, rival)
        trial = b.trial(state)
        trial.state.rivals = ()
        if state is not own and own.taking is not None:
            trial.state.lapsed = (*trial.state.lapsed, own.taking)
        act(trial)
        if best is None or trial.weight < best.weight:
            best = trial
        if not best.incidents:
            break
    if best is not None:
        b.adopt(best)


def everywhere(b: Bench, act: Callable[[Bench], None]) -> None:
    """Let something said change every state that the table may be in; only the held one brings up incidents."""
    rivals = []
    for rival in b.state.rivals:
        trial = b.trial(worked_out(b, rival))
        act(trial)
        rivals.append(trial.state)
    act(b)
    if rivals:
        b.state.rivals = tuple(rivals)
