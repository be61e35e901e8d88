"""Drawn hands and arms: fingers that grip a card, palms under it, sleeves across the table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Vector = NDArray[np.float64]
Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Skin:
    """Colour of a hand and of the sleeve on its arm, BGR 0..255."""

    tone: Vector
    sleeve: Vector


def any_skin(rng: Rng) -> Skin:
    """A skin tone from dark to pale, and a sleeve of any colour."""
    depth = rng.uniform(0, 1)
    tone = (1 - depth) * np.array([45, 62, 100]) + depth * np.array([165, 190, 232])
    tone = tone * rng.uniform(0.75, 1.15) + rng.normal(0, 7, 3)
    sleeve = rng.uniform(10, 235, 3) if rng.random() < 0.5 else rng.uniform(10, 235) + rng.normal(0, 8, 3)
    return Skin(tone, sleeve)


def rounded_limb(picture: Picture, owner: NDArray[np.int16], path: Vector, radii_px: Vector, colour: Vector) -> None:
    """Paint a limb along `path` (n, 2) px with a radius at every point, lit in the middle, darker at its sides.

    Pixels it covers are marked -2 in `owner`.
    """
    h, w = picture.shape[:2]
    low = np.floor((path - radii_px[:, None]).min(axis=0) - 2).astype(int)
    high = np.ceil((path + radii_px[:, None]).max(axis=0) + 3).astype(int)
    x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(w, high[0]), min(h, high[1])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    for (a, b), (ra, rb) in zip(
        zip(path[:-1], path[1:], strict=True), zip(radii_px[:-1], radii_px[1:], strict=True), strict=True
    ):
        along = b - a
        across = np.array([-along[1], along[0]]) / (np.hypot(*along) + 1e-6)
        sides = np.array([a + across * ra, b + across * rb, b - across * rb, a - across * ra]) - (x0, y0)
        cv2.fillConvexPoly(mask, sides.astype(np.int32), 255, cv2.LINE_AA)
    for point, radius in zip(path - (x0, y0), radii_px, strict=True):
        cv2.circle(mask, (int(point[0]), int(point[1])), max(1, int(radius)), 255, -1, cv2.LINE_AA)
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
    lit = 0.55 + 0.45 * np.sqrt(np.clip(depth / max(1.0, float(radii_px.mean())), 0, 1))
    cover = mask.astype(np.float32)[..., None] / 255
    part = picture[y0:y1, x0:x1]
    shaded = colour.astype(np.float32) * lit[..., None]
    part[:] = np.clip(part * (1 - cover) + shaded * cover, 0, 255).astype(np.uint8)
    owner[y0:y1, x0:x1][mask > 127] = -2


def finger(
    picture: Picture, owner: NDArray[np.int16], skin: Skin, root: Vector, tip: Vector, radius_px: float, rng: Rng
) -> None:
    """One finger from `root` to `tip` with a bent joint, and often a nail."""
    along = tip - root
    across = np.array([-along[1], along[0]])
    joint = root + along * rng.uniform(0.4, 0.6) + across * rng.normal(0, 0.09)
    path = np.array([root, joint, tip])
    rounded_limb(picture, owner, path, radius_px * np.array([1.1, 1.0, 0.82]), skin.tone * rng.uniform(0.92, 1.08))
    if rng.random() < 0.6 and radius_px > 2.5:
        angle = float(np.degrees(np.arctan2(*(tip - joint)[::-1])))
        size = (max(1, int(radius_px * 0.62)), max(1, int(radius_px * 0.45)))
        nail = np.clip(skin.tone * 0.8 + np.array([55, 50, 60]), 0, 255).tolist()
        cv2.ellipse(picture, (int(tip[0]), int(tip[1])), size, angle, 0, 360, nail, -1, cv2.LINE_AA)


def arm(
    picture: Picture, owner: NDArray[np.int16], skin: Skin, wrist: Vector, away: Vector, width_px: float, rng: Rng
) -> None:
    """A forearm from the wrist out of the picture in direction `away`, in a sleeve from somewhere on."""
    far = wrist + away * max(picture.shape[:2]) * 1.6
    cuff = wrist + away * width_px * rng.uniform(0.2, 3.0)
    rounded_limb(picture, owner, np.array([wrist, far]), width_px * np.array([0.42, 0.7]), skin.tone)
    if rng.random() < 0.7:
        rounded_limb(picture, owner, np.array([cuff, far]), width_px * np.array([0.56, 0.85]), skin.sleeve)


@dataclass(frozen=True, slots=True)
class Grip:
    """How a hand holds a card: from `edge` px on its rim, reaching `inward` (unit vector), of a palm `size_px`."""

    edge: Vector
    inward: Vector
    size_px: float
    skin: Skin


def any_grip(rng: Rng, quad: NDArray[np.float32]) -> Grip:
    """A grip on a random point of the card's rim, scaled to the card."""
    side = int(rng.choice(4, p=[0.1, 0.25, 0.4, 0.25]))
    a, b = quad[side].astype(float), quad[(side + 1) % 4].astype(float)
    edge = a + (b - a) * rng.uniform(0.15, 0.85)
    inward = quad.mean(axis=0) - edge
    inward /= np.hypot(*inward) + 1e-6
    turn = rng.normal(0, 0.35)
    inward = np.array(
        [inward[0] * np.cos(turn) - inward[1] * np.sin(turn), inward[0] * np.sin(turn) + inward[1] * np.cos(turn)]
    )
    long_side = float(max(np.hypot(*(quad[1] - quad[2])), np.hypot(*(quad[0] - quad[1]))))
    return Grip(edge, inward, long_side * rng.uniform(0.75, 1.15), any_skin(rng))


