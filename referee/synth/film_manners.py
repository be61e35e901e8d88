"""How a table plays: how often cards are slid, dropped or tossed, piles squared up, two arms over it at once."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np


@dataclass(frozen=True, slots=True)
class Manners:
    """Chances, 0 to 1, each for one card laid unless said otherwise. All 0: a table that lays every card neatly.

    slide: put down beside the pile and pushed onto it; drop: let fall from a little above; toss: thrown from a way
    off, `tumble` of them turning over in the air, `adjust` of them put straight afterwards; hesitate: the hand comes
    with its card, hovers over the pile and goes back before it plays; overlap: the next hand comes while this one
    still leaves; square: somebody squares up the discard pile; fumble: the card falls before its player and is picked
    up again; idle: another hand lies over its own place meanwhile.
    """

    slide: float = 0.0
    drop: float = 0.0
    toss: float = 0.0
    tumble: float = 0.0
    adjust: float = 0.0
    hesitate: float = 0.0
    overlap: float = 0.0
    square: float = 0.0
    fumble: float = 0.0
    idle: float = 0.0


NEAT = Manners()

LIVELY = Manners(
    slide=0.22,
    drop=0.16,
    toss=0.2,
    tumble=0.3,
    adjust=0.5,
    hesitate=0.08,
    overlap=0.4,
    square=0.07,
    fumble=0.05,
    idle=0.15,
)
"""A table of players who do not think of the camera."""


def any_manners(rng: np.random.Generator) -> Manners:
    """A table between neat and twice as lively as `LIVELY`: each habit is this table's own."""
    habits = {f.name: float(min(0.6, getattr(LIVELY, f.name) * rng.uniform(0, 2))) for f in fields(Manners)}
    return replace(NEAT, **habits)


def manners_of(text: str) -> Manners:
    """Manners from words: `neat`, `lively`, or chances as `toss=0.3,square=0.1`. ValueError for anything else."""
    if text in ("neat", "lively"):
        return NEAT if text == "neat" else LIVELY
    known = {f.name for f in fields(Manners)}
    chances: dict[str, float] = {}
    for part in text.split(","):
        name, _, chance = (word.strip() for word in part.partition("="))
        if name not in known:
            raise ValueError(f"{name!r} is no habit: neat, lively, or chances of {', '.join(sorted(known))}")
        try:
            chances[name] = float(chance)
        except ValueError:
            raise ValueError(f"{name} needs a chance, as {name}=0.2") from None
        if not 0 <= chances[name] <= 1:
            raise ValueError(f"{name}={chance} is no chance from 0 to 1")
    return Manners(**chances)
