"""From arms in single frames to reaches over time: when a hand was at a pile, and whether it touched or passed over.

A hand that turns back over a pile touched it; one that goes on to another place passed over it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.cards import Seat
from referee.observations import Zone
from referee.vision.arms import Arm
from referee.vision.placing import Places
from referee.vision.view import Mask

GONE_S = 0.25
"""An arm not seen for so long has left; a shorter gap is a frame in which it could not be told from the table."""

_LEFT_S = 0.15
_IN_ZONE = 0.25
_FINGERS_IN_ZONE = 0.5
_DWELL_S = 0.35
_TURN_CARDS = 0.12


@dataclass(frozen=True, slots=True)
class Visit:
    """A hand of `seat` at `zone` from `t_s` to `until_s`. `touched`: it turned back there or stayed."""

    seat: Seat
    zone: Zone
    t_s: float
    until_s: float
    touched: bool


@dataclass(slots=True)
class _Open:
    t_s: float
    until_s: float
    reach_before_px: float
    deepest_px: float
    reach_after_px: float | None = None
    went_on: bool = False


@dataclass(slots=True)
class Reach:
    """One arm of one seat from when it comes into view until it is gone."""

    seat: Seat
    began_s: float
    seen_s: float
    arm: Arm
    reach_px: float = 0.0
    _open: dict[Zone, _Open] = field(default_factory=dict)

    def at(self, zone: Zone) -> bool:
        """True while the hand is at `zone`."""
        visit = self._open.get(zone)
        return visit is not None and visit.until_s == self.seen_s

    @property
    def settled_s(self) -> float | None:
        """When the first visit began that has not ended yet; None without one."""
        return min((visit.t_s for visit in self._open.values()), default=None)

    def see(self, arm: Arm, t_s: float, places: Places) -> list[Visit]:
        """Take in the arm at `t_s`; returns the visits that ended."""
        self.arm, self.seen_s = arm, t_s
        for zone in Zone:
            where = places.mask(zone, self.seat)
            if where is None:
                continue
            visit = self._open.get(zone)
            if arm.hand_share(where) >= _IN_ZONE or (zone is Zone.DRAW and _fingers_at(arm, where, places)):
                if visit is None:
                    visit = self._open[zone] = _Open(t_s, t_s, self.reach_px, arm.reach_px)
                visit.until_s = t_s
                visit.deepest_px = max(visit.deepest_px, arm.reach_px)
                visit.reach_after_px = None
            elif visit is not None:
                visit.went_on = visit.went_on or arm.reach_px > visit.deepest_px + _TURN_CARDS * places.card_px
                visit.reach_after_px = arm.reach_px  # a card pulled off the pile reaches as far as the hand did
        self.reach_px = arm.reach_px
        return self._ended(t_s, places)

    def leave(self, t_s: float, places: Places) -> list[Visit]:
        """The arm is gone; returns the visits that were still open."""
        return self._ended(t_s + _LEFT_S, places)

    def _ended(self, t_s: float, places: Places) -> list[Visit]:
        over = [zone for zone, v in self._open.items() if v.went_on or t_s - v.until_s >= _LEFT_S]
        return [self._closed(zone, self._open.pop(zone), places) for zone in over]

    def _closed(self, zone: Zone, visit: _Open, places: Places) -> Visit:
        turn = _TURN_CARDS * places.card_px
        after = visit.reach_after_px or 0.0
        turned = visit.deepest_px > visit.reach_before_px + turn and visit.deepest_px > after + turn
        stayed = visit.until_s - visit.t_s >= _DWELL_S
        return Visit(self.seat, zone, visit.t_s, visit.until_s, turned or stayed)


class Reaches:
    """All reaches under way, by seat: two hands of one seat count as one reach, the deeper one leading."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self.under_way: dict[Seat, Reach] = {}

    def step(self, arms: list[Arm], t_s: float) -> list[Visit]:
        """Take in the arms of a frame; returns the visits that ended, in order of their beginning."""
        ended: list[Visit] = []
        for seat, arm in _deepest(arms).items():
            reach = self.under_way.get(seat)
            if reach is None:
                reach = self.under_way[seat] = Reach(seat, t_s, t_s, arm)
            ended += reach.see(arm, t_s, self._places)
        for seat, reach in list(self.under_way.items()):
            if t_s - reach.seen_s > GONE_S:
                ended += self.under_way.pop(seat).leave(t_s, self._places)
        return sorted(ended, key=lambda v: v.t_s)

    def close(self, t_s: float) -> list[Visit]:
        """Nothing more will be seen: end what is under way."""
        ended = [visit for reach in self.under_way.values() for visit in reach.leave(t_s, self._places)]
        self.under_way.clear()
        return sorted(ended, key=lambda v: v.t_s)


def _fingers_at(arm: Arm, where: Mask, places: Places) -> bool:
    """The fingers are at `where`, though most of the hand, with its shadow, is not; nor is it at the discard pile."""
    if arm.hand_share(places.discard) >= _IN_ZONE:
        return False
    return arm.fingers_share(where, places.card_px) >= _FINGERS_IN_ZONE


def _deepest(arms: list[Arm]) -> dict[Seat, Arm]:
    best: dict[Seat, Arm] = {}
    for arm in arms:
        if arm.seat is not None and (arm.seat not in best or arm.reach_px > best[arm.seat].reach_px):
            best[arm.seat] = arm
    return best
