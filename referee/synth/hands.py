"""Drawn hands and arms: fingers that grip a card, palms under it, sleeves across the table."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Vector = NDArray[np.float64]
Rng = np.random.Generator
HAND = -2
"""What an owner map holds where a hand or arm covers the table."""


@dataclass(frozen=True, slots=True)
class Skin:
    """Colour of a hand and of the sleeve on its arm, BGR 0..255."""

    tone: Vector
    sleeve: Vector


@dataclass(frozen=True, slots=True)
class Grip:
    """How a hand holds a card: from `edge` px on its rim, reaching `inward` (unit vector), of a palm `size_px`."""

    edge: Vector
    inward: Vector
    size_px: float


def any_skin(rng: Rng) -> Skin:
    """A skin tone from dark to pale, and a sleeve of any colour."""
    depth = rng.uniform(0, 1)
    tone = (1 - depth) * np.array([45, 62, 100]) + depth * np.array([165, 190, 232])
    tone = tone * rng.uniform(0.75, 1.15) + rng.normal(0, 7, 3)
    sleeve = rng.uniform(10, 235, 3) if rng.random() < 0.5 else rng.uniform(10, 235) + rng.normal(0, 8, 3)
    return Skin(tone, sleeve)


def any_grip(rng: Rng, quad: NDArray[np.float32]) -> Grip:
    """A grip on a random point of the card's rim, scaled to the card."""
    side = int(rng.choice(4, p=[0.1, 0.25, 0.4, 0.25]))
    a, b = quad[side].astype(float), quad[(side + 1) % 4].astype(float)
    edge = a + (b - a) * rng.uniform(0.15, 0.85)
    inward = quad.mean(axis=0) - edge
    inward = _turned(inward / (np.hypot(*inward) + 1e-6), rng.normal(0, 0.35))
    long_side = float(max(np.hypot(*(quad[1] - quad[2])), np.hypot(*(quad[0] - quad[1]))))
    return Grip(edge, inward, long_side * rng.uniform(0.75, 1.15))


def _turned(vector: Vector, radians: float) -> Vector:
    c, s = np.cos(radians), np.sin(radians)
    return np.array([vector[0] * c - vector[1] * s, vector[0] * s + vector[1] * c])


