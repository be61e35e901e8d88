"""The camera of a drawn film: lens, lamp, noise of the sensor, and light that drifts slowly."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

_NOISE_FIELDS = 6


class Camera:
    """Turns drawn frames into pictures of a plain webcam; the same seed gives the same noise.

    noise: standard deviation of the sensor's noise in grey levels; drift: relative change of the light.
    """

    def __init__(self, size_px: tuple[int, int], seed: int, *, noise: float = 2.0, drift: float = 0.02) -> None:
        self._rng = np.random.default_rng([59, seed])
        self._drift = drift
        self._phase = self._rng.uniform(0, 2 * np.pi, 3)
        self._lamp = np.repeat((_lamp(size_px) * 240).clip(0, 255).astype(np.uint8)[..., None], 3, axis=2)
        width, height = size_px
        # Fields a little larger than the frame: a random cut of a random field is new noise at little cost.
        self._fields = []
        for _ in range(_NOISE_FIELDS):
            field = self._rng.standard_normal((height + 64, width + 64, 3)).astype(np.float32)
            field = cv2.GaussianBlur(field, (0, 0), 0.55) * noise * 1.7
            self._fields.append((np.clip(field, 0, 60).astype(np.uint8), np.clip(-field, 0, 60).astype(np.uint8)))

    def picture(self, drawn: Image, t_s: float) -> Image:
        """One frame as the camera gives it, uint8 (height, width, 3)."""
        seen = cv2.GaussianBlur(drawn, (0, 0), 0.6)
        seen = cv2.multiply(seen, self._lamp, scale=1 / 240)
        seen = cv2.LUT(seen, self._gains(t_s))
        top, left = self._rng.integers(0, 64, 2)
        more, less = self._fields[int(self._rng.integers(_NOISE_FIELDS))]
        height, width = drawn.shape[:2]
        seen = cv2.add(seen, more[top : top + height, left : left + width])
        return np.asarray(cv2.subtract(seen, less[top : top + height, left : left + width]), np.uint8)

    def _gains(self, t_s: float) -> Image:
        slow = np.sin(2 * np.pi * t_s / 41 + self._phase[0]) + 0.4 * np.sin(2 * np.pi * t_s / 13 + self._phase[1])
        warm = 0.3 * np.sin(2 * np.pi * t_s / 57 + self._phase[2])
        gains = 1 + self._drift * np.asarray((slow - warm, slow, slow + warm))
        levels = np.arange(256, dtype=np.float32)[:, None] * gains[None, :]
        return np.clip(levels, 0, 255).astype(np.uint8).reshape(256, 1, 3)


def _lamp(size_px: tuple[int, int]) -> NDArray[np.float32]:
    """Fall of light from a lamp left above the middle: 1.03 beneath it, about 0.8 in the far corner."""
    width, height = size_px
    x = (np.arange(width, dtype=np.float32) / width - 0.42) * (width / height)
    y = np.arange(height, dtype=np.float32) / height - 0.38
    return np.asarray(1.03 - 0.23 * (x[None, :] ** 2 + y[:, None] ** 2), np.float32)
