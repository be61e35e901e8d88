"""Ordinary playing cards: white cards with pips and courts that must not be taken for UNO cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.synth.canvas import Canvas, Mask
from referee.synth.typefaces import names, text_mask

Rng = np.random.Generator
RED = (40, 30, 190)
INK = (25, 22, 25)


def draw_playing_card(rng: Rng, height_px: int) -> NDArray[np.uint8]:
    """A random playing card, face or patterned back, as BGRA uint8 (height_px, width, 4)."""
    width = round(height_px * rng.uniform(0.64, 0.72))
    canvas = Canvas(height_px, width, (245, 247, 248))
    right = width / height_px
    if rng.random() < 0.25:
        _back(canvas, rng, right)
    else:
        _face(canvas, rng, right)
    return np.dstack([canvas.bgr, canvas.rounded(0.0, rng.uniform(0.025, 0.05))])


def _back(canvas: Canvas, rng: Rng, right: float) -> None:
    colour = tuple(int(c) for c in rng.uniform(10, 220, 3))
    field = canvas.rounded(rng.uniform(0.0, 0.05), 0.03)
    canvas.paint(field, (colour[0], colour[1], colour[2]))
    step = rng.uniform(0.03, 0.09)
    for at in np.arange(-1.0, 1.7, step):
        for lean in (1, -1):
            line = canvas.stroke([(at, 0.0 if lean > 0 else 1.0), (at + 0.9, 1.0 if lean > 0 else 0.0)], 0.007)
            canvas.paint(np.minimum(field, line), (235, 235, 235), 0.8)
    if rng.random() < 0.5:
        canvas.paint(canvas.ellipse((right / 2, 0.5), (0.15, 0.15), 0), (235, 235, 235))


def _face(canvas: Canvas, rng: Rng, right: float) -> None:
    suit = int(rng.integers(4))
    ink = RED if suit < 2 else INK
    rank = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")[int(rng.integers(13))]
    typefaces = names()
    typeface = typefaces[int(rng.integers(len(typefaces)))]
    corner = text_mask(rank, typeface, max(4, canvas.px(rng.uniform(0.08, 0.13))))
    for flip in (False, True):
        spot = (0.075, 0.095) if not flip else (right - 0.075, 0.905)
        glyph = np.ascontiguousarray(corner[::-1, ::-1]) if flip else corner
        canvas.paint(canvas.placed(glyph, spot), ink)
        canvas.paint(pip(canvas, suit, (spot[0], spot[1] + (-0.11 if flip else 0.11)), 0.06, flip), ink)
    if rank in "JQK":
        _court(canvas, rng, right, suit)
        return
    count = 1 if rank == "A" else int(rank)
    rows = {1: [1], 2: [1, 1], 3: [1, 1, 1], 4: [2, 2], 5: [2, 1, 2], 6: [2, 2, 2]}.get(
        count, [2, 2, 2, 2, count - 8]
    )
    if count == 7:
        rows = [2, 1, 2, 2]
    size = 0.26 if count == 1 else 0.13
    for r, many in enumerate(rows):
        y = 0.5 if len(rows) == 1 else 0.18 + 0.64 * r / (len(rows) - 1)
        for x in (right / 2,) if many == 1 else (right * 0.32, right * 0.68)[: max(0, many)]:
            canvas.paint(pip(canvas, suit, (x, y), size, y > 0.52), ink)


def _court(canvas: Canvas, rng: Rng, right: float, suit: int) -> None:
    """A framed picture of patches, mirrored by a half turn like a court figure."""
    frame = canvas.polygon([(0.16, 0.1), (right - 0.16, 0.1), (right - 0.16, 0.9), (0.16, 0.9)])
    inks = [(40, 40, 200), (40, 200, 235), (160, 80, 30), (30, 30, 30), (200, 215, 235)]
    for _ in range(int(rng.integers(8, 20))):
        x, y = rng.uniform(0.14, right - 0.14), rng.uniform(0.1, 0.5)
        patch = canvas.ellipse((x, y), (rng.uniform(0.02, 0.09), rng.uniform(0.02, 0.12)), rng.uniform(0, 180))
        both = np.maximum(patch, patch[::-1, ::-1])
        canvas.paint(np.minimum(frame, both), inks[int(rng.integers(len(inks)))])
    outline = canvas.stroke([(0.16, 0.1), (right - 0.16, 0.1), (right - 0.16, 0.9), (0.16, 0.9), (0.16, 0.1)], 0.006)
    canvas.paint(outline, (120, 60, 30))
    canvas.paint(pip(canvas, suit, (0.21, 0.17), 0.1, False), RED if suit < 2 else INK)


def pip(canvas: Canvas, suit: int, centre: tuple[float, float], size: float, flip: bool) -> Mask:
    """Mask of a suit sign: 0 heart, 1 diamond, 2 spade, 3 club."""
    x, y, s = centre[0], centre[1], size / 2
    up = -1.0 if flip else 1.0
    if suit == 1:
        return canvas.polygon([(x, y - s), (x + 0.75 * s, y), (x, y + s), (x - 0.75 * s, y)])
    if suit == 3:
        mask = canvas.polygon([(x, y), (x + 0.3 * s, y + up * s), (x - 0.3 * s, y + up * s)])
        for dx, dy in ((0.0, -0.45), (-0.48, 0.15), (0.48, 0.15)):
            mask = np.maximum(mask, canvas.ellipse((x + dx * s, y + up * dy * s), (0.42 * s, 0.42 * s), 0))
        return mask
    point = up if suit == 0 else -up
    mask = canvas.polygon(
        [(x - 0.88 * s, y - 0.2 * point * s), (x + 0.88 * s, y - 0.2 * point * s), (x, y + point * s)]
    )
    for dx in (-0.42, 0.42):
        mask = np.maximum(mask, canvas.ellipse((x + dx * s, y - 0.38 * point * s), (0.48 * s, 0.46 * s), 0))
    if suit == 2:
        mask = np.maximum(mask, canvas.polygon([(x, y), (x + 0.3 * s, y + up * s), (x - 0.3 * s, y + up * s)]))
    return mask
