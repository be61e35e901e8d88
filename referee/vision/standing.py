"""Whether the camera still stands as it stood: the table's fixed features against a picture of how they lay.

Points of the reference are followed into the frame. When most that can be followed lie where they lay, the camera
stands, however much hands and cards cover. It has moved when hardly any does and many agree on one other position.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.planes import Homography, Points, corners_of, fitted, inverse, mapped
from referee.vision.quads import Image

Grey = NDArray[np.uint8]

STANDING_WIDTH_PX = 640
"""Frames are compared at this width: a tenth of a pixel is then a fraction of a millimetre on a table."""

AT_PLACE_PX = 1.2
"""What lies within this of where it lay, at the width above, has not moved (about 2 mm on a table a metre wide)."""

_MOST_POINTS = 240
_APART_PX = 9
_LEAST_POINTS = 24
_LEAST_AGREEING = 14
_LEAST_SPREAD = 0.3
_LEAST_SPREAD_OF_PUSH = 0.07  # points along one edge of the table slide along it
_MOST_RESIDUAL_PX = 0.6
_MOST_ERROR_PX = 0.6
_LEAST_RESIDUAL_PX = 0.25
_SIMPLER = 0.9
_MOST_GROWTH = 0.04
_LEAST_CONTRAST = 3.0  # of texture at this size; a sensor's noise averages out below it
_BACK_AGAIN_PX = 0.8
_ALIKE = 0.7
_PATCH_PX = 11
_FEATURES = 900
_RATIO = 0.8


class Stance(enum.Enum):
    """How the camera stands against the reference."""

    STANDS = "stands"
    MOVED = "moved"
    UNCLEAR = "unclear"
    """Too little of the reference is in view to tell."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One comparison. to_reference: from fractions of the frame to fractions of the reference (None when unclear);
    drift: how far the picture's quarter points have moved, in fractions of its width; agreeing: points that say so.
    """

    stance: Stance
    to_reference: Homography | None = None
    drift: float = 0.0
    agreeing: int = 0


class Reference:
    """A picture of the table as it stood, and its points to hold on to.

    ignore: uint8 (h, w) of any size, 255 where things come and go (piles). Without enough points `usable` is False:
    a plain cloth in an empty room gives the camera nothing to hold on to.
    """

    def __init__(self, image_bgr: Image, ignore: Grey | None = None) -> None:
        self.grey, contrast = _evened(image_bgr)
        self.size_px = self.grey.shape[1], self.grey.shape[0]
        self._free = np.asarray((contrast > _LEAST_CONTRAST) * 255, np.uint8)
        if ignore is not None:
            small = cv2.resize(ignore, self.size_px, interpolation=cv2.INTER_NEAREST)
            self._free[small > 0] = 0
        found = cv2.goodFeaturesToTrack(self.grey, _MOST_POINTS, 0.02, _APART_PX, mask=self._free)
        self.points: Points = np.zeros((0, 2)) if found is None else found.reshape(-1, 2).astype(np.float64)
        self._described: tuple[Points, NDArray[np.float32]] | None = None

    @property
    def usable(self) -> bool:
        """True when the picture has enough to hold on to."""
        return len(self.points) >= _LEAST_POINTS

    def compare(
        self,
        image_bgr: Image,
        *,
        search: bool = False,
        guess: Homography | None = None,
        hidden: Sequence[Points] = (),
    ) -> Standing:
        """How the camera of `image_bgr`, uint8 (h, w, 3), stands.

        search: look over the whole picture when following the points fails (some 20 ms); guess: a likely position,
        from fractions of the frame to fractions of the reference; hidden: outlines in fractions of the frame, such
        as of arms, in which nothing is held on to.
        """
        if not self.usable:
            return Standing(Stance.UNCLEAR)
        grey, _ = _evened(image_bgr, self.size_px)
        start = None if guess is None else mapped(inverse(self._in_px(guess)), self.points)
        followed = self._judged(*self._seen(self._followed(grey, start), hidden))
        if followed.stance is not Stance.UNCLEAR or not search:
            return followed
        found = self._judged(*self._seen(self._searched(grey), hidden))
        if found.to_reference is None:
            return found
        # Matched features are good to a pixel or two; following the points from there is good to a tenth.
        start = mapped(inverse(self._in_px(found.to_reference)), self.points)
        refined = self._judged(*self._seen(self._followed(grey, start), hidden))
        return refined if refined.stance is not Stance.UNCLEAR else found

    def _seen(self, pairs: tuple[Points, Points], hidden: Sequence[Points]) -> tuple[Points, Points]:
        """The pairs whose point in the frame lies in none of the `hidden` outlines."""
        before, now = pairs
        if not hidden or not len(now):
            return pairs
        width, height = self.size_px
        mask = np.zeros((height, width), np.uint8)
        for outline in hidden:
            cv2.fillPoly(mask, [np.rint(outline * self.size_px).astype(np.int32)], 255)
        mask = np.asarray(cv2.dilate(mask, np.ones((2 * _APART_PX + 1,) * 2, np.uint8)), np.uint8)
        xs, ys = np.rint(now).astype(np.intp).T
        free = mask[np.clip(ys, 0, height - 1), np.clip(xs, 0, width - 1)] == 0
        return before[free], now[free]

    def _followed(self, grey: Grey, start: Points | None) -> tuple[Points, Points]:
        """Points of the reference and where they lie in the frame, for those that can be followed there and back."""
        before = self.points.astype(np.float32).reshape(-1, 1, 2)
        first = before.copy() if start is None else start.astype(np.float32).reshape(-1, 1, 2)
        levels = 3 if start is None else 1
        there, seen = _followed(self.grey, grey, before, first, levels)
        back, seen_back = _followed(grey, self.grey, there, before.copy(), levels)
        away = np.linalg.norm((back - before).reshape(-1, 2), axis=1)
        good = seen & seen_back & (away < _BACK_AGAIN_PX)
        there = there.reshape(-1, 2)
        good &= (there > 4).all(axis=1) & (there < np.array(self.size_px) - 4).all(axis=1)
        kept = [i for i in np.flatnonzero(good).tolist() if self._alike(grey, i, there[i])]
        return self.points[kept], there[kept].astype(np.float64)

    def _alike(self, grey: Grey, index: int, there: NDArray[np.float32]) -> bool:
        size = (_PATCH_PX, _PATCH_PX)
        a = cv2.getRectSubPix(self.grey, size, tuple(float(v) for v in self.points[index]))
        b = cv2.getRectSubPix(grey, size, tuple(float(v) for v in there))
        return float(cv2.matchTemplate(a, b, cv2.TM_CCOEFF_NORMED)[0, 0]) > _ALIKE

    def _searched(self, grey: Grey) -> tuple[Points, Points]:
        """Points of the reference and where features that look like them lie, anywhere in the frame."""
        finder = cv2.SIFT.create(nfeatures=_FEATURES)
        if self._described is None:
            points, described = finder.detectAndCompute(self.grey, self._free)
            places = np.array([p.pt for p in points], np.float64).reshape(-1, 2)
            self._described = places, np.asarray(described, np.float32)
        known, known_signs = self._described
        points, signs = finder.detectAndCompute(grey, None)
        if signs is None or len(known) < 8 or len(points) < 8:
            return np.zeros((0, 2)), np.zeros((0, 2))
        pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(known_signs, signs, k=2)
        clear = [p[0] for p in pairs if len(p) == 2 and p[0].distance < _RATIO * p[1].distance]
        seen = np.array([p.pt for p in points], np.float64)
        return known[[m.queryIdx for m in clear]], seen[[m.trainIdx for m in clear]]

    def _judged(self, before: Points, now: Points) -> Standing:
        at_place = int((np.linalg.norm(now - before, axis=1) < AT_PLACE_PX).sum())
        if at_place >= max(_LEAST_AGREEING, 0.5 * len(before)):
            return Standing(Stance.STANDS, np.eye(3), 0.0, at_place)
        least = max(_LEAST_AGREEING, 0.4 * len(before), 2 * at_place)
        pushed, by = self._pushed(before, now)
        turned, fit = fitted(now, before, 1.5)
        agreeing = int(fit.sum())
        spread = np.ptp(before[fit], axis=0) / self.size_px if agreeing else np.zeros(2)
        if (spread < _LEAST_SPREAD).any():
            turned, agreeing = None, 0
        # Where the simpler movement explains as much, the other only follows the noise.
        matrix, agreeing = (pushed, by) if by >= _SIMPLER * agreeing else (turned, agreeing)
        if matrix is None or agreeing < least or not _sane(matrix, self.size_px):
            return Standing(Stance.UNCLEAR)
        quarters = corners_of(self.size_px) / 2 + np.array(self.size_px) / 4
        drift_px = float(np.linalg.norm(mapped(matrix, quarters) - quarters, axis=1).max())
        stance = Stance.MOVED if drift_px > AT_PLACE_PX else Stance.STANDS
        return Standing(stance, self._in_fractions(matrix), drift_px / self.size_px[0], agreeing)

    def _pushed(self, before: Points, now: Points) -> tuple[Homography | None, int]:
        """The push that most points agree on - a shift, a turn, hardly any growth - and how many they are.

        A push has so few degrees of freedom that points in one corner of the picture tell it, as long as what it
        does to the rest of the picture is certain to within a fraction of a pixel.
        """
        if len(before) < _LEAST_AGREEING:
            return None, 0
        found: tuple[Any, Any] = cv2.estimateAffinePartial2D(now, before, ransacReprojThreshold=1.5, maxIters=1000)
        if found[0] is None:
            return None, 0
        matrix = np.vstack([np.asarray(found[0], np.float64), [0.0, 0.0, 1.0]])
        fit = np.asarray(found[1]).ravel() > 0
        held, off = before[fit], mapped(matrix, now[fit]) - before[fit]
        middle = held.mean(axis=0)
        residual_px = max(_LEAST_RESIDUAL_PX, float(np.sqrt((off**2).sum(axis=1).mean())))
        narrow = (np.ptp(held, axis=0) / self.size_px < _LEAST_SPREAD_OF_PUSH).any()
        quarters = corners_of(self.size_px) / 2 + np.array(self.size_px) / 4
        away = float(np.linalg.norm(quarters - middle, axis=1).max())
        inertia = max(1e-6, float(((held - middle) ** 2).sum()))
        error_px = residual_px * np.sqrt(1 / len(held) + away**2 / inertia)
        grown = abs(float(np.hypot(matrix[0, 0], matrix[1, 0])) - 1)
        if narrow or residual_px > _MOST_RESIDUAL_PX or error_px > _MOST_ERROR_PX or grown > _MOST_GROWTH:
            return None, 0
        return matrix, len(held)

    def _in_px(self, matrix: Homography) -> Homography:
        scale = np.diag([*self.size_px, 1.0])
        return np.asarray(scale @ matrix @ inverse(scale), np.float64)

    def _in_fractions(self, matrix: Homography) -> Homography:
        scale = np.diag([*self.size_px, 1.0])
        return np.asarray(inverse(scale) @ matrix @ scale, np.float64)


def _evened(image_bgr: Image, size_px: tuple[int, int] | None = None) -> tuple[Grey, NDArray[np.float32]]:
    """Grey at comparing size with the light evened out by the local contrast; and that contrast in grey levels."""
    if size_px is None:
        height, width = image_bgr.shape[:2]
        size_px = STANDING_WIDTH_PX, max(16, round(height * STANDING_WIDTH_PX / width))
    small = cv2.resize(image_bgr, size_px, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    apart = grey - cv2.blur(grey, (41, 41))
    contrast = np.sqrt(np.maximum(cv2.blur(apart * apart, (41, 41)), 0))
    grey = np.clip(128 + 40 * apart / (contrast + 4), 0, 255)
    return np.asarray(grey, np.uint8), np.asarray(contrast, np.float32)


def _followed(
    before: Grey, now: Grey, points: NDArray[np.float32], start: NDArray[np.float32], levels: int
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Where `points` of one picture lie in another, float32 (n, 1, 2), and which of them were found."""
    there, seen, _ = cv2.calcOpticalFlowPyrLK(
        before,
        now,
        points,
        start,
        winSize=(15, 15),
        maxLevel=levels,
        criteria=(cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 0.03),
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    return np.asarray(there, np.float32), np.asarray(seen).ravel() > 0


def _sane(matrix: Homography, size_px: tuple[int, int]) -> bool:
    """False for what no camera does: the picture folded, or shrunk or grown threefold."""
    corners = mapped(matrix, corners_of(size_px))
    if not np.isfinite(corners).all() or not cv2.isContourConvex(corners.astype(np.float32).reshape(-1, 1, 2)):
        return False
    share = cv2.contourArea(corners.astype(np.float32), oriented=True) / (size_px[0] * size_px[1])
    return 0.1 < share < 10
