"""Four-cornered outlines of cards: order, overlap, and cutting the straightened card out of a picture.

A quad is float32 (4, 2): corners (x, y) in pixels, clockwise as the eye sees the picture (y grows downwards).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Quad = NDArray[np.float32]

CARD_ASPECT = 56 / 87
"""Width over length of a playing card of 56 mm by 87 mm, as UNO prints them."""

_GREY_SPREAD = 6
_COLOURED_SHARE = 0.001
"""Difference of a pixel's channels, in levels, up to which it is grey; share of others in a picture that is grey."""


def upright(quad: Quad) -> Quad:
    """`quad` clockwise with a short side first: straightened, the card's long side stands vertical.

    Of the two half turns that fit, the one whose first corner is higher in the picture (then further left).
    """
    centre = quad.mean(axis=0)
    bearing = np.arctan2(quad[:, 1] - centre[1], quad[:, 0] - centre[0])
    ordered = quad[np.argsort(bearing)]
    sides = side_lengths(ordered)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        ordered = np.roll(ordered, -1, axis=0)
    top, bottom = ordered[:2].mean(axis=0), ordered[2:].mean(axis=0)
    if (bottom[1], bottom[0]) < (top[1], top[0]):
        ordered = np.roll(ordered, 2, axis=0)
    return np.asarray(ordered, np.float32)


def turned(quad: Quad, quarter_turns: int) -> Quad:
    """The same outline read from another corner; two quarter turns are a card lying upside down."""
    return np.roll(quad, -quarter_turns, axis=0)


def side_lengths(quad: Quad) -> NDArray[np.float32]:
    """Lengths in px of the four sides, each from its corner to the next, float32 (4,)."""
    return np.asarray(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1), np.float32)


def length_px(quad: Quad) -> float:
    """Mean length of the two longer sides: the card's length in the picture."""
    a, b, c, d = side_lengths(quad)
    return float(max(a + c, b + d) / 2)


def squareness(quad: Quad) -> float:
    """Shorter over longer pair of sides, 0…1; a card seen from above gives 0.64."""
    a, b, c, d = side_lengths(quad)
    return float(min(a + c, b + d) / max(a + c, b + d, 1e-6))


def area_px(quad: Quad) -> float:
    """Area in square pixels."""
    return float(cv2.contourArea(quad))


def is_convex(quad: Quad) -> bool:
    """True when the outline is a proper convex quadrilateral."""
    return bool(cv2.isContourConvex(quad.reshape(-1, 1, 2).astype(np.float32)))


def shared_px(a: Quad, b: Quad) -> float:
    """Area in square pixels that two convex outlines have in common."""
    if (a.min(axis=0) > b.max(axis=0)).any() or (b.min(axis=0) > a.max(axis=0)).any():
        return 0.0
    return float(cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))[0])


def overlap(a: Quad, b: Quad) -> float:
    """Intersection over union, 0…1."""
    shared = shared_px(a, b)
    return shared / max(area_px(a) + area_px(b) - shared, 1e-6)


def inside(inner: Quad, outer: Quad) -> float:
    """Share of `inner`'s area that lies in `outer`, 0…1."""
    return shared_px(inner, outer) / max(area_px(inner), 1e-6)


def grown(quad: Quad, factor: float) -> Quad:
    """The outline scaled about its centre."""
    centre = quad.mean(axis=0)
    return np.asarray(centre + (quad - centre) * factor, np.float32)


def is_grey(image: Image) -> bool:
    """True for a picture (height, width, 3) without any colour: a grey file, or a camera that sees by infrared."""
    sample = image[:: max(1, image.shape[0] // 120), :: max(1, image.shape[1] // 120)]
    spread = sample.max(axis=2) - sample.min(axis=2)
    return float((spread > _GREY_SPREAD).mean()) < _COLOURED_SHARE


def straighten(image: Image, quad: Quad, size_px: tuple[int, int]) -> Image:
    """The inside of `quad` as an upright picture (height, width, 3) for `size_px` = (width, height).

    Large cards are shrunk by area first: sampling one pixel in thirty would turn a digit into noise.
    """
    width, height = size_px
    excess = length_px(quad) / height
    if excess > 3:
        image, quad = _shrunk_around(image, quad, 2.0 / excess)
        excess = 2.0
    fine = 2 if excess > 1.5 else 1
    w, h = width * fine, height * fine
    target = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    # Corners are pixel edges while warping counts pixel centres: half a pixel on both sides.
    move = cv2.getPerspectiveTransform((quad - 0.5).astype(np.float32), target - 0.5)
    crop = cv2.warpPerspective(image, move, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if fine > 1:
        crop = cv2.resize(crop, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(crop, np.uint8)


def _shrunk_around(image: Image, quad: Quad, scale: float) -> tuple[Image, Quad]:
    margin = 4 / scale
    low = np.maximum(np.floor(quad.min(axis=0) - margin), 0).astype(int)
    high = np.ceil(quad.max(axis=0) + margin).astype(int)
    part = image[low[1] : max(high[1], low[1] + 1), low[0] : max(high[0], low[0] + 1)]
    if part.size == 0:
        return image, quad
    w, h = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    small = cv2.resize(part, (w, h), interpolation=cv2.INTER_AREA)
    ratio = np.array([w / part.shape[1], h / part.shape[0]], np.float32)
    return np.asarray(small, np.uint8), ((quad - low) * ratio).astype(np.float32)
