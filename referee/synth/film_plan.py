"""From what happens at the table to when and how: arms, cards that lie, spoken calls, all with times.

A plan is plain data; drawing it (`film_stage`) and saying it (`film_sound`) add nothing of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from referee.cards import Card, Seat
from referee.synth.film_view import FilmView, straight_above
from referee.synth.motion import (
    LEAD_SHARE,
    Carry,
    Flight,
    Key,
    Reach,
    ahead,
    hidden_point,
    pointing_deg,
    shoulder_for,
    sight_ends_px,
)
from referee.synth.tabletop import Layout, Point, row_of

BACK = "back"
NEVER_S = 1e9


@dataclass(frozen=True, slots=True)
class Placed:
    """A card lies on the table from `from_s` until `until_s`: middle in pixels, turn in degrees clockwise."""

    code: str
    centre_px: Point
    turn_deg: float
    from_s: float
    until_s: float = NEVER_S


@dataclass(frozen=True, slots=True)
class Spoken:
    """A call begins at `t_s`."""

    t_s: float
    seat: Seat
    call: str


@dataclass(frozen=True, slots=True)
class Gesture:
    """Something that a table does and that is no event of the game, e.g. `squared`, `hesitated`, `dropped`."""

    kind: str
    seat: Seat
    t_s: float
    until_s: float


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast the table plays, in seconds; each is varied a little from one time to the next."""

    still_s: float = 2.2
    reach_s: float = 0.72
    dwell_s: float = 0.2
    withdraw_s: float = 0.62
    rest_s: float = 0.85
    """At least so long after a card came to rest and its arm has left, before the next arm comes."""
    grip_s: float = 0.18
    spread_s: float = 0.36
    gather_s: float = 0.3
    shown_s: float = 2.0
    turn_spread: float = 9.0
    """Degrees by which cards on the pile are turned at random."""


@dataclass(frozen=True, slots=True)
class FilmPlan:
    """Everything that moves, lies and sounds in a film of `duration_s`."""

    duration_s: float
    reaches: tuple[Reach, ...]
    placed: tuple[Placed, ...]
    draws_s: tuple[float, ...]
    """When a card left the draw pile."""
    spoken: tuple[Spoken, ...]
    flights: tuple[Flight, ...] = ()
    gestures: tuple[Gesture, ...] = ()
    """What happened at the table besides the game."""
    refills: tuple[tuple[float, int], ...] = ()
    """When how many cards were laid down as draw pile."""
    stocks: tuple[tuple[float, int], ...] = ()
    """When the draw pile became another one, of how many cards: 0 where it was taken up to be dealt anew."""
    dealt_s: tuple[float, ...] = ()
    """When a card left the draw pile that was dealt or turned up."""

    def stock_at(self, t_s: float, at_first: int) -> int:
        """Cards on the draw pile, of which `at_first` lay there at the beginning."""
        since_s, left = max((s for s in self.stocks if s[0] <= t_s), key=lambda s: s[0], default=(-1.0, at_first))
        left -= sum(1 for lifted_s in (*self.draws_s, *self.dealt_s) if since_s < lifted_s <= t_s)
        return left + sum(count for at_s, count in self.refills if since_s < at_s <= t_s)


