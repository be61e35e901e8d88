"""Which parts of a picture the detector looks at and how large, so that near and far cards have the size it knows.

A window is a rectangle of the picture, mostly all of it, that is scaled for one look. The detector takes pictures of
any size whose sides are multiples of its stride; a window reaches a little beyond the picture to make them so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.quads import Image, Quad

STRIDE_PX = 32
"""Sides of what the detector is shown are multiples of this."""

_MARGIN_GREY = 114
"""Grey of the empty margins, as in training."""


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of a picture, in px of that picture; it may reach beyond the edges."""

    x_px: float
    y_px: float
    width_px: float
    height_px: float

    def seen(self, image: Image, scale: float) -> Image:
        """The window (height_px * scale, width_px * scale, 3) in whole px, grey where the picture has ended."""
        size = (round(self.width_px * scale), round(self.height_px * scale))
        height, width = image.shape[:2]
        left, top = max(0, math.floor(self.x_px)), max(0, math.floor(self.y_px))
        right = min(width, math.ceil(self.x_px + self.width_px))
        bottom = min(height, math.ceil(self.y_px + self.height_px))
        canvas = np.full((size[1], size[0], 3), _MARGIN_GREY, np.uint8)
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
        cv2.warpAffine(part, move, size, dst=canvas, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT)
        return canvas

    def to_picture(self, points: NDArray[np.float32], scale: float) -> NDArray[np.float32]:
        """Points (…, 2) of the scaled window, in px of the picture."""
        origin = np.array([self.x_px, self.y_px], np.float32)
        return (points / np.float32(scale) + origin).astype(np.float32)

    def cuts(self, quad: Quad, width_px: int, height_px: int) -> bool:
        """True when `quad` reaches a border of this window inside the picture: a whole card may lie beyond it."""
        margin = 0.01 * max(self.width_px, self.height_px)
        far_x, far_y = self.x_px + self.width_px, self.y_px + self.height_px
        (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
        return bool(
            (self.x_px > margin and left < self.x_px + margin)
            or (self.y_px > margin and top < self.y_px + margin)
            or (far_x < width_px - margin and right > far_x - margin)
            or (far_y < height_px - margin and bottom > far_y - margin)
        )


def whole(width_px: int, height_px: int, scale: float) -> Window:
    """The whole picture in the middle of a window whose sides, scaled, are multiples of the stride."""
    step = STRIDE_PX / scale
    width, height = (step * math.ceil(side / step - 1e-6) for side in (width_px, height_px))
    return Window((width_px - width) / 2, (height_px - height) / 2, width, height)


def tiles(width_px: int, height_px: int, side_px: float, shared_px: float) -> list[Window]:
    """Square windows of `side_px` that cover the picture, neighbours having at least `shared_px` in common."""
    return [
        Window(x, y, side_px, side_px)
        for y in _starts(height_px, side_px, shared_px)
        for x in _starts(width_px, side_px, shared_px)
    ]


def around(quad: Quad, side_px: float) -> Window:
    """A square window of `side_px` with `quad` in its middle."""
    x, y = (quad.min(axis=0) + quad.max(axis=0)) / 2
    return Window(float(x) - side_px / 2, float(y) - side_px / 2, side_px, side_px)


def _starts(length_px: int, side_px: float, shared_px: float) -> list[float]:
    if side_px >= length_px:
        return [(length_px - side_px) / 2]
    step = max(side_px - shared_px, side_px / 4)
    count = math.ceil((length_px - side_px) / step) + 1
    return [float(x) for x in np.linspace(0, length_px - side_px, count)]
