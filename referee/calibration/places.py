"""Where piles and seats are put: where somebody clicked, where hands were seen, or sensibly around the table."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from referee.cards import Seat
from referee.faults import InputFault
from referee.vision.planes import TablePlane
from referee.vision.zones import Edge, Point, Polygon, SeatZone, TableZones, centre_of, contains
from referee.vision.zones_file import shared_area

DISCARD_HALF_MM = 66.0
"""Room for cards that lie turned and shifted."""

DRAW_HALF_MM = (41.0, 56.0)
_PILES_APART_MM = 125.0
_DEPTH_MM = 104.0
_LEAST_APART_MM = 80.0
_WIDEST_MM = 620.0
_RIM = 0.01
_NARROWER = 0.94


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is known of the places, as points of the table picture in fractions.

    Seats without a point are put around the table, piles without one around the `middle`. seats: how many sit there.
    """

    seats: int
    middle: Point = (0.5, 0.5)
    discard: Point | None = None
    draw: Point | None = None
    at: Mapping[Seat, Point] | None = None


def placed_zones(plane: TablePlane, wanted: Wanted) -> TableZones:
    """The zones of a table of known size. Raises InputFault when the places do not fit beside one another."""
    width, height = plane.size_mm
    away = _PILES_APART_MM / 2
    discard = wanted.discard or ((wanted.draw[0] + _PILES_APART_MM / width, wanted.draw[1]) if wanted.draw else None)
    discard = discard or (wanted.middle[0] + away / width, wanted.middle[1])
    draw = wanted.draw or (discard[0] - _PILES_APART_MM / width, discard[1])
    for name, point in (("draw", draw), ("discard", discard), *((str(s), p) for s, p in (wanted.at or {}).items())):
        if not (0 < point[0] < 1 and 0 < point[1] < 1):
            raise InputFault(
                f"{name} lies outside the part of the table that is watched",
                mend="give a point nearer the middle, or film a larger part of the table",
            )
    areas = {
        "discard": _box(discard, DISCARD_HALF_MM / width, DISCARD_HALF_MM / height),
        "draw": _box(draw, DRAW_HALF_MM[0] / width, DRAW_HALF_MM[1] / height),
    }
    seats = _around(plane, wanted.seats) if not wanted.at else _clicked(plane, wanted)
    zones = TableZones(*plane.size_px, areas["discard"], areas["draw"], tuple(_parted(seats, areas)), plane=plane)
    _require_apart(zones)
    return zones


def clockwise(points: Sequence[Point], first: int = 0) -> list[int]:
    """The order of points clockwise around the middle as the eye sees the picture, beginning with the `first`."""
    angles = [math.atan2(y - 0.5, x - 0.5) for x, y in points]  # y grows down: larger angles are further clockwise
    return sorted(range(len(points)), key=lambda n: (angles[n] - angles[first]) % (2 * math.pi))


def _around(plane: TablePlane, seats: int) -> list[SeatZone]:
    try:
        guess = TableZones.whole_frame_guess(*plane.size_px, seats)
    except ValueError as fault:
        raise InputFault(str(fault), mend="give --seats 1 to 10") from None
    return [_seat(plane, s.seat, s.edge, centre_of(s.place), _half_along(guess, s)) for s in guess.seats]


def _clicked(plane: TablePlane, wanted: Wanted) -> list[SeatZone]:
    at = wanted.at or {}
    if sorted(at) != list(Seat.first(len(at))):
        raise InputFault("seats must be P1, P2, … without a gap", mend="name them clockwise around the table")
    edges = {seat: _edge_of(point) for seat, point in at.items()}
    found = []
    for seat, point in sorted(at.items()):
        along = _along(edges[seat], point)
        side_mm = plane.size_mm[0] if edges[seat] in (Edge.BOTTOM, Edge.TOP) else plane.size_mm[1]
        gaps = {o: abs(along - _along(edges[o], p)) for o, p in at.items() if o != seat and edges[o] is edges[seat]}
        for other, gap in gaps.items():
            if gap * side_mm < _LEAST_APART_MM:
                raise InputFault(f"{seat} and {other} lie on one another", mend="place them further apart")
        half = min([0.46 * gap for gap in gaps.values()] + [along - _RIM, 1 - _RIM - along])
        found.append(_seat(plane, seat, edges[seat], point, max(half, 0.03)))
    return found


