"""Light on the table and what a camera makes of it: shade, glare, casts, blur, noise, compression."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Field = NDArray[np.float32]
Rng = np.random.Generator


def photographed(picture: Picture, rng: Rng, *, harshness: float = 1.0) -> Picture:
    """The picture as a camera would give it under some light; same shape, uint8.

    harshness: 0 leaves the picture nearly as drawn, 1 covers what living rooms and webcams do.
    """
    lit = _light(picture.astype(np.float32), rng, harshness)
    lit = _lens(lit, rng, harshness)
    taken = np.clip(lit + rng.normal(0, 1, lit.shape).astype(np.float32) * rng.gamma(1.2, 2.2) * harshness, 0, 255)
    result = taken.astype(np.uint8)
    if rng.random() < 0.7:
        quality = int(rng.integers(max(25, int(95 - 65 * harshness)), 97))
        result = np.asarray(cv2.imdecode(cv2.imencode(".jpg", result, [1, quality])[1], 1), np.uint8)
    return result


def _light(f: Field, rng: Rng, harshness: float) -> Field:
    h, w = f.shape[:2]
    if rng.random() < 0.75:
        shade = rng.uniform(0.5, 1.3, (3, 3)).astype(np.float32)
        smooth = np.asarray(cv2.resize(shade, (w, h), interpolation=cv2.INTER_CUBIC), np.float32)
        f = f * (1 + (smooth[..., None] - 1) * np.float32(rng.uniform(0.1, 0.9) * harshness))
    if rng.random() < 0.25:
        f = f * (1 - _hard_shadow(rng, w, h) * np.float32(rng.uniform(0.15, 0.55) * harshness))
    cast = 1 + rng.normal(0, 0.075 * harshness, 3)
    if rng.random() < 0.3:
        warmth = rng.normal(0, 0.16 * harshness)
        cast *= np.array([1 - warmth, 1.0, 1 + warmth])
    f = f * cast.astype(np.float32)
    grey = f.mean(axis=2, keepdims=True)
    f = grey + (f - grey) * np.float32(1 + (rng.uniform(0.45, 1.35) - 1) * harshness)
    f = (f - 110) * np.float32(1 + (rng.uniform(0.6, 1.25) - 1) * harshness) + 110
    f = f * np.float32(1 + (rng.uniform(0.6, 1.4) - 1) * harshness) + np.float32(rng.normal(0, 8) * harshness)
    if rng.random() < 0.15:
        f = np.asarray(255 * (np.clip(f, 0, 255) / 255) ** rng.uniform(0.65, 1.5), np.float32)
    return np.asarray(f, np.float32)


def _hard_shadow(rng: Rng, w: int, h: int) -> Field:
    shape = np.zeros((h, w), np.float32)
    points = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * (w, h)
    cv2.fillPoly(shape, [points.astype(np.int32)], 1.0)
    return np.asarray(cv2.GaussianBlur(shape, (0, 0), float(rng.uniform(0.5, 9))), np.float32)[..., None]


def _lens(f: Field, rng: Rng, harshness: float) -> Field:
    kind = rng.random()
    if kind < 0.4:
        f = np.asarray(cv2.GaussianBlur(f, (0, 0), float(rng.uniform(0.25, 0.3 + 1.3 * harshness))), np.float32)
    elif kind < 0.52:
        size = int(rng.integers(3, 4 + int(6 * harshness)))
        kernel = np.zeros((size, size), np.float32)
        kernel[size // 2] = 1
        turn = cv2.getRotationMatrix2D((size / 2 - 0.5, size / 2 - 0.5), float(rng.uniform(0, 180)), 1)
        kernel = np.asarray(cv2.warpAffine(kernel, turn, (size, size)), np.float32)
        f = np.asarray(cv2.filter2D(f, -1, kernel / max(float(kernel.sum()), 1e-3)), np.float32)
    elif kind < 0.62:
        small = cv2.resize(f, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        f = np.asarray(cv2.resize(small, (f.shape[1], f.shape[0]), interpolation=cv2.INTER_LINEAR), np.float32)
    if rng.random() < 0.35:
        soft = cv2.GaussianBlur(f, (0, 0), float(rng.uniform(0.7, 1.6)))
        f = np.asarray(f + (f - soft) * np.float32(rng.uniform(0.3, 1.6) * harshness), np.float32)
    return f


def glare(rng: Rng, w: int, h: int) -> Field:
    """Additive highlight (h, w) on a glossy card: a soft spot or a band, 0..~200."""
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    turn = rng.uniform(0, np.pi)
    dx, dy = xx - rng.uniform(0, w), yy - rng.uniform(0, h)
    along = dx * np.float32(np.cos(turn)) + dy * np.float32(np.sin(turn))
    across = dy * np.float32(np.cos(turn)) - dx * np.float32(np.sin(turn))
    long_axis = rng.uniform(0.15, 0.5) * h if rng.random() < 0.7 else 3.0 * h
    short_axis = rng.uniform(0.05, 0.25) * h
    spot = np.exp(-((along / np.float32(long_axis)) ** 2) - (across / np.float32(short_axis)) ** 2)
    return np.asarray(spot * np.float32(rng.uniform(30, 190)), np.float32)
