"""Drawn arms: a hand with fingers and nails in a knitted, woven or plain sleeve, seen from above.

The arm is modelled as a height map (fingers and forearm are round bars of given radius), lit from one side, and
kept as a picture whose grip point, where the fingertips press on a card, is known.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.synth.arm_looks import CUFF_MM, ArmLook
from referee.synth.compositing import Image, shrunk
from referee.synth.surfaces import smooth_noise

_OVERSAMPLING = 2
_AHEAD_MM = 26.0  # picture above the grip point
_HALF_WIDTH_MM = 92.0
_LENGTH_MM = 640.0  # grip point to the end of the sleeve, beyond the frame's edge
_HAND_MM = 470.0  # grip point to the end of the bare forearm, under the sleeve or pushed out of it
_WRIST_MM = 232.0

# Bars of the hand: (x, y, height, radius) of both ends in mm; x to the right, y towards the elbow. A right hand.
_FINGERS = {
    "index": ((-27, 84, 24, 10.0), (-22, 38, 30, 9.0), (-13, 6, 9, 7.6)),
    "middle": ((-7, 76, 26, 10.4), (-5, 30, 33, 9.2), (-1, -4, 9, 7.8)),
    "ring": ((13, 80, 24, 9.8), (15, 38, 30, 8.8), (16, 10, 9, 7.2)),
    "little": ((31, 92, 19, 8.8), (34, 60, 22, 7.6), (34, 36, 9, 6.4)),
    "thumb": ((-35, 138, 12, 13.5), (-49, 104, 13, 11.0), (-40, 66, 6, 9.0)),
}
_PALM = (
    ((-25, 88, 20, 14.0), (-17, 150, 16, 17.0)),
    ((-7, 82, 22, 14.0), (-5, 152, 18, 18.0)),
    ((13, 86, 20, 14.0), (8, 152, 18, 18.0)),
    ((30, 96, 15, 12.0), (17, 154, 16, 16.0)),
    ((-34, 136, 11, 14.0), (-14, 158, 14, 17.0)),
    ((-12, 150, 14, 19.0), (-13, 215, 16, 20.0)),
    ((12, 150, 14, 18.0), (13, 215, 16, 20.0)),
    ((-13, 210, 16, 20.0), (-21, _HAND_MM, 24, 30.0)),
    ((13, 210, 16, 20.0), (21, _HAND_MM, 24, 30.0)),
    ((0, 210, 20, 20.0), (0, _HAND_MM, 30, 30.0)),
)


@dataclass(frozen=True, slots=True)
class ArmPicture:
    """An arm that reaches upwards in the picture.

    sprite: BGRA uint8 (h, w, 4), premultiplied; `grip_px` (x, y) of the fingertips' grip point; shadow uint8: the
    alpha, softened and shrunk (`compositing.shrunk`).
    """

    sprite: Image
    shadow: Image
    grip_px: tuple[float, float]


def arm_picture(look: ArmLook, px_per_mm: float, light_deg: float, seed: int) -> ArmPicture:
    """Draw an arm. `light_deg`: where the light comes from, clockwise from the reaching direction."""
    rng = np.random.default_rng([47, seed])
    scale = px_per_mm * _OVERSAMPLING
    width = round(2 * _HALF_WIDTH_MM * scale)
    height = round((_AHEAD_MM + _LENGTH_MM) * scale)
    to_light = np.radians(-light_deg if look.left_hand else light_deg)

    rows = min(height, round((_AHEAD_MM + max(_WRIST_MM, look.cuff_mm + 30)) * scale))
    hand = _hand_heights(width, rows, scale)
    skin = _skin(hand, scale, look, rng)
    lit_hand = skin * _lit(hand, to_light, 0.52, scale)[..., None]
    lit_hand = _nailed(lit_hand, scale, look)
    sleeve, weave = _sleeve_heights(width, height, scale, look, rng)
    bgr = weave * _lit(sleeve, to_light, 0.50, scale)[..., None]

    alpha = (sleeve > 0).astype(np.float32)
    # The cuff throws a shadow on the wrist.
    cuff_shadow = cv2.GaussianBlur(alpha[:rows], (0, 0), 3.5 * scale)
    lit_hand = lit_hand * (1 - 0.5 * cuff_shadow)[..., None]
    bgr[:rows] = np.where(alpha[:rows, :, None] > 0, bgr[:rows], lit_hand)
    alpha[:rows] = np.maximum(alpha[:rows], hand > 0)
    size = (width // _OVERSAMPLING, height // _OVERSAMPLING)
    premultiplied_bgr = cv2.resize(np.clip(bgr, 0, 255) * alpha[..., None], size, interpolation=cv2.INTER_AREA)
    alpha = np.asarray(cv2.resize(alpha, size, interpolation=cv2.INTER_AREA), np.float32)
    grip_x = _HALF_WIDTH_MM * px_per_mm
    sprite = np.dstack([premultiplied_bgr, alpha * 255]).round().astype(np.uint8)
    shadow = shrunk(np.asarray(cv2.GaussianBlur(alpha, (0, 0), 6.0 * px_per_mm), np.float32))
    if look.left_hand:
        sprite, shadow = sprite[:, ::-1].copy(), shadow[:, ::-1].copy()
        grip_x = size[0] - grip_x
    return ArmPicture(sprite, shadow, (grip_x, _AHEAD_MM * px_per_mm))


def _grid(width: int, height: int, scale: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    x = np.arange(width, dtype=np.float32) / scale - _HALF_WIDTH_MM
    y = np.arange(height, dtype=np.float32) / scale - _AHEAD_MM
    return x[None, :], y[:, None]


def _bar(
    x: NDArray[np.float32],
    y: NDArray[np.float32],
    begin: tuple[float, float, float, float],
    end: tuple[float, float, float, float],
) -> NDArray[np.float32]:
    """Height in mm of the upper side of a round bar between two points, 0 beside it."""
    x0, y0, z0, r0 = begin
    dx, dy = end[0] - x0, end[1] - y0
    along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
    away2 = (x - x0 - along * dx) ** 2 + (y - y0 - along * dy) ** 2
    radius = r0 + along * (end[3] - r0)
    top = z0 + along * (end[2] - z0) + np.sqrt(np.maximum(radius**2 - away2, 0))
    return np.asarray(np.where(away2 < radius**2, top, 0), np.float32)


def _hand_heights(width: int, rows: int, scale: float) -> NDArray[np.float32]:
    """Heights in mm (rows, width) of hand and forearm."""
    x, y = _grid(width, rows, scale)
    upper = round(min(rows, (_AHEAD_MM + _WRIST_MM) * scale))
    fingers = np.zeros((rows, width), np.float32)
    for root, middle, tip in _FINGERS.values():
        bars = np.maximum(_bar(x, y[:upper], root, middle), _bar(x, y[:upper], middle, tip))
        fingers[:upper] = np.maximum(fingers[:upper], bars)
    palm = np.zeros((rows, width), np.float32)
    for begin, end in _PALM:
        palm = np.maximum(palm, _bar(x, y, begin, end))
    # The back of the hand is one skin over its bones: soften it, keep the outline.
    soft = cv2.GaussianBlur(palm, (0, 0), 5.0 * scale) / (
        cv2.GaussianBlur((palm > 0).astype(np.float32), (0, 0), 5.0 * scale) + 1e-3
    )
    palm = np.where(palm > 0, 0.3 * palm + 0.7 * soft, 0)
    joined = np.maximum(fingers, palm)
    mask = joined > 0
    joined = cv2.GaussianBlur(joined, (0, 0), 1.5 * scale) / (
        cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 1.5 * scale) + 1e-3
    )
    return np.where(mask, np.maximum(joined, 0.1), 0).astype(np.float32)


def _sleeve_heights(
    width: int, height: int, scale: float, look: ArmLook, rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Heights (h, w) and unlit colours (h, w, 3) of the sleeve."""
    x, y = _grid(width, height, scale)
    size = (width, height)
    waver = smooth_noise(size, (30 * scale, 26 * scale), rng) * 1.6
    wide = 41 + 0.06 * (look.cuff_mm - CUFF_MM)  # the forearm grows towards the elbow
    past_cuff = np.maximum(y - look.cuff_mm, 0)
    half = wide + 16 * (1 - np.exp(-past_cuff / 130)) + waver * np.minimum(past_cuff / 40, 1)
    # A slanted, slightly bent cuff line.
    begins = look.cuff_mm + 0.05 * x + 0.0016 * x * x
    inside = (np.abs(x) < half) & (y > begins)
    heights = 42 * np.sqrt(np.maximum(1 - (x / half) ** 2, 0)) + 4
    folds = smooth_noise(size, (26 * scale, 5.5 * scale), rng) * np.exp(-past_cuff / 210) * 2.3
    folds += smooth_noise(size, (16 * scale, 22 * scale), rng) * 1.6
    cuff = np.where((y - begins) < 13, 2.5, 0) if look.weave != "plain" else np.where((y - begins) < 6, 1.5, 0)
    heights = np.where(inside, heights + folds + cuff, 0).astype(np.float32)
    main = np.broadcast_to(np.asarray(look.sleeve, np.float32), (height, width, 3)).copy()
    second = np.asarray(look.second, np.float32)
    bent_y = y + 0.0030 * x * x
    if look.weave == "stripes":
        main[np.broadcast_to((bent_y - look.cuff_mm) % 26 > 15, (height, width))] = second
    elif look.weave == "checks":
        share = 0.5 * ((bent_y % 34) < 12) + 0.5 * ((np.abs(x + 200) % 30) < 10)
        main += (second - main) * np.asarray(share, np.float32)[..., None]
    elif look.weave == "knit":
        ribs = 0.5 + 0.5 * np.sin(x * 2 * np.pi / 4.4)
        main += (second - main) * np.asarray(np.broadcast_to(ribs, (height, width)), np.float32)[..., None]
    thread = 1 + 0.03 * smooth_noise(size, (0.6 * scale, 0.6 * scale), rng)
    return heights, np.asarray(main * thread[..., None], np.float32)


