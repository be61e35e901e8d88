"""Cards drawn: a hand that was at the draw pile and goes back with a card back in it.

Whether it carries one is told from the picture: the deck's own back colours in the hand on its way back, more of
them than on its way there; where that is unclear, the card reader looks at the hand once. What could not be seen
stays open as bounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from referee.cards import Seat
from referee.observations import Zone
from referee.vision.arms import Arm
from referee.vision.backs import BackColours, elsewhere_mask, pile_mask
from referee.vision.joining import quad_of
from referee.vision.motion import Scene
from referee.vision.placing import Places, box_px
from referee.vision.quads import Image, Quad
from referee.vision.reaches import Reach, Visit
from referee.vision.reader import CardReader
from referee.vision.view import Mask, View
from referee.vision.zones import Polygon

_CARRIED_CARDS = 0.22
_SECOND_CARD_CARDS = 1.3
_BACK_WAY_S = 1.2
_LEARN_EVERY_S = 10.0
_MARGIN_CARDS = 0.5
_SURE_BACK = 0.4
_CLEAR_OF_PILE = 0.3
_UNSEEN = (0, 2)


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards went from the draw pile to a seat; the true count lies in `at_least`…`at_most`."""

    seat: Seat
    left_s: float
    at_least: int
    at_most: int


@dataclass(frozen=True, slots=True)
class _HandCut:
    """A hand cut out of a frame: `left_px`, `top_px` in that frame; `mask`: the hand off the pile, working size."""

    image: Image
    left_px: int
    top_px: int
    mask: Mask
    scale: float

    def holds(self, back: Quad) -> bool:
        """True when the middle of an outline in `image` lies in the hand."""
        corner = np.array([self.left_px, self.top_px], np.float32)
        x, y = (back.mean(axis=0) + corner) * self.scale
        height, width = self.mask.shape
        return 0 <= x < width and 0 <= y < height and bool(self.mask[int(y), int(x)])


@dataclass(slots=True)
class _Trip:
    """One reach of one seat, as far as the draw pile is concerned.

    there, back: back colours seen in the hand before it was at the pile and since, in cards' areas; been: it was at
    the pile; touched: the visit, once it is known to have been a touch; hand: the hand on its way back.
    """

    there: list[float] = field(default_factory=list)
    back: list[float] = field(default_factory=list)
    been: bool = False
    touched: Visit | None = None
    hand: _HandCut | None = None

    def passed_over(self) -> None:
        """The hand only crossed the pile."""
        self.there += self.back
        self.back, self.been, self.hand = [], False, None


