"""Clear plastic sleeves around cards: a rim that catches light, a haze, a band of reflection."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
SLEEVE_SCALE = np.array([1.07, 1.05], np.float32)
"""A sleeve's width and height over the card's, about its middle."""


def draw_sleeve(rng: Rng, height_px: int) -> NDArray[np.uint8]:
    """An empty sleeve to lay over a card, BGRA uint8 (height_px, width, 4): nearly clear, never opaque."""
    width = round(height_px * 0.66)
    level = rng.uniform(170, 255)
    clear = np.full((height_px, width), rng.uniform(4, 32), np.float32)
    rim = max(1, int(height_px * rng.uniform(0.006, 0.016)))
    cv2.rectangle(clear, (0, 0), (width - 1, height_px - 1), float(rng.uniform(40, 110)), rim)
    for _ in range(int(rng.integers(0, 3))):
        band = np.zeros_like(clear)
        x, lean = rng.uniform(0, width), rng.normal(0, 0.5) * width
        cv2.line(band, (int(x), 0), (int(x + lean), height_px), 1.0, max(1, int(width * rng.uniform(0.04, 0.25))))
        soft = cv2.GaussianBlur(band, (0, 0), float(rng.uniform(0.5, 8)))
        clear += np.asarray(soft, np.float32) * np.float32(rng.uniform(15, 70))
    paint = np.full((height_px, width, 3), level, np.float32) + rng.normal(0, 6, 3).astype(np.float32)
    return np.dstack([np.clip(paint, 0, 255), np.clip(clear, 0, 120)]).astype(np.uint8)
