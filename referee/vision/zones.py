"""Where things lie on the table: discard pile, draw pile, and each seat's own place, as fractions of the picture.

A calibration is a readable TOML file (`TableZones.from_toml`); without one, `TableZones.whole_frame_guess` divides
the picture sensibly and says that it guessed. All polygons are (x, y) with x and y from 0 to 1, of the camera's
picture or, when the calibration holds the table's plane, of the top-down table picture.
"""

from __future__ import annotations

import enum
import itertools
from dataclasses import dataclass
from pathlib import Path

from referee.cards import Seat
from referee.vision.planes import TablePlane

Point = tuple[float, float]
Polygon = tuple[Point, ...]


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

    width_px, height_px: the picture that the fractions are of. Without a plane it is the camera's own; with one it is
    the top-down table picture that the plane makes of it. Pictures of another size are understood by their fractions.
    reference: a picture of the calibrated table, to tell later whether the camera still stands as it stood then.
    """

    width_px: int
    height_px: int
    discard: Polygon
    draw: Polygon | None
    seats: tuple[SeatZone, ...]
    guessed: bool = False
    plane: TablePlane | None = None
    reference: Path | None = None

    @property
    def frame_px(self) -> tuple[int, int]:
        """(width, height) of the camera's picture that was calibrated."""
        return self.plane.frame_px if self.plane else (self.width_px, self.height_px)

    @classmethod
    def from_toml(cls, path: Path) -> TableZones:
        """The calibration in `path`. Raises InputFault naming line and key that are wrong and how to mend them."""
        from referee.vision.zones_file import read_zones

        return read_zones(path)

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
