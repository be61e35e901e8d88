"""Where things lie on the table: discard pile, draw pile, and each seat's own place, as fractions of the picture.

A calibration is a readable TOML file (`TableZones.from_toml`); without one, `TableZones.whole_frame_guess` divides
the picture sensibly and says that it guessed. All polygons are (x, y) with x and y from 0 to 1.
"""

from __future__ import annotations

import enum
import itertools
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.cards import Seat
from referee.faults import InputFault

Point = tuple[float, float]
Polygon = tuple[Point, ...]

_CORNERS = "write three or more [x, y] corners, each from 0 to 1, in order around the area"


class Edge(enum.Enum):
    """A side of the picture; the value is its word in the calibration file."""

    BOTTOM = "bottom"
    LEFT = "left"
    TOP = "top"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class SeatZone:
    """A seat: `place` is where its own cards lie when laid open, `edge` the side its arm comes from."""

    seat: Seat
    place: Polygon
    edge: Edge

    @property
    def root(self) -> Point:
        """The point of the picture's border, in fractions, where this seat's arm is expected."""
        x, y = centre_of(self.place)
        match self.edge:
            case Edge.BOTTOM:
                return x, 1.0
            case Edge.TOP:
                return x, 0.0
            case Edge.LEFT:
                return 0.0, y
            case Edge.RIGHT:
                return 1.0, y


@dataclass(frozen=True, slots=True)
class TableZones:
    """The places of one table. `guessed`: nobody calibrated it, so the places are only likely.

    width_px, height_px: the picture that was calibrated. Pictures of another size are understood by their fractions.
    """

    width_px: int
    height_px: int
    discard: Polygon
    draw: Polygon | None
    seats: tuple[SeatZone, ...]
    guessed: bool = False

    @classmethod
    def from_toml(cls, path: Path) -> TableZones:
        """The calibration in `path`. Raises InputFault naming the key that is wrong and how to mend it."""
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as fault:
            raise InputFault(
                f"cannot be read: {fault.strerror or fault}",
                where=str(path),
                mend="run `referee calibrate`, or give the path of a calibration",
            ) from None
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
            raise InputFault(f"is not TOML: {fault}", where=str(path), mend="correct that line") from None
        return _zones(data, str(path))

    @classmethod
    def whole_frame_guess(cls, width_px: int, height_px: int, seats: int) -> TableZones:
        """Discard pile in the middle, draw pile left of it, seats clockwise around the picture from the bottom.

        Raises ValueError when `seats` is not 1 to 10.
        """
        places = tuple(
            SeatZone(seat, _place(edge, number, of), edge)
            for seat, (edge, number, of) in zip(Seat.first(seats), _sides(seats), strict=True)
        )
        return cls(
            width_px=width_px,
            height_px=height_px,
            discard=_box(0.42, 0.34, 0.66, 0.66),
            draw=_box(0.24, 0.34, 0.41, 0.66),
            seats=places,
            guessed=True,
        )


def centre_of(polygon: Polygon) -> Point:
    """Centre of gravity of the area (of the corners when it has no area)."""
    twice = x = y = 0.0
    for (ax, ay), (bx, by) in itertools.pairwise((*polygon, polygon[0])):
        cross = ax * by - bx * ay
        twice, x, y = twice + cross, x + (ax + bx) * cross, y + (ay + by) * cross
    if abs(twice) < 1e-9:
        return sum(p[0] for p in polygon) / len(polygon), sum(p[1] for p in polygon) / len(polygon)
    return x / (3 * twice), y / (3 * twice)


def area_of(polygon: Polygon) -> float:
    """Area as a share of the picture, 0…1."""
    pairs = itertools.pairwise((*polygon, polygon[0]))
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


def contains(polygon: Polygon, point: Point) -> bool:
    """True when `point` lies inside (even-odd rule)."""
    x, y = point
    crossings = 0
    for (ax, ay), (bx, by) in itertools.pairwise((*polygon, polygon[0])):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            crossings += 1
    return crossings % 2 == 1


def _zones(data: Mapping[str, Any], where: str) -> TableZones:
    _keys(data, {"frame", "zones", "seats"}, {"frame", "zones", "seats"}, where, "the file")
    frame, zones, seats = (_table(data, key, where) for key in ("frame", "zones", "seats"))
    _keys(frame, {"width_px", "height_px"}, {"width_px", "height_px"}, where, "[frame]")
    _keys(zones, {"discard", "draw"}, {"discard"}, where, "[zones]")
    sizes = [_size(frame[key], f"{where}: [frame] {key}") for key in ("width_px", "height_px")]
    discard = _polygon(zones["discard"], f"{where}: [zones] discard")
    draw = _polygon(zones["draw"], f"{where}: [zones] draw") if "draw" in zones else None
    if not seats:
        raise InputFault("has no seat", where=where, mend="add [seats.P1] with place and edge")
    places = tuple(sorted((_seat(n, seats, where) for n in seats), key=lambda s: s.seat))
    _apart(discard, draw, places, where)
    return TableZones(sizes[0], sizes[1], discard, draw, places)


