"""Which row of the rule matrix a ruling rests on, where that row says it more closely than the profile's option.

A table that argues about a skipped player wants to read the line about the Skip, not one about turns in general.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.cards import Card, Symbol

_EFFECTS: Mapping[Symbol, str] = {
    Symbol.SKIP: "H1",
    Symbol.REVERSE: "M1",
    Symbol.DRAW_TWO: "H3",
    Symbol.WILD_DRAW_FOUR: "H5",
}
_EFFECT_CODES = ("penalty_not_drawn", "drew_too_many", "drew_too_few")


def row_of(code: str, variant: str, option: str, top: Card | None) -> str:
    """The row for an incident with `top` on the discard pile; empty where the option's own lines are the closest."""
    if top is None:
        return ""
    if code == "illegal_play":
        # an action card that only lacks the colour (C07) rests on the option itself
        return "" if variant == "symbol" else "H4" if top.is_wild else "F1"
    if code == "played_while_skipped" or (option == "house.stacking" and code in _EFFECT_CODES):
        return _EFFECTS.get(top.symbol, "")
    return ""
