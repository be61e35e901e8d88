"""How the table looked while the camera stood for certain: what is gone back to when nothing can be held on to."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from referee.vision.planes import Homography
from referee.vision.quads import Image
from referee.vision.standing import STANDING_WIDTH_PX, Reference
from referee.vision.view import TURNED_LEVEL, Cells, Mask

_AS_IT_WAS_SHARE = 0.06
_REMEMBERED = 8
"""Looks, a second apart: an arm may lie still in some of them."""


class Looks:
    """The last looks of the standing camera, and its last picture with all that lay there, piles as well."""

    def __init__(self) -> None:
        self._cells: deque[Cells] = deque(maxlen=_REMEMBERED)
        self._picture: tuple[Image, Homography] | None = None
        self._lately: tuple[Reference, Homography] | None = None

    def keep(self, image_bgr: Image, cells: Cells, place: Homography, *, armless: bool) -> None:
        """The camera stands at `place`, and nothing moves; armless: no arm is over the table."""
        self._cells.append(cells)
        if armless:
            height, width = image_bgr.shape[:2]
            size_px = STANDING_WIDTH_PX, max(16, round(height * STANDING_WIDTH_PX / width))
            self._picture = np.asarray(cv2.resize(image_bgr, size_px, interpolation=cv2.INTER_AREA), np.uint8), place
            self._lately = None

    def lately(self) -> tuple[Reference, Homography] | None:
        """The last picture as a reference, with where the camera stood; None without one that can be held on to.

        For finding the table again only: most cards lie where they lay a moment ago, but they may be moved.
        """
        if self._lately is None and self._picture is not None:
            self._lately = Reference(self._picture[0]), self._picture[1]
        return self._lately if self._lately is not None and self._lately[0].usable else None

    def like(self, now: Cells, comes_and_goes: Mask) -> bool:
        """Whether the picture looks as in one of the looks, but for where `comes_and_goes` (any size) is set.

        The points of a plain table may all lie on cards and arms, which go: that is no camera turned away.
        """
        height, width = now.shape
        stays = cv2.resize(comes_and_goes, (width, height), interpolation=cv2.INTER_AREA) == 0
        for before in self._cells:
            apart = (now - before)[stays] if before.shape == now.shape else now[:0]
            if not apart.size:
                continue
            if float((np.abs(apart - np.int16(np.median(apart))) > TURNED_LEVEL).mean()) < _AS_IT_WAS_SHARE:
                return True
        return False
