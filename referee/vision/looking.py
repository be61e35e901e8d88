"""Looks at a part of a frame with the card reader, and learns on the way how long a card is in this picture.

With a known length the reader needs one look in place of several, and outlines of another size are no cards.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Sequence

from referee.observations import CardReading
from referee.vision.joining import moved_by, quad_of, single_cards
from referee.vision.placing import box_px
from referee.vision.quads import Image, length_px
from referee.vision.reader import CardReader
from referee.vision.view import View
from referee.vision.zones import Polygon

_SURE = 0.7
_LEAST_READINGS = 4
_SPREAD = 0.12
_LIKELY = 0.3
_WAITS_S = (0.0, 0.0, 1.0, 4.0, 8.0)


class CardLength:
    """A card's length in px of the full frame. `given_px` is trusted; None means that it is to be learnt."""

    def __init__(self, given_px: float | None = None) -> None:
        self._given_px = given_px
        self._seen_px: deque[float] = deque(maxlen=12)

    @property
    def px(self) -> float | None:
        """The length, or None while too few cards were read or they do not agree."""
        if self._given_px is not None:
            return self._given_px
        if len(self._seen_px) < _LEAST_READINGS:
            return None
        middle = statistics.median(self._seen_px)
        near = [px for px in self._seen_px if abs(px - middle) <= _SPREAD * middle]
        return middle if len(near) >= 0.75 * len(self._seen_px) else None

    def learn(self, readings: Sequence[CardReading]) -> None:
        """Take in the cards of one look; only sure ones count."""
        self._seen_px += [length_px(quad_of(r)) for r in readings if r.confidence >= _SURE]


class Looker:
    """The card reader as the watcher uses it.

    sparing: nobody said that cards lie where the zones are, so that a place where none was found is looked at ever
    more rarely, until there is one.
    """

    def __init__(self, reader: CardReader, *, sparing: bool = False) -> None:
        self._reader = reader
        self._sparing = sparing
        self._empty: dict[Polygon, tuple[int, float]] = {}
        self.length = CardLength()

    def due(self, area: Polygon, t_s: float) -> bool:
        """False while `area` need not be looked at again."""
        times, next_s = self._empty.get(area, (0, t_s))
        return not times or t_s >= next_s

    def look(self, view: View, area: Polygon, margin_px: float, *, same_outline: float = 0.55) -> list[CardReading]:
        """The cards in and around `area`, with outlines in pixels of the frame, surest first.

        margin_px: in pixels of the frame; same_outline: see `single_cards`.
        """
        height, width = view.image.shape[:2]
        left, top, right, bottom = box_px(area, width, height, margin_px)
        found = self._reader.read(view.image[top:bottom, left:right], self.length.px)
        cards = single_cards([moved_by(r, left, top) for r in found], self.length.px, same_outline)
        self.length.learn(cards)
        if self._sparing:
            self._note(area, view.t_s, empty=not any(c.confidence >= _LIKELY for c in cards))
        return cards

    def _note(self, area: Polygon, t_s: float, *, empty: bool) -> None:
        times = self._empty.get(area, (0, t_s))[0] + 1 if empty else 0
        self._empty[area] = times, t_s + _WAITS_S[min(times, len(_WAITS_S) - 1)]

    def look_into(self, image_bgr: Image) -> list[CardReading]:
        """The cards in a picture cut out of a frame at its own size."""
        return self._reader.read(image_bgr, self.length.px)
