"""The script of a film: what happens at the table, one beat after another, without times.

A beat carries the index of the record's entry that it comes from, so that the entry can be given the time at which
it is seen or heard in the film.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.cards import Card, Seat

CallMoment = Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class Start:
    """The first card: turned up by the dealer of a later round; it lies there from the beginning without one."""

    entry: int
    card: Card
    dealer: Seat | None = None


@dataclass(frozen=True, slots=True)
class NextRound:
    """All cards are thrown together, shuffled, and dealt by `seat`: what comes after belongs to another round."""

    entry: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class Lay:
    """A card goes to the discard pile; `colour` (R Y G B) is named with it, `uno` says when UNO is called."""

    entry: int
    seat: Seat
    card: Card
    colour: str | None = None
    uno: CallMoment | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The top card of the discard pile goes back to the seat that laid it."""

    entry: int
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards go from the draw pile to a seat, one by one."""

    entry: int
    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class Call:
    """A seat says `catch`, `challenge`, `uno` or a `colour:…` on its own."""

    entry: int
    seat: Seat
    call: str


@dataclass(frozen=True, slots=True)
class Show:
    """A seat lays its whole hand open at its place; it takes it back unless the round is over (`stays`)."""

    entry: int
    seat: Seat
    cards: tuple[Card, ...]
    stays: bool = False


@dataclass(frozen=True, slots=True)
class Refill:
    """The discard pile is taken up, shuffled out of sight, laid down as draw pile; its top card is laid again."""

    entry: int
    seat: Seat


Beat = Start | NextRound | Lay | TakeBack | Draw | Call | Show | Refill
