"""Whose arm it is: skin, sleeve, weave, length of the sleeve, nails, a watch."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from typing import Literal

import numpy as np

Weave = Literal["plain", "stripes", "knit", "checks"]
BGR = tuple[int, int, int]

CUFF_MM = 186.0
"""From the grip point to where a long sleeve begins."""

_SKINS: tuple[BGR, ...] = (
    (128, 158, 214),
    (84, 122, 182),
    (140, 172, 226),
    (62, 88, 136),
    (44, 62, 98),
    (104, 140, 198),
    (150, 184, 236),
    (70, 104, 160),
)


@dataclass(frozen=True, slots=True)
class ArmLook:
    """Skin and sleeve colours (BGR), the weave of the sleeve, which hand, painted nails or not.

    cuff_mm: from the fingertips' grip to where the sleeve begins, more than `CUFF_MM` for one that is pushed up;
    watch: colour of the strap of a watch, on a bare wrist.
    """

    skin: BGR
    sleeve: BGR
    second: BGR
    weave: Weave
    left_hand: bool = False
    nails: BGR | None = None
    cuff_mm: float = CUFF_MM
    watch: BGR | None = None


LOOKS = (
    ArmLook((128, 158, 214), (52, 44, 168), (44, 36, 142), "knit", nails=(70, 50, 190)),
    ArmLook((84, 122, 182), (116, 66, 34), (226, 226, 222), "stripes"),
    ArmLook((140, 172, 226), (84, 116, 58), (54, 84, 36), "checks", left_hand=True),
    ArmLook((62, 88, 136), (176, 184, 190), (150, 158, 166), "plain"),
    ArmLook((104, 140, 198), (40, 38, 36), (58, 54, 52), "knit", cuff_mm=210),
    ArmLook((150, 184, 236), (60, 160, 196), (230, 230, 226), "plain", left_hand=True, cuff_mm=330),
)
"""One look for each seat of a drawn table, told apart by sleeve and skin."""


def any_look(rng: np.random.Generator) -> ArmLook:
    """Anybody's arm."""
    skin = _SKINS[int(rng.integers(len(_SKINS)))]
    hue, strong, bright = rng.uniform(), rng.beta(1.4, 1.6), rng.uniform(0.1, 0.95)
    second = bright * 0.72 if rng.random() < 0.6 else float(np.clip(1.05 - bright, 0.1, 0.9))
    long_sleeve = rng.random() < 0.62
    weaves: tuple[Weave, ...] = ("plain", "stripes", "knit", "checks")
    bare = not long_sleeve and rng.random() < 0.5
    return ArmLook(
        skin=_tinted(skin, rng),
        sleeve=_bgr(hue, strong, bright),
        second=_bgr(hue + float(rng.normal(0, 0.1)), strong * 0.8, second),
        weave=weaves[int(rng.choice(4, p=[0.45, 0.18, 0.22, 0.15]))],
        left_hand=bool(rng.random() < 0.3),
        nails=_bgr(rng.uniform(), 0.75, 0.7) if rng.random() < 0.25 else None,
        cuff_mm=CUFF_MM + float(rng.normal(0, 8)) if long_sleeve else float(rng.uniform(250, 430)),
        watch=_bgr(rng.uniform(), 0.3, rng.uniform(0.05, 0.6)) if bare else None,
    )


def _tinted(colour: BGR, rng: np.random.Generator) -> BGR:
    shade = rng.uniform(0.9, 1.06)
    blue, green, red = (int(np.clip(c * shade * rng.uniform(0.98, 1.02), 0, 255)) for c in colour)
    return blue, green, red


def _bgr(hue: float, saturation: float, value: float) -> BGR:
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, min(saturation, 1.0), value)
    return round(blue * 255), round(green * 255), round(red * 255)
