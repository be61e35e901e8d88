"""The last seconds of picture, kept small, so that a ruling can show the moment it rests on."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

_QUALITY = 92


class FrameMemory:
    """Remembers the frames of the last `span_s` seconds as JPEG: 12 s at 10 frames a second take about 10 MB."""

    def __init__(self, span_s: float = 12.0) -> None:
        self._span_s = span_s
        self._frames: deque[tuple[float, NDArray[np.uint8]]] = deque()

    def keep(self, image_bgr: Image, t_s: float) -> None:
        """Remember the frame taken at `t_s`, uint8 (h, w, 3); frames come in the order of their times."""
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
