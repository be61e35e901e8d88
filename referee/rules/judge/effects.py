"""What a card does to the hands: swap, shuffle, seven and zero, blank cards (rows I1 to I6, O4)."""

from __future__ import annotations

from referee.cards import Card, Colour, Seat, Symbol
from referee.rules.entries import Play
from referee.rules.hand import UNBOUNDED, Hand
from referee.rules.judge import challenge, uno
from referee.rules.judge.bench import Bench
from referee.rules.ruling import Debt

EXCHANGES = frozenset({Symbol.SEVEN, Symbol.ZERO, Symbol.WILD_SWAP_HANDS, Symbol.WILD_SHUFFLE_HANDS})
"""Cards that may move hands at some table."""

_SEVEN_SWAPS = ("seven_swaps", "both")
_ZERO_ROTATES = ("zero_rotates", "both")


def exchange(b: Bench, seat: Seat, play: Play, *, last: bool) -> None:
    """Move hands as the card says. `last`: it was the player's last card, which moves nothing (row I3)."""
    symbol, house = play.card.symbol, b.profile.house.seven_zero
    if last and not (symbol.is_wild and b.profile.finish.hands_card == "applies"):
        return
    if symbol is Symbol.WILD_SWAP_HANDS or (symbol is Symbol.SEVEN and house in _SEVEN_SWAPS):
        _swap_with_target(b, seat, play)
    elif play.target is not None:
        b.flag(
            "hand_exchange_wrong",
            seat,
            variant="not_here",
            remedy="hands_back",
            card=play.card,
            option="house.seven_zero",
        )
    elif symbol is Symbol.ZERO and house in _ZERO_ROTATES:
        rotate(b)
    elif symbol is Symbol.WILD_SHUFFLE_HANDS:
        shuffle(b, seat)


def _swap_with_target(b: Bench, seat: Seat, play: Play) -> None:
    s = b.state
    others = [other for other in s.active if other is not seat]
    target = play.target or (others[0] if len(others) == 1 else None)
    if target in others:
        swap(b, seat, target)
    elif len(play.readings) == 1:
        wild = play.card.is_wild
        _wrong(b, seat, play.card, "deck.hands_card" if wild else "house.seven_zero")


def _wrong(b: Bench, seat: Seat, card: Card, option: str) -> None:
    b.flag("hand_exchange_wrong", seat, card=card, option=option)


def swap(b: Bench, one: Seat, other: Seat) -> None:
    """Two players exchange their hands."""
    s = b.state
    s.hands = {**s.hands, one: s.hands[other], other: s.hands[one]}
    _changed(b, (one, other))


def rotate(b: Bench) -> None:
    """Every hand goes on to the next player in the direction of play."""
    s = b.state
    s.hands = {**s.hands, **{s.following(seat): s.hands[seat] for seat in s.active}}
    _changed(b, s.active)


def shuffle(b: Bench, seat: Seat) -> None:
    """All hands are shuffled and dealt out again, beginning with the player on the left (row I1, 1:72)."""
    s = b.state
    hands = [s.hands[other] for other in s.active]
    least, most = sum(hand.least for hand in hands), min(sum(hand.most for hand in hands), UNBOUNDED)
    ring = s.seats  # in which a player who has left still has a place
    order = sorted(s.active, key=lambda other: (ring.index(other) - ring.index(seat) - 1) % len(ring))
    players = len(order)

    def share(cards: int, place: int) -> int:
        return (cards - place + players - 1) // players

    s.hands = {**s.hands, **{other: Hand(share(least, i), share(most, i)) for i, other in enumerate(order)}}
    _changed(b, s.active)


def _changed(b: Bench, seats: tuple[Seat, ...]) -> None:
    for seat in seats:
        uno.hand_changed(b, seat)
    challenge.forget(b, seats)


def blank(b: Bench, seat: Seat, play: Play, victim: Seat) -> None:
    """A customizable card does what the table wrote on it (row I6)."""
    s, rules = b.state, b.profile.deck.custom_rules
    number = play.blank or (1 if len(rules) == 1 else 0)
    if not 1 <= number <= len(rules):
        return
    rule = rules[number - 1]
    if rule.effect == "next_draws":
        # "or draws": nobody is made to draw who did the forfeit instead
        s.allowed = (*s.allowed, Debt(victim, rule.count, "house", rule.count))
    elif rule.effect == "others_draw":
        for other in s.active:
            if other is not seat:
                s.add_debt(Debt(other, rule.count, "house", rule.count))
    elif rule.effect == "others_discard_wilds":
        s.discards = Symbol.WILD
    elif rule.effect == "discard_colour":
        s.discards = play.colour if isinstance(play.colour, Colour) else None
    elif rule.effect == "extra_turn":
        s.turn = seat
