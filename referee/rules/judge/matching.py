"""Which card fits on which (rows F1, F2, F12), and what is in force on the pile."""

from __future__ import annotations

from collections.abc import Iterable

from referee.cards import Card, Colour
from referee.rules.entries import NamedColour
from referee.rules.profiles import Profile
from referee.rules.state import State


def fits(profile: Profile, card: Card, top: Card, named: NamedColour | None) -> bool:
    """Whether `card` may go on `top`; `named` is the colour in force if `top` is a wild.

    A wild fits everything, and everything fits a wild whose colour nobody knows: doubt speaks for the player.
    """
    if card.colour is None:
        return True
    if top.colour is None:
        return named is card.colour or not isinstance(named, Colour)
    if card.colour is top.colour:
        return True
    return card.symbol is top.symbol and (profile.match.symbol or card.symbol.is_number)


def fits_pile(profile: Profile, card: Card, state: State) -> bool:
    """Whether `card` may go on the discard pile, whichever of its readings the top card is."""
    if len(state.top) == 1:
        return fits(profile, card, state.top[0], state.colour)
    return not state.top or any(fits(profile, card, top, state.colour) for top in state.top)


def colour_in_force(state: State) -> Colour | None:
    """The one colour in force; None if it was not named, not heard, or the top card may have one of several."""
    if not state.top:
        return None
    found = state.top[0].colour or state.colour
    if any((top.colour or state.colour) is not found for top in state.top[1:]):
        return None
    return found if isinstance(found, Colour) else None


def held_against(profile: Profile, cards: Iterable[Card], colour: Colour, top: Card | None) -> Card | None:
    """The first of `cards` that forbids a Wild Draw Four (row H6); wilds in hand never do (gap G04).

    colour, top: the colour in force and the card on the pile before the Wild Draw Four was laid.
    """
    condition = profile.wild_draw_four.condition
    if condition == "none":
        return None
    number = top.symbol if top and top.symbol.is_number and condition == "no_colour_or_number" else None
    for card in cards:
        if card.colour is not None and (card.colour is colour or card.symbol is number):
            return card
    return None


def condition_code(profile: Profile) -> str:
    """The incident of a Wild Draw Four laid against this table's condition."""
    by_number = profile.wild_draw_four.condition == "no_colour_or_number"
    return "wd4_with_matching_colour_or_number" if by_number else "wd4_with_matching_colour"
