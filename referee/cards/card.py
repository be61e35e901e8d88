"""UNO cards: colours, symbols, and the codes that write them (`R5`, `GS`, `W4`)."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import lru_cache


class Colour(enum.Enum):
    """One of the four suits; the value is its letter in card codes."""

    RED = "R"
    YELLOW = "Y"
    GREEN = "G"
    BLUE = "B"

    __hash__ = object.__hash__  # members are single: far faster than hashing the name, and cards are hashed a lot

    @property
    def word(self) -> str:
        """The colour's English name, lower case."""
        return self.name.lower()

    def __str__(self) -> str:
        return self.value


class Symbol(enum.Enum):
    """What a face shows besides its colour; the value is its part of the card code."""

    ZERO = "0"
    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    SKIP = "S"
    REVERSE = "R"
    DRAW_TWO = "D"
    WILD = "W"
    WILD_DRAW_FOUR = "W4"
    WILD_SWAP_HANDS = "WX"
    WILD_SHUFFLE_HANDS = "WM"
    WILD_CUSTOMIZABLE = "WC"

    __hash__ = object.__hash__

    @property
    def is_number(self) -> bool:
        """True for 0 to 9."""
        return self.value.isdigit()

    @property
    def is_wild(self) -> bool:
        """True for the black cards, which carry no colour of their own."""
        return self.value.startswith("W")


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A card face. `colour` is None exactly for wild symbols; there is one object for each face.

    So cards compare and hash by identity, which the judge does a lot. Raises ValueError when a wild is given a colour
    or a coloured symbol has none.
    """

    symbol: Symbol
    colour: Colour | None = None

    def __new__(cls, symbol: Symbol, colour: Colour | None = None) -> Card:
        """The one object of this face."""
        return _FACES.get((symbol, colour)) or object.__new__(cls)

    def __post_init__(self) -> None:
        if self.symbol.is_wild != (self.colour is None):
            raise ValueError(f"{self.symbol.name} {'takes no' if self.symbol.is_wild else 'needs a'} colour")
        _FACES.setdefault((self.symbol, self.colour), self)

    def __reduce__(self) -> tuple[type[Card], tuple[Symbol, Colour | None]]:
        return Card, (self.symbol, self.colour)

    @classmethod
    def parse(cls, code: str) -> Card:
        """The card written as `code` (`R5`, `BD`, `W4`, `WC1` = `WC`); ValueError if there is none."""
        return _parse(code.strip().upper())

    @property
    def is_wild(self) -> bool:
        """True for the black cards."""
        return self.colour is None

    @property
    def is_action(self) -> bool:
        """True for every card that is not a number."""
        return not self.symbol.is_number

    @property
    def code(self) -> str:
        """The card's code, as UGN and JSON write it."""
        return f"{self.colour.value if self.colour else ''}{self.symbol.value}"

    def __str__(self) -> str:
        return self.code


_FACES: dict[tuple[Symbol, Colour | None], Card] = {}


def all_faces(*, special: bool = False) -> tuple[Card, ...]:
    """The 54 faces of the classic deck in code order; with `special`, also WX, WM and WC (57)."""
    coloured = [Card(s, c) for c in Colour for s in Symbol if not s.is_wild]
    wild = [Card(s) for s in Symbol if s.is_wild]
    return (*coloured, *(wild if special else wild[:2]))


@lru_cache(maxsize=256)
def _parse(code: str) -> Card:
    plain = "WC" if len(code) == 3 and code.startswith("WC") and code[2] in "123456789" else code
    card = _BY_CODE.get(plain)
    if card is None:
        raise ValueError(f"{code!r} is not a card: write a colour R Y G B with 0-9, S, R or D, or W W4 WX WM WC")
    return card


_BY_CODE = {card.code: card for card in all_faces(special=True)}
