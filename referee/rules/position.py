"""A position as one line of text, the `[Pos "…"]` of UGN: `R5 R > P1 P1:R7,B2 P2:3 P3:1!`.

Top card, colour in force, direction (`>` clockwise), whose move, and every hand: a number of cards, the cards
themselves (`?` for one that nobody has seen, or a number of such cards), or `?` for an unknown number; `!` when UNO
has been called. The top card and the colour may be `?` as well.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from referee.cards import Card, Colour, Seat
from referee.faults import InputFault
from referee.rules.entries import UNHEARD, NamedColour
from referee.rules.hand import UNBOUNDED, Hand
from referee.rules.state import LastCard, State

_FORM = 'write it like "R5 R > P1 P1:R7,B2 P2:3 P3:1!"'


@dataclass(frozen=True, slots=True)
class Position:
    """What a position says."""

    top: Card | None
    colour: NamedColour | None
    direction: int
    turn: Seat
    hands: dict[Seat, Hand]
    called: frozenset[Seat] = frozenset()


def parse_position(text: str) -> Position:
    """The position written in `text`. Raises InputFault with what is wrong and how it is written."""
    parts = text.split()
    if len(parts) < 6:
        raise InputFault("a position needs top card, colour, direction, whose move, and two hands", mend=_FORM)
    top = None if parts[0] == "?" else _card(parts[0])
    colour = _colour(parts[1], top)
    if parts[2] not in ("<", ">"):
        raise InputFault(f"{parts[2]!r} is no direction", mend="write > for clockwise, < for the other way")
    turn = _seat(parts[3])
    hands: dict[Seat, Hand] = {}
    called = set()
    for part in parts[4:]:
        name, colon, cards = part.partition(":")
        if not colon:
            raise InputFault(f"{part!r} is no hand", mend="write P1:4 or P1:R7,B2")
        seat = _seat(name)
        if seat in hands:
            raise InputFault(f"{seat} has two hands")
        hands[seat] = _hand(cards.removesuffix("!"), seat)
        if cards.endswith("!"):
            called.add(seat)
    if turn not in hands:
        raise InputFault(f"{turn} is to move and has no hand", mend=f"add {turn}:7")
    return Position(top, colour, 1 if parts[2] == ">" else -1, turn, dict(sorted(hands.items())), frozenset(called))


def _seat(text: str) -> Seat:
    try:
        return Seat.parse(text)
    except ValueError as fault:
        raise InputFault(str(fault)) from None


def _card(code: str) -> Card:
    try:
        return Card.parse(code)
    except ValueError as fault:
        raise InputFault(str(fault)) from None


def _colour(text: str, top: Card | None) -> NamedColour | None:
    if text == "?":
        return UNHEARD
    try:
        colour = Colour(text.upper())
    except ValueError:
        raise InputFault(f"{text!r} is no colour", mend="write R, Y, G, B or ?") from None
    if top is not None and top.colour is not None and top.colour is not colour:
        raise InputFault(f"{top} is on top and the colour is {colour}", mend="name the colour of the top card")
    return colour


def _hand(text: str, seat: Seat) -> Hand:
    if text == "?":
        return Hand(0, UNBOUNDED)
    if text.lstrip("-").isdigit():
        count = int(text)
        if not 0 < count <= 200:
            raise InputFault(f"{seat} cannot hold {count} cards", mend="a hand has one card or more")
        return Hand.of(count)
    known: list[Card] = []
    unseen = 0
    for code in text.split(","):
        if code == "?" or code.isdigit():
            unseen += 1 if code == "?" else min(int(code), 200)
        else:
            known.append(_card(code))
    return Hand(len(known) + unseen, len(known) + unseen, tuple(known))


def check_copies(position: Position, copies: dict[Card, int]) -> None:
    """Raise InputFault if the position shows more copies of a card than the deck holds, or more cards than it has."""
    shown = Counter(card for hand in position.hands.values() for card in hand.known)
    if position.top is not None:
        shown[position.top] += 1
    for card, count in shown.items():
        if count > copies.get(card, 0):
            held = copies.get(card, 0)
            raise InputFault(f"the position shows {count} {card}, the deck holds {held}", mend="check the cards")
    total, size = sum(hand.least for hand in position.hands.values()), sum(copies.values())
    if total + 1 > size:
        raise InputFault(f"the hands hold {total} cards, the deck {size}", mend="check the hands")


def state_of(position: Position, dealer: Seat | None = None) -> State:
    """The round's state at this position. Who moved just before may still be caught with one card uncalled."""
    seats = tuple(position.hands)
    s = State(seats=seats, active=seats, turn=position.turn, hands=position.hands, dealer=dealer)
    s.direction = position.direction
    s.some_known = any(hand.known for hand in position.hands.values())
    if position.top is not None:
        s.top = (position.top,)
        s.seen = {position.top: 1}
        if position.top.is_wild:
            s.colour = position.colour
    before = s.preceding(position.turn)
    for seat, hand in position.hands.items():
        if seat in position.called:
            s.set_last_card(seat, LastCard(seat, "called", -1))
        elif hand.count == 1 and seat is before:
            s.set_last_card(seat, LastCard(seat, "open", -1))
    return s


def format_position(s: State) -> str:
    """The position of a state. What is owed, drawn or being challenged has no place in it."""
    top = s.top[0] if s.top else None
    named = top.colour if top and top.colour else s.colour
    hands = []
    for seat in s.active:
        last = s.last_card(seat)
        called = "!" if last and last.status == "called" else ""
        hands.append(f"{seat}:{s.hands[seat]}{called}")
    arrow = ">" if s.direction > 0 else "<"
    return f"{top or '?'} {named or '?'} {arrow} {s.to_act or s.turn} {' '.join(hands)}"
