"""A deal that explains a script: which cards were dealt, and in which order the draw pile gave the others.

Hands are hidden in a film, so any deal will do under which every player holds what he lays or shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from referee.cards import Card, Seat
from referee.synth.film_script import Beat, Draw, Lay, NextRound, Refill, Show, Start, TakeBack

DEALT = -1


@dataclass(frozen=True, slots=True)
class Deal:
    """Hands at the start, the card turned up, and the draw pile from its top."""

    hands: dict[Seat, tuple[Card, ...]]
    start: Card
    stock: tuple[Card, ...]


@dataclass
class _Need:
    """A card that a seat must hold before beat `by`."""

    card: Card
    by: int


@dataclass
class _SeatNeeds:
    needs: list[_Need] = field(default_factory=list)
    returned: list[_Need] = field(default_factory=list)

    def lay(self, card: Card, beat: int) -> None:
        taken_back = _soonest(self.returned, card)
        if taken_back is None:
            self.needs.append(_Need(card, beat))
        else:
            self.returned.remove(taken_back)
            taken_back.by = beat
            self.needs.append(taken_back)

    def take_back(self, card: Card, beat: int) -> None:
        later = _soonest(self.needs, card)
        if later is None:
            self.returned.append(_Need(card, beat))
        else:
            self.needs.remove(later)
            self.returned.append(later)

    def show(self, cards: Sequence[Card], beat: int) -> None:
        unmatched = list(self.needs)
        for card in cards:
            same = _soonest(unmatched, card)
            if same is None:
                self.needs.append(_Need(card, beat))
            else:
                unmatched.remove(same)
                same.by = beat


def _soonest(needs: Sequence[_Need], card: Card) -> _Need | None:
    """The copy of a card that is needed first: the other copy may well be drawn later."""
    return min((need for need in needs if need.card == card), key=lambda need: need.by, default=None)


def deal_for(beats: Sequence[Beat], seats: Sequence[Seat], hand_size: int, deck: Counter[Card], seed: int) -> Deal:
    """A deal of a deck (copies of each face) under which the script can be played.

    Raises ValueError when there is none: a card that nobody can hold, a face laid more often than the deck has it,
    a shown hand of the wrong size.
    """
    start = next((beat.card for beat in beats if isinstance(beat, Start)), None)
    if start is None:
        raise ValueError("the script turns no first card up: begin it with 'start' and a card")
    wanted = _needs(beats, seats)
    _check_shown_counts(beats, seats, hand_size)
    deck = Counter(deck)
    deck[start] -= 1
    for seat in seats:
        deck.subtract(need.card for need in wanted[seat])
    short = [card.code for card, left in deck.items() if left < 0]
    if short:
        raise ValueError(f"the deck does not hold so many of {', '.join(sorted(short))}")
    spare = [card for card in sorted(deck, key=lambda c: c.code) for _ in range(deck[card])]
    np.random.default_rng([61, seed]).shuffle(spare)

    slots = [(seat, DEALT) for seat in seats for _ in range(hand_size)]
    slots += [(b.seat, i) for i, b in enumerate(beats) if isinstance(b, Draw) for _ in range(b.count)]
    filled: list[Card | None] = [None] * len(slots)
    for seat in seats:
        mine = [number for number, slot in enumerate(slots) if slot[0] == seat]
        for need in sorted(wanted[seat], key=lambda n: n.by):
            number = next((n for n in mine if filled[n] is None), None)
            if number is None or slots[number][1] >= need.by:
                raise ValueError(f"{seat} cannot hold {need.card} by then: too few cards dealt or drawn")
            filled[number] = need.card
    cards = [card if card is not None else spare.pop() for card in filled]
    dealt = {seat: tuple(c for c, s in zip(cards, slots, strict=True) if s == (seat, DEALT)) for seat in seats}
    drawn = tuple(c for c, s in zip(cards, slots, strict=True) if s[1] != DEALT)
    return Deal(dealt, start, drawn + tuple(spare))


def rounds_of(beats: Sequence[Beat]) -> list[tuple[Beat, ...]]:
    """The script cut where the next round is dealt."""
    cuts = [0, *(n for n, beat in enumerate(beats) if isinstance(beat, NextRound)), len(beats)]
    return [tuple(beats[begin:end]) for begin, end in pairwise(cuts)]


def stock_of(deal: Deal, beats: Sequence[Beat]) -> int:
    """Cards on the draw pile once a round is dealt: when it is to run out, as many as are drawn until then."""
    refill = next((n for n, beat in enumerate(beats) if isinstance(beat, Refill)), None)
    if refill is None:
        return len(deal.stock)
    return sum(beat.count for beat in beats[:refill] if isinstance(beat, Draw))


def hands_after(deal: Deal, beats: Sequence[Beat]) -> dict[Seat, Counter[Card]]:
    """Everyone's hand at the end of the script; ValueError when a beat does not fit the deal."""
    hands = {seat: Counter(cards) for seat, cards in deal.hands.items()}
    stock = list(deal.stock[::-1])
    for beat in beats:
        if isinstance(beat, Lay):
            if hands[beat.seat][beat.card] <= 0:
                raise ValueError(f"{beat.seat} lays {beat.card}, which is not in hand")
            hands[beat.seat][beat.card] -= 1
        elif isinstance(beat, TakeBack):
            hands[beat.seat][beat.card] += 1
        elif isinstance(beat, Draw):
            hands[beat.seat].update(stock.pop() for _ in range(beat.count))
        elif isinstance(beat, Show) and +hands[beat.seat] != Counter(beat.cards):
            raise ValueError(f"{beat.seat} shows another hand than it holds")
    return {seat: +hand for seat, hand in hands.items()}


def _needs(beats: Sequence[Beat], seats: Sequence[Seat]) -> dict[Seat, list[_Need]]:
    """What each seat must hold and by when, found by going through the script backwards."""
    books = {seat: _SeatNeeds() for seat in seats}
    for number in range(len(beats) - 1, -1, -1):
        beat = beats[number]
        if isinstance(beat, Lay):
            books[beat.seat].lay(beat.card, number)
        elif isinstance(beat, TakeBack):
            books[beat.seat].take_back(beat.card, number)
        elif isinstance(beat, Show):
            books[beat.seat].show(beat.cards, number)
    for seat, book in books.items():
        if book.returned:
            raise ValueError(f"{seat} takes back {book.returned[0].card}, which was not laid")
    return {seat: book.needs for seat, book in books.items()}


def _check_shown_counts(beats: Sequence[Beat], seats: Sequence[Seat], hand_size: int) -> None:
    counts = dict.fromkeys(seats, hand_size)
    for beat in beats:
        if isinstance(beat, Lay):
            counts[beat.seat] -= 1
        elif isinstance(beat, TakeBack):
            counts[beat.seat] += 1
        elif isinstance(beat, Draw):
            counts[beat.seat] += beat.count
        elif isinstance(beat, Show) and counts[beat.seat] != len(beat.cards):
            raise ValueError(f"{beat.seat} shows {len(beat.cards)} cards but holds {counts[beat.seat]}")
