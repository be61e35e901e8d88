"""Which squares of a picture the detector looks at, so that near and far cards have the size it knows.

The detector sees a square of fixed size. A window is a square of the picture that is scaled onto it: the whole
picture, a larger square with empty margins (a card that fills the picture becomes smaller), or overlapping tiles
(a card 45 px long in a wide photo becomes larger).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.quads import Image, Quad

_MARGIN_GREY = 114
"""Grey of the empty margins, as in training."""


@dataclass(frozen=True, slots=True)
class Window:
    """A square of a picture: its top-left corner and side in px of that picture; it may reach beyond the edges."""

    x_px: float
    y_px: float
    side_px: float

    def seen(self, image: Image, size_px: int) -> Image:
        """The window scaled to (size_px, size_px, 3), grey where the picture has ended."""
        scale = size_px / self.side_px
        height, width = image.shape[:2]
        left, top = max(0, math.floor(self.x_px)), max(0, math.floor(self.y_px))
        right = min(width, math.ceil(self.x_px + self.side_px))
        bottom = min(height, math.ceil(self.y_px + self.side_px))
        canvas = np.full((size_px, size_px, 3), _MARGIN_GREY, np.uint8)
        # Shrinking by area first keeps thin strokes; the warp then only places the part to a fraction of a pixel.
        part = image[top:bottom, left:right]
        if part.size == 0:
            return canvas
        if scale < 0.7:
            w, h = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
            part = np.asarray(cv2.resize(part, (w, h), interpolation=cv2.INTER_AREA), np.uint8)
        sx, sy = part.shape[1] / (right - left), part.shape[0] / (bottom - top)
        move = np.array(
            [
                [scale / sx, 0, (left - self.x_px) * scale + (scale / sx - 1) / 2],
                [0, scale / sy, (top - self.y_px) * scale + (scale / sy - 1) / 2],
            ]
        )
        cv2.warpAffine(
            part,
            move,
            (size_px, size_px),
            dst=canvas,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_TRANSPARENT,
        )
        return canvas

    def to_picture(self, points: NDArray[np.float32], size_px: int) -> NDArray[np.float32]:
        """Points (…, 2) of the scaled square, in px of the picture."""
        origin = np.array([self.x_px, self.y_px], np.float32)
        return (points * (self.side_px / size_px) + origin).astype(np.float32)

    def cuts(self, quad: Quad, width_px: int, height_px: int) -> bool:
        """True when `quad` reaches a border of this window inside the picture: a whole card may lie beyond it."""
        margin = 0.01 * self.side_px
        (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
        return bool(
            (self.x_px > margin and left < self.x_px + margin)
            or (self.y_px > margin and top < self.y_px + margin)
            or (self.x_px + self.side_px < width_px - margin and right > self.x_px + self.side_px - margin)
            or (self.y_px + self.side_px < height_px - margin and bottom > self.y_px + self.side_px - margin)
        )


def whole(width_px: int, height_px: int, share: float = 1.0) -> Window:
    """The whole picture in the middle of one window, its longer side filling `share` of it."""
    side = max(width_px, height_px) / share
    return Window((width_px - side) / 2, (height_px - side) / 2, side)


def tiles(width_px: int, height_px: int, side_px: float, shared_px: float) -> list[Window]:
    """Windows of `side_px` that cover the picture, neighbours having at least `shared_px` in common."""
    return [
        Window(x, y, side_px)
        for y in _starts(height_px, side_px, shared_px)
        for x in _starts(width_px, side_px, shared_px)
    ]


def around(quad: Quad, side_px: float) -> Window:
    """A window of `side_px` with `quad` in its middle."""
    x, y = (quad.min(axis=0) + quad.max(axis=0)) / 2
    return Window(float(x) - side_px / 2, float(y) - side_px / 2, side_px)


def _starts(length_px: int, side_px: float, shared_px: float) -> list[float]:
    if side_px >= length_px:
        return [(length_px - side_px) / 2]
    step = max(side_px - shared_px, side_px / 4)
    count = math.ceil((length_px - side_px) / step) + 1
    return [float(x) for x in np.linspace(0, length_px - side_px, count)]
