"""The state of a round, as the judge keeps it between two entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from referee.cards import Card, Colour, Seat, Symbol
from referee.rules.entries import Entry, NamedColour, Play, Result
from referee.rules.hand import Hand
from referee.rules.ruling import Debt

Phase: TypeAlias = Literal["play", "over", "scored"]
CallStatus: TypeAlias = Literal["open", "called", "escaped", "caught", "doubtful"]


@dataclass(frozen=True, slots=True)
class LastCard:
    """A seat with one card, and how its UNO call stands.

    open: not called, may be caught. escaped: not called, too late to catch. doubtful: cannot be told.
    entry: where the last but one card landed. call_s, catch_s: when it was called or caught. until_s: with the
    window of a finished turn, when that turn's card had come to rest. penalty: cards that the catch cost.
    """

    seat: Seat
    status: CallStatus
    entry: int
    call_s: float | None = None
    catch_s: float | None = None
    catch_entry: int = -1
    until_s: float | None = None


@dataclass(frozen=True, slots=True)
class EarlyCall:
    """UNO said by a seat that still has to lay its last but one card."""

    seat: Seat
    entry: int
    time_s: float | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a seat drew in its own turn: cards seen, None for each unseen. `entry`: where it drew last.

    unsure: how many of the unseen cards were perhaps not drawn at all.
    """

    seat: Seat
    cards: tuple[Card | None, ...]
    entry: int
    unsure: int = 0


@dataclass(frozen=True, slots=True)
class DrawFour:
    """The Wild Draw Four on the pile and its challenge.

    colour, symbol: what was in force when it was laid; None if that is not known. hand: the player's hand after it.
    carried: cards of the stack below it. last: it was the player's last card.
    """

    player: Seat
    victim: Seat
    colour: Colour | None
    symbol: Symbol | None
    hand: Hand
    status: Literal["open", "asked", "guilty", "innocent", "closed"] = "open"
    challenger: Seat | None = None
    carried: int = 0
    last: bool = False


@dataclass(frozen=True, slots=True)
class Bluff:
    """What a later card could prove about a Wild Draw Four: `drawn` holds the seen cards drawn since."""

    colour: Colour
    symbol: Symbol | None
    drawn: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Start:
    """The first card turned up, before anyone has played. `effect` is what the profile makes of it."""

    card: Card
    effect: str
    option: str
    first: Seat
    entry: int


@dataclass(frozen=True, slots=True)
class LetLie:
    """The state in which a wrong card lies where it was laid, as it is worked out if it is ever asked for.

    before: the state when `seat` laid it, in entry `index`. standing, moves_on: as `judge.landing.land` takes them.
    """

    before: State
    entry: Entry | Result
    index: int
    seat: Seat
    play: Play
    standing: str
    moves_on: bool


@dataclass
class State:
    """Everything the judge knows. Working copies are changed; a state in a history never is.

    Values are immutable or replaced as a whole, so `copy` is shallow. `seats` is the ring in clockwise order,
    `active` those still in the round. `turn` is whose move it is once the draws of the move before are served.
    `mover` laid the last card and nobody has moved since. `strayed` drew
    without cause in this turn. `namer` still has to name a colour for the card of
    `namer_entry`. `some_known` is False while no card of any hand is
    known. `rivals` are other states that the table may be in, see `referee.rules.judge.worlds`.
    """

    seats: tuple[Seat, ...]
    active: tuple[Seat, ...]
    turn: Seat
    hands: Mapping[Seat, Hand]
    dealer: Seat | None = None
    direction: int = 1
    phase: Phase = "play"
    top: tuple[Card, ...] = ()
    colour: NamedColour | None = None
    colour_before: NamedColour | None = None
    namer: Seat | None = None
    namer_entry: int = -1
    debts: tuple[Debt, ...] = ()
    allowed: tuple[Debt, ...] = ()
    drawn: Drawn | None = None
    skipped: tuple[Seat, ...] = ()
    mover: Seat | None = None
    strayed: Seat | None = None
    moves: int = 0
    start: Start | None = None
    last_cards: tuple[LastCard, ...] = ()
    early_call: EarlyCall | None = None
    callers: frozenset[Seat] = frozenset()
    draw_four: DrawFour | None = None
    bluffs: Mapping[Seat, Bluff] = field(default_factory=dict)
    lapsed: tuple[tuple[Seat, Card], ...] = ()
    laid: tuple[Seat, Card] | None = None
    undo: State | None = field(default=None, compare=False, repr=False)
    rivals: tuple[State | LetLie, ...] = field(default=(), repr=False)
    lean: Literal["self", "rivals"] = "self"
    taking: tuple[Seat, Card] | None = None
    seen: dict[Card, int] = field(default_factory=dict)
    some_known: bool = False
    refilled: bool = False
    discards: Symbol | Colour | None = None
    winner: Seat | None = None

    def copy(self) -> State:
        """A copy to change; far cheaper than `dataclasses.replace`."""
        new = object.__new__(State)
        new.__dict__ = self.__dict__.copy()
        return new

    def set_hand(self, seat: Seat, hand: Hand) -> None:
        """Put another hand at a seat."""
        self.hands = {**self.hands, seat: hand}
        if hand.known:
            self.some_known = True

    def last_card(self, seat: Seat) -> LastCard | None:
        """How the call of a seat with one card stands, None for a seat that has more."""
        for entry in self.last_cards:
            if entry.seat is seat:
                return entry
        return None

    def set_last_card(self, seat: Seat, entry: LastCard | None) -> None:
        """Replace or drop how a seat's call stands."""
        rest = tuple(old for old in self.last_cards if old.seat is not seat) if self.last_cards else ()
        self.last_cards = rest if entry is None else (*rest, entry)

    def add_debt(self, debt: Debt) -> None:
        """Make a seat draw; nothing for an empty debt."""
        if debt.left > 0:
            self.debts = (*self.debts, debt)

    def drop_debts(self, seat: Seat, *causes: str) -> int:
        """Forget the debts of a seat with one of these causes (all if none is given); how many cards that was."""
        gone = [d for d in self.debts if d.seat is seat and (not causes or d.cause in causes)]
        if gone:
            self.debts = tuple(d for d in self.debts if d not in gone)
        return sum(d.left for d in gone)

    def tell_debts(self, seats: frozenset[Seat]) -> None:
        """Mark the debts of these seats as told: they are not told again, and the turn they cost is over."""
        self.debts = tuple(replace(d, told=True, loses_turn=False) if d.seat in seats else d for d in self.debts)

    def following(self, seat: Seat) -> Seat:
        """Who moves after `seat` in the direction of play, among those still in the round."""
        ring, active = self.seats, self.active
        index = ring.index(seat)
        if active is ring:
            return ring[(index + self.direction) % len(ring)]
        for _ in ring:
            index = (index + self.direction) % len(ring)
            if ring[index] in active:
                return ring[index]
        return seat

    def preceding(self, seat: Seat) -> Seat:
        """Who moves before `seat` in the direction of play."""
        self.direction = -self.direction
        found = self.following(seat)
        self.direction = -self.direction
        return found

    @property
    def to_act(self) -> Seat | None:
        """Who has to do something next: the one who draws for a lost turn, else whose move it is; None when over."""
        for debt in self.debts:
            if debt.loses_turn:
                return debt.seat
        return self.turn if self.phase == "play" else None
