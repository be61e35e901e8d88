"""Table tops of drawn films: wood, cloth or laminate, painted from noise."""

from __future__ import annotations

from typing import Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

Surface = Literal["oak", "walnut", "pine", "blue_cloth", "green_cloth", "grey_cloth", "black_cloth", "white"]
SURFACES: tuple[Surface, ...] = get_args(Surface)

_WOOD_BGR = {
    "oak": ((92, 138, 176), (128, 176, 208)),
    "walnut": ((52, 74, 106), (92, 122, 160)),
    "pine": ((120, 172, 208), (152, 196, 226)),
}
_CLOTH_BGR = {
    "blue_cloth": (124, 94, 70),
    "green_cloth": (92, 122, 74),
    "grey_cloth": (128, 132, 134),
    "black_cloth": (44, 42, 40),
}
_LAMINATE_BGR = {"white": (206, 214, 218)}
_PLANK_SHARE = 0.21  # of the frame's height


def table_top(surface: Surface, size_px: tuple[int, int], seed: int) -> NDArray[np.uint8]:
    """An empty table, evenly lit, BGR uint8 (height, width, 3). ValueError for an unknown surface."""
    rng = np.random.default_rng([31, seed])
    if surface in _WOOD_BGR:
        picture = _wood(surface, size_px, rng)
    elif surface in _CLOTH_BGR:
        picture = _cloth(surface, size_px, rng)
    elif surface in _LAMINATE_BGR:
        picture = _laminate(surface, size_px, rng)
    else:
        raise ValueError(f"{surface!r} is not a table top: {', '.join(SURFACES)}")
    return np.clip(picture, 0, 255).astype(np.uint8)


def smooth_noise(
    size_px: tuple[int, int], sigma: tuple[float, float], rng: np.random.Generator
) -> NDArray[np.float32]:
    """Noise blurred by `sigma` (x, y) pixels, scaled to mean 0 and deviation 1; shape (height, width)."""
    width, height = size_px
    # Coarse noise is drawn coarsely: a blur of 100 px needs no full-size picture.
    shrink_x, shrink_y = (max(1, int(s // 4)) for s in sigma)
    small = (width // shrink_x + 8, height // shrink_y + 8)
    drawn = rng.standard_normal((small[1], small[0])).astype(np.float32)
    soft = cv2.GaussianBlur(drawn, (0, 0), sigmaX=sigma[0] / shrink_x + 0.01, sigmaY=sigma[1] / shrink_y + 0.01)
    large = cv2.resize(soft, (small[0] * shrink_x, small[1] * shrink_y), interpolation=cv2.INTER_CUBIC)
    noise = np.asarray(large[:height, :width], np.float32)
    return np.asarray((noise - noise.mean()) / (noise.std() + 1e-6), np.float32)


def _wood(surface: str, size_px: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    width, height = size_px
    dark, light = (np.asarray(c, np.float32) for c in _WOOD_BGR[surface])
    plank_px = max(8, round(height * _PLANK_SHARE))
    shade = np.zeros((height, width), np.float32)
    gap = np.ones((height, width), np.float32)
    for top in range(-int(rng.integers(plank_px)), height, plank_px):
        first, last = max(top, 0), min(top + plank_px, height)
        if last <= first:
            continue
        plank = (width, last - first)
        # Year rings are level lines of a long, slowly bending ramp; pores are short dark strokes along the grain.
        bend = smooth_noise(plank, (170, 26), rng) * 1.5
        ramp = np.arange(plank[1], dtype=np.float32)[:, None] / plank_px * rng.uniform(2.0, 5.0)
        rings = np.sin(2 * np.pi * (ramp + bend * 0.55 + rng.uniform(0, 1)))
        fine = smooth_noise(plank, (42, 1.2), rng)
        pores = np.minimum(smooth_noise(plank, (11, 0.7), rng) + 1.2, 0)
        shade[first:last] = 0.5 + 0.16 * rings + 0.13 * fine + 0.12 * pores + rng.uniform(-0.14, 0.14)
        if 0 <= top < height:
            gap[top : top + 1] = 0.72
            gap[top + 1 : top + 2] = 0.88
    shade = np.clip(shade, 0, 1)[..., None]
    return np.asarray((dark + (light - dark) * shade) * gap[..., None], np.float32)


def _cloth(surface: str, size_px: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    base = np.asarray(_CLOTH_BGR[surface], np.float32)
    weave = 0.05 * smooth_noise(size_px, (2.2, 0.5), rng) + 0.05 * smooth_noise(size_px, (0.5, 2.2), rng)
    uneven = 0.035 * smooth_noise(size_px, (90, 70), rng)
    lint = np.where(rng.random((size_px[1], size_px[0])) < 2e-4, 0.35, 0.0).astype(np.float32)
    lint = np.asarray(cv2.GaussianBlur(lint, (0, 0), 0.8), np.float32)
    return np.asarray(base * (1 + weave + uneven + lint)[..., None], np.float32)


def _laminate(surface: str, size_px: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    base = np.asarray(_LAMINATE_BGR[surface], np.float32)
    grain = 0.012 * smooth_noise(size_px, (1.5, 1.5), rng) + 0.02 * smooth_noise(size_px, (120, 90), rng)
    return np.asarray(base * (1 + grain)[..., None], np.float32)
