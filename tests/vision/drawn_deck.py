"""A small deck of drawn faces, and photographs of it as a camera might take them."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from referee.synth.faces import draw_face, printing
from referee.vision.deck_file import FACE_PX, Deck
from referee.vision.quads import Image

CODES = ("R6", "R9", "R1", "B7", "GS", "Y2", "W", "W4")


@cache
def face(code: str, look: int = 3, height_px: int = 192) -> Image:
    """A drawn face, its round corners white."""
    drawn = draw_face(code, printing(look), height_px).astype(np.float32)
    alpha = drawn[..., 3:] / 255
    return np.asarray(np.rint(drawn[..., :3] * alpha + 255 * (1 - alpha)), np.uint8)


@cache
def drawn_deck() -> Deck:
    """The deck `mine`: eight faces of one printing."""
    return Deck("mine", CODES, tuple(np.asarray(cv2.resize(face(c), FACE_PX), np.uint8) for c in CODES))


def loosely_cut(code: str, seed: int, look: int = 3, size_px: tuple[int, int] = (64, 96)) -> Image:
    """A crop as a reader cuts it: corners off by a few percent, darker, a little red, noisy."""
    rng = np.random.default_rng(seed)
    picture = cv2.copyMakeBorder(face(code, look), 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=(60, 90, 70))
    height, width = face(code, look).shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) + 30 + rng.normal(0, 5, (4, 2))
    w, h = size_px
    move = cv2.getPerspectiveTransform(
        corners.astype(np.float32), np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    )
    crop = cv2.warpPerspective(picture, move, size_px, flags=cv2.INTER_AREA).astype(np.float32)
    crop = crop * (0.7, 0.75, 0.85) + rng.normal(0, 4, crop.shape)
    return np.asarray(np.clip(crop, 0, 255), np.uint8)
