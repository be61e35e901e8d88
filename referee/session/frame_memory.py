"""The last seconds of picture, kept small, so that a ruling can show the moment it rests on."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

_QUALITY = 92
_GRID_PX = 12
_MOVED_LEVEL = 24
_MOVED_POINTS = 3
_LIGHT_LEVEL = 1.0
_STILL_S = 1.0


class FrameMemory:
    """Remembers the frames of the last `span_s` seconds as JPEG: 12 s at 10 frames a second take about 10 MB."""

    def __init__(self, span_s: float = 12.0) -> None:
        self._span_s = span_s
        self._frames: deque[tuple[float, NDArray[np.uint8]]] = deque()
        self._grid: NDArray[np.int16] | None = None

    def __len__(self) -> int:
        return len(self._frames)

    def keep(self, image_bgr: Image, t_s: float) -> None:
        """Remember the frame taken at `t_s`, uint8 (h, w, 3); frames come in the order of their times.

        While nothing moves, one a second is enough: packing costs more than watching a still table.
        """
        grid = image_bgr[::_GRID_PX, ::_GRID_PX].astype(np.int16)
        if self._frames and t_s - self._frames[-1][0] < _STILL_S and _same(self._grid, grid):
            return
        self._grid = grid
        _, packed = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        self._frames.append((t_s, packed))
        while self._frames[0][0] < t_s - self._span_s:
            self._frames.popleft()

    def at(self, t_s: float) -> Image | None:
        """The remembered frame nearest to `t_s`, None before the first."""
        if not self._frames:
            return None
        _, packed = min(self._frames, key=lambda kept: abs(kept[0] - t_s))
        image: Image = cv2.imdecode(packed, cv2.IMREAD_COLOR)  # type: ignore[assignment]
        return image


def _same(kept: NDArray[np.int16] | None, grid: NDArray[np.int16]) -> bool:
    """Whether a few thousand points of two frames show the same but for the sensor's noise."""
    if kept is None or kept.shape != grid.shape:
        return False
    apart = grid - kept
    moved = int((np.abs(apart).max(axis=2) > _MOVED_LEVEL).sum())
    return moved < _MOVED_POINTS and abs(float(apart.mean())) < _LIGHT_LEVEL
