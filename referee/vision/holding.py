"""Whether a hand brought a card: what it showed on its way to the discard pile and no longer on its way back.

Needed only where the pile itself cannot tell: the same face laid squarely on the same face against a pile that was
squared up.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from referee.cards import Seat
from referee.observations import Zone
from referee.vision.backs import Counts, OwnColours, colour_counts
from referee.vision.placing import Places
from referee.vision.reaches import Reach
from referee.vision.view import Mask, View

_BROUGHT_CARDS = 0.12
_KEPT_FRAMES = 4


@dataclass(slots=True)
class _Way:
    """The colours of one hand, off the pile, in the last frames before it was there, and in all frames since."""

    coming: list[Counts] = field(default_factory=list)
    going: Counts | None = None
    been: bool = False


class Holdings:
    """What each seat's hand held, for its present or last reach."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._off_pile: Mask = np.bitwise_not(places.discard)
        self._began_s: dict[Seat, float] = {}
        self._ways: dict[Seat, _Way] = {}

    def step(self, view: View, under_way: dict[Seat, Reach]) -> None:
        """Take in the hands of one frame."""
        for seat, reach in under_way.items():
            if reach.seen_s != view.t_s:
                continue
            if self._began_s.get(seat) != reach.began_s:
                self._began_s[seat], self._ways[seat] = reach.began_s, _Way()
            way = self._ways[seat]
            at_pile = reach.at(Zone.DISCARD)
            if at_pile and way.going is not None:  # once more in the same reach
                way.coming, way.going = [way.going], None
            way.been = way.been or at_pile
            if not at_pile:
                counts = colour_counts(view.small, np.bitwise_and(reach.arm.hand, self._off_pile))
                if way.been:
                    way.going = counts if way.going is None else way.going + counts
                else:
                    way.coming = [*way.coming, counts][-_KEPT_FRAMES:]

    def brought(self, seat: Seat | None, view: View, card: Mask) -> bool:
        """True when `seat`'s hand showed the colours of `card`, where it lies now, before and not after."""
        way = self._ways.get(seat) if seat is not None else None
        if way is None or way.going is None or not way.coming:
            return False
        telling = OwnColours(view.small, card, self._off_pile).unlike(way.going)
        seen = sorted((float(counts[telling].sum()) for counts in way.coming), reverse=True)
        return seen[min(1, len(seen) - 1)] >= _BROUGHT_CARDS * self._places.card_area_px
