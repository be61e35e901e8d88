"""Lays turned pictures and shadows over a frame, touching only the part that they cover."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.synth.tabletop import Point

Image = NDArray[np.uint8]
Sprite = NDArray[np.float32]
Affine = NDArray[np.float32]
Box = tuple[int, int, int, int]


def turned(turn_deg: float, pivot: Point, at: Point, scale: float = 1.0) -> Affine:
    """Affine (2, 3) that turns clockwise about `pivot`, scales, and puts the pivot at `at`."""
    turn = np.radians(turn_deg)
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    return np.array(
        [
            [cos, -sin, at[0] - cos * pivot[0] + sin * pivot[1]],
            [sin, cos, at[1] - sin * pivot[0] - cos * pivot[1]],
        ],
        np.float32,
    )


def shift(x: float, y: float) -> Affine:
    """What to add to an affine (2, 3) so that it lands `x`, `y` pixels further."""
    return np.array([[0, 0, x], [0, 0, y]], np.float32)


def _region(picture: Image, shape: tuple[int, ...], matrix: Affine) -> Box | None:
    """Part of the picture that a turned sprite covers: left, top, right, bottom; None when outside."""
    height, width = shape[:2]
    corners = matrix[:, :2] @ np.array([[0, width, width, 0], [0, 0, height, height]], np.float32) + matrix[:, 2:]
    left, top = np.floor(corners.min(axis=1)).astype(int) - 1
    right, bottom = np.ceil(corners.max(axis=1)).astype(int) + 1
    left, top = max(left, 0), max(top, 0)
    right, bottom = min(right, picture.shape[1]), min(bottom, picture.shape[0])
    return None if right <= left or bottom <= top else (int(left), int(top), int(right), int(bottom))


def _warped(sprite: Sprite, matrix: Affine, box: Box) -> Sprite:
    left, top, right, bottom = box
    local = matrix + shift(-left, -top)
    return np.asarray(cv2.warpAffine(sprite, local, (right - left, bottom - top), flags=cv2.INTER_LINEAR), np.float32)


def paste(picture: Image, bgr: Sprite, alpha: Sprite, matrix: Affine) -> None:
    """Lay a sprite over the picture, in place: bgr (h, w, 3) 0..255, alpha (h, w) 0..1, moved by an affine (2, 3)."""
    box = _region(picture, alpha.shape, matrix)
    if box is None:
        return
    left, top, right, bottom = box
    share = _warped(alpha, matrix, box)[..., None]
    local = matrix + shift(-left, -top)
    colours = cv2.warpAffine(
        bgr, local, (right - left, bottom - top), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    under = picture[top:bottom, left:right]
    picture[top:bottom, left:right] = np.clip(under + share * (colours - under) + 0.5, 0, 255).astype(np.uint8)


def darken(picture: Image, shadow: Sprite, matrix: Affine, strength: float) -> None:
    """Lay a shadow (h, w) 0..1 over the picture, in place; `strength` 1 is black."""
    box = _region(picture, shadow.shape, matrix)
    if box is None:
        return
    left, top, right, bottom = box
    share = 1 - strength * _warped(shadow, matrix, box)[..., None]
    picture[top:bottom, left:right] = (picture[top:bottom, left:right] * share).astype(np.uint8)