def palm_below(picture: Picture, owner: NDArray[np.int16], grip: Grip, rng: Rng) -> None:
    """What lies under the card: forearm, palm, and the fingers behind it whose tips may look out beyond it."""
    palm = grip.edge - grip.inward * grip.size_px * rng.uniform(0.1, 0.5)
    arm(picture, owner, grip.skin, palm - grip.inward * grip.size_px * 0.3, -grip.inward, grip.size_px * 0.6, rng)
    rounded_limb(
        picture, owner, np.array([palm - grip.inward * grip.size_px * 0.25, palm + grip.inward * grip.size_px * 0.2]),
        np.array([0.36, 0.40]) * grip.size_px, grip.skin.tone,
    )  # fmt: skip
    spread = rng.uniform(0.1, 0.5)
    reach = rng.uniform(0.5, 1.25)
    for k in range(4):
        turn = (k - 1.5) * spread
        aim = np.array(
            [
                grip.inward[0] * np.cos(turn) - grip.inward[1] * np.sin(turn),
                grip.inward[0] * np.sin(turn) + grip.inward[1] * np.cos(turn),
            ]
        )
        tip = palm + aim * grip.size_px * reach * rng.uniform(0.85, 1.1)
        finger(picture, owner, grip.skin, palm + aim * grip.size_px * 0.2, tip, grip.size_px * 0.095, rng)


def thumb_above(picture: Picture, owner: NDArray[np.int16], grip: Grip, rng: Rng) -> None:
    """The thumb, sometimes with the forefinger, on the card's face near its rim."""
    depth = rng.uniform(0.05, 0.38)
    for k in range(1 if rng.random() < 0.75 else 2):
        turn = rng.normal(0, 0.5) + 0.5 * k
        aim = np.array(
            [
                grip.inward[0] * np.cos(turn) - grip.inward[1] * np.sin(turn),
                grip.inward[0] * np.sin(turn) + grip.inward[1] * np.cos(turn),
            ]
        )
        tip = grip.edge + aim * grip.size_px * depth
        root = grip.edge - grip.inward * grip.size_px * rng.uniform(0.3, 0.5)
        finger(picture, owner, grip.skin, root, tip, grip.size_px * rng.uniform(0.09, 0.13), rng)


def reaching_arm(picture: Picture, owner: NDArray[np.int16], size_px: float, rng: Rng) -> None:
    """An arm that comes in from a side of the picture and whose hand hovers somewhere above the table."""
    h, w = picture.shape[:2]
    hand = rng.uniform(0.05, 0.95, 2) * (w, h)
    side = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(side), np.sin(side)])
    skin = any_skin(rng)
    arm(picture, owner, skin, hand, away, size_px * 0.6, rng)
    rounded_limb(
        picture, owner, np.array([hand, hand - away * size_px * 0.4]), np.array([0.34, 0.4]) * size_px, skin.tone
    )
    for k in range(5):
        turn = (k - 2) * rng.uniform(0.15, 0.35)
        aim = -np.array(
            [away[0] * np.cos(turn) - away[1] * np.sin(turn), away[0] * np.sin(turn) + away[1] * np.cos(turn)]
        )
        root = hand - away * size_px * 0.4
        finger(picture, owner, skin, root, root + aim * size_px * rng.uniform(0.4, 0.85), size_px * 0.09, rng)
