"""From what happens at the table to when and how: arms, cards that lie, spoken calls, all with times.

A plan is plain data; drawing it (`film_stage`) and saying it (`film_sound`) add nothing of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from referee.cards import Card, Seat
from referee.synth.motion import (
    LEAD_SHARE,
    Carry,
    Key,
    Reach,
    ahead,
    hidden_point,
    pointing_deg,
    shoulder_for,
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

    def __post_init__(self) -> None:
        self.clock_s = self.pace.still_s

    def start(self, card: Card) -> float:
        """The turned-up card, there from the first frame."""
        self.placed.append(Placed(card.code, self._spot(), float(self.rng.normal(0, 3)), -1.0))
        return 0.0

    def lay(self, seat: Seat, card: Card) -> float:
        """A card goes from a seat to the discard pile; returns when it rests."""
        centre = self._spot()
        shoulder = shoulder_for(self.layout, seat, centre, self._vary(0, 45))
        direction = pointing_deg(shoulder, centre)
        twist = self._twist(seat)
        lead = self.layout.card_px[1] * LEAD_SHARE
        grip = ahead(centre, direction, -lead)
        hidden = hidden_point(self.layout, seat, shoulder, centre)
        begin = self.clock_s
        rests = begin + self._time(self.pace.reach_s)
        leaves = rests + self._time(self.pace.dwell_s)
        gone = leaves + self._time(self.pace.withdraw_s)
        keys = (Key(begin, hidden, 0.5), Key(rests, grip), Key(leaves, grip), Key(gone, hidden, 0.5))
        carry = Carry(card.code, begin, rests, (twist, twist), (lead, lead))
        self.reaches.append(Reach(seat, shoulder, keys, (carry,)))
        self.placed.append(Placed(card.code, centre, direction + twist, rests))
        self.clock_s = gone + self._time(self.pace.rest_s)
        return rests

    def take_back(self, seat: Seat) -> float:
        """The seat takes the top card of the discard pile back; returns when it leaves the pile."""
        index = max(
            (i for i, p in enumerate(self.placed) if p.until_s == NEVER_S), key=lambda i: self.placed[i].from_s
        )
        top = self.placed[index]
        shoulder = shoulder_for(self.layout, seat, top.centre_px, self._vary(0, 45))
        direction = pointing_deg(shoulder, top.centre_px)
        lead = self.layout.card_px[1] * LEAD_SHARE
        grip = ahead(top.centre_px, direction, -lead)
        hidden = hidden_point(self.layout, seat, shoulder, top.centre_px)
        begin = self.clock_s
        touches = begin + self._time(self.pace.reach_s)
        lifts = touches + self._time(self.pace.grip_s)
        gone = lifts + self._time(self.pace.withdraw_s)
        twist = top.turn_deg - direction
        self.placed[index] = _until(top, lifts)
        keys = (Key(begin, hidden, 0.5), Key(touches, grip), Key(lifts, grip), Key(gone, hidden, 0.5))
        self.reaches.append(
            Reach(seat, shoulder, keys, (Carry(top.code, lifts, NEVER_S, (twist, twist), (lead, lead)),))
        )
        self.clock_s = gone + self._time(self.pace.rest_s)
        return lifts

    def draw(self, seat: Seat, count: int) -> list[float]:
        """The seat takes `count` cards from the draw pile, one by one; returns when each left the pile."""
        target = self.layout.draw_px
        shoulder = shoulder_for(self.layout, seat, target, self._vary(0, 30))
        direction = pointing_deg(shoulder, target)
        lead = self.layout.card_px[1] * LEAD_SHARE
        near = self.layout.card_px[1] * 0.2
        hidden = hidden_point(self.layout, seat, shoulder, target)
        times = []
        keys = [Key(self.clock_s, hidden, 0.5)]
        carries = []
        for _ in range(count):
            grip = ahead(target, direction, -near + self._vary(0, 4))
            touches = keys[-1].t_s + self._time(self.pace.reach_s * 0.92)
            lifts = touches + self._time(self.pace.grip_s)
            gone = lifts + self._time(self.pace.withdraw_s)
            keys += [Key(touches, grip), Key(lifts, grip), Key(gone, hidden, 0.5)]
            # The pile's cards stand upright in the picture; the wrist turns them to the nearer end along the arm.
            along_arm = -180.0 * round(direction / 180) + self._vary(0, 6)
            carries.append(Carry(BACK, lifts, gone, (-direction, along_arm), (near, lead)))
            times.append(lifts)
        self.reaches.append(Reach(seat, shoulder, tuple(keys), tuple(carries)))
        self.draws_s += times
        self.clock_s = keys[-1].t_s + self._time(self.pace.rest_s)
        return times

    def show(self, seat: Seat, cards: tuple[Card, ...]) -> float:
        """The seat lays cards open in a row at its place; returns when the last one rests."""
        spots = row_of(self.layout, seat, len(cards))
        facing = self.layout.at(seat).facing_deg
        lead = self.layout.card_px[1] * LEAD_SHARE
        shoulder = shoulder_for(self.layout, seat, spots[len(spots) // 2], self._vary(0, 20))
        hidden = hidden_point(self.layout, seat, shoulder, spots[0])
        keys = [Key(self.clock_s, hidden, 0.5)]
        carries: list[Carry] = []
        held_from = self.clock_s
        self.shown[seat] = []
        for card, spot in zip(cards, spots, strict=True):
            centre = (spot[0] + self._vary(0, 1.5), spot[1] + self._vary(0, 3))
            turn = facing + self._vary(0, 2.5)
            direction = pointing_deg(shoulder, centre)
            rests = keys[-1].t_s + self._time(self.pace.reach_s * 0.8 if len(keys) == 1 else self.pace.spread_s)
            keys += [Key(rests, ahead(centre, direction, -lead)), Key(rests + 0.08, ahead(centre, direction, -lead))]
            carries.append(Carry(card.code, held_from, rests, (turn - direction,) * 2, (lead, lead)))
            held_from = rests
            self.shown[seat].append(len(self.placed))
            self.placed.append(Placed(card.code, centre, turn, rests))
        gone = keys[-1].t_s + self._time(self.pace.withdraw_s * 0.8)
        keys.append(Key(gone, hidden_point(self.layout, seat, shoulder, spots[-1]), 0.5))
        self.reaches.append(Reach(seat, shoulder, tuple(keys), tuple(carries)))
        self.clock_s = gone + self._time(self.pace.rest_s)
        return held_from

    def gather(self, seat: Seat) -> float:
        """The seat takes its open cards back into the hand; returns when the first one moves."""
        lead = self.layout.card_px[1] * LEAD_SHARE
        indices = self.shown.pop(seat)[::-1]
        first = self.placed[indices[0]]
        shoulder = shoulder_for(self.layout, seat, self.placed[indices[len(indices) // 2]].centre_px, 0.0)
        keys = [Key(self.clock_s, hidden_point(self.layout, seat, shoulder, first.centre_px), 0.5)]
        lifted: list[tuple[Placed, float]] = []
        for index in indices:
            card = self.placed[index]
            grip = ahead(card.centre_px, pointing_deg(shoulder, card.centre_px), -lead)
            touches = keys[-1].t_s + self._time(self.pace.reach_s * 0.8 if not lifted else self.pace.gather_s)
            keys += [Key(touches, grip), Key(touches + 0.1, grip)]
            self.placed[index] = _until(card, touches + 0.1)
            lifted.append((card, touches + 0.1))
        last = lifted[-1][0]
        gone = keys[-1].t_s + self._time(self.pace.withdraw_s)
        keys.append(Key(gone, hidden_point(self.layout, seat, shoulder, last.centre_px), 0.5))
        carries = []
        for number, (card, from_s) in enumerate(lifted):
            until_s = lifted[number + 1][1] if number + 1 < len(lifted) else NEVER_S
            twist = card.turn_deg - pointing_deg(shoulder, card.centre_px)
            carries.append(Carry(card.code, from_s, until_s, (twist, twist), (lead, lead)))
        self.reaches.append(Reach(seat, shoulder, tuple(keys), tuple(carries)))
        self.clock_s = gone + self._time(self.pace.rest_s)
        return lifted[0][1]

    def say(self, seat: Seat, call: str, at_s: float) -> None:
        """The seat says a call."""
        self.spoken.append(Spoken(at_s, seat, call))

    def finish(self) -> FilmPlan:
        """The plan, with a still table at the end."""
        return FilmPlan(
            duration_s=self.clock_s - self.pace.rest_s + self.pace.still_s,
            reaches=tuple(self.reaches),
            placed=tuple(self.placed),
            draws_s=tuple(self.draws_s),
            spoken=tuple(sorted(self.spoken, key=lambda s: s.t_s)),
        )

    def _time(self, seconds: float) -> float:
        return float(seconds * self.rng.uniform(0.9, 1.15))

    def _vary(self, middle: float, spread: float) -> float:
        return float(np.clip(self.rng.normal(middle, spread), middle - 2 * spread, middle + 2 * spread))

    def _spot(self) -> Point:
        x, y = self.layout.discard_px
        spread = self.layout.card_px[1] * 0.05
        return x + self._vary(0, spread), y + self._vary(0, spread)

    def _twist(self, seat: Seat) -> float:
        """Turn against the arm: players at the sides turn the wrist a little towards the pile's own direction."""
        towards_upright = {"left": -16.0, "right": 16.0}.get(self.layout.at(seat).edge, 0.0)
        return self._vary(towards_upright, self.pace.turn_spread)


def _until(card: Placed, until_s: float) -> Placed:
    return Placed(card.code, card.centre_px, card.turn_deg, card.from_s, until_s)
