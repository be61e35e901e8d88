"""What is known of a hand: bounds on its size, and the cards that are certain to be in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from referee.cards import Card

UNBOUNDED = 999


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand of `least` to `most` cards, of which `known` are certain to be there (in no order).

    `most` is UNBOUNDED when nothing limits it.
    """

    least: int
    most: int
    known: tuple[Card, ...] = ()

    @classmethod
    def of(cls, count: int) -> Hand:
        """A hand of so many cards, none of them seen."""
        return _unseen(count, count)

    @classmethod
    def open(cls, cards: tuple[Card, ...]) -> Hand:
        """A hand of which every card is known."""
        return cls(len(cards), len(cards), cards)

    @property
    def count(self) -> int | None:
        """The number of cards, None if it is not certain."""
        return self.least if self.least == self.most else None

    @property
    def complete(self) -> bool:
        """True if every card of the hand is known."""
        return self.least == self.most == len(self.known)

    def without(self, card: Card) -> Hand:
        """The hand after `card` was laid from it. A hand that cannot have held it is known no longer."""
        least, most, known = max(self.least - 1, 0), max(self.most - 1, 0), self.known
        if not known:
            return _unseen(least, most)
        if card in known:
            place = known.index(card)
            known = known[:place] + known[place + 1 :]
        elif len(known) > least:  # complete, and yet another card was laid: what was known of it was wrong
            known = ()
        return Hand(least, most, known)

    def with_cards(self, count: int, cards: tuple[Card | None, ...] = ()) -> Hand:
        """The hand with `count` more cards, of which some may have been seen."""
        known = self.known + tuple([card for card in cards if card is not None][:count])
        least, most = self.least + count, min(self.most + count, UNBOUNDED)
        return Hand(least, most, known) if known else _unseen(least, most)

    def unseen(self) -> Hand:
        """The same number of cards, of which nothing is known."""
        return _unseen(self.least, self.most)

    def __str__(self) -> str:
        """As a position writes it: `4`, `R7,B2`, `R7,?,?`, or `?` when its size is not certain."""
        if self.count is None:
            return "?"
        if not self.known:
            return str(self.count)
        return ",".join([card.code for card in self.known] + ["?"] * (self.count - len(self.known)))


@lru_cache(maxsize=1024)
def _unseen(least: int, most: int) -> Hand:
    """One object for all hands of which only the size is known: most are such hands."""
    return Hand(least, most)