def _seat(name: str, seats: Mapping[str, Any], where: str) -> SeatZone:
    here = f"[seats.{name}]"
    try:
        seat = Seat.parse(name)
    except ValueError as fault:
        raise InputFault(str(fault), where=f"{where}: {here}", mend="rename it") from None
    entry = _table(seats, name, where)
    _keys(entry, {"place", "edge"}, {"place", "edge"}, where, here)
    place = _polygon(entry["place"], f"{where}: {here} place")
    try:
        return SeatZone(seat, place, Edge(entry["edge"]))
    except ValueError:
        raise InputFault(
            f"edge {entry['edge']!r} is no side of the picture",
            where=f"{where}: {here}",
            mend="write bottom, left, top or right",
        ) from None


def _table(data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = data[key]
    if not isinstance(value, dict):
        raise InputFault(f"{key} is not a table", where=where, mend=f"write it as [{key}] with keys below")
    return value


def _keys(data: Mapping[str, Any], known: set[str], needed: set[str], where: str, part: str) -> None:
    if unknown := sorted(set(data) - known):
        raise InputFault(
            f"{part} has an unknown key {unknown[0]!r}", where=where, mend=f"known: {', '.join(sorted(known))}"
        )
    if missing := sorted(needed - set(data)):
        raise InputFault(f"{part} lacks {missing[0]!r}", where=where, mend="add it, or run `referee calibrate`")


def _size(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 16 <= value <= 16384:
        raise InputFault(f"{value!r} is no picture size", where=where, mend="write whole pixels, 16 to 16384")
    return value


def _polygon(value: object, where: str) -> Polygon:
    if not isinstance(value, list) or len(value) < 3:
        raise InputFault("is no area", where=where, mend=_CORNERS)
    points: list[Point] = []
    for corner in value:
        if not isinstance(corner, list) or len(corner) != 2 or not all(_fraction(v) for v in corner):
            raise InputFault(f"corner {corner!r} lies outside the picture", where=where, mend=_CORNERS)
        points.append((float(corner[0]), float(corner[1])))
    if area_of(tuple(points)) < 0.0005:
        raise InputFault("has no area", where=where, mend=_CORNERS)
    return tuple(points)


def _fraction(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and 0 <= value <= 1


def _apart(discard: Polygon, draw: Polygon | None, places: tuple[SeatZone, ...], where: str) -> None:
    named = [("discard", discard), *([("draw", draw)] if draw else []), *((str(p.seat), p.place) for p in places)]
    for (name, area), (other_name, other) in itertools.combinations(named, 2):
        if contains(area, centre_of(other)) or contains(other, centre_of(area)):
            raise InputFault(f"{name} and {other_name} lie on one another", where=where, mend="move them apart")


def _sides(seats: int) -> list[tuple[Edge, int, int]]:
    """(side, number along it clockwise, how many share it) for each seat, clockwise from the bottom."""
    around = [Edge.BOTTOM, Edge.LEFT, Edge.TOP, Edge.RIGHT]
    share = {
        1: (1, 0, 0, 0),
        2: (1, 0, 1, 0),
        3: (1, 1, 0, 1),
        4: (1, 1, 1, 1),
        5: (1, 1, 2, 1),
        6: (2, 1, 2, 1),
        7: (2, 1, 3, 1),
        8: (3, 1, 3, 1),
        9: (3, 1, 4, 1),
        10: (4, 1, 4, 1),
    }[seats]
    return [(edge, i, n) for edge, n in zip(around, share, strict=True) for i in range(n)]


def _place(edge: Edge, number: int, of: int) -> Polygon:
    along = (number + 0.5) / of
    half = 0.4 / of
    match edge:
        case Edge.BOTTOM:  # clockwise along the bottom runs from right to left
            return _box(1 - along - half, 0.72, 1 - along + half, 0.99)
        case Edge.TOP:
            return _box(along - half, 0.01, along + half, 0.28)
        case Edge.LEFT:
            return _box(0.01, 1 - along - 0.18, 0.2, 1 - along + 0.18)
        case Edge.RIGHT:
            return _box(0.8, along - 0.18, 0.99, along + 0.18)


def _box(left: float, top: float, right: float, bottom: float) -> Polygon:
    return (left, top), (right, top), (right, bottom), (left, bottom)
