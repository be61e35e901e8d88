"""Lays turned and tilted pictures and shadows over a frame, touching only the part that they cover.

Sprites are BGRA uint8 with the colours already multiplied by their alpha, so that laying one over another is one
multiplication and one addition of whole numbers. Matrices (3, 3) take sprite pixels to frame pixels.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""

SHADOW_SHRINK = 4
"""Shadows are soft: they are turned at a quarter of the frame's size."""


def premultiplied(bgr: NDArray[np.float32], alpha: NDArray[np.float32]) -> Image:
    """A sprite from colours (h, w, 3) 0..255 and alpha (h, w) 0..1."""
    share = np.clip(alpha, 0, 1)[..., None]
    return np.dstack([np.clip(bgr, 0, 255) * share, share * 255]).round().astype(np.uint8)


def covered(shape: tuple[int, ...], matrix: Matrix, within: Box, margin_px: int = 0) -> Box | None:
    """Part of the frame that a sprite of this shape (h, w, …) covers, inside `within`; None when nothing."""
    height, width = shape[:2]
    corners = matrix @ np.array([[0, width, width, 0], [0, 0, height, height], [1, 1, 1, 1]], np.float64)
    if corners[2].min() <= 1e-6:  # behind the camera
        return None
    flat = corners[:2] / corners[2]
    left, top = np.floor(flat.min(axis=1)).astype(int) - 1 - margin_px
    right, bottom = np.ceil(flat.max(axis=1)).astype(int) + 1 + margin_px
    return overlap((int(left), int(top), int(right), int(bottom)), within)


def overlap(one: Box, other: Box) -> Box | None:
    """What two boxes share, None when nothing."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return None if right <= left or bottom <= top else (left, top, right, bottom)


def around(boxes: list[Box]) -> Box:
    """The smallest box around some."""
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def warped(sprite: Image, matrix: Matrix, box: Box) -> Image:
    """The sprite as it is seen in `box`, clear elsewhere."""
    left, top, right, bottom = box
    size = (right - left, bottom - top)
    local = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float64) @ matrix
    if abs(local[2, 0]) + abs(local[2, 1]) < 1e-9:
        return np.asarray(cv2.warpAffine(sprite, local[:2] / local[2, 2], size, flags=cv2.INTER_LINEAR), np.uint8)
    return np.asarray(cv2.warpPerspective(sprite, local, size, flags=cv2.INTER_LINEAR), np.uint8)


def shadow_in(shadow: Image, matrix: Matrix, box: Box) -> Image:
    """A shadow (h, w), kept at `SHADOW_SHRINK` less than its size, as it falls in `box`."""
    left, top, right, bottom = box
    shrink = SHADOW_SHRINK
    small = (-(-(right - left) // shrink), -(-(bottom - top) // shrink))
    enlarge = np.diag([shrink, shrink, 1.0])
    local = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float64) @ matrix @ enlarge
    soft = cv2.warpPerspective(shadow, np.diag([1 / shrink, 1 / shrink, 1.0]) @ local, small, flags=cv2.INTER_LINEAR)
    whole = cv2.resize(soft, (small[0] * shrink, small[1] * shrink), interpolation=cv2.INTER_LINEAR)
    return np.asarray(whole[: bottom - top, : right - left], np.uint8)


def shrunk(shadow: NDArray[np.float32]) -> Image:
    """A shadow 0..1 as `shadow_in` wants it: uint8, `SHADOW_SHRINK` times smaller."""
    height, width = shadow.shape
    size = (max(1, width // SHADOW_SHRINK), max(1, height // SHADOW_SHRINK))
    small = cv2.resize(shadow, size, interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(small * 255 + 0.5, 0, 255), np.uint8)


def lay_over(picture: Image, layer: Image, box: Box) -> None:
    """Lay a layer, BGRA of the box's size, over the picture (h, w, 3), in place."""
    left, top, right, bottom = box
    below = picture[top:bottom, left:right]
    clear = cv2.bitwise_not(cv2.extractChannel(layer, 3))
    shown = cv2.multiply(below, cv2.merge([clear, clear, clear]), scale=1 / 255)
    picture[top:bottom, left:right] = cv2.add(shown, cv2.cvtColor(layer, cv2.COLOR_BGRA2BGR))


def darken(picture: Image, shadow: Image, box: Box, strength: float) -> None:
    """Lay a shadow (h, w) of the box's size over the picture (or a layer), in place; `strength` 1 is black."""
    left, top, right, bottom = box
    below = picture[top:bottom, left:right]
    light = cv2.convertScaleAbs(shadow, alpha=-strength, beta=255.0)
    if below.shape[2] == 3:
        picture[top:bottom, left:right] = cv2.multiply(below, cv2.merge([light, light, light]), scale=1 / 255)
    else:
        whole = np.full_like(light, 255)
        picture[top:bottom, left:right] = cv2.multiply(below, cv2.merge([light, light, light, whole]), scale=1 / 255)


def smeared(layer: Image, way_px: tuple[float, float]) -> Image:
    """The layer as it is exposed while it moves by `way_px`: averaged with itself at halves of the way.

    The last of the way is where it is drawn; nothing happens below a pixel and a half.
    """
    x, y = way_px
    while max(abs(x), abs(y)) > 1.5:
        x, y = x / 2, y / 2
        height, width = layer.shape[:2]
        shift = np.array([[1, 0, -x], [0, 1, -y]], np.float64)
        before = cv2.warpAffine(layer, np.round(shift), (width, height), flags=cv2.INTER_NEAREST)
        layer = np.asarray(cv2.addWeighted(layer, 0.5, before, 0.5, 0), np.uint8)
    return layer
