"""Hands laid open: face-up cards that come to rest at a seat's own place."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.cards import Seat
from referee.observations import CardReading
from referee.vision.arms import Arm
from referee.vision.joining import ReadingJoiner, quad_of, without_ghosts
from referee.vision.looking import Looker
from referee.vision.motion import Scene
from referee.vision.pile_history import filled
from referee.vision.placing import Places
from referee.vision.quads import Image, area_px, shared_px
from referee.vision.view import Mask, View, changed_between
from referee.vision.zones import SeatZone, centre_of, contains

SETTLE_S = 0.7
"""A hand is still being laid until nothing has moved for so long."""

_CHANGED_CARDS = 0.15
_LEAST_FRAMES = 2
_MOST_FRAMES = 6
_SURE = 0.85
_HIDES = 0.1
_MARGIN_CARDS = 0.4
_UNREAD_CARDS = 0.25
_RIM_CARDS = 0.05
"""A hand is not whole when beside its cards so much of a card looks otherwise than before: a tight fan, say. Their
shadows reach so far.
"""


@dataclass(frozen=True, slots=True)
class Shown:
    """The open cards at a seat's place.

    complete: none hides another, none lies face down among them, and no other can be there.
    """

    seat: Seat
    readings: tuple[CardReading, ...]
    complete: bool
    rest_s: float


class OwnPlace:
    """Watches one seat's place. Where it overlaps that of another seat, a card belongs to the nearer one."""

    def __init__(self, zone: SeatZone, places: Places, looker: Looker) -> None:
        self.zone = zone
        self._others = [other for other in places.seats if other.seat is not zone.seat]
        self._looker = looker
        self._reported: Counter[str] = Counter()
        self.rebase(places)

    def rebase(self, places: Places) -> None:
        """The picture has another size or another view: look again."""
        self._places = places
        self._where = places.own[self.zone.seat]
        self._settled: Image | None = None
        self._joiner = ReadingJoiner()
        self.busy = True

    def step(self, scene: Scene, arms: Sequence[Arm]) -> Shown | None:
        """Take in one frame; returns the open cards when they are new and have come to rest."""
        over = any(arm.covers_px(self._where) > 0.04 * self._places.card_area_px for arm in arms)
        still_s = scene.still_s(self._where)
        if over or still_s < SETTLE_S:
            self.busy = True
            self._joiner = ReadingJoiner()
            return None
        if not self.busy:
            return None
        view = scene.view
        if self._joiner.frames == 0 and not self._changed(view):
            self._settled, self.busy = view.small, False  # the light goes on with the day
            return None
        if not self._looker.due(self.zone.place, view.t_s):
            return None
        self._joiner.add(self._read(view))
        if not self._joiner.agreed(_LEAST_FRAMES, _SURE) and self._joiner.frames < _MOST_FRAMES:
            return None
        cards = without_ghosts([card.reading() for card in self._joiner.cards()])
        self._joiner = ReadingJoiner()
        more = self._unread_beside(cards, view)
        self._settled, self.busy = view.small, False
        return self._news(cards, view, still_s, more=more)

    def _changed(self, view: View) -> bool:
        if self._settled is None:
            return True
        changed = changed_between(self._settled, view.small, self._where)
        return cv2.countNonZero(changed) >= _CHANGED_CARDS * self._places.card_area_px

    def _unread_beside(self, cards: Sequence[CardReading], view: View) -> bool:
        """Whether more than these cards and their shadows has come since the place was last looked at."""
        if self._settled is None:
            return False
        changed = changed_between(self._settled, view.small, self._where)
        for card in cards:
            changed[_around(card, view, self._places.card_px) > 0] = 0
        return cv2.countNonZero(changed) > _UNREAD_CARDS * self._places.card_area_px

    def _read(self, view: View) -> list[CardReading]:
        margin_px = _MARGIN_CARDS * self._places.card_px / view.scale
        cards = self._looker.look(view, self.zone.place, margin_px)
        return [c for c in cards if contains(self.zone.place, _centre(c, view)) and not self._anothers(c, view)]

    def _anothers(self, card: CardReading, view: View) -> bool:
        at = _centre(card, view)
        own = _apart(self.zone, at, view)
        return any(contains(other.place, at) and _apart(other, at, view) < own for other in self._others)

    def _shared(self, card: CardReading, view: View) -> bool:
        return any(contains(other.place, _centre(card, view)) for other in self._others)

    def _news(self, cards: Sequence[CardReading], view: View, still_s: float, *, more: bool) -> Shown | None:
        faces = sorted((c for c in cards if c.card), key=lambda c: quad_of(c).mean(axis=0).tolist())
        codes = Counter(c.code for c in faces)
        news = bool(codes - self._reported)
        self._reported = codes
        if not news:  # the same cards, or some of them taken up again
            return None
        alone = len(faces) == len(cards) and not any(_hides(a, b) for a, b in itertools.combinations(faces, 2))
        complete = alone and not more and not any(self._shared(c, view) for c in faces)
        return Shown(self.zone.seat, tuple(faces), complete, view.t_s - min(still_s, view.t_s))


def _centre(card: CardReading, view: View) -> tuple[float, float]:
    height, width = view.image.shape[:2]
    x, y = quad_of(card).mean(axis=0)
    return float(x) / width, float(y) / height


def _apart(zone: SeatZone, at: tuple[float, float], view: View) -> float:
    """How far a point in fractions of the frame lies from the middle of a seat's place, in widths of the frame."""
    (x, y), (height, width) = centre_of(zone.place), view.image.shape[:2]
    return math.hypot(at[0] - x, (at[1] - y) * height / width)


def _around(card: CardReading, view: View, card_px: float) -> Mask:
    """A card with its rim, at working size."""
    height, width = view.small.shape[:2]
    rim = round(_RIM_CARDS * card_px) + 1
    area = filled(quad_of(card), view.scale, (height, width))
    return np.asarray(cv2.dilate(area, np.ones((2 * rim + 1,) * 2, np.uint8)), np.uint8)


def _hides(a: CardReading, b: CardReading) -> bool:
    first, second = quad_of(a), quad_of(b)
    return shared_px(first, second) > _HIDES * min(area_px(first), area_px(second))