@dataclass
class Planner:
    """Plans one happening after the other. `clock_s` is when the next arm may come."""

    layout: Layout
    pace: Pace
    rng: np.random.Generator
    clock_s: float = 0.0
    reaches: list[Reach] = field(default_factory=list)
    placed: list[Placed] = field(default_factory=list)
    draws_s: list[float] = field(default_factory=list)
    spoken: list[Spoken] = field(default_factory=list)
    shown: dict[Seat, list[int]] = field(default_factory=dict)
    view: FilmView | None = None
    flights: list[Flight] = field(default_factory=list)
    gestures: list[Gesture] = field(default_factory=list)
    refills: list[tuple[float, int]] = field(default_factory=list)
    stocks: list[tuple[float, int]] = field(default_factory=list)
    dealt_s: list[float] = field(default_factory=list)
    busy_until_s: dict[Seat, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.clock_s = self.pace.still_s
        self._sees = self.view or straight_above(self.layout.size_px)
        self._beyond_px = {p.seat: sight_ends_px(self.layout, self._sees, p.edge) for p in self.layout.seats}

    def shoulder(self, seat: Seat, target: Point, aside_px: float) -> Point:
        """The shoulder of a seat's arm that reaches for a point."""
        return shoulder_for(self.layout, seat, target, aside_px, self._beyond_px[seat])

    def hidden(self, shoulder: Point, target: Point) -> Point:
        """Where its hand is before and after, out of sight."""
        return hidden_point(self.layout, self._sees, shoulder, target)

    def start(self, card: Card) -> float:
        """The turned-up card, there from the first frame."""
        self.placed.append(Placed(card.code, self.spot(), float(self.rng.normal(0, 3)), -1.0))
        return 0.0

    def lay(self, seat: Seat, card: Card) -> float:
        """A card goes from a seat to the discard pile; returns when it rests."""
        centre = self.spot()
        shoulder = self.shoulder(seat, centre, self.vary(0, 45))
        direction = pointing_deg(shoulder, centre)
        twist = self.twist(seat)
        lead = self.layout.card_px[1] * LEAD_SHARE
        grip = ahead(centre, direction, -lead)
        hidden = self.hidden(shoulder, centre)
        begin = self.clock_s
        rests = begin + self.time(self.pace.reach_s)
        leaves = rests + self.time(self.pace.dwell_s)
        gone = leaves + self.time(self.pace.withdraw_s)
        keys = (Key(begin, hidden, 0.5), Key(rests, grip), Key(leaves, grip), Key(gone, hidden, 0.5))
        carry = Carry(card.code, begin, rests, (twist, twist), (lead, lead))
        self.reaches.append(Reach(seat, shoulder, keys, (carry,)))
        self.placed.append(Placed(card.code, centre, direction + twist, rests))
        self.clock_s = gone + self.time(self.pace.rest_s)
        return rests

    def take_back(self, seat: Seat) -> float:
        """The seat takes the top card of the discard pile back; returns when it leaves the pile."""
        index = max(
            (i for i, p in enumerate(self.placed) if p.until_s == NEVER_S), key=lambda i: (self.placed[i].from_s, i)
        )
        top = self.placed[index]
        shoulder = self.shoulder(seat, top.centre_px, self.vary(0, 45))
        direction = pointing_deg(shoulder, top.centre_px)
        lead = self.layout.card_px[1] * LEAD_SHARE
        grip = ahead(top.centre_px, direction, -lead)
        hidden = self.hidden(shoulder, top.centre_px)
        begin = self.clock_s
        touches = begin + self.time(self.pace.reach_s)
        lifts = touches + self.time(self.pace.grip_s)
        gone = lifts + self.time(self.pace.withdraw_s)
        twist = top.turn_deg - direction
        self.placed[index] = until(top, lifts)
        keys = (Key(begin, hidden, 0.5), Key(touches, grip), Key(lifts, grip), Key(gone, hidden, 0.5))
        self.reaches.append(
            Reach(seat, shoulder, keys, (Carry(top.code, lifts, NEVER_S, (twist, twist), (lead, lead)),))
        )
        self.clock_s = gone + self.time(self.pace.rest_s)
        return lifts

    def draw(self, seat: Seat, count: int) -> list[float]:
        """The seat takes `count` cards from the draw pile, one by one; returns when each left the pile."""
        target = self.layout.draw_px
        shoulder = self.shoulder(seat, target, self.vary(0, 30))
        direction = pointing_deg(shoulder, target)
        lead = self.layout.card_px[1] * LEAD_SHARE
        near = self.layout.card_px[1] * 0.2
        hidden = self.hidden(shoulder, target)
        times = []
        keys = [Key(self.clock_s, hidden, 0.5)]
        carries = []
        for _ in range(count):
            grip = ahead(target, direction, -near + self.vary(0, 4))
            touches = keys[-1].t_s + self.time(self.pace.reach_s * 0.92)
            lifts = touches + self.time(self.pace.grip_s)
            gone = lifts + self.time(self.pace.withdraw_s)
            keys += [Key(touches, grip), Key(lifts, grip), Key(gone, hidden, 0.5)]
            # The pile's cards stand upright in the picture; the wrist turns them to the nearer end along the arm.
            along_arm = -180.0 * round(direction / 180) + self.vary(0, 6)
            carries.append(Carry(BACK, lifts, gone, (-direction, along_arm), (near, lead)))
            times.append(lifts)
        self.reaches.append(Reach(seat, shoulder, tuple(keys), tuple(carries)))
        self.draws_s += times
        self.clock_s = keys[-1].t_s + self.time(self.pace.rest_s)
        return times

    def show(self, seat: Seat, cards: tuple[Card, ...]) -> float:
        """The seat lays cards open in a row at its place; returns when the last one rests."""
        spots = row_of(self.layout, seat, len(cards))
        facing = self.layout.at(seat).facing_deg
        lead = self.layout.card_px[1] * LEAD_SHARE
        shoulder = self.shoulder(seat, spots[len(spots) // 2], self.vary(0, 20))
        hidden = self.hidden(shoulder, spots[0])
        keys = [Key(self.clock_s, hidden, 0.5)]
        carries: list[Carry] = []
        held_from = self.clock_s
        self.shown[seat] = []
        for card, spot in zip(cards, spots, strict=True):
            centre = (spot[0] + self.vary(0, 1.5), spot[1] + self.vary(0, 3))
            turn = facing + self.vary(0, 2.5)
            direction = pointing_deg(shoulder, centre)
            rests = keys[-1].t_s + self.time(self.pace.reach_s * 0.8 if len(keys) == 1 else self.pace.spread_s)
            keys += [Key(rests, ahead(centre, direction, -lead)), Key(rests + 0.08, ahead(centre, direction, -lead))]
            carries.append(Carry(card.code, held_from, rests, (turn - direction,) * 2, (lead, lead)))
            held_from = rests
            self.shown[seat].append(len(self.placed))
            self.placed.append(Placed(card.code, centre, turn, rests))
        gone = keys[-1].t_s + self.time(self.pace.withdraw_s * 0.8)
        keys.append(Key(gone, self.hidden(shoulder, spots[-1]), 0.5))
        self.reaches.append(Reach(seat, shoulder, tuple(keys), tuple(carries)))
        self.clock_s = gone + self.time(self.pace.rest_s)
        return held_from

    def lift_shown(self, seat: Seat) -> tuple[Point, list[Key], list[tuple[Placed, float]]]:
        """The seat's hand lifts its open cards in turn: its shoulder, its way, and the cards with times."""
        lead = self.layout.card_px[1] * LEAD_SHARE
        indices = self.shown.pop(seat)[::-1]
        first = self.placed[indices[0]]
        shoulder = self.shoulder(seat, self.placed[indices[len(indices) // 2]].centre_px, 0.0)
        keys = [Key(self.clock_s, self.hidden(shoulder, first.centre_px), 0.5)]
        lifted: list[tuple[Placed, float]] = []
        for index in indices:
            card = self.placed[index]
            grip = ahead(card.centre_px, pointing_deg(shoulder, card.centre_px), -lead)
            touches = keys[-1].t_s + self.time(self.pace.reach_s * 0.8 if not lifted else self.pace.gather_s)
            keys += [Key(touches, grip), Key(touches + 0.1, grip)]
            self.placed[index] = until(card, touches + 0.1)
            lifted.append((card, touches + 0.1))
        return shoulder, keys, lifted

    def gather(self, seat: Seat) -> float:
        """The seat takes its open cards back into the hand; returns when the first one moves."""
        lead = self.layout.card_px[1] * LEAD_SHARE
        shoulder, keys, lifted = self.lift_shown(seat)
        last = lifted[-1][0]
        gone = keys[-1].t_s + self.time(self.pace.withdraw_s)
        keys.append(Key(gone, self.hidden(shoulder, last.centre_px), 0.5))
        carries = []
        for number, (card, from_s) in enumerate(lifted):
            until_s = lifted[number + 1][1] if number + 1 < len(lifted) else NEVER_S
            twist = card.turn_deg - pointing_deg(shoulder, card.centre_px)
            carries.append(Carry(card.code, from_s, until_s, (twist, twist), (lead, lead)))
        self.reaches.append(Reach(seat, shoulder, tuple(keys), tuple(carries)))
        self.clock_s = gone + self.time(self.pace.rest_s)
        return lifted[0][1]

    def say(self, seat: Seat, call: str, at_s: float) -> None:
        """The seat says a call."""
        self.spoken.append(Spoken(at_s, seat, call))

    def finish(self) -> FilmPlan:
        """The plan, with a still table at the end."""
        return FilmPlan(
            duration_s=max(self.clock_s - self.pace.rest_s, *self.busy_until_s.values(), 0.0) + self.pace.still_s,
            reaches=tuple(self.reaches),
            placed=tuple(self.placed),
            draws_s=tuple(self.draws_s),
            spoken=tuple(sorted(self.spoken, key=lambda s: s.t_s)),
            flights=tuple(self.flights),
            gestures=tuple(self.gestures),
            refills=tuple(self.refills),
            stocks=tuple(self.stocks),
            dealt_s=tuple(self.dealt_s),
        )

    def time(self, seconds: float) -> float:
        """About so many seconds."""
        return float(seconds * self.rng.uniform(0.9, 1.15))

    def vary(self, middle: float, spread: float) -> float:
        """About `middle`, at most two spreads off."""
        return float(np.clip(self.rng.normal(middle, spread), middle - 2 * spread, middle + 2 * spread))

    def spot(self) -> Point:
        """Where the next card comes to lie on the discard pile."""
        x, y = self.layout.discard_px
        spread = self.layout.card_px[1] * 0.05
        return x + self.vary(0, spread), y + self.vary(0, spread)

    def twist(self, seat: Seat) -> float:
        """Turn against the arm: players at the sides turn the wrist a little towards the pile's own direction."""
        towards_upright = {"left": -16.0, "right": 16.0}.get(self.layout.at(seat).edge, 0.0)
        return self.vary(towards_upright, self.pace.turn_spread)


def until(card: Placed, until_s: float) -> Placed:
    """The card, taken away at that time."""
    return Placed(card.code, card.centre_px, card.turn_deg, card.from_s, until_s)