class DrawPile:
    """Watches one draw pile."""

    def __init__(self, area: Polygon, places: Places, reader: CardReader) -> None:
        self._area = area
        self._reader = reader
        self._trips: dict[Seat, _Trip] = {}
        self.rebase(places)

    def rebase(self, places: Places) -> None:
        """The picture has another size or another view: learn the pile anew."""
        self._places = places
        self._colours: BackColours | None = None
        self._learnt_s = float("-inf")
        self._outline: Quad | None = None

    def learn(self, view: View) -> None:
        """The table rests: take in what the backs look like, now and then again as the light drifts."""
        if self._places.draw is None or view.t_s - self._learnt_s < _LEARN_EVERY_S:
            return
        if self._learnt_s == float("-inf"):
            self._outline = self._top_back(view)
        pile = pile_mask(view.small, self._places.draw, self._outline, view.scale)
        self._colours = BackColours(view.small, pile, elsewhere_mask(self._places))
        self._learnt_s = view.t_s

    def step(self, scene: Scene, under_way: dict[Seat, Reach], ended: list[Visit]) -> list[Draw]:
        """Take in one frame: the reaches under way and the visits that ended with it; returns draws now certain."""
        t_s = scene.view.t_s
        self._note(ended)
        done: list[Draw] = []
        for seat, reach in under_way.items():
            trip = self._trips.setdefault(seat, _Trip())
            if reach.at(Zone.DRAW):
                if trip.touched is not None:  # back at the pile for another card
                    done.append(self._decided(seat, trip))
                    trip = self._trips[seat] = _Trip(there=trip.there)
                trip.been = True
                trip.back, trip.hand = [], None
            elif reach.seen_s == t_s:
                self._look(trip, reach.arm, scene.view)
        for seat, trip in list(self._trips.items()):
            gone = seat not in under_way
            if trip.touched is not None and (gone or self._over(trip.touched, under_way[seat], t_s)):
                done.append(self._decided(seat, trip))
                self._trips[seat] = _Trip(there=trip.there)
            if gone:
                del self._trips[seat]
        return done

    def close(self, ended: list[Visit]) -> list[Draw]:
        """Nothing more will be seen: decide on what was seen."""
        self._note(ended)
        done = [self._decided(seat, trip) for seat, trip in self._trips.items() if trip.touched is not None]
        self._trips.clear()
        return done

    def _note(self, ended: list[Visit]) -> None:
        for visit in ended:
            if visit.zone is Zone.DRAW:
                trip = self._trips.setdefault(visit.seat, _Trip(been=True))
                if visit.touched:
                    trip.touched = visit
                else:
                    trip.passed_over()

    def _over(self, visit: Visit, reach: Reach, t_s: float) -> bool:
        return reach.at(Zone.DISCARD) or t_s - visit.until_s > _BACK_WAY_S

    def _look(self, trip: _Trip, arm: Arm, view: View) -> None:
        if self._places.draw is None:
            return
        hand = np.asarray(cv2.subtract(arm.hand, self._places.draw), np.uint8)
        seen = self._colours.count_px(view.small, hand) / self._places.card_area_px if self._colours else 0.0
        (trip.back if trip.been else trip.there).append(seen)
        if trip.been and trip.hand is None and arm.hand_share(self._places.draw) < _CLEAR_OF_PILE:
            trip.hand = self._cut(view, hand)

    def _cut(self, view: View, hand: Mask) -> _HandCut:
        left, top, width, height = cv2.boundingRect(hand)
        margin = _MARGIN_CARDS * self._places.card_px
        box = [left - margin, top - margin, left + width + margin, top + height + margin]
        x0, y0, x1, y1 = (max(0, round(v / view.scale)) for v in box)
        return _HandCut(view.image[y0:y1, x0:x1].copy(), x0, y0, hand, view.scale)

    def _decided(self, seat: Seat, trip: _Trip) -> Draw:
        assert trip.touched is not None
        least, most = self._bounds(trip)
        return Draw(seat, trip.touched.until_s, least, most)

    def _bounds(self, trip: _Trip) -> tuple[int, int]:
        """The hand may have brought a card, and fingers hide part of what they hold."""
        if not trip.back:
            return _UNSEEN
        # The second highest: one frame with a glare or a misplaced hand proves nothing.
        seen = sorted(trip.back)[-2:][0] - max(trip.there, default=0.0)
        if seen >= _CARRIED_CARDS:
            return 1, 2 if seen > _SECOND_CARD_CARDS else 1
        if trip.hand is not None and self._backs_in(trip.hand):
            return 1, 1
        return 0, 1

    def _backs_in(self, hand: _HandCut) -> bool:
        found = self._reader.read(hand.image, self._places.expected_card_px)
        return any(r.card is None and r.confidence >= _SURE_BACK and hand.holds(quad_of(r)) for r in found)

    def _top_back(self, view: View) -> Quad | None:
        height, width = view.image.shape[:2]
        margin = _MARGIN_CARDS * self._places.card_px / view.scale
        left, top, right, bottom = box_px(self._area, width, height, margin)
        found = self._reader.read(view.image[top:bottom, left:right], self._places.expected_card_px)
        backs = [r for r in found if r.card is None and r.confidence >= _SURE_BACK]
        best = max(backs, key=lambda r: r.confidence, default=None)
        return None if best is None else quad_of(best) + np.array([left, top], np.float32)
