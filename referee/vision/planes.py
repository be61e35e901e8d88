"""The table as a plane: how the camera sees it, and the top-down picture of it that everything else works on.

A homography takes the camera's picture to the table picture. It is written down as the four points of the camera's
picture where the corners of the table picture lie, so that a person can check it by eye.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.quads import Image

Homography = NDArray[np.float64]
"""float64 (3, 3), scaled so that its last element is 1."""

Points = NDArray[np.float64]
"""float64 (n, 2): points (x, y)."""

CARD_LENGTH_MM = 87.0


@dataclass(frozen=True, slots=True)
class TablePlane:
    """How the camera sees the table.

    frame_px: (width, height) of the calibrated picture; size_mm: (width, height) of the part of the table that is
    watched; px_per_mm: scale of the table picture; corners: where its corners (top left, top right, bottom right,
    bottom left) lie in the camera's picture, in fractions of its size, and they may lie outside it.
    """

    frame_px: tuple[int, int]
    size_mm: tuple[float, float]
    px_per_mm: float
    corners: tuple[tuple[float, float], ...]
    error_mm: float = 0.0
    how: str = ""

    @property
    def size_px(self) -> tuple[int, int]:
        """(width, height) of the table picture."""
        return max(16, round(self.size_mm[0] * self.px_per_mm)), max(16, round(self.size_mm[1] * self.px_per_mm))

    @property
    def card_px(self) -> float:
        """Length of a card in the table picture."""
        return CARD_LENGTH_MM * self.px_per_mm

    def to_table(self, frame_px: tuple[int, int] | None = None) -> Homography:
        """From pixels of the camera's picture to pixels of the table picture.

        frame_px: size of the camera's picture when it is not the calibrated one (its aspect must be the same).
        """
        width, height = frame_px or self.frame_px
        seen = np.array(self.corners, np.float64) * (width, height)
        return homography_of(seen, corners_of(self.size_px))

    def fits(self, frame_px: tuple[int, int]) -> bool:
        """True when a picture of that size can come from the calibrated camera: it has the same aspect."""
        return same_aspect(frame_px, self.frame_px)


def same_aspect(a_px: tuple[int, int], b_px: tuple[int, int]) -> bool:
    """True when two (width, height) have the same shape, give or take what rounding to whole pixels does."""
    return abs(a_px[0] * b_px[1] / (a_px[1] * b_px[0]) - 1) < 0.015


def corners_of(size_px: tuple[int, int]) -> Points:
    """The corners of a picture, clockwise from the top left."""
    width, height = size_px
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def homography_of(source: Points, target: Points) -> Homography:
    """The homography that takes four points to four others. Raises ValueError when three lie on a line."""
    found = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    matrix = np.asarray(found, np.float64)
    if not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-12:
        raise ValueError("four points that do not span an area")
    return matrix


def fitted(source: Points, target: Points, tolerance: float) -> tuple[Homography | None, NDArray[np.bool_]]:
    """The homography that takes most of `source` to `target` within `tolerance`, and which of them, bool (n,).

    None when fewer than four points are given or they fit nothing.
    """
    none = np.zeros(len(source), np.bool_)
    if len(source) < 4:
        return None, none
    found: tuple[object, object] = cv2.findHomography(
        source, target, cv2.RANSAC, tolerance, maxIters=1000, confidence=0.995
    )
    if found[0] is None:
        return None, none
    return np.asarray(found[0], np.float64), np.asarray(found[1]).ravel() > 0


def inverse(matrix: Homography) -> Homography:
    """The homography back, scaled so that its last element is 1."""
    back = np.linalg.inv(matrix)
    return np.asarray(back / back[2, 2], np.float64)


def mapped(matrix: Homography, points: Points) -> Points:
    """`points` taken through a homography, float64 (n, 2)."""
    ends = np.hstack([points, np.ones((len(points), 1))]) @ matrix.T
    return np.asarray(ends[:, :2] / ends[:, 2:], np.float64)


def warped(image_bgr: Image, to_table: Homography, size_px: tuple[int, int]) -> Image:
    """The table picture of a frame, uint8 (h, w, 3).

    Where the table reaches beyond the frame, the frame's rim is drawn out: an arm that enters the frame there still
    enters the table picture from its border.
    """
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])  # pixel centres to pixel edges, and back
    move = inverse(half) @ to_table @ half
    # On cards of some sixty pixels the loss of bilinear sampling is below the sensor's noise.
    return np.asarray(
        cv2.warpPerspective(image_bgr, move, size_px, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )
