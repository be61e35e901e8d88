"""A card-sized sheet on which masks are painted with flat colours."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
Point = tuple[float, float]
SUBPIXEL_BITS = 4


class Canvas:
    """Opaque BGR sheet of `height_px`; positions and lengths are fractions of the height.

    The origin is the upper left corner; x runs to `width_px / height_px`.
    """

    def __init__(self, height_px: int, width_px: int, colour: tuple[int, int, int]) -> None:
        self.height_px = height_px
        self.width_px = width_px
        self.bgr = np.full((height_px, width_px, 3), colour, np.uint8)

    def blank(self) -> Mask:
        """An empty mask of the sheet's size."""
        return np.zeros((self.height_px, self.width_px), np.uint8)

    def px(self, length: float) -> int:
        """A length in whole pixels."""
        return round(length * self.height_px)

    def polygon(self, points: list[Point] | NDArray[np.float64]) -> Mask:
        """Mask of a filled polygon."""
        mask = self.blank()
        corners = np.round(np.asarray(points, np.float64) * self.height_px * (1 << SUBPIXEL_BITS))
        cv2.fillPoly(mask, [corners.astype(np.int32)], 255, cv2.LINE_AA, SUBPIXEL_BITS)
        return mask

    def stroke(self, points: list[Point] | NDArray[np.float64], width: float) -> Mask:
        """Mask of an open line of the given width."""
        mask = self.blank()
        corners = np.round(np.asarray(points, np.float64) * self.height_px * (1 << SUBPIXEL_BITS))
        thick = max(1, self.px(width))
        cv2.polylines(mask, [corners.astype(np.int32)], False, 255, thick, cv2.LINE_AA, SUBPIXEL_BITS)
        return mask

    def ellipse(
        self, centre: Point, half: Point, tilt_deg: float, *, arc_deg: tuple[float, float] = (0, 360)
    ) -> Mask:
        """Mask of a filled ellipse or of a sector of it; a positive tilt leans its top to the right."""
        sweep = np.radians(np.linspace(*arc_deg, 97))
        x, y = half[0] * np.cos(sweep), half[1] * np.sin(sweep)
        turn = np.radians(tilt_deg)
        ring = np.stack([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)], axis=1)
        ring += centre
        if arc_deg[1] - arc_deg[0] < 360:
            ring = np.vstack([ring, centre])
        return self.polygon(ring)

    def rounded(self, inset: float, radius: float) -> Mask:
        """Mask of the sheet less a margin, with rounded corners."""
        width = self.width_px / self.height_px
        radius = max(radius, 1e-3)
        quarter = np.radians(np.linspace(0, 90, 13))
        arcs = []
        for x, y, start in (
            (width - inset - radius, 1 - inset - radius, 0.0),
            (inset + radius, 1 - inset - radius, np.pi / 2),
            (inset + radius, inset + radius, np.pi),
            (width - inset - radius, inset + radius, 3 * np.pi / 2),
        ):
            arcs.append(
                np.stack([x + radius * np.cos(quarter + start), y + radius * np.sin(quarter + start)], axis=1)
            )
        return self.polygon(np.vstack(arcs))

    def paint(self, mask: Mask, colour: tuple[int, int, int], strength: float = 1.0) -> None:
        """Lay a colour over the sheet where the mask says so."""
        x, y, w, h = cv2.boundingRect(mask)
        if w == 0:
            return
        part = (mask[y : y + h, x : x + w].astype(np.float32) * (strength / 255))[..., None]
        below = self.bgr[y : y + h, x : x + w]
        below[:] = (below * (1 - part) + np.array(colour, np.float32) * part + 0.5).astype(np.uint8)

    def placed(self, small: Mask, centre: Point) -> Mask:
        """A small mask laid on an empty sheet around a centre, cut at the sheet's edges."""
        mask = self.blank()
        h, w = small.shape
        x0, y0 = round(centre[0] * self.height_px - w / 2), round(centre[1] * self.height_px - h / 2)
        left, top = max(0, x0), max(0, y0)
        right, bottom = min(self.width_px, x0 + w), min(self.height_px, y0 + h)
        if right > left and bottom > top:
            mask[top:bottom, left:right] = small[top - y0 : bottom - y0, left - x0 : right - x0]
        return mask


def swollen(mask: Mask, radius_px: int) -> Mask:
    """The mask grown by a disc."""
    if radius_px <= 0:
        return mask
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius_px + 1,) * 2)
    return np.asarray(cv2.dilate(mask, disc), np.uint8)


def cast(mask: Mask, dx_px: int, dy_px: int) -> Mask:
    """The mask smeared along a direction: the block shadow of raised printing."""
    steps = max(abs(dx_px), abs(dy_px))
    smear = mask.copy()
    for step in range(1, steps + 1):
        shift = np.array([[1, 0, dx_px * step / steps], [0, 1, dy_px * step / steps]], np.float32)
        moved = cv2.warpAffine(mask, shift, (mask.shape[1], mask.shape[0]))
        smear = np.maximum(smear, np.asarray(moved, np.uint8))
    return smear


def turned(mask: Mask, degrees: float) -> Mask:
    """A small mask turned clockwise about its middle, on a sheet large enough to hold it."""
    h, w = mask.shape
    reach = int(np.hypot(h, w)) + 2
    matrix = cv2.getRotationMatrix2D((w / 2, h / 2), -degrees, 1.0)
    matrix[:, 2] += (reach - w) / 2, (reach - h) / 2
    return np.asarray(cv2.warpAffine(mask, matrix, (reach, reach), flags=cv2.INTER_LINEAR), np.uint8)
