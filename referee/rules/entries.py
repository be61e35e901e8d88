"""What happened at the table, one entry at a time: the tree that UGN writes and that the judge reads.

An entry is an observed fact. An illegal card that landed is an entry like any other; nothing here is ever refused.
All types are frozen: two records are equal when the same things happened.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from referee.cards import Card, Colour, Seat


class Unheard(enum.Enum):
    """A colour that was perhaps named, but nobody heard it (`W>?`)."""

    UNHEARD = "?"

    def __str__(self) -> str:
        return self.value


UNHEARD = Unheard.UNHEARD
NamedColour: TypeAlias = Colour | Unheard
Office: TypeAlias = Literal["table", "dealer"]
Subject: TypeAlias = Seat | Office
Zone: TypeAlias = Literal["draw", "discard", "hand"]
VerdictWord: TypeAlias = Literal["guilty", "innocent", "late", "caught", "safe", "void"]
Cause: TypeAlias = Literal["turn", "d2", "w4", "uno", "bluff", "doubt", "foul", "tip", "house", "start"]


@dataclass(frozen=True, slots=True)
class Play:
    """A card that landed face up on the discard pile.

    readings: what it may be, most probable first. confidence: probability 0…1 of the first reading, None if the
    writer was sure. colour: named in the same breath as a wild. target: whose hand was taken (a swap). jump: laid
    out of turn on purpose. blank: which customizable wild it was (`WC2` is 2), None if it does not say.
    """

    readings: tuple[Card, ...]
    confidence: float | None = None
    colour: NamedColour | None = None
    target: Seat | None = None
    jump: bool = False
    blank: int | None = None

    def __post_init__(self) -> None:
        if not self.readings:
            raise ValueError("a play needs at least one reading of its card")
        if self.confidence is not None and not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"a confidence lies in 0…1, not at {self.confidence}")

    @property
    def card(self) -> Card:
        """The most probable reading."""
        return self.readings[0]


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards taken from the draw pile. cause: why, None if nobody said. cards: those seen (None = face down).

    most: where the cards could not be counted, how many it were at most; `count` is then how many at least.
    """

    count: int
    cause: Cause | None = None
    cards: tuple[Card | None, ...] | None = None
    most: int | None = None

    def __post_init__(self) -> None:
        if self.count < 0:
            raise ValueError(f"nobody draws {self.count} cards")
        if self.most is not None and self.most <= self.count:
            raise ValueError(f"{self.most} at most is not more than {self.count} at least")

    @property
    def unsure(self) -> int:
        """Cards that were perhaps drawn, beyond those that certainly were."""
        return 0 if self.most is None else self.most - self.count


@dataclass(frozen=True, slots=True)
class Pass:
    """The seat ends its turn without laying a card (`--`)."""


@dataclass(frozen=True, slots=True)
class SayUno:
    """The seat calls UNO. Left of a play in the same entry: before the card landed; right of it: after."""


@dataclass(frozen=True, slots=True)
class Catch:
    """The seat says that `seat` did not call UNO."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Challenge:
    """The seat doubts the Wild Draw Four just laid."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was ruled at the table on the call before it."""

    word: VerdictWord


@dataclass(frozen=True, slots=True)
class ColourCall:
    """A colour said on its own (`>B`), before or after the wild landed."""

    colour: NamedColour


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A card goes from the discard pile back to the seat's hand (`<R6`)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Show:
    """Cards laid open: in an entry with a challenge, those of the player challenged; else the seat's own."""

    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Touch:
    """A hand entered a zone (`hand`: a card is being lifted out of the seat's own cards)."""

    zone: Zone


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """The discard pile was shuffled into a new draw pile of `count` cards (None if nobody counted)."""

    count: int | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """A first card turned up, with the colour if the one who begins has named it."""

    card: Card
    colour: NamedColour | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """Any other speech worth keeping. The text holds no double quote and no line break (ValueError)."""

    text: str

    def __post_init__(self) -> None:
        if any(char in self.text for char in '"\n\r'):
            raise ValueError("speech is kept without double quotes and line breaks")


Event: TypeAlias = (
    Play
    | Draw
    | Pass
    | SayUno
    | Catch
    | Challenge
    | Verdict
    | ColourCall
    | TakeBack
    | Show
    | Touch
    | Reshuffle
    | Opening
    | Word
)


@dataclass(frozen=True, slots=True)
class Flag:
    """Somebody's claim that an entry broke a rule (`!code[detail]`). A claim, not evidence."""

    code: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the game: who, and what they did, in order.

    subject is None only for an entry of flags alone. time_s: seconds on the session clock. number and line (of the
    file, from 1) are None for entries that were never written down; `line` takes no part in comparison.
    """

    subject: Subject | None
    events: tuple[Event, ...] = ()
    flags: tuple[Flag, ...] = ()
    time_s: float | None = None
    number: int | None = None
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class HandCount:
    """A hand counted at the end of a round: the points said, and the cards if they were laid open."""

    seat: Seat
    points: int
    cards: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a round: who went out, and the hands that were counted."""

    winner: Seat
    hands: tuple[HandCount, ...] = ()
    flags: tuple[Flag, ...] = ()
    time_s: float | None = None
    number: int | None = None
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Tag:
    """A fact about the game or the round that follows: `[Dealer "P3"]`. The value holds no quote, no line break."""

    name: str
    value: str
    line: int | None = field(default=None, compare=False)


Item: TypeAlias = Tag | Entry | Result


def plays_of(entry: Entry) -> Iterator[Play]:
    """The plays of an entry, in order."""
    return (event for event in entry.events if isinstance(event, Play))
