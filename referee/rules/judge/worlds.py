"""Which state is the table in? After a card that should go back, or one that was read two ways, there are several.

The state that the referee holds for right has `rivals`. The next move shows which of them the players are in: the one
under which they did least wrong. So nobody is blamed twice for one fault, nor for what the referee misread.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.rules.judge.bench import Bench


def settle(b: Bench, act: Callable[[Bench], None]) -> None:
    """Judge a move in every state that the table may be in, and keep the one that explains it best."""
    own = b.state
    rivals, lean = own.rivals, own.lean
    if not rivals:
        act(b)
        return
    order = [*rivals, own] if lean == "rivals" else [own, *rivals]
    best: Bench | None = None
    for state in order:
        trial = b.trial(state)
        trial.state.rivals = ()
        if state is not own and own.taking is not None:
            trial.state.lapsed = (*trial.state.lapsed, own.taking)
        act(trial)
        if best is None or trial.weight < best.weight:
            best = trial
    if best is not None:
        b.adopt(best)


def everywhere(b: Bench, act: Callable[[Bench], None]) -> None:
    """Let something said change every state that the table may be in; only the held one brings up incidents."""
    rivals = []
    for state in b.state.rivals:
        trial = b.trial(state)
        act(trial)
        rivals.append(trial.state)
    act(b)
    if rivals:
        b.state.rivals = tuple(rivals)
