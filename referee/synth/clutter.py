"""Things on a table that are not UNO cards: devices, papers, books, mugs, cables, toys."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.synth.canvas import Canvas
from referee.synth.table_prints import marker, sprig, token
from referee.synth.typefaces import names, text_mask

Picture = NDArray[np.uint8]
Rng = np.random.Generator
BGR = tuple[int, int, int]


def flat_thing(rng: Rng, height_px: int) -> Picture:
    """A flat thing seen from above, BGRA uint8: keyboard, screen, phone, paper, book, coaster, sticker, print."""
    makers: tuple[Callable[[Rng, int], Picture], ...] = (
        keyboard, keyboard, screen, screen, phone, phone, paper, paper, book, coaster, note,
        sprig, sprig, token, marker,
    )  # fmt: skip
    return makers[int(rng.integers(len(makers)))](rng, height_px)


def _any(rng: Rng) -> BGR:
    b, g, r = (int(c) for c in rng.uniform(5, 250, 3))
    return b, g, r


def _grey(rng: Rng, low: float, high: float) -> BGR:
    level = rng.uniform(low, high)
    b, g, r = (int(np.clip(level + d, 0, 255)) for d in rng.normal(0, 4, 3))
    return b, g, r


def _sheet(rng: Rng, height_px: int, ratio: tuple[float, float], colour: BGR) -> Canvas:
    return Canvas(height_px, max(8, int(height_px * rng.uniform(*ratio))), colour)


def _done(canvas: Canvas, radius: float) -> Picture:
    return np.dstack([canvas.bgr, canvas.rounded(0.0, radius)])


def _lines_of_text(canvas: Canvas, rng: Rng, ink: BGR, span: tuple[float, float], line: float) -> None:
    right = canvas.width_px / canvas.height_px
    typefaces = names()
    typeface = typefaces[int(rng.integers(len(typefaces)))]
    for y in np.arange(*span, line * rng.uniform(1.2, 2.2)):
        if rng.random() < 0.15:
            continue
        letters = "".join(chr(int(c)) for c in rng.integers(48, 122, int(rng.integers(3, 14))))
        mask = text_mask(letters, typeface, max(3, canvas.px(line)))
        canvas.paint(canvas.placed(mask, (rng.uniform(0.2, 0.8) * right, float(y))), ink)


def keyboard(rng: Rng, height_px: int) -> Picture:
    """A keyboard or part of a laptop: rows of keys on a dark or silver body."""
    canvas = _sheet(rng, height_px, (1.2, 2.6), _grey(rng, 20, 215))
    key, ink = _grey(rng, 12, 70), _grey(rng, 150, 250)
    right = canvas.width_px / canvas.height_px
    rows, size = int(rng.integers(4, 7)), rng.uniform(0.11, 0.16)
    for row in range(rows):
        x = 0.05 + 0.3 * size * row % size
        while x < right - size:
            wide = size * (1.0 if rng.random() < 0.85 else 1.9)
            y = 0.06 + row * size
            corners = [(x, y), (x + wide * 0.88, y), (x + wide * 0.88, y + size * 0.86), (x, y + size * 0.86)]
            canvas.paint(canvas.polygon(corners), key)
            spot = (int((x + 0.3 * wide) * height_px), int((y + 0.55 * size) * height_px))
            letter = chr(int(rng.integers(48, 91)))
            cv2.putText(canvas.bgr, letter, spot, 0, height_px * 0.0016, ink, 1, cv2.LINE_AA)
            x += wide
    return _done(canvas, 0.03)


def screen(rng: Rng, height_px: int) -> Picture:
    """A monitor or tablet: a frame with windows and lines of text."""
    canvas = _sheet(rng, height_px, (1.2, 1.9), _grey(rng, 8, 60))
    right = canvas.width_px / canvas.height_px
    shown = _grey(rng, 5, 60) if rng.random() < 0.5 else (_any(rng) if rng.random() < 0.5 else _grey(rng, 180, 250))
    inner = [(0.05, 0.05), (right - 0.05, 0.05), (right - 0.05, 0.93), (0.05, 0.93)]
    canvas.paint(canvas.polygon(inner), shown)
    for _ in range(int(rng.integers(0, 4))):
        x, y = rng.uniform(0.06, right - 0.3), rng.uniform(0.06, 0.6)
        w, h = rng.uniform(0.1, 0.5), rng.uniform(0.08, 0.3)
        canvas.paint(canvas.polygon([(x, y), (x + w, y), (x + w, y + h), (x, y + h)]), _any(rng))
    ink = (230, 235, 235) if sum(shown) < 380 else (40, 35, 35)
    _lines_of_text(canvas, rng, ink, (0.12, 0.9), rng.uniform(0.02, 0.05))
    return _done(canvas, 0.02)


def phone(rng: Rng, height_px: int) -> Picture:
    """A phone, front or back."""
    canvas = _sheet(rng, height_px, (0.45, 0.56), _grey(rng, 5, 60) if rng.random() < 0.6 else _any(rng))
    right = canvas.width_px / canvas.height_px
    if rng.random() < 0.5:
        canvas.paint(canvas.rounded(0.02, 0.06), _any(rng))
        _lines_of_text(canvas, rng, _grey(rng, 0, 255), (0.1, 0.9), 0.035)
    else:
        canvas.paint(canvas.ellipse((right * 0.3, 0.1), (0.04, 0.04), 0), _grey(rng, 0, 90))
        canvas.paint(canvas.ellipse((right * 0.3, 0.2), (0.04, 0.04), 0), _grey(rng, 0, 90))
    return _done(canvas, 0.07)


def paper(rng: Rng, height_px: int) -> Picture:
    """A sheet of paper, a score pad, an envelope or a bank card."""
    canvas = _sheet(rng, height_px, (0.6, 1.6), _grey(rng, 205, 250))
    right = canvas.width_px / canvas.height_px
    if rng.random() < 0.4:
        for y in np.arange(0.08, 0.97, rng.uniform(0.04, 0.09)):
            canvas.paint(canvas.stroke([(0.03, float(y)), (right - 0.03, float(y))], 0.004), (210, 170, 140))
    _lines_of_text(canvas, rng, _grey(rng, 10, 120), (0.08, 0.95), rng.uniform(0.025, 0.09))
    return _done(canvas, rng.uniform(0.0, 0.03))


def book(rng: Rng, height_px: int) -> Picture:
    """A book or a box with a title, bands and shapes, in loud colours."""
    canvas = _sheet(rng, height_px, (0.55, 1.1), _any(rng))
    right = canvas.width_px / canvas.height_px
    for _ in range(int(rng.integers(1, 5))):
        if rng.random() < 0.4:
            half = (rng.uniform(0.05, 0.3), rng.uniform(0.05, 0.3))
            canvas.paint(
                canvas.ellipse((rng.uniform(0, right), rng.uniform(0, 1)), half, rng.uniform(0, 90)), _any(rng)
            )
        else:
            y = rng.uniform(0, 0.9)
            h = rng.uniform(0.03, 0.3)
            canvas.paint(canvas.polygon([(0.0, y), (right, y), (right, y + h), (0.0, y + h)]), _any(rng))
    _lines_of_text(canvas, rng, _any(rng), (0.12, 0.9), rng.uniform(0.06, 0.2))
    return _done(canvas, 0.01)


def coaster(rng: Rng, height_px: int) -> Picture:
    """A round thing seen from above: coaster, mug, coin, lid, counter."""
    canvas = Canvas(height_px, height_px, _any(rng) if rng.random() < 0.5 else _grey(rng, 20, 245))
    for half in np.sort(rng.uniform(0.1, 0.48, int(rng.integers(1, 4))))[::-1]:
        canvas.paint(
            canvas.ellipse((0.5, 0.5), (half, half), 0), _any(rng) if rng.random() < 0.4 else _grey(rng, 10, 245)
        )
    return np.dstack([canvas.bgr, canvas.ellipse((0.5, 0.5), (0.5, 0.5), 0)])


def note(rng: Rng, height_px: int) -> Picture:
    """A sticky note, tile or plain coloured card without white oval or corner signs."""
    canvas = _sheet(rng, height_px, (0.5, 1.1), _any(rng))
    if rng.random() < 0.4:
        _lines_of_text(canvas, rng, _grey(rng, 10, 60), (0.2, 0.9), rng.uniform(0.05, 0.12))
    return _done(canvas, rng.uniform(0, 0.05))


def cable(picture: Picture, rng: Rng) -> None:
    """Draw a cable or a pen across the picture."""
    h, w = picture.shape[:2]
    if rng.random() < 0.7:
        t = np.linspace(0, 1, 40)[:, None]
        a, b, c, d = (rng.uniform(-0.2, 1.2, 2) * (w, h) for _ in range(4))
        path = (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
        colour = _grey(rng, 5, 60) if rng.random() < 0.7 else _grey(rng, 190, 245)
    else:
        a = rng.uniform(0, 1, 2) * (w, h)
        path = np.array([a, a + rng.normal(0, 0.25, 2) * (w, h)])
        colour = _any(rng)
    thick = max(1, int(h * rng.uniform(0.006, 0.025)))
    cv2.polylines(picture, [path.astype(np.int32)], False, colour, thick, cv2.LINE_AA)
    shine = tuple(min(255, c + 50) for c in colour)
    cv2.polylines(picture, [(path - thick * 0.2).astype(np.int32)], False, shine, max(1, thick // 4), cv2.LINE_AA)
