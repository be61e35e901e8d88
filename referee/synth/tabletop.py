"""Where things lie on the table of a drawn film: piles, seats, each player's own place.

The camera hangs above the middle of the table. Seats are numbered clockwise as seen from above, from P1 at the
bottom edge of the picture. The piles lie on a diagonal, so that no player reaches over one pile to the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.cards import Seat

Edge = Literal["bottom", "left", "top", "right"]
Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]

EDGES: dict[int, tuple[Edge, ...]] = {
    2: ("bottom", "top"),
    3: ("bottom", "left", "top"),
    4: ("bottom", "left", "top", "right"),
    5: ("bottom", "left", "top", "top", "right"),
    6: ("bottom", "bottom", "left", "top", "top", "right"),
}
"""Sides of the seats in turn, clockwise: along the bottom from right to left, along the top from left to right."""

FACING_DEG: dict[Edge, float] = {"bottom": 0.0, "left": 90.0, "top": 180.0, "right": 270.0}
"""How far a card is turned clockwise when it stands upright for the player at that edge."""

CARD_HEIGHT_SHARE = 0.19  # of the frame's height: a webcam that sees 46 cm of table
CARD_RATIO = 56 / 87
CORNER_SHARE = 0.28  # of a card's width: as much of a card shows at least under the next one


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """One player's side of the table. `place` is where the own cards lie when laid open, in pixels."""

    seat: Seat
    edge: Edge
    place: Quad

    @property
    def middle_px(self) -> Point:
        """Middle of the own place."""
        (left, top), _, (right, bottom), _ = self.place
        return (left + right) / 2, (top + bottom) / 2

    @property
    def facing_deg(self) -> float:
        """Clockwise turn of a card that stands upright for this player."""
        return FACING_DEG[self.edge]


@dataclass(frozen=True, slots=True)
class Layout:
    """A table in a picture of `size_px` (width, height); cards are `card_px` (width, height) large."""

    size_px: tuple[int, int]
    card_px: tuple[float, float]
    discard_px: Point
    draw_px: Point
    seats: tuple[SeatPlace, ...]

    @property
    def px_per_mm(self) -> float:
        """Scale of the table in the picture; a card is 87 mm high."""
        return self.card_px[1] / 87

    def at(self, seat: Seat) -> SeatPlace:
        """That seat's side of the table; KeyError if nobody sits there."""
        return {place.seat: place for place in self.seats}[seat]

    def zone(self, name: Literal["discard", "draw"]) -> Quad:
        """The pile's zone in pixels: the discard pile's has room for cards that lie turned and shifted."""
        width, height = self.card_px
        if name == "draw":
            return _box(self.draw_px, width * 0.72, height * 0.64)
        return _box(self.discard_px, height * 0.75, height * 0.75)


def table_layout(
    seat_count: int, size_px: tuple[int, int] = (960, 720), card_height_px: float | None = None
) -> Layout:
    """The table for 2 to 6 players; ValueError for any other number.

    card_height_px: `CARD_HEIGHT_SHARE` of the height when None.
    """
    if seat_count not in EDGES:
        raise ValueError(f"a drawn table seats 2 to 6 players, not {seat_count}")
    width, height = size_px
    card_h = height * CARD_HEIGHT_SHARE if card_height_px is None else card_height_px
    card_w = card_h * CARD_RATIO
    deep = card_h * 1.12
    margin = card_h * 0.06
    edges = EDGES[seat_count]
    left_taken = deep + 2 * margin if "left" in edges else margin
    right_taken = deep + 2 * margin if "right" in edges else margin
    boxes: dict[Edge, tuple[float, float, float, float]] = {
        "bottom": (left_taken, height - margin - deep, width - right_taken, height - margin),
        "top": (left_taken, margin, width - right_taken, margin + deep),
        "left": (margin, margin, margin + deep, height - margin),
        "right": (width - margin - deep, margin, width - margin, height - margin),
    }
    places = tuple(
        SeatPlace(seat, edge, _share_of(boxes[edge], edge, edges[:number].count(edge), edges.count(edge), margin))
        for number, (seat, edge) in enumerate(zip(Seat.first(seat_count), edges, strict=True))
    )
    return Layout(
        size_px=size_px,
        card_px=(card_w, card_h),
        discard_px=(width * 0.455, height * 0.588),
        draw_px=(width * 0.646, height * 0.352),
        seats=places,
    )


def _share_of(box: tuple[float, float, float, float], edge: Edge, number: int, of: int, margin: float) -> Quad:
    """One of `of` places along an edge, numbered clockwise around the table."""
    left, top, right, bottom = box
    if of == 1:
        return _corners(*box)
    if edge == "bottom":
        number = of - 1 - number
    step = (right - left) / of
    return _corners(left + step * number + margin, top, left + step * (number + 1) - margin, bottom)


def row_of(layout: Layout, seat: Seat, count: int) -> list[Point]:
    """Middles of `count` cards laid open side by side at a seat's place, from the player's left to the right.

    They lie apart while the place is long enough, then over each other, each with its left edge and corner sign in
    sight; ValueError when not even that fits.
    """
    place = layout.at(seat)
    (left, top), _, (right, bottom), _ = place.place
    across = place.edge in ("bottom", "top")
    length = (right - left) if across else (bottom - top)
    step = min(layout.card_px[0] * 1.16, (length - layout.card_px[0]) / max(count - 1, 1))
    if step < layout.card_px[0] * CORNER_SHARE:
        raise ValueError(f"{count} cards do not fit at {seat}'s place")
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    offsets = [(index - (count - 1) / 2) * step for index in range(count)]
    # The player's left is the picture's right for the player at the top, its top for the player on the left.
    if place.edge in ("top", "right"):
        offsets.reverse()
    return [(middle_x + o, middle_y) if across else (middle_x, middle_y + o) for o in offsets]


def _box(middle: Point, half_w: float, half_h: float) -> Quad:
    x, y = middle
    return _corners(x - half_w, y - half_h, x + half_w, y + half_h)


def _corners(left: float, top: float, right: float, bottom: float) -> Quad:
    return ((left, top), (right, top), (right, bottom), (left, bottom))
