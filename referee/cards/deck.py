"""How many copies of each face a deck edition holds (matrix rows B1, B3-B5; gap G01 filled from sheet O1)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from referee.cards.card import Card, Symbol, all_faces

EDITIONS = ("classic_108", "swap_112", "shuffle_112", "blank_112")


@lru_cache(maxsize=32)
def _classic() -> tuple[tuple[Card, int], ...]:
    def copies(card: Card) -> int:
        if card.is_wild:
            return 4
        return 1 if card.symbol is Symbol.ZERO else 2

    return tuple((card, copies(card)) for card in all_faces())


def deck_counts(edition: str = "classic_108", *, customizable: int | None = None, decks: int = 1) -> Counter[Card]:
    """Copies of each face in `decks` decks of an edition.

    `customizable` is the number of blank cards left in play per deck (B7); None leaves all that the edition has.
    Raises ValueError for an unknown edition.
    """
    if edition not in EDITIONS:
        raise ValueError(f"{edition!r} is not a deck edition: choose one of {', '.join(EDITIONS)}")
    counts = Counter(dict(_classic()))
    if edition == "swap_112":
        counts[Card(Symbol.WILD_SWAP_HANDS)] = 1
    if edition == "shuffle_112":
        counts[Card(Symbol.WILD_SHUFFLE_HANDS)] = 1
    blanks = {"classic_108": 0, "blank_112": 4}.get(edition, 3)
    if customizable is not None:
        blanks = min(blanks, customizable)
    if blanks:
        counts[Card(Symbol.WILD_CUSTOMIZABLE)] = blanks
    return Counter({card: n * decks for card, n in counts.items()})
