"""Hands laid open: face-up cards that come to rest at a seat's own place."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import cv2

from referee.cards import Seat
from referee.observations import CardReading
from referee.vision.arms import Arm
from referee.vision.joining import ReadingJoiner, quad_of, without_ghosts
from referee.vision.looking import Looker
from referee.vision.motion import Scene
from referee.vision.placing import Places
from referee.vision.quads import Image, area_px, shared_px
from referee.vision.view import View, changed_between
from referee.vision.zones import SeatZone, contains

SETTLE_S = 0.7
"""A hand is still being laid until nothing has moved for so long."""

_CHANGED_CARDS = 0.15
_LEAST_FRAMES = 2
_MOST_FRAMES = 6
_SURE = 0.85
_HIDES = 0.1
_MARGIN_CARDS = 0.4


@dataclass(frozen=True, slots=True)
class Shown:
    """The open cards at a seat's place. `complete`: none hides another and none lies face down among them."""

    seat: Seat
    readings: tuple[CardReading, ...]
    complete: bool
    rest_s: float


class OwnPlace:
    """Watches one seat's place."""

    def __init__(self, zone: SeatZone, places: Places, looker: Looker) -> None:
        self.zone = zone
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
            self.busy = False
            return None
        if not self._looker.due(self.zone.place, view.t_s):
            return None
        self._joiner.add(self._read(view))
        if not self._joiner.agreed(_LEAST_FRAMES, _SURE) and self._joiner.frames < _MOST_FRAMES:
            return None
        cards = without_ghosts([card.reading() for card in self._joiner.cards()])
        self._joiner = ReadingJoiner()
        self._settled, self.busy = view.small, False
        return self._news(cards, view.t_s - min(still_s, view.t_s))

    def _changed(self, view: View) -> bool:
        if self._settled is None:
            return True
        changed = changed_between(self._settled, view.small, self._where)
        return cv2.countNonZero(changed) >= _CHANGED_CARDS * self._places.card_area_px

    def _read(self, view: View) -> list[CardReading]:
        height, width = view.image.shape[:2]
        margin_px = _MARGIN_CARDS * self._places.card_px / view.scale
        cards = self._looker.look(view, self.zone.place, margin_px)
        return [c for c in cards if contains(self.zone.place, _centre(c, width, height))]

    def _news(self, cards: Sequence[CardReading], rest_s: float) -> Shown | None:
        faces = sorted((c for c in cards if c.card), key=lambda c: quad_of(c).mean(axis=0).tolist())
        codes = Counter(c.code for c in faces)
        more = bool(codes - self._reported)
        self._reported = codes
        if not more:  # the same cards, or some of them taken up again
            return None
        complete = len(faces) == len(cards) and not any(_hides(a, b) for a, b in itertools.combinations(faces, 2))
        return Shown(self.zone.seat, tuple(faces), complete, rest_s)


def _centre(card: CardReading, width: int, height: int) -> tuple[float, float]:
    x, y = quad_of(card).mean(axis=0)
    return float(x) / width, float(y) / height


def _hides(a: CardReading, b: CardReading) -> bool:
    first, second = quad_of(a), quad_of(b)
    return shared_px(first, second) > _HIDES * min(area_px(first), area_px(second))
