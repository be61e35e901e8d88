"""What the backs of this deck look like here, learnt from the draw pile itself, and how they are told in a hand.

Decks differ, light differs; the pile in view shows both, and the hand on its way to the pile shows itself empty. A
carried card is then seen as pixels that fit the backs much better than the table or the empty hand.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.placing import Places
from referee.vision.quads import Image, Quad
from referee.vision.view import Mask

Counts = NDArray[np.float32]
"""float32 (16, 16, 16): pixels by blue, green and red."""

_LEVELS = 16
_TIMES_THE_TABLE = 3.0
_TIMES_THE_HAND = 2.0
_LEAST_SHARE = 0.0006
_STANDS_OUT = 40


class OwnColours:
    """The colours that belong to the cards inside `cards` rather than to the table `elsewhere`."""

    def __init__(self, small: Image, cards: Mask, elsewhere: Mask) -> None:
        self._shares = _smoothed(colour_counts(small, cards))
        rest = _smoothed(colour_counts(small, elsewhere))
        self._likely = (self._shares > _LEAST_SHARE) & (self._shares > _TIMES_THE_TABLE * rest)

    @property
    def known(self) -> bool:
        """False when the cards show no colour of their own."""
        return bool(self._likely.any())

    def unlike(self, empty_hand: Counts) -> NDArray[np.bool_]:
        """Which colours, bool (16, 16, 16), speak for such a card and against the empty hand that showed these."""
        return self._likely & (self._shares > _TIMES_THE_HAND * _smoothed(empty_hand))


def colour_counts(small: Image, where: Mask) -> Counts:
    """The pixels inside `where` by colour."""
    counts = np.zeros((_LEVELS,) * 3, np.float32)
    np.add.at(counts, _bins(small, where), 1.0)
    return counts


def count_px(small: Image, where: Mask, colours: NDArray[np.bool_]) -> int:
    """How many pixels inside `where` have one of `colours`."""
    return int(colours[_bins(small, where)].sum())


def pile_mask(small: Image, draw: Mask, back: Quad | None, scale: float) -> Mask:
    """The draw pile's own pixels: the outline of its top card if it was found, else what stands out of the zone."""
    if back is not None:
        mask = np.zeros(draw.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.rint(back * scale).astype(np.int32), 255)
        return mask
    around = cv2.subtract(cv2.dilate(draw, np.ones((13, 13), np.uint8)), draw)
    table = np.median(small[around > 0], axis=0) if cv2.countNonZero(around) else np.zeros(3)
    apart = np.abs(small.astype(np.int16) - table.astype(np.int16)).max(axis=2)
    return np.where((apart > _STANDS_OUT) & (draw > 0), np.uint8(255), np.uint8(0))


def elsewhere_mask(places: Places) -> Mask:
    """The table outside the draw pile."""
    mask = np.full((places.height_px, places.width_px), 255, np.uint8)
    if places.draw is not None:
        mask[cv2.dilate(places.draw, np.ones((9, 9), np.uint8)) > 0] = 0
    return mask


def _bins(small: Image, where: Mask) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    blue, green, red = (small[where > 0] // (256 // _LEVELS)).astype(np.intp).T
    return blue, green, red


def _smoothed(counts: Counts) -> Counts:
    """Shares that sum to 1; neighbouring bins hold the same colour in slightly other light, or blurred by motion."""
    for axis in range(3):
        for _ in range(2):
            padded = np.pad(counts, [(1, 1) if a == axis else (0, 0) for a in range(3)])
            middle = np.moveaxis(padded, axis, 0)
            counts = np.moveaxis(0.25 * middle[:-2] + 0.5 * middle[1:-1] + 0.25 * middle[2:], 0, axis)
    return np.asarray(counts / max(float(counts.sum()), 1.0), np.float32)
