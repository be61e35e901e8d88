"""How arms move over the table: timed points, eased as a hand moves, with the card that the fingers carry."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass

from referee.cards import Seat
from referee.synth.film_view import FilmView
from referee.synth.tabletop import Edge, Layout, Point

OUTWARD: dict[Edge, Point] = {"bottom": (0, 1), "left": (-1, 0), "top": (0, -1), "right": (1, 0)}
SHOULDER_OUT_PX = 460.0
HIDDEN_OUT_SHARE = 1.25  # of a card's height: so far outside the picture neither hand nor carried card is seen
LIFT_MM = 55.0  # height of a hand at lift 1
_FARTHEST_PX = 900.0
LEAD_SHARE = 0.27  # of a card's height: from the fingertips to the middle of a card held by its near edge


@dataclass(frozen=True, slots=True)
class Key:
    """The fingertips are at `at_px` at `t_s`; `lift` 0 = touching the table, 1 = carried well above it."""

    t_s: float
    at_px: Point
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class Carry:
    """A card under the fingers between two times.

    code: a face or `back`. twist_deg: its turn against the arm's direction; lead_px: from the fingertips to its
    middle along the arm; both at the beginning and at the end, blended in the first `blend_s` seconds.
    """

    code: str
    from_s: float
    until_s: float
    twist_deg: tuple[float, float]
    lead_px: tuple[float, float]
    blend_s: float = 0.35

    def pose(self, t_s: float) -> tuple[float, float]:
        """(twist in degrees, lead in pixels) at a time."""
        share = eased((t_s - self.from_s) / self.blend_s)
        return (
            self.twist_deg[0] + share * (self.twist_deg[1] - self.twist_deg[0]),
            self.lead_px[0] + share * (self.lead_px[1] - self.lead_px[0]),
        )


@dataclass(frozen=True, slots=True)
class Reach:
    """One visit of one arm to the table."""

    seat: Seat
    shoulder_px: Point
    keys: tuple[Key, ...]
    carries: tuple[Carry, ...] = ()

    @property
    def begin_s(self) -> float:
        """When the arm sets off, still outside the frame."""
        return self.keys[0].t_s

    @property
    def end_s(self) -> float:
        """When the arm is outside the frame again."""
        return self.keys[-1].t_s

    def grip(self, t_s: float) -> tuple[Point, float]:
        """Where the fingertips are and how far lifted (0…1)."""
        index = bisect_right([key.t_s for key in self.keys], t_s)
        if index == 0:
            return self.keys[0].at_px, self.keys[0].lift
        if index == len(self.keys):
            return self.keys[-1].at_px, self.keys[-1].lift
        before, after = self.keys[index - 1], self.keys[index]
        share = (t_s - before.t_s) / (after.t_s - before.t_s)
        way = eased(share)
        x = before.at_px[0] + way * (after.at_px[0] - before.at_px[0])
        y = before.at_px[1] + way * (after.at_px[1] - before.at_px[1])
        hop = math.dist(before.at_px, after.at_px)
        lift = before.lift + way * (after.lift - before.lift) + min(hop / 400, 0.6) * math.sin(math.pi * way)
        return (x, y), lift

    def direction_deg(self, t_s: float) -> float:
        """Where the arm points, degrees clockwise from up in the picture."""
        (x, y), _ = self.grip(t_s)
        return pointing_deg(self.shoulder_px, (x, y))

    def carried(self, t_s: float) -> Carry | None:
        """The card under the fingers at a time."""
        return next((c for c in self.carries if c.from_s <= t_s < c.until_s), None)


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a free card is: middle, turn clockwise, height above the table, turn about its long axis."""

    centre_px: Point
    turn_deg: float
    height_px: float
    tumble_deg: float