class HandPainter:
    """Paints one person's hand into a picture and marks what it covers in the owner map (int16, same size)."""

    def __init__(self, picture: Picture, owner: NDArray[np.int16], rng: Rng) -> None:
        self._picture = picture
        self._owner = owner
        self._rng = rng
        self._skin = any_skin(rng)

    def limb(self, path: Vector, radii_px: Vector, colour: Vector) -> None:
        """Paint a limb along `path` (n, 2) px with a radius at every point, darker towards its sides."""
        h, w = self._picture.shape[:2]
        low = np.floor((path - radii_px[:, None]).min(axis=0) - 2).astype(int)
        high = np.ceil((path + radii_px[:, None]).max(axis=0) + 3).astype(int)
        x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(w, high[0]), min(h, high[1])
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        for (a, ra), (b, rb) in itertools.pairwise(zip(path - (x0, y0), radii_px, strict=True)):
            along = b - a
            across = np.array([-along[1], along[0]]) / (np.hypot(*along) + 1e-6)
            sides = np.array([a + across * ra, b + across * rb, b - across * rb, a - across * ra])
            cv2.fillConvexPoly(mask, sides.astype(np.int32), 255, cv2.LINE_AA)
        for point, radius in zip(path - (x0, y0), radii_px, strict=True):
            cv2.circle(mask, (int(point[0]), int(point[1])), max(1, int(radius)), 255, -1, cv2.LINE_AA)
        depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
        lit = 0.55 + 0.45 * np.sqrt(np.clip(depth / max(1.0, float(radii_px.mean())), 0, 1))
        cover = mask.astype(np.float32)[..., None] / 255
        part = self._picture[y0:y1, x0:x1]
        shaded = colour.astype(np.float32) * lit[..., None]
        part[:] = np.clip(part * (1 - cover) + shaded * cover, 0, 255).astype(np.uint8)
        self._owner[y0:y1, x0:x1][mask > 127] = HAND

    def finger(self, root: Vector, tip: Vector, radius_px: float) -> None:
        """One finger from `root` to `tip` with a bent joint, and often a nail."""
        rng, along = self._rng, tip - root
        joint = root + along * rng.uniform(0.4, 0.6) + np.array([-along[1], along[0]]) * rng.normal(0, 0.09)
        radii = radius_px * np.array([1.1, 1.0, 0.82])
        self.limb(np.array([root, joint, tip]), radii, self._skin.tone * rng.uniform(0.92, 1.08))
        if rng.random() < 0.6 and radius_px > 2.5:
            angle = float(np.degrees(np.arctan2(*(tip - joint)[::-1])))
            size = (max(1, int(radius_px * 0.62)), max(1, int(radius_px * 0.45)))
            nail = np.clip(self._skin.tone * 0.8 + np.array([55, 50, 60]), 0, 255).tolist()
            cv2.ellipse(self._picture, (int(tip[0]), int(tip[1])), size, angle, 0, 360, nail, -1, cv2.LINE_AA)

    def arm(self, wrist: Vector, away: Vector, width_px: float) -> None:
        """A forearm from the wrist out of the picture in direction `away`, in a sleeve from somewhere on."""
        far = wrist + away * max(self._picture.shape[:2]) * 1.6
        cuff = wrist + away * width_px * self._rng.uniform(0.2, 3.0)
        self.limb(np.array([wrist, far]), width_px * np.array([0.42, 0.7]), self._skin.tone)
        if self._rng.random() < 0.7:
            self.limb(np.array([cuff, far]), width_px * np.array([0.56, 0.85]), self._skin.sleeve)

    def palm_below(self, grip: Grip) -> None:
        """What lies under the card: forearm, palm, and fingers behind it whose tips may look out beyond it."""
        rng, size = self._rng, grip.size_px
        palm = grip.edge - grip.inward * size * rng.uniform(0.1, 0.5)
        self.arm(palm - grip.inward * size * 0.3, -grip.inward, size * 0.6)
        heel, front = palm - grip.inward * size * 0.25, palm + grip.inward * size * 0.2
        self.limb(np.array([heel, front]), np.array([0.36, 0.40]) * size, self._skin.tone)
        spread, reach = rng.uniform(0.1, 0.5), rng.uniform(0.5, 1.25)
        for k in range(4):
            aim = _turned(grip.inward, (k - 1.5) * spread)
            tip = palm + aim * size * reach * rng.uniform(0.85, 1.1)
            self.finger(palm + aim * size * 0.2, tip, size * 0.095)

    def thumb_above(self, grip: Grip) -> None:
        """The thumb, sometimes with the forefinger, on the card's face near its rim."""
        rng, size = self._rng, grip.size_px
        depth = rng.uniform(0.05, 0.38)
        for k in range(1 if rng.random() < 0.75 else 2):
            aim = _turned(grip.inward, rng.normal(0, 0.5) + 0.5 * k)
            root = grip.edge - grip.inward * size * rng.uniform(0.3, 0.5)
            self.finger(root, grip.edge + aim * size * depth, size * rng.uniform(0.09, 0.13))

    def touch(self, grip: Grip) -> None:
        """An arm that lays a finger on a card lying on the table."""
        self.arm(grip.edge - grip.inward * grip.size_px * 0.6, -grip.inward, grip.size_px * 0.6)
        self.thumb_above(grip)

    def reach_in(self, size_px: float) -> None:
        """An arm from a side of the picture whose hand, `size_px` long, is somewhere above the table."""
        h, w = self._picture.shape[:2]
        rng = self._rng
        hand = rng.uniform(0.05, 0.95, 2) * (w, h)
        away = _turned(np.array([1.0, 0.0]), rng.uniform(0, 2 * np.pi))
        self.arm(hand, away, size_px * 0.6)
        knuckles = hand - away * size_px * 0.4
        self.limb(np.array([hand, knuckles]), np.array([0.34, 0.4]) * size_px, self._skin.tone)
        for k in range(5):
            aim = _turned(-away, (k - 2) * rng.uniform(0.15, 0.35))
            self.finger(knuckles, knuckles + aim * size_px * rng.uniform(0.4, 0.85), size_px * 0.09)
