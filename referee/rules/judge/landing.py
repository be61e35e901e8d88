"""A card lies: hand, pile, colour, turn and debts follow it, whether it was laid by right or not."""

from __future__ import annotations

from referee.cards import Card, Colour, Seat, Symbol
from referee.rules.entries import UNHEARD, Play
from referee.rules.judge import challenge, deck, effects, turns, uno
from referee.rules.judge.bench import Bench
from referee.rules.judge.matching import colour_in_force
from referee.rules.judge.standing import lost_turn_debt
from referee.rules.profiles import Profile

_DRAW_FOUR, _BLANK = Card(Symbol.WILD_DRAW_FOUR), Card(Symbol.WILD_CUSTOMIZABLE)


def land(b: Bench, seat: Seat, play: Play, standing: str, *, moves_on: bool = True) -> None:
    """Bring the state to what it is once the card lies.

    moves_on: the card has its effect and the move passes on from `seat`; else it lies there and nothing follows.
    """
    s, card = b.state, play.card
    s.undo = b.origin or s.copy()
    before = None
    if card is _DRAW_FOUR:
        before = (colour_in_force(s), s.top[0] if len(s.top) == 1 else None)
    if s.bluffs:
        challenge.proved(b, seat, play)
    hand = s.hands[seat].without(card)
    s.set_hand(seat, hand)
    _pile(b, seat, play)
    carried = _carried(b, seat) if standing == "stack" else 0
    if not moves_on:
        uno.landed(b, seat, hand)
        return
    last = hand.most == 0
    s.mover, s.skipped = seat, ()
    if hand.least <= 1 or s.last_cards or s.early_call:
        uno.landed(b, seat, hand)
    victim = turns.advance(s, seat, card, carried=carried, reverse_is_skip=b.profile.two_player.reverse_is_skip)
    if before is not None:
        challenge.laid(b, seat, *before, carried, last=last)
    exchanged = play.target is not None or card.symbol in effects.EXCHANGES
    if exchanged:
        effects.exchange(b, seat, play, last=last)
    if card is _BLANK and not last:
        effects.blank(b, seat, play, victim)
    if last or exchanged:
        finish(b, seat)


def effect_of(profile: Profile, card: Card) -> Symbol | None:
    """What a card does beside lying there; None for a number that does nothing."""
    symbol, house = card.symbol, profile.house.seven_zero
    if symbol is Symbol.SEVEN:
        return symbol if house in ("seven_swaps", "both") else None
    if symbol is Symbol.ZERO:
        return symbol if house in ("zero_rotates", "both") else None
    return None if symbol.is_number else symbol


def _carried(b: Bench, seat: Seat) -> int:
    """The cards of the stack that the seat passes on."""
    debt = lost_turn_debt(b, seat)
    if debt is None:
        return 0
    b.state.debts = tuple(other for other in b.state.debts if other is not debt)
    return debt.left


def _pile(b: Bench, seat: Seat, play: Play) -> None:
    s, card = b.state, play.card
    if s.namer is None:
        s.colour_before = s.top[0].colour or s.colour if s.top else None
    s.top = play.readings
    s.colour, s.namer = None, None
    if card.colour is None:
        s.colour = play.colour
        if not isinstance(play.colour, Colour):
            s.namer, s.namer_entry = seat, b.index
            if s.hands[seat].least == 0:
                s.colour = UNHEARD  # perhaps the last card, which names none
    s.laid, s.taking = (seat, card), None
    s.drawn, s.start, s.allowed, s.discards, s.refilled = None, None, (), None, False
    s.strayed = None
    s.moves += 1
    deck.count(s, card)


def finish(b: Bench, seat: Seat) -> None:
    """The round is over once somebody certainly holds no card; a +2 or +4 laid last is still drawn (row K2)."""
    s = b.state
    out = seat if s.hands[seat].most == 0 else None
    if out is None:
        out = next((other for other in s.active if s.hands[other].most == 0), None)
    if out is None:
        return
    s.phase, s.winner, s.namer = "over", out, None
    if not b.profile.finish.last_draw_applies:
        s.debts = tuple(debt for debt in s.debts if debt.cause not in ("d2", "w4"))
