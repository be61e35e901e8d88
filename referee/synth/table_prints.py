"""Prints and papers that lie about on a table: leafy sprigs, tokens, printed markers, cards with a picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.synth.canvas import Canvas

Picture = NDArray[np.uint8]
Rng = np.random.Generator
BGR = tuple[int, int, int]


def _loud(rng: Rng) -> BGR:
    """A printed colour: often one of those that cards have."""
    inks: tuple[BGR, ...] = ((40, 35, 205), (30, 200, 240), (60, 150, 70), (180, 110, 30), (30, 30, 30))
    if rng.random() < 0.7:
        b, g, r = (int(np.clip(c + rng.normal(0, 18), 0, 255)) for c in inks[int(rng.integers(5))])
    else:
        b, g, r = (int(c) for c in rng.uniform(10, 240, 3))
    return b, g, r


def sprig(rng: Rng, height_px: int) -> Picture:
    """Leaves or needles about a stem, with dark outlines, on nothing: a print on the cloth."""
    canvas = Canvas(height_px, height_px, (20, 20, 20))
    cover = canvas.blank()
    ink, lean = _loud(rng), rng.uniform(0, 2 * np.pi)
    spread, count = rng.uniform(0.4, 2.8), int(rng.integers(2, 9))
    for k in range(count):
        turn = lean + spread * ((k + 0.5) / count - 0.5) + rng.normal(0, 0.1)
        along = np.array([np.cos(turn), np.sin(turn)])
        across = np.array([-along[1], along[0]])
        root = np.array([0.5, 0.5]) - 0.4 * np.array([np.cos(lean), np.sin(lean)])
        root = root + along * rng.uniform(0, 0.25)
        length, thick = rng.uniform(0.25, 0.6), rng.uniform(0.02, 0.09)
        leaf = np.array(
            [root, root + along * 0.45 * length + across * thick, root + along * length,
             root + along * 0.45 * length - across * thick]
        )  # fmt: skip
        outer = canvas.polygon(leaf)
        inner = canvas.polygon(leaf.mean(axis=0) + (leaf - leaf.mean(axis=0)) * rng.uniform(0.75, 0.95))
        canvas.paint(inner, ink)
        cover = np.maximum(cover, outer)
    return np.dstack([canvas.bgr, cover])


def token(rng: Rng, height_px: int) -> Picture:
    """A counter, bead or little figure that marks whose turn it is."""
    canvas = Canvas(height_px, height_px, _loud(rng))
    half = rng.uniform(0.3, 0.48)
    canvas.paint(canvas.ellipse((0.5, 0.5), (half * 0.8, half * 0.7), 0), _loud(rng))
    body = canvas.ellipse((0.5, 0.5), (half, half * rng.uniform(0.7, 1.0)), rng.uniform(0, 180))
    for _ in range(int(rng.integers(0, 5))):
        spot = rng.uniform(0.2, 0.8, 2)
        body = np.maximum(body, canvas.ellipse((spot[0], spot[1]), (0.12, 0.09), rng.uniform(0, 180)))
    return np.dstack([canvas.bgr, body])


def marker(rng: Rng, height_px: int) -> Picture:
    """A white sheet with a printed black square of cells, as used to find a table in a picture."""
    canvas = Canvas(height_px, round(height_px * rng.uniform(0.75, 1.1)), (240, 242, 243))
    right, half = canvas.width_px / canvas.height_px, rng.uniform(0.2, 0.36)
    left, top = right / 2 - half, 0.5 - half
    canvas.paint(_box(canvas, left, top, 2 * half), (25, 25, 28))
    cells = int(rng.integers(4, 8))
    size = 2 * half / (cells + 2)
    for row, column in np.argwhere(rng.random((cells, cells)) < 0.35):
        canvas.paint(_box(canvas, left + (column + 1) * size, top + (row + 1) * size, size), (240, 242, 243))
    return np.dstack([canvas.bgr, canvas.rounded(0.0, 0.005)])


def _box(canvas: Canvas, left: float, top: float, side: float) -> NDArray[np.uint8]:
    return canvas.polygon([(left, top), (left + side, top), (left + side, top + side), (left, top + side)])


def picture_card(rng: Rng, height_px: int) -> Picture:
    """A card of another game: rounded, mostly with a light border, a picture or a plain field, a few lines."""
    canvas = Canvas(height_px, round(height_px * rng.uniform(0.6, 0.75)), (242, 243, 244))
    right = canvas.width_px / canvas.height_px
    border = rng.uniform(0.0, 0.06)
    field = canvas.rounded(border, 0.03)
    canvas.paint(field, _loud(rng))
    if rng.random() < 0.65:
        # A painting: a few smooth patches of colour.
        cells = rng.uniform(10, 245, (int(rng.integers(2, 7)), int(rng.integers(2, 6)), 3)).astype(np.float32)
        painting = cv2.resize(cells, (canvas.width_px, canvas.height_px), interpolation=cv2.INTER_CUBIC)
        share = np.float32(rng.uniform(0.3, 1.0)) * field[..., None].astype(np.float32) / 255
        canvas.bgr[:] = np.clip(canvas.bgr * (1 - share) + painting * share, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(0, 5))):
        half = (rng.uniform(0.02, 0.2), rng.uniform(0.02, 0.2))
        at = (rng.uniform(0.1, right - 0.1), rng.uniform(0.1, 0.9))
        shape = canvas.ellipse(at, half, rng.uniform(0, 90)) if rng.random() < 0.5 else _box(canvas, *at, half[0])
        canvas.paint(np.minimum(field, shape), _loud(rng))
    if rng.random() < 0.5:
        top = rng.uniform(0.55, 0.75)
        panel = canvas.polygon([(0.07, top), (right - 0.07, top), (right - 0.07, 0.93), (0.07, 0.93)])
        canvas.paint(panel, (235, 238, 240), 0.9)
        for y in np.arange(top + 0.03, 0.9, 0.035):
            canvas.paint(
                canvas.stroke([(0.1, float(y)), (right - rng.uniform(0.1, 0.2), float(y))], 0.008), (50, 50, 55)
            )
    return np.dstack([canvas.bgr, canvas.rounded(0.0, rng.uniform(0.02, 0.05))])
