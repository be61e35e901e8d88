"""Looks again beside sure cards where something lies that no reading explains: mostly a card under them.

Of such a card a strip or a corner is left, and the detector, which sees little of it, gives it a low score or none.
Once the cards on top are read their size is known as well, and larger windows are spent only where something sticks
out. Whether it is a card is for the sign in its corner to say, not for the score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.detector import CardFinder, Detection, averaged
from referee.vision.quads import Image, Quad, area_px, grown, is_convex, length_px, overlap, shared_px, straighten
from referee.vision.windows import Window

LEAST_SCORE = 0.05
"""Score from which on the detector's boxes are worth a look at their corners."""

_CARD_MM = (56, 87)
_BESIDE_MM = 9
"""Width of the ring around a card that is searched for what sticks out from under it."""

_OWN_EDGE = 1.06
"""Outlines grown by this cover their card, its edge and its thin shadow."""

_OTHER_COLOUR = 30.0
_STICKS_OUT = 0.06
"""Something lies beside a card when so much of its ring is so far, in Lab units, from the ring's middle colour."""

_LEAST_RING = 0.01
_MOST_WINDOWS = 6
_SHOWN_SHARE = 0.42
"""Length over the detector's side at which these windows show the cards."""

_ONE_WINDOW = 0.35
"""Distance over the window's side up to which two cards are looked at in one window, about their middle."""

_LENGTHS = (0.8, 1.25)
_COVERED = 0.1
_SAME_PLACE = 0.75
"""Length over that of the sure cards, least share of an outline under them, overlap from which it is one of them."""


def find_under(finder: CardFinder, image: Image, sure: Sequence[Quad]) -> list[Detection]:
    """Outlines of what may lie partly under the cards in `sure`, best first; none where nothing sticks out."""
    places = [place for quad in sure if (place := _beside(image, quad, sure)) is not None]
    if not places:
        return []
    side = _length(sure) / _SHOWN_SHARE
    scale = finder.size_px / side
    found: list[Detection] = []
    height, width = image.shape[:2]
    for x, y in _middles(np.array(places), _ONE_WINDOW * side):
        window = Window(x - side / 2, y - side / 2, side, side)
        for detection in finder.find(window.seen(image, scale), LEAST_SCORE):
            quad = window.to_picture(detection.quad_px, scale)
            if not window.cuts(quad, width, height):
                found.append(Detection(quad, detection.score, detection.back_score))
    return [detection for detection in averaged(found) if lies_under(detection.quad_px, sure)]


def lies_under(quad: Quad, sure: Sequence[Quad]) -> bool:
    """True for an outline as long as the cards in `sure` that lies partly under them and is none of them."""
    if not sure or not _LENGTHS[0] < length_px(quad) / _length(sure) < _LENGTHS[1]:
        return False
    if any(overlap(quad, other) >= _SAME_PLACE for other in sure):
        return False
    return sum(shared_px(quad, other) for other in sure) >= _COVERED * area_px(quad)


def _length(sure: Sequence[Quad]) -> float:
    return float(np.median([length_px(quad) for quad in sure]))


def _beside(image: Image, card: Quad, cards: Sequence[Quad]) -> NDArray[np.float32] | None:
    """Middle (2,) of what lies in the ring around a card, outside all `cards`, in another colour than the table."""
    margin, (width, height) = _BESIDE_MM, _CARD_MM
    size = (width + 2 * margin, height + 2 * margin)
    inner = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) + margin
    to_picture = cv2.getPerspectiveTransform(inner, card.astype(np.float32))
    frame = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32)
    surroundings = _moved(frame, to_picture)
    if not is_convex(surroundings):
        return None
    free = np.ones((size[1], size[0]), np.uint8)
    reach = np.linalg.norm(np.ptp(surroundings, axis=0))
    for other in cards:
        if np.linalg.norm(other.mean(axis=0) - card.mean(axis=0)) < reach:
            outline = _moved(grown(other, _OWN_EDGE), np.linalg.inv(to_picture))
            cv2.fillConvexPoly(free, np.rint(outline).astype(np.int32), (0,))
    ring = free > 0
    if ring.mean() < _LEAST_RING:
        return None
    patch = straighten(image, surroundings, size).astype(np.float32) / 255
    colours = cv2.cvtColor(patch, cv2.COLOR_BGR2LAB)
    away = np.linalg.norm(colours - np.median(colours[ring], axis=0), axis=2)
    rows, columns = np.nonzero(ring & (away > _OTHER_COLOUR))
    if len(rows) <= _STICKS_OUT * ring.sum():
        return None
    return np.asarray(_moved(np.array([[columns.mean(), rows.mean()]], np.float32), to_picture)[0], np.float32)


def _moved(points: NDArray[np.float32], transform: NDArray[Any]) -> Quad:
    return np.asarray(cv2.perspectiveTransform(points[None], transform)[0], np.float32)


def _middles(places: NDArray[np.float32], near: float) -> list[tuple[float, float]]:
    """Middles of windows that hold all places (n, 2), those with most in them first; no more than are affordable."""
    middles: list[tuple[float, float]] = []
    while len(places) and len(middles) < _MOST_WINDOWS:
        close = np.abs(places[:, None] - places).max(axis=2) < near
        chosen = close[int(close.sum(axis=1).argmax())]
        x, y = places[chosen].mean(axis=0)
        middles.append((float(x), float(y)))
        places = places[~chosen]
    return middles
