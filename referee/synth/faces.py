"""Drawn UNO cards: any face of any printing, seen straight on.

The pictures are our own drawings of how the printed cards are laid out; no photograph or scan is used.
"""

from __future__ import annotations

import zlib

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards import Card
from referee.synth import signs
from referee.synth.canvas import Canvas
from referee.synth.printings import Printing, printing
from referee.synth.wear import aged

__all__ = ["BACK", "CARD_RATIO", "Printing", "codes", "draw_face", "printing"]

BACK = "back"
CARD_RATIO = 56 / 87
"""Width by height of a card: 56 mm by 87 mm."""
LARGEST_SHEET_PX = 720


def codes() -> tuple[str, ...]:
    """Every code `draw_face` knows: the 57 faces and the back."""
    coloured = [c + s for c in "RYGB" for s in "0123456789SRD"]
    return (*coloured, "W", "W4", "WX", "WM", "WC", BACK)


def draw_face(code: str, printing: Printing, height_px: int) -> NDArray[np.uint8]:
    """A card's face (or `back`) as BGRA uint8 (height_px, round(height_px * 56 / 87), 4).

    The rounded corners are in the alpha channel. The same code, printing and height give the same picture.
    Raises ValueError for a code that is no card.
    """
    card = None if code == BACK else Card.parse(code)
    rng = np.random.default_rng([printing.seed, zlib.crc32(code.encode())])
    sheet_px = int(np.clip(height_px * 2, 320, max(LARGEST_SHEET_PX, height_px)))
    canvas = Canvas(sheet_px, round(sheet_px * CARD_RATIO), printing.white)
    if card is None:
        signs.draw_back(canvas, printing)
    elif card.colour is None:
        signs.draw_wild(canvas, printing, card.symbol.value, rng)
    else:
        signs.draw_coloured(canvas, printing, card.symbol.value, card.colour.value)
    worn = aged(canvas.bgr, printing, rng)
    picture = np.dstack([worn, canvas.rounded(0.0, printing.corner_radius)])
    size = (round(height_px * CARD_RATIO), height_px)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
