"""Which calls can mean something just now: the listener hears more readily what it waits for."""

from __future__ import annotations

from referee.cards import Colour
from referee.rules.state import State

ALWAYS = frozenset({*(f"colour:{colour.value}" for colour in Colour), "draw", "undo", "whose_turn", "last_play"})
"""A colour may be said with any wild that is about to land; the others ask something of the referee."""

_SOON = 2
"""Whoever holds so many cards may call UNO with the next one."""


def expected_calls(state: State) -> frozenset[str]:
    """The calls that `attribute` can make something of in this state, or in the state after the next card."""
    calls = set(ALWAYS)
    if not state.top or state.phase != "play":
        return frozenset(calls)
    if any(hand.least <= _SOON for hand in state.hands.values()):
        calls.add("uno")
    if state.last_cards or any(hand.least <= _SOON for hand in state.hands.values()):
        calls.add("catch")
    if (four := state.draw_four) is not None and not four.last:
        if four.status == "open":
            calls.add("challenge")
        if four.status == "asked":
            calls |= {"guilty", "innocent"}
    return frozenset(calls)
