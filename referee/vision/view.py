"""One frame at working size, and how two of them are compared in spite of changing light.

Movement, arms and settled piles are judged on a picture 320 px wide; only the card reader sees the full frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.quads import Image

Mask = NDArray[np.uint8]
"""uint8 (h, w) at working size: 255 where it holds, else 0."""

Cells = NDArray[np.int16]
"""int16 (h, 80): mean grey of the picture's cells."""

Gain = NDArray[np.float32]
"""float32 (3,): what the blue, green and red of one picture are multiplied by to match another."""

DARK = "dark"
COVERED = "covered"
CAMERA_MOVED = "the camera was moved: looking for the table"
CAMERA_AWAY = "the camera does not see the calibrated table: turn it back, or calibrate again"
CAMERA_FOUND = "the table is found again where the camera stands now"
OTHER_SHAPE = "the camera gives {}x{} px, the calibration is for {}x{}: choose a size of that shape"
MORE_ARMS = "more arms over the table than seats or than can be told apart: waiting until they leave"
"""Reasons of a view state; each names what the table can do about it, or what passes by itself."""

WORK_WIDTH_PX = 320
_CELLS_WIDTH_PX = 80
_KERNEL = np.ones((3, 3), np.uint8)
_DARK_LEVEL = 14.0
_BLANK_SPREAD = 1.5
_CELL_LEVEL = 5
TURNED_LEVEL = 12
"""Grey levels by which a cell differs when something else is there, not the light alone."""
_TURNED_SHARE = 0.35


@dataclass(frozen=True, slots=True)
class View:
    """A frame and its reductions.

    image: the full frame, uint8 (h, w, 3) BGR; small: the same 320 px wide; cells: grey means, int16, 80 wide;
    scale: pixels of `small` for one pixel of `image`.
    """

    t_s: float
    image: Image
    small: Image
    cells: Cells
    scale: float

    @property
    def lost_reason(self) -> str:
        """Why nothing can be seen in this frame (`dark`, `covered`), or an empty text."""
        return lost_reason_of(self.cells)


def view_of(image_bgr: Image, t_s: float) -> View:
    """The frame reduced to working size. Raises ValueError when it is not uint8 (h, w, 3)."""
    if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or image_bgr.dtype != np.uint8 or 0 in image_bgr.shape:
        raise ValueError(f"a frame is uint8 (height, width, 3), not {image_bgr.dtype} {image_bgr.shape}")
    height, width = image_bgr.shape[:2]
    scale = WORK_WIDTH_PX / width
    small_h = max(8, round(height * scale))
    small = cv2.resize(image_bgr, (WORK_WIDTH_PX, small_h), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    cells_h = max(2, round(small_h * _CELLS_WIDTH_PX / WORK_WIDTH_PX))
    cells = cv2.resize(grey, (_CELLS_WIDTH_PX, cells_h), interpolation=cv2.INTER_AREA)
    return View(t_s, image_bgr, np.asarray(small, np.uint8), cells.astype(np.int16), scale)


def cells_of(image_bgr: Image) -> Cells:
    """Grey means of a frame's cells, int16 (h, 80), taken from every nth pixel: cheap enough for each raw frame."""
    height, width = image_bgr.shape[:2]
    step = max(1, width // WORK_WIDTH_PX)
    cells_h = max(2, round(height * _CELLS_WIDTH_PX / width))
    thin = cv2.resize(image_bgr[::step, ::step], (_CELLS_WIDTH_PX, cells_h), interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(thin, cv2.COLOR_BGR2GRAY).astype(np.int16)


def lost_reason_of(cells: Cells) -> str:
    """Why nothing can be seen in a frame of these cells (`dark`, `covered`), or an empty text."""
    if float(cells.mean()) < _DARK_LEVEL:
        return DARK
    return COVERED if float(cells.std()) < _BLANK_SPREAD else ""


def gain_between(picture: Image, target: Image, ignore: Mask | None = None) -> Gain:
    """What `picture` must be multiplied by to have the light of `target`; the median, so hands do not sway it.

    Both uint8 (h, w, 3) at working size; pixels set in `ignore` do not count.
    """
    a = picture[::4, ::4].reshape(-1, 3).astype(np.float32)
    b = target[::4, ::4].reshape(-1, 3).astype(np.float32)
    # Dark pixels give wild ratios, blown-out ones hide the change.
    fit = ((a > 20) & (a < 245) & (b > 20) & (b < 245)).all(axis=1)
    if ignore is not None:
        fit &= ignore[::4, ::4].reshape(-1) == 0
    if int(fit.sum()) < 40:
        return np.ones(3, np.float32)
    ratio = np.median(b[fit] / a[fit], axis=0)
    return np.asarray(np.clip(ratio, 0.4, 2.5), np.float32)


def relit(picture: Image, gain: Gain) -> Image:
    """`picture` multiplied by `gain`, uint8."""
    levels = np.arange(256, dtype=np.float32)[:, None] * gain[None, :]
    table = np.clip(np.rint(levels), 0, 255).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(picture, table), np.uint8)


def difference(a: Image, b: Image) -> Mask:
    """The largest difference among the three colours, uint8 (h, w)."""
    apart = cv2.absdiff(a, b)
    return np.asarray(cv2.max(cv2.max(apart[..., 0], apart[..., 1]), apart[..., 2]), np.uint8)


def changed_between(before: Image, now: Image, where: Mask, threshold: int = 26) -> Mask:
    """Where inside `where` two working pictures differ, light evened out and single-pixel noise dropped."""
    elsewhere_is_enough = int(cv2.countNonZero(where)) < 7 * where.size // 8
    even = relit(before, gain_between(before, now, where if elsewhere_is_enough else None))
    _, mask = cv2.threshold(difference(even, now), threshold, 255, cv2.THRESH_BINARY)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _KERNEL)
    return np.asarray(cv2.bitwise_and(mask, where), np.uint8)


def still_between(before: Cells, now: Cells) -> bool:
    """True when nothing but the light differs."""
    if before.shape != now.shape:
        return False
    apart = now - before
    return int(np.abs(apart - np.int16(np.median(apart))).max()) < _CELL_LEVEL


def turned_between(before: Cells, now: Cells) -> bool:
    """True when so much of the picture changed at once that the camera may have been bumped."""
    if before.shape != now.shape:
        return True
    apart = now - before
    return float((np.abs(apart - np.int16(np.median(apart))) > TURNED_LEVEL).mean()) > _TURNED_SHARE
