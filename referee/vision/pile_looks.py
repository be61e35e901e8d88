"""What pictures of the pile tell without a reader: what was bared to the table, and whether the top card was turned.

A pile that is squared up bares the table around it and keeps its top card; a card that lands covers. A card laid on
its own face is told from one that was only moved when it lies the other way round.
"""

from __future__ import annotations

import itertools

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observations import CardReading
from referee.vision.joining import quad_of
from referee.vision.quads import CARD_ASPECT, Image, Quad
from referee.vision.view import Mask, difference, gain_between, relit

_LIKE_THE_TABLE = 25.0
_ROUND_PX = 9
_CANON_PX = (28, round(28 / CARD_ASPECT))
_MIDDLE = 0.22
"""Share of a card's side that is left out: its rim is the same on both ends."""

_SHIFTS_PX = (-1.0, 0.0, 1.0)
_OTHERWISE = 26
"""Levels by which a pixel of a card that was moved must differ to show something else."""


def bared_and_covered(before: Image, now: Image, where: Mask, cards: Mask) -> tuple[int, int]:
    """How many pixels `where` showed a card and show the table now, and the other way round.

    before, now: at working size; cards: where cards may lie, so that the table is what lies around it.
    """
    around = cv2.dilate(cards, np.ones((4 * _ROUND_PX + 1,) * 2, np.uint8)) > 0
    ring = around & (cv2.dilate(cards, np.ones((_ROUND_PX, _ROUND_PX), np.uint8)) == 0)
    if not ring.any():
        return 0, 0
    was, shows = (_table_like(picture, where, ring) for picture in (before, now))
    return int((~was & shows).sum()), int((was & ~shows).sum())


def _table_like(small: Image, where: Mask, ring: NDArray[np.bool_]) -> NDArray[np.bool_]:
    table = np.median(small[ring], axis=0)
    return np.asarray(np.abs(small[where > 0].astype(np.float32) - table).max(axis=1) <= _LIKE_THE_TABLE)


def turned_by(before: Image, now: Image, old: CardReading, new: CardReading, scale: float) -> float:
    """How much more the middle of a card looks like the old one turned half round than as it lay, -2…2.

    before, now: at working size; scale: working pixels for a frame pixel. Near 0 for faces that are the same both
    ways, such as 0, 8, S or R.
    """
    was = _middle(before, quad_of(old) * scale)
    lies = _middle(now, _turned_least(quad_of(old), quad_of(new)) * scale)
    return _alike(was, lies[::-1, ::-1]) - _alike(was, lies)


def colour_apart(before: Image, now: Image, old: CardReading, new: CardReading, scale: float) -> float:
    """Levels by which the mean colours of two cards' middles differ, in the channel where they do most.

    before, now: at working size; scale: working pixels for a frame pixel. The same face lies near 0, either way up.
    """
    was = _middle(relit(before, gain_between(before, now)), quad_of(old) * scale)
    lies = _middle(now, quad_of(new) * scale)
    return float(np.abs(was.mean(axis=(0, 1)) - lies.mean(axis=(0, 1))).max())


def covered_since(before: Image, now: Image, old: CardReading, new: CardReading, where: Mask, scale: float) -> float:
    """Share of the pixels `where`, on the card `new`, that look otherwise than on `old`, the same card before.

    before, now: at working size; scale: working pixels for a frame pixel. The card may have been moved and turned.
    """
    inside = where > 0
    if not inside.any():
        return 0.0
    size = (now.shape[1], now.shape[0])
    even = relit(before, gain_between(before, now))
    was, lies = quad_of(old) * scale, _turned_least(quad_of(old), quad_of(new)) * scale
    shares = []
    for dx, dy in itertools.product(_SHIFTS_PX, repeat=2):  # outlines are true to a pixel or so
        move = cv2.getPerspectiveTransform(was, np.asarray(lies + np.array([dx, dy]), np.float32))
        apart = difference(np.asarray(cv2.warpPerspective(even, move, size), np.uint8), now)
        shares.append(float((apart[inside] > _OTHERWISE).mean()))
    return min(shares)


def _turned_least(old: Quad, new: Quad) -> Quad:
    """The outline `new` from the corner that lies most as the first of `old` does: either half turn may be read."""
    away = [float(np.abs(_centred(np.roll(new, n, axis=0)) - _centred(old)).sum()) for n in (0, 2)]
    return np.roll(new, 2, axis=0) if away[1] < away[0] else new


def _centred(quad: Quad) -> Quad:
    return np.asarray(quad - quad.mean(axis=0), np.float32)


def _middle(small: Image, quad: Quad) -> Image:
    width, height = _CANON_PX
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    straight = cv2.warpPerspective(small, cv2.getPerspectiveTransform(quad.astype(np.float32), target), _CANON_PX)
    dx, dy = round(_MIDDLE * width), round(_MIDDLE * height)
    return np.ascontiguousarray(straight[dy : height - dy, dx : width - dx]).astype(np.uint8)


def _alike(a: Image, b: Image) -> float:
    """The best correlation of two crops that may lie a pixel or two apart."""
    inner = np.ascontiguousarray(b[2:-2, 2:-2])
    return float(cv2.matchTemplate(a, inner, cv2.TM_CCOEFF_NORMED).max())