def _skin(heights: NDArray[np.float32], scale: float, look: ArmLook, rng: np.random.Generator) -> NDArray[np.float32]:
    height, width = heights.shape
    base = np.broadcast_to(np.asarray(look.skin, np.float32), (height, width, 3)).copy()
    mottle = smooth_noise((width, height), (7 * scale, 7 * scale), rng) * 0.025
    base *= (1 + mottle)[..., None]
    x, y = _grid(width, height, scale)
    for root, middle, tip in _FINGERS.values():
        for px, py, _, radius in (root, middle, tip):
            left, right = (round((px + side * 3 * radius + _HALF_WIDTH_MM) * scale) for side in (-1, 1))
            top, bottom = (max(0, round((py + side * 3 * radius + _AHEAD_MM) * scale)) for side in (-1, 1))
            part = (slice(top, bottom), slice(left, right))
            away2 = (x[:, left:right] - px) ** 2 + (y[top:bottom] - py) ** 2
            warm = np.exp(-away2 / (2 * (radius * 0.8) ** 2))
            base[part] *= 1 + warm[..., None] * np.asarray((-0.10, -0.07, 0.015), np.float32)
        # Folds of skin across the middle joint.
        rows = slice(round((middle[1] - 8 + _AHEAD_MM) * scale), round((middle[1] + 8 + _AHEAD_MM) * scale))
        for shift in (-2.2, 0.6, 3.0):
            fold = np.exp(-((y[rows] - middle[1] - shift) ** 2) / 0.7) * (np.abs(x - middle[0]) < middle[3] * 0.62)
            base[rows] *= 1 - 0.13 * fold[..., None]
    if look.watch is not None:
        strap = np.abs(y - 208 - 0.0012 * x * x) < 9
        base[np.broadcast_to(strap, (height, width))] = look.watch
        face = (x**2 + (y - 208) ** 2) < 17**2
        base[face] = (206, 212, 214)
        base[(x**2 + (y - 208) ** 2) < 13.5**2] = (46, 42, 40)
    return base