def _seat(plane: TablePlane, seat: Seat, edge: Edge, point: Point, half_along: float) -> SeatZone:
    """A place by the rim: a card deep, and as long as a hand laid open needs or the side has room for."""
    width, height = plane.size_mm
    across = edge in (Edge.BOTTOM, Edge.TOP)
    half_along = min(half_along, _WIDEST_MM / 2 / (width if across else height))
    deep = min(_DEPTH_MM / (height if across else width), 0.3)
    middle = min(max(_depth(edge, point), _RIM + deep / 2), 0.5)
    x, y = point
    match edge:
        case Edge.BOTTOM:
            y = 1 - middle
        case Edge.TOP:
            y = middle
        case Edge.LEFT:
            x = middle
        case Edge.RIGHT:
            x = 1 - middle
    half = (half_along, deep / 2) if across else (deep / 2, half_along)
    return SeatZone(seat, _box((x, y), *half), edge)


def _parted(seats: list[SeatZone], piles: Mapping[str, Polygon]) -> list[SeatZone]:
    """Places made shorter until none touches another: neighbours around a corner, or a pile near the rim."""
    for _ in range(40):
        clash = set()
        for a, b in itertools.combinations(seats, 2):
            if shared_area(a.place, b.place) > 0:
                clash |= {a.seat, b.seat}
        clash |= {s.seat for s in seats for pile in piles.values() if shared_area(s.place, pile) > 0}
        if not clash:
            break
        seats = [replace(s, place=_shorter(s)) if s.seat in clash else s for s in seats]
    return seats


def _shorter(seat: SeatZone) -> Polygon:
    x, y = centre_of(seat.place)
    across = seat.edge in (Edge.BOTTOM, Edge.TOP)
    by = (_NARROWER, 1.0) if across else (1.0, _NARROWER)
    return tuple((x + (px - x) * by[0], y + (py - y) * by[1]) for px, py in seat.place)


def _require_apart(zones: TableZones) -> None:
    named = [("discard", zones.discard), *([("draw", zones.draw)] if zones.draw else [])]
    named += [(str(s.seat), s.place) for s in zones.seats]
    for (name, area), (other_name, other) in itertools.combinations(named, 2):
        if contains(area, centre_of(other)) or contains(other, centre_of(area)) or shared_area(area, other) > 0.003:
            raise InputFault(f"{name} and {other_name} lie on one another", mend="place them further apart")


def _half_along(guess: TableZones, seat: SeatZone) -> float:
    share = sum(1 for s in guess.seats if s.edge is seat.edge)
    return 0.47 / share


def _edge_of(point: Point) -> Edge:
    x, y = point
    return min(((y, Edge.TOP), (1 - y, Edge.BOTTOM), (x, Edge.LEFT), (1 - x, Edge.RIGHT)), key=lambda e: e[0])[1]


def _along(edge: Edge, point: Point) -> float:
    return point[0] if edge in (Edge.BOTTOM, Edge.TOP) else point[1]


def _depth(edge: Edge, point: Point) -> float:
    x, y = point
    return {Edge.TOP: y, Edge.BOTTOM: 1 - y, Edge.LEFT: x, Edge.RIGHT: 1 - x}[edge]


def _box(middle: Point, half_w: float, half_h: float) -> Polygon:
    x, y = middle
    left, right = max(0.0, x - half_w), min(1.0, x + half_w)
    top, bottom = max(0.0, y - half_h), min(1.0, y + half_h)
    return (left, top), (right, top), (right, bottom), (left, bottom)