@dataclass(frozen=True, slots=True)
class Flight:
    """A card on its way without a hand: tossed, or let fall. It lands after `airborne` of its time and slides on.

    height_px: (when let go, highest of the arc); tumble_deg: how far it turns about its long axis while in the air.
    """

    code: str
    from_s: float
    until_s: float
    start_px: Point
    end_px: Point
    turn_deg: tuple[float, float]
    height_px: tuple[float, float]
    airborne: float = 0.65
    tumble_deg: float = 0.0

    def pose(self, t_s: float) -> Pose:
        """Where the card is at a time between both ends."""
        share = min(max((t_s - self.from_s) / (self.until_s - self.from_s), 0.0), 1.0)
        way = 1 - (1 - share) ** 2
        x = self.start_px[0] + way * (self.end_px[0] - self.start_px[0])
        y = self.start_px[1] + way * (self.end_px[1] - self.start_px[1])
        turn = self.turn_deg[0] + way * (self.turn_deg[1] - self.turn_deg[0])
        air = min(share / self.airborne, 1.0)
        height = self.height_px[0] * (1 - air * air) + self.height_px[1] * 4 * air * (1 - air)
        return Pose((x, y), turn, height, self.tumble_deg * eased(air))


def eased(share: float) -> float:
    """Way covered after a share of the time: a hand's minimum-jerk profile, 0 before and 1 after."""
    u = min(max(share, 0.0), 1.0)
    return u**3 * (10 - 15 * u + 6 * u * u)


def pointing_deg(start: Point, end: Point) -> float:
    """Direction from one point to another, degrees clockwise from up in the picture."""
    return math.degrees(math.atan2(end[0] - start[0], start[1] - end[1]))


def ahead(at: Point, direction_deg: float, by_px: float) -> Point:
    """The point `by_px` pixels from `at` in a direction."""
    turn = math.radians(direction_deg)
    return at[0] + by_px * math.sin(turn), at[1] - by_px * math.cos(turn)


def sight_ends_px(layout: Layout, view: FilmView, edge: Edge) -> float:
    """How far beyond the layout's edge the camera sees: 0 for one that looks straight down on it."""
    width, height = layout.size_px
    ox, oy = OUTWARD[edge]
    x, y = width / 2 + ox * width / 2, height / 2 + oy * height / 2
    beyond = 0.0
    while beyond < _FARTHEST_PX and not view.outside((x + ox * beyond, y + oy * beyond), 0.0):
        beyond += 10
    return beyond


def shoulder_for(layout: Layout, seat: Seat, target: Point, aside_px: float, beyond_px: float = 0.0) -> Point:
    """A shoulder out of sight, facing `target` squarely but for `aside_px` along the edge.

    beyond_px: how far the camera sees beyond that edge. Where seats share an edge, the shoulder is before the
    seat's own place.
    """
    width, height = layout.size_px
    edge = layout.at(seat).edge
    ox, oy = OUTWARD[edge]
    shared = sum(place.edge == edge for place in layout.seats) > 1
    # Neighbours lean in over their own places: from further back both arms would come in at the same spot.
    out = (SHOULDER_OUT_PX / 2 if shared else SHOULDER_OUT_PX) + beyond_px
    aside_px = aside_px / 2 if shared else aside_px
    middle = layout.at(seat).middle_px
    if oy:
        x = (0.95 * middle[0] + 0.05 * target[0] if shared else target[0]) + aside_px
        return x, (height + out) if oy > 0 else -out
    y = (0.95 * middle[1] + 0.05 * target[1] if shared else target[1]) + aside_px
    return (width + out) if ox > 0 else -out, y


def hidden_point(layout: Layout, view: FilmView, shoulder: Point, target: Point) -> Point:
    """Where the hand waits out of sight on its way from the shoulder to the target."""
    length = math.dist(shoulder, target)
    ux, uy = (shoulder[0] - target[0]) / length, (shoulder[1] - target[1]) / length
    out = layout.card_px[1] * HIDDEN_OUT_SHARE
    away = 0.0
    while away < length - 60:
        at = (target[0] + ux * away, target[1] + uy * away)
        if view.outside(at, out * view.scale_at(at)):
            break
        away += 6
    return target[0] + ux * away, target[1] + uy * away
