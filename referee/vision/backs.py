"""What the backs of this deck look like here: a table of colours learnt from the draw pile itself.

Decks differ, light differs; the pile in view shows both. A carried card is then seen as back-coloured pixels in a
hand.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.placing import Places
from referee.vision.quads import Image, Quad
from referee.vision.view import Mask

_LEVELS = 16
_TIMES_AS_LIKELY = 4.0
_LEAST_SHARE = 0.004
_STANDS_OUT = 40


class BackColours:
    """The colours that belong to card backs rather than to the rest of the table."""

    def __init__(self, small: Image, pile: Mask, elsewhere: Mask) -> None:
        on_pile, rest = _shares(small, pile), _shares(small, elsewhere)
        self._likely = (on_pile > _LEAST_SHARE) & (on_pile > _TIMES_AS_LIKELY * rest)

    @property
    def known(self) -> bool:
        """False when the pile shows no colour of its own."""
        return bool(self._likely.any())

    def count_px(self, small: Image, where: Mask) -> int:
        """How many pixels inside `where` have the colours of a back."""
        return int(self._likely[tuple(_bins(small[where > 0]).T)].sum())


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


def _bins(pixels: NDArray[np.uint8]) -> NDArray[np.intp]:
    return (pixels // (256 // _LEVELS)).astype(np.intp)


def _shares(small: Image, where: Mask) -> NDArray[np.float32]:
    counts = np.zeros((_LEVELS,) * 3, np.float32)
    np.add.at(counts, tuple(_bins(small[where > 0]).T), 1.0)
    for axis in range(3):  # a neighbouring bin is the same colour in slightly other light
        low, high = np.roll(counts, 1, axis), np.roll(counts, -1, axis)
        edge: list[slice | int] = [slice(None)] * 3
        edge[axis] = 0
        low[tuple(edge)] = 0
        edge[axis] = -1
        high[tuple(edge)] = 0
        counts = 0.25 * low + 0.5 * counts + 0.25 * high
    return np.asarray(counts / max(float(counts.sum()), 1.0), np.float32)
