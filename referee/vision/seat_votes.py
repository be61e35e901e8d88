"""Whose arm it is, by all frames in which it was seen: one frame may err, an arm keeps its owner while it is in view.

An arm is followed from frame to frame by where it crosses the border. The farther it reaches, the better does its
direction tell where it comes from, so that each frame's vote counts by how far the arm reaches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from referee.cards import Seat
from referee.vision.arms import Arm
from referee.vision.placing import Places

_GONE_S = 0.3
_ROOT_STEP = 0.14
_SURE_REACH = 0.3
_NEARLY = 0.06


@dataclass(slots=True)
class _Track:
    root: tuple[float, float]
    seen_s: float
    weight: float = 0.0
    costs: dict[Seat, float] = field(default_factory=dict)
    seat: Seat | None = None
    settled: bool = False

    def take(self, arm: Arm, t_s: float, height_px: int) -> None:
        """One frame's vote. Once the arm has reached far in, its owner stays."""
        reach = arm.reach_px / height_px
        weight, self.root, self.seen_s = reach * reach, arm.root, t_s
        for seat in {*self.costs, *arm.costs}:
            before = self.costs.get(seat, _FAR) * self.weight + arm.costs.get(seat, _FAR) * weight
            self.costs[seat] = before / (self.weight + weight)
        self.weight += weight
        if not self.settled:
            self.seat = min(self.costs, key=lambda seat: self.costs[seat]) if arm.costs else None
            self.settled = self.seat is not None and reach >= _SURE_REACH

    def perhaps(self) -> tuple[Seat, ...]:
        """Other seats that fit nearly as well as the one chosen, or better since."""
        if self.seat is None:
            return ()
        limit = self.costs[self.seat] + _NEARLY
        return tuple(seat for seat, cost in self.costs.items() if seat is not self.seat and cost <= limit)


_FAR = 3.0


class SeatVotes:
    """Follows the arms over the table and gives each its owner."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._tracks: list[_Track] = []

    def step(self, arms: Sequence[Arm], t_s: float) -> list[Arm]:
        """The same arms with the seats that all their frames speak for."""
        width, height = self._places.width_px, self._places.height_px
        self._tracks = [track for track in self._tracks if t_s - track.seen_s <= _GONE_S]
        pairs = sorted(
            (away, i, j)
            for i, arm in enumerate(arms)
            for j, track in enumerate(self._tracks)
            if (away := math.dist(arm.root, track.root)) <= _ROOT_STEP * width
        )
        found: dict[int, _Track] = {}
        taken: set[int] = set()
        for _, i, j in pairs:
            if i not in found and j not in taken:
                found[i] = self._tracks[j]
                taken.add(j)
        owned: list[Arm] = []
        for i, arm in enumerate(arms):
            track = found.get(i)
            if track is None:
                track = _Track(arm.root, t_s)
                self._tracks.append(track)
            track.take(arm, t_s, height)
            owned.append(replace(arm, seat=track.seat, perhaps=track.perhaps()))
        return owned
