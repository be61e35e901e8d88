"""How arms move over the table: timed points, eased as a hand moves, with the card that the fingers carry."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass

from referee.cards import Seat
from referee.synth.tabletop import Edge, Layout, Point

OUTWARD: dict[Edge, Point] = {"bottom": (0, 1), "left": (-1, 0), "top": (0, -1), "right": (1, 0)}
SHOULDER_OUT_PX = 460.0
HIDDEN_OUT_SHARE = 1.25  # of a card's height: so far outside the frame neither hand nor carried card is seen
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


def shoulder_for(layout: Layout, seat: Seat, target: Point, aside_px: float) -> Point:
    """A shoulder outside the frame, facing `target` squarely but for `aside_px` along the edge."""
    width, height = layout.size_px
    edge = layout.at(seat).edge
    ox, oy = OUTWARD[edge]
    if oy:
        return target[0] + aside_px, (height + SHOULDER_OUT_PX) if oy > 0 else -SHOULDER_OUT_PX
    return (width + SHOULDER_OUT_PX) if ox > 0 else -SHOULDER_OUT_PX, target[1] + aside_px


def hidden_point(layout: Layout, seat: Seat, shoulder: Point, target: Point) -> Point:
    """Where the hand waits outside the frame on its way from the shoulder to the target."""
    width, height = layout.size_px
    edge = layout.at(seat).edge
    out = layout.card_px[1] * HIDDEN_OUT_SHARE
    if edge in ("bottom", "top"):
        y = height + out if edge == "bottom" else -out
        share = (y - shoulder[1]) / (target[1] - shoulder[1])
        return shoulder[0] + share * (target[0] - shoulder[0]), y
    x = width + out if edge == "right" else -out
    share = (x - shoulder[0]) / (target[0] - shoulder[0])
    return x, shoulder[1] + share * (target[1] - shoulder[1])