def _nailed(bgr: NDArray[np.float32], scale: float, look: ArmLook) -> NDArray[np.float32]:
    height, width = bgr.shape[:2]
    colour = look.nails or tuple(min(255, round(c * f)) for c, f in zip(look.skin, (1.16, 1.1, 1.06), strict=True))
    for _, middle, tip in _FINGERS.values():
        length = float(np.hypot(tip[0] - middle[0], tip[1] - middle[1]))
        towards = ((tip[0] - middle[0]) / length, (tip[1] - middle[1]) / length)
        centre = (tip[0] + towards[0] * 1.8, tip[1] + towards[1] * 1.8)
        rows = slice(0, min(height, round((centre[1] + 14 + _AHEAD_MM) * scale)))
        nail = np.zeros((rows.stop, width), np.float32)
        at = (round((centre[0] + _HALF_WIDTH_MM) * scale), round((centre[1] + _AHEAD_MM) * scale))
        axes = (max(1, round(tip[3] * 0.52 * scale)), max(1, round(tip[3] * 0.68 * scale)))
        turn = float(np.degrees(np.arctan2(towards[0], -towards[1])))
        cv2.ellipse(nail, at, axes, turn, 0, 360, 1.0, -1, cv2.LINE_AA)
        nail = cv2.GaussianBlur(nail, (0, 0), 0.35 * scale) * (0.85 if look.nails else 0.6)
        bgr[rows] = bgr[rows] * (1 - nail[..., None]) + np.asarray(colour, np.float32) * nail[..., None]
    return bgr


def _lit(heights: NDArray[np.float32], to_light: float, ambient: float, scale: float) -> NDArray[np.float32]:
    """Brightness of a height map (mm) under a lamp, darker in the valleys between fingers and folds."""
    dx = cv2.Sobel(heights, cv2.CV_32F, 1, 0, ksize=3) / 8 * scale
    dy = cv2.Sobel(heights, cv2.CV_32F, 0, 1, ksize=3) / 8 * scale
    limit = 2.2
    dx, dy = np.clip(dx, -limit, limit), np.clip(dy, -limit, limit)
    norm = np.sqrt(dx * dx + dy * dy + 1)
    light = np.asarray((np.sin(to_light) * 0.55, -np.cos(to_light) * 0.55, 0.83))
    facing = (-dx * light[0] - dy * light[1] + light[2]) / norm
    valley = cv2.GaussianBlur(heights, (0, 0), 4.0 * scale) - heights
    occluded = np.clip(1 - 0.028 * np.maximum(valley, 0), 0.55, 1)
    return np.asarray((ambient + (1.12 - ambient) * np.clip(facing, 0, 1)) * occluded, np.float32)
