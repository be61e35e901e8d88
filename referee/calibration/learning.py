"""Learns where people sit: each player lays a hand at their place, and the arms that come in are remembered."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from referee.calibration.places import clockwise
from referee.cards import Seat
from referee.faults import InputFault
from referee.vision.arms import Arm, find_arms
from referee.vision.motion import RestingTable
from referee.vision.placing import Places, places_of
from referee.vision.quads import Image
from referee.vision.view import view_of
from referee.vision.zones import Point, TableZones

_SAME_SEAT = 0.17
_DEEPEST = 0.9
_SHORTEST_S = 0.5
_GONE_S = 0.5
_FARTHEST = 0.42


@dataclass(slots=True)
class _Visit:
    began_s: float
    seen_s: float
    hands: list[tuple[float, Point]] = field(default_factory=list)

    @property
    def place(self) -> Point:
        """Where the hand was while it reached deepest, in fractions."""
        deepest = max(reach for reach, _ in self.hands)
        held = [at for reach, at in self.hands if reach >= _DEEPEST * deepest]
        return float(np.median([x for x, _ in held])), float(np.median([y for _, y in held]))


class SeatLearner:
    """Takes in the frames of the table picture in which one player after the other lays a hand at their place."""

    def __init__(self) -> None:
        self._table: RestingTable | None = None
        self._places: Places | None = None
        self._open: list[_Visit] = []
        self._visits: list[_Visit] = []

    def see(self, picture: Image, t_s: float, card_px: float | None = None) -> None:
        """Take in one frame of the table picture, uint8 (h, w, 3); card_px: length of a card in it, if known."""
        view = view_of(picture, t_s)
        if self._table is None or self._places is None:
            zones = TableZones.whole_frame_guess(picture.shape[1], picture.shape[0], 4)
            self._table, self._places = RestingTable(view), places_of(view, zones, card_px)
            return
        scene = self._table.compare(view)
        at_border = find_arms(scene, self._places)
        for arm in at_border.arms:
            self._reached(arm, t_s, self._places)
        self._visits += [v for v in self._open if t_s - v.seen_s > _GONE_S]
        self._open = [v for v in self._open if t_s - v.seen_s <= _GONE_S]
        self._table.take_up(scene, at_border.mask)

    def _reached(self, arm: Arm, t_s: float, places: Places) -> None:
        ys, xs = np.nonzero(arm.hand)
        hand = float(xs.mean()) / places.width_px, float(ys.mean()) / places.height_px
        for visit in self._open:
            if math.dist(visit.hands[-1][1], hand) < _SAME_SEAT:
                visit.seen_s = t_s
                visit.hands.append((arm.reach_px, hand))
                return
        self._open.append(_Visit(t_s, t_s, [(arm.reach_px, hand)]))

    def seats(self, expected: int | None = None) -> dict[Seat, Point]:
        """The places in fractions of the table picture: the first hand is P1, the others follow clockwise.

        Raises InputFault when no hand was seen, or not as many places as `expected`.
        """
        found: list[Point] = []
        for visit in sorted([*self._visits, *self._open], key=lambda v: v.began_s):
            long = visit.seen_s - visit.began_s >= _SHORTEST_S
            middle = math.dist(visit.place, (0.5, 0.5)) < 0.5 - _FARTHEST
            if long and not middle and all(math.dist(visit.place, other) > _SAME_SEAT for other in found):
                found.append(visit.place)
        if not found:
            raise InputFault(
                "no hand was seen", mend="one after the other, each lays a hand at their place for two seconds"
            )
        if expected is not None and len(found) != expected:
            what = f"{len(found)} places were seen, not {expected}"
            raise InputFault(what, mend="film it again: one hand at a time, two seconds each, then take it away")
        if len(found) > len(Seat):
            raise InputFault(f"{len(found)} places were seen", mend=f"a table seats {len(Seat)} at most")
        order = clockwise(found)
        return {seat: found[n] for seat, n in zip(Seat.first(len(found)), order, strict=True)}
