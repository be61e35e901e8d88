"""Cards drawn: a hand that was at the draw pile and goes back with a card back in it.

Whether it carries one is told from the picture: the deck's own back colours in the hand on its way back, which the
empty hand did not show on its way there; where that is unclear, the card reader looks at the hand once. What could
not be seen stays open as bounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards import Seat
from referee.observations import Zone
from referee.vision.arms import Arm
from referee.vision.backs import Counts, OwnColours, colour_counts, count_px, elsewhere_mask, pile_mask
from referee.vision.joining import quad_of
from referee.vision.looking import Looker
from referee.vision.motion import Scene
from referee.vision.placing import Places
from referee.vision.quads import Image, Quad
from referee.vision.reaches import Reach, Visit
from referee.vision.view import Mask, View
from referee.vision.zones import Polygon

_CARRIED_CARDS = 0.09
_SECOND_CARD_CARDS = 1.3
_SLOW_S = 1.5
_GRIP_S = 0.15
"""Nobody takes a card in less: in five drawn films hands that did were at the pile for 0.33 s or more, one that threw
a card over it for 0.13 s."""
_LEAST_PILE_CARDS = 0.4
_BACK_WAY_S = 1.2
_LEARN_EVERY_S = 10.0
_MARGIN_CARDS = 0.5
_SURE_BACK = 0.4
_RIM = np.ones((5, 5), np.uint8)
_UNSEEN = (0, 2)
_HIDDEN_CARDS = 0.25
_HIDDEN_S = 0.15
_CLEAR_S = 0.4
_AFTER_ARM_S = 1.0


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards went from the draw pile to a seat, perhaps to another of `perhaps`; how many lies in the bounds.

    seat None: something hid the pile, and nobody's arm was seen there.
    """

    seat: Seat | None
    left_s: float
    at_least: int
    at_most: int
    perhaps: tuple[Seat, ...] = ()


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

    empty: the hand's colours, off the pile, until it was at the pile; back: back colours seen in it since, in cards'
    areas; been: it was at the pile; way_s: when the last of `back` was seen; touched: the visit, once it is known to
    have been a touch; hand: the hand where it shows most of a back; telling: the colours that tell a back in it.
    """

    empty: Counts | None = None
    back: list[float] = field(default_factory=list)
    telling: NDArray[np.bool_] | None = None
    been: bool = False
    way_s: float = 0.0
    touched: Visit | None = None
    hand: _HandCut | None = None
    perhaps: tuple[Seat, ...] = ()

    def passed_over(self) -> None:
        """The hand only crossed the pile."""
        self.back, self.been, self.hand, self.telling = [], False, None, None


class DrawPile:
    """Watches one draw pile.

    guessed: nobody said that the pile lies here, so no draw is certain before a card back was read there.
    """

    def __init__(self, area: Polygon, places: Places, looker: Looker, *, guessed: bool = False) -> None:
        self._area = area
        self._looker = looker
        self._guessed = guessed
        self._trips: dict[Seat, _Trip] = {}
        self._hidden: tuple[float, float] | None = None
        self._arm_s = self._looked_s = float("-inf")
        self.rebase(places)

    def rebase(self, places: Places) -> None:
        """The picture has another size or another view: learn the pile anew."""
        self._places = places
        self._colours: OwnColours | None = None
        self._learnt_s = float("-inf")
        self._outline: Quad | None = None

    def learn(self, view: View) -> None:
        """The table rests: take in what the backs look like, now and then again as the light drifts."""
        if self._places.draw is None or view.t_s - self._learnt_s < _LEARN_EVERY_S:
            return
        if not self._looker.due(self._area, view.t_s):
            return
        self._learnt_s = view.t_s
        if self._outline is None:
            self._outline = self._top_back(view)
        pile = pile_mask(view.small, self._places.draw, self._outline, view.scale)
        in_view = self._outline is not None or not self._guessed
        if in_view and cv2.countNonZero(pile) > _LEAST_PILE_CARDS * self._places.card_area_px:
            colours = OwnColours(view.small, pile, elsewhere_mask(self._places))
            self._colours = colours if colours.known else None

    def step(self, scene: Scene, under_way: dict[Seat, Reach], ended: list[Visit]) -> list[Draw]:
        """Take in one frame: the reaches under way and the visits that ended with it; returns draws now certain."""
        t_s = scene.view.t_s
        self._note(ended)
        done: list[Draw] = []
        for seat, reach in under_way.items():
            trip = self._trips.setdefault(seat, _Trip())
            if reach.at(Zone.DRAW) and trip.touched is not None:  # back at the pile for another card
                done.append(self._decided(trip, trip.touched))
                trip = self._trips[seat] = _Trip(empty=trip.empty)
            if reach.seen_s == t_s:
                trip.perhaps = reach.arm.perhaps
                self._look(trip, reach.arm, scene.view)
            trip.been = trip.been or reach.at(Zone.DRAW)
        for seat, trip in list(self._trips.items()):
            gone = seat not in under_way
            if trip.touched is not None and (gone or self._over(trip.touched, under_way[seat], t_s)):
                done.append(self._decided(trip, trip.touched))
                self._trips[seat] = _Trip(empty=trip.empty)
            if gone:
                del self._trips[seat]
        return done + self._by_nobody(scene, under_way)

    def _by_nobody(self, scene: Scene, under_way: dict[Seat, Reach]) -> list[Draw]:
        """Something hid the pile, and no arm was seen there: whose it was, and whether it drew, is open."""
        t_s, draw = scene.view.t_s, self._places.draw
        if draw is None or self._guessed:
            return []
        gap_s, self._looked_s = t_s - self._looked_s, t_s
        if gap_s > _AFTER_ARM_S or any(reach.arm.covers_px(draw) for reach in under_way.values()):
            self._arm_s = t_s
        if self._hidden is not None and self._arm_s >= self._hidden[0]:
            self._hidden = None
        shown = np.bitwise_and(scene.foreign, draw)
        if cv2.countNonZero(shown) >= _HIDDEN_CARDS * self._places.card_area_px:
            if t_s - self._arm_s > _AFTER_ARM_S:
                self._hidden = (self._hidden[0] if self._hidden else t_s), t_s
            return []
        if self._hidden is None or t_s - self._hidden[1] <= _CLEAR_S:
            return []
        (began_s, until_s), self._hidden = self._hidden, None
        return [Draw(None, until_s, *_UNSEEN)] if until_s - began_s >= _HIDDEN_S else []

    @property
    def settled_s(self) -> float | None:
        """When the first visit ended of which it is still open how many cards it took; None without one."""
        open_s = [trip.touched.until_s for trip in self._trips.values() if trip.touched]
        return min([*open_s, *([self._hidden[0]] if self._hidden else [])], default=None)

    def close(self, ended: list[Visit]) -> list[Draw]:
        """Nothing more will be seen: decide on what was seen."""
        self._note(ended)
        done = [self._decided(trip, trip.touched) for trip in self._trips.values() if trip.touched is not None]
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
        hand = np.asarray(cv2.subtract(arm.hand, cv2.dilate(self._places.draw, _RIM)), np.uint8)
        if not trip.been:
            counts = colour_counts(view.small, hand)
            trip.empty = counts if trip.empty is None else trip.empty + counts
            return
        if trip.telling is None and self._colours is not None and trip.empty is not None:
            trip.telling = self._colours.unlike(trip.empty)
        seen = 0.0
        if trip.telling is not None:
            seen = count_px(view.small, hand, trip.telling) / self._places.card_area_px
        if seen >= max(trip.back, default=0.0) and cv2.countNonZero(hand):
            trip.hand = self._cut(view, hand)
        trip.back.append(seen)
        trip.way_s = view.t_s

    def _cut(self, view: View, hand: Mask) -> _HandCut:
        left, top, width, height = cv2.boundingRect(hand)
        margin = _MARGIN_CARDS * self._places.card_px
        box = [left - margin, top - margin, left + width + margin, top + height + margin]
        x0, y0, x1, y1 = (max(0, round(v / view.scale)) for v in box)
        return _HandCut(view.image[y0:y1, x0:x1].copy(), x0, y0, hand, view.scale)

    def _decided(self, trip: _Trip, visit: Visit) -> Draw:
        least, most = self._bounds(trip, visit)
        return Draw(visit.seat, visit.until_s, least, most, trip.perhaps)

    def _most_in(self, visit: Visit) -> int:
        """Cards lie on one another in a hand; a hand that was long at the pile may have counted off several."""
        return 1 + int((visit.until_s - visit.t_s) / _SLOW_S)

    def _bounds(self, trip: _Trip, visit: Visit) -> tuple[int, int]:
        """The hand may have brought a card, and fingers hide part of what they hold."""
        gripped = visit.until_s - visit.t_s >= _GRIP_S
        most, second = sorted([0.0, 0.0, *trip.back], reverse=True)[:2]
        # One frame with a glare or a misplaced hand proves less than two.
        two_frames = most + second >= 1.5 * _CARRIED_CARDS and second >= _CARRIED_CARDS / 2
        if two_frames or most >= 2 * _CARRIED_CARDS:
            return int(gripped), 2 if second > _SECOND_CARD_CARDS else self._most_in(visit)
        if trip.hand is not None and self._colours is not None and self._backs_in(trip.hand):
            return int(gripped), self._most_in(visit)
        return (0, 1) if trip.way_s > visit.until_s else _UNSEEN

    def _backs_in(self, hand: _HandCut) -> bool:
        found = self._looker.look_into(hand.image)
        return any(r.card is None and r.confidence >= _SURE_BACK and hand.holds(quad_of(r)) for r in found)

    def _top_back(self, view: View) -> Quad | None:
        margin_px = _MARGIN_CARDS * self._places.card_px / view.scale
        found = self._looker.look(view, self._area, margin_px)
        backs = [r for r in found if r.card is None and r.confidence >= _SURE_BACK]
        best = max(backs, key=lambda r: r.confidence, default=None)
        return None if best is None else quad_of(best)
