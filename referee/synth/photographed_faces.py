"""Faces for drawn films cut out of photographs: one picture a face, named by its code, cropped to the card.

For measuring only: films made with photographs are not to be kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards import Card
from referee.faults import InputFault
from referee.synth.faces import BACK, CARD_RATIO, draw_face, printing

_SUFFIXES = (".jpg", ".jpeg", ".png")
_HEIGHT_PX = 560
_RIM = 0.008  # of the height: what a crop may hold of the ground
_CORNER = 0.05  # radius of the rounded corners, of the card's height


def photographed_faces(folder: Path) -> Callable[[str, int], NDArray[np.uint8]]:
    """Draws faces from the photographs in a folder (`R5.jpg`, `W4.jpg`, …); what has no picture is a drawn back.

    Raises InputFault when the folder has no such picture, or, when it is drawn, for a face without one.
    """
    pictures = {path.stem: path for path in sorted(folder.glob("*")) if path.suffix.lower() in _SUFFIXES}
    known = {stem: path for stem, path in pictures.items() if _is_card(stem)}
    if not known:
        raise InputFault(
            "holds no photographed face", where=str(folder), mend="name them by their codes: R5.jpg, W4.jpg"
        )

    @lru_cache(maxsize=128)
    def cut_out(code: str) -> NDArray[np.uint8]:
        image = cv2.imread(str(known[code]), cv2.IMREAD_COLOR)
        if image is None:
            raise InputFault("is no picture", where=str(known[code]), mend="take it out of the folder")
        return _cut_out(np.asarray(image, np.uint8))

    def draw(code: str, height_px: int) -> NDArray[np.uint8]:
        if code == BACK:
            return draw_face(BACK, printing("oval"), height_px)
        if code not in known:
            raise InputFault(f"has no picture of {code}", where=str(folder), mend=f"add {code}.jpg")
        size = (round(height_px * CARD_RATIO), height_px)
        return np.asarray(cv2.resize(cut_out(code), size, interpolation=cv2.INTER_AREA), np.uint8)

    return draw


def _is_card(stem: str) -> bool:
    try:
        Card.parse(stem)
    except ValueError:
        return False
    return True


def _cut_out(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A photograph that the card fills, as BGRA with the card's rounded corners."""
    height, width = image.shape[:2]
    rim = round(_RIM * height)
    card = image[rim : height - rim, rim : width - rim]
    height = _HEIGHT_PX
    width = round(height * CARD_RATIO)
    flat = cv2.resize(card, (width, height), interpolation=cv2.INTER_AREA)
    alpha = np.zeros((height, width), np.uint8)
    radius = round(_CORNER * height)
    cv2.rectangle(alpha, (radius, 0), (width - radius - 1, height - 1), 255, -1)
    cv2.rectangle(alpha, (0, radius), (width - 1, height - radius - 1), 255, -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(alpha, (x, y), radius, 255, -1, cv2.LINE_AA)
    return np.dstack([flat, alpha]).astype(np.uint8)
