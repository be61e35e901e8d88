"""The zones of a table as masks at working size, and which seat an arm belongs to by where it enters the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from referee.cards import Seat
from referee.observations import Zone
from referee.vision.quads import CARD_ASPECT
from referee.vision.view import Mask, View
from referee.vision.zones import Edge, Polygon, SeatZone, TableZones

_EDGE_SHARE = 0.25
_FARTHEST_ROOT = 0.45
_SHOULDER_OUT = 0.6
_MOST_LEAN = 1.2
_OTHER_EDGE = 2.0


@dataclass(frozen=True, slots=True)
class Places:
    """Zones drawn at working size.

    card_px: likely length of a card at working size; discard: the pile's area with room for a card that sticks out;
    draw: None when the table has no draw pile in view; own: each seat's place.
    """

    width_px: int
    height_px: int
    card_px: float
    discard: Mask
    draw: Mask | None
    own: dict[Seat, Mask]
    seats: tuple[SeatZone, ...]

    @property
    def card_area_px(self) -> float:
        """Likely area of a card at working size, in square pixels."""
        return self.card_px**2 * CARD_ASPECT

    def mask(self, zone: Zone, seat: Seat) -> Mask | None:
        """The area of `zone`; `hand` is the seat's own place."""
        match zone:
            case Zone.DISCARD:
                return self.discard
            case Zone.DRAW:
                return self.draw
            case Zone.HAND:
                return self.own.get(seat)

    def seat_costs(
        self,
        xs: np.ndarray[tuple[int], np.dtype[np.intp]],
        ys: np.ndarray[tuple[int], np.dtype[np.intp]],
        tip: tuple[float, float],
    ) -> dict[Seat, float]:
        """How badly an arm that crosses the border at these pixels and reaches to `tip` fits each seat, 0 = well.

        Seats too far away are left out. The side of the picture decides first; among those that share it, where the
        arm comes from: its line is followed outwards to about where its shoulder is. In shares of the width.
        """
        edges = self._edges_of(xs, ys)
        x, y = float(xs.mean()), float(ys.mean())
        costs: dict[Seat, float] = {}
        for seat in self.seats:
            root = seat.root[0] * self.width_px, seat.root[1] * self.height_px
            if math.dist((x / self.width_px, y / self.height_px), seat.root) > _FARTHEST_ROOT:
                continue
            upright = seat.edge in (Edge.TOP, Edge.BOTTOM)
            at, to, aim = (x, tip[0], root[0]) if upright else (y, tip[1], root[1])
            depth = abs(tip[1] - y) if upright else abs(tip[0] - x)
            lean = float(np.clip((to - at) / max(depth, 1.0), -_MOST_LEAN, _MOST_LEAN))
            shoulder = at - lean * _SHOULDER_OUT * self.height_px
            costs[seat.seat] = abs(shoulder - aim) / self.width_px + (0.0 if seat.edge in edges else _OTHER_EDGE)
        return costs

    def _edges_of(
        self, xs: np.ndarray[tuple[int], np.dtype[np.intp]], ys: np.ndarray[tuple[int], np.dtype[np.intp]]
    ) -> set[Edge]:
        near = 2
        touching = {
            Edge.LEFT: xs <= near,
            Edge.RIGHT: xs >= self.width_px - 1 - near,
            Edge.TOP: ys <= near,
            Edge.BOTTOM: ys >= self.height_px - 1 - near,
        }
        return {edge for edge, on in touching.items() if on.mean() >= _EDGE_SHARE}


def places_of(view: View, zones: TableZones, card_px: float | None) -> Places:
    """The zones at the working size of `view`; `card_px`: a card's length in the full frame, if known."""
    height_px, width_px = view.small.shape[:2]
    low, high = _bounds(zones.discard)
    room = min((high[0] - low[0]) * width_px, (high[1] - low[1]) * height_px)
    length = 0.6 * room if card_px is None else card_px * view.scale
    margin = round(0.2 * length)
    draw = _drawn(zones.draw, width_px, height_px) if zones.draw else None
    discard = cv2.dilate(_drawn(zones.discard, width_px, height_px), np.ones((2 * margin + 1,) * 2, np.uint8))
    if draw is not None:
        discard = cv2.bitwise_and(discard, cv2.bitwise_not(draw))
    return Places(
        width_px=width_px,
        height_px=height_px,
        card_px=length,
        discard=np.asarray(discard, np.uint8),
        draw=draw,
        own={s.seat: _drawn(s.place, width_px, height_px) for s in zones.seats},
        seats=zones.seats,
    )


def box_px(polygon: Polygon, width_px: int, height_px: int, margin_px: float) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the polygon in pixels of a picture, grown by a margin and kept inside it."""
    low, high = _bounds(polygon)
    left, top = max(0, int(low[0] * width_px - margin_px)), max(0, int(low[1] * height_px - margin_px))
    right = min(width_px, math.ceil(high[0] * width_px + margin_px))
    bottom = min(height_px, math.ceil(high[1] * height_px + margin_px))
    return left, top, max(right, left + 1), max(bottom, top + 1)


def _bounds(polygon: Polygon) -> tuple[tuple[float, float], tuple[float, float]]:
    xs, ys = [p[0] for p in polygon], [p[1] for p in polygon]
    return (min(xs), min(ys)), (max(xs), max(ys))


def _drawn(polygon: Polygon, width_px: int, height_px: int) -> Mask:
    mask = np.zeros((height_px, width_px), np.uint8)
    corners = np.array([[x * width_px, y * height_px] for x, y in polygon], np.float32)
    cv2.fillPoly(mask, [np.rint(corners).astype(np.int32)], 255)
    return mask
