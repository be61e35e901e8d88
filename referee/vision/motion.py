"""What moves, and what differs from the table at rest: the gate that lets a still table cost almost nothing.

`MotionGate` compares 80-pixel-wide grey thumbnails. `RestingTable` keeps a picture of the table without hands,
follows slow changes of light, and takes up what has come to lie still.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.quads import Image
from referee.vision.view import Mask, View, difference, gain_between, relit

MOVED_LEVEL = 14
"""Levels of 255 between two frames above which a pixel moved; sensor and codec noise stay below."""

FOREIGN_LEVEL = 24
"""Levels of 255 from the resting table above which a pixel shows something else."""

ABSORB_S = 0.6
"""What has not moved for so long, and is no arm, belongs to the table."""

_CELL_LEVEL = 5
_WEAK_LEVEL = 14
_FAINT_LEVEL = 8
_TINT_LEVEL = 7.0
_FAINT_TINT = 3.0
_SHADE = (0.35, 1.3)
_LEAST_SURE = 0.2
_REFRESH_S = 1.0
_FOLLOW = 0.05
_OPEN = np.ones((3, 3), np.uint8)
_SUM = np.ones((1, 3), np.float32)
_CLOSE = np.ones((5, 5), np.uint8)


class MotionGate:
    """Says which frames show nothing new. Compares with the last frame that was let through, not merely the last."""

    def __init__(self) -> None:
        self._let_through: View | None = None

    def still(self, view: View) -> bool:
        """True when `view` equals the last frame let through; that one is renewed every second."""
        last = self._let_through
        if last is not None and last.cells.shape == view.cells.shape and view.t_s - last.t_s < _REFRESH_S:
            apart = view.cells - last.cells
            # The median is the light's change: only what differs from it is movement.
            if int(np.abs(apart - np.int16(np.median(apart))).max()) < _CELL_LEVEL:
                return True
        self._let_through = view
        return False


@dataclass(frozen=True, slots=True)
class Scene:
    """A view held against the resting table.

    foreign: what is not the resting table (arms, cards not yet taken up); moved: what changed since the last frame;
    since_move_s: float32 (h, w), seconds since each pixel last changed.
    """

    view: View
    foreign: Mask
    moved: Mask
    since_move_s: NDArray[np.float32]

    @property
    def foreign_share(self) -> float:
        """Share of the picture that is not the resting table."""
        return cv2.countNonZero(self.foreign) / self.foreign.size

    def still_s(self, where: Mask) -> float:
        """For how long nothing has moved inside `where`, in seconds; a few noisy pixels do not count."""
        ages = self.since_move_s[where > 0]
        if ages.size == 0:
            return float("inf")
        nth = min(ages.size - 1, max(3, ages.size // 250))
        return float(np.partition(ages, nth)[nth])


class RestingTable:
    """The table without hands, float32 at working size, kept up to date. Starts from the first view."""

    def __init__(self, first: View) -> None:
        self.reset(first)

    def reset(self, view: View) -> None:
        """Forget everything: `view` is the table now."""
        self._table = view.small.astype(np.float32)
        self._last = view.small
        self._last_move_s = np.full(view.small.shape[:2], view.t_s, np.float64)
        self._foreign = np.zeros(view.small.shape[:2], np.uint8)

    @property
    def picture(self) -> Image:
        """The table at rest, uint8 (h, w, 3)."""
        return cv2.convertScaleAbs(self._table).astype(np.uint8)

    def compare(self, view: View) -> Scene:
        """What moved and what is foreign in `view`."""
        last = relit(self._last, gain_between(self._last, view.small))
        _, moved = cv2.threshold(difference(last, view.small), MOVED_LEVEL, 255, cv2.THRESH_BINARY)
        # Opening drops lone noisy pixels; a moving edge is wider than one pixel at this size.
        moved = cv2.morphologyEx(moved, cv2.MORPH_OPEN, _OPEN)
        self._last_move_s[cv2.dilate(moved, _CLOSE) > 0] = view.t_s
        self._last = view.small
        table = self.picture
        even = relit(table, gain_between(table, view.small, self._foreign))
        apart, tint = difference(even, view.small), _tint(even, view.small)
        sure = np.where((apart > FOREIGN_LEVEL) | (tint > _TINT_LEVEL), np.uint8(255), np.uint8(0))
        weak = np.where((apart > _WEAK_LEVEL) | ((apart > _FAINT_LEVEL) & (tint > _FAINT_TINT)), 255, 0)
        foreign = _grown(np.asarray(cv2.morphologyEx(sure, cv2.MORPH_OPEN, _OPEN), np.uint8), weak.astype(np.uint8))
        self._foreign = np.asarray(cv2.morphologyEx(foreign, cv2.MORPH_CLOSE, _CLOSE), np.uint8)
        ages = (view.t_s - self._last_move_s).astype(np.float32)
        return Scene(view, self._foreign, np.asarray(moved, np.uint8), ages)

    def take_up(self, scene: Scene, apart: Mask) -> None:
        """Let the table follow the light, and take up what lies still and is not part of `apart` (arms)."""
        bare = cv2.bitwise_not(cv2.dilate(cv2.bitwise_or(scene.foreign, apart), _CLOSE))
        cv2.accumulateWeighted(scene.view.small, self._table, _FOLLOW, bare)
        lying = (scene.foreign > 0) & (apart == 0) & (scene.since_move_s > ABSORB_S)
        if lying.any():
            self._table[lying] = scene.view.small[lying]


def _grown(sure: Mask, weak: Mask) -> Mask:
    """What is surely foreign, with what is only a little different and belongs to it: a dark hand on dark wood."""
    if not cv2.countNonZero(sure):
        return sure
    weak = np.asarray(cv2.bitwise_or(cv2.morphologyEx(weak, cv2.MORPH_OPEN, _OPEN), sure), np.uint8)
    count, labels = cv2.connectedComponents(weak)
    held = np.bincount(labels[sure > 0], minlength=count)
    whole = np.bincount(labels.ravel(), minlength=count)
    kept = held >= _LEAST_SURE * whole
    kept[0] = False
    return np.where(kept[labels], np.uint8(255), np.uint8(0))


def _tint(table: Image, now: Image) -> NDArray[np.float32]:
    """By how many levels a picture differs from the table otherwise than a shadow does, float32 (h, w).

    A shadow takes the same share of every colour; what is left is another thing, be it hardly lighter or darker.
    """
    before, after = (cv2.blur(picture, (5, 5)).astype(np.float32) for picture in (table, now))
    light = cv2.transform(before * before, _SUM)
    share = np.clip(cv2.transform(before * after, _SUM) / np.maximum(light, 1.0), *_SHADE)
    left = np.abs(after - before * share[..., None])
    return np.asarray(cv2.max(cv2.max(left[..., 0], left[..., 1]), left[..., 2]), np.float32)
