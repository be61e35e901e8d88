"""Which cards a seat may lay now without breaking a rule."""

from __future__ import annotations

from collections.abc import Iterable

from referee.cards import Card, Seat, Symbol
from referee.rules.entries import Entry, Play
from referee.rules.judge import turns
from referee.rules.judge.bench import Bench, deck_of
from referee.rules.judge.matching import colour_in_force, fits_pile, held_against
from referee.rules.judge.standing import may_jump_in, standing_of
from referee.rules.profiles import Profile
from referee.rules.state import State


def legal_cards(profile: Profile, state: State, seat: Seat, hand: Iterable[Card] | None) -> tuple[Card, ...]:
    """Those of `hand` (or of the box) that fit, at this moment, for this seat; copies of a face count once."""
    if state.phase != "play" or seat not in state.hands:
        return ()
    held = None if hand is None else tuple(hand)
    b = Bench(profile, state.copy(), Entry(seat), 0, ())
    turns.end_silently(b, seat)
    faces = tuple(deck_of(profile)) if held is None else tuple(dict.fromkeys(held))
    return tuple(card for card in faces if _legal(b, seat, card, held))


def _legal(b: Bench, seat: Seat, card: Card, held: tuple[Card, ...] | None) -> bool:
    s, profile = b.state, b.profile
    standing = standing_of(b, seat, Play((card,)))
    if standing == "turn" and any(debt.loses_turn or debt.seat is seat for debt in s.debts):
        standing = "jump" if may_jump_in(b, Play((card,))) else "foreign"  # cards are to be drawn first
    if standing not in ("turn", "jump", "stack"):
        return False
    drawn = s.drawn if s.drawn and s.drawn.seat is seat else None
    only_drawn = drawn is not None and profile.turn.hand_card_after_draw == "forbidden"
    if drawn and only_drawn and None not in drawn.cards and card not in drawn.cards:
        return False
    last = (len(held) if held is not None else s.hands[seat].most) == 1
    if last and card.is_action and profile.finish.action_card == "forbidden":
        return False
    if standing == "jump":
        return not _forbidden_four(b, card, held)
    if s.namer is not None and s.colour is None and s.namer is not seat:
        return False
    return fits_pile(profile, card, s) and not _forbidden_four(b, card, held)


def _forbidden_four(b: Bench, card: Card, held: tuple[Card, ...] | None) -> bool:
    """Whether a known hand forbids this Wild Draw Four (row H6)."""
    if card.symbol is not Symbol.WILD_DRAW_FOUR or held is None or b.profile.wild_draw_four.enforcement == "free":
        return False
    colour = colour_in_force(b.state)
    top = b.state.top[0] if len(b.state.top) == 1 else None
    return colour is not None and held_against(b.profile, held, colour, top) is not None
