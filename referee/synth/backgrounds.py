"""What lies under and behind the cards: light tables, wood, cloth, prints, dark and glass tops, rooms."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Field = NDArray[np.float32]
Rng = np.random.Generator


def background(rng: Rng, width_px: int, height_px: int) -> Picture:
    """A background BGR uint8 (height_px, width_px, 3) of one of the kinds below, drawn from `rng`."""
    kinds: tuple[tuple[Callable[[Rng, int, int], Field], float], ...] = (
        (light_table, 0.22),
        (wood, 0.22),
        (cloth, 0.12),
        (print_cloth, 0.12),
        (dark_top, 0.10),
        (room, 0.16),
        (stone, 0.06),
    )
    weights = np.array([w for _, w in kinds])
    kind = kinds[int(rng.choice(len(kinds), p=weights / weights.sum()))][0]
    return np.clip(kind(rng, width_px, height_px), 0, 255).astype(np.uint8)


def waves(rng: Rng, w: int, h: int, *, cell_px: tuple[float, float], amount: float, channels: int = 1) -> Field:
    """Smooth random variation (h, w, channels) with bumps about `cell_px` (x, y) wide."""
    shape = (max(2, int(h / cell_px[1]) + 1), max(2, int(w / cell_px[0]) + 1), channels)
    grid = rng.normal(0, amount, shape).astype(np.float32)
    smooth = cv2.resize(grid, (w, h), interpolation=cv2.INTER_CUBIC)
    return np.asarray(smooth, np.float32).reshape(h, w, channels)


def plain(rng: Rng, w: int, h: int, colour: NDArray[np.float64], unevenness: float) -> Field:
    """An even surface with a slow drift of brightness."""
    reach = max(w, h) * rng.uniform(0.3, 1.2)
    base = np.ones((h, w, 3), np.float32) * colour.astype(np.float32)
    return base + waves(rng, w, h, cell_px=(reach, reach), amount=unevenness)


def _greyish(rng: Rng, low: float, high: float, spread: float) -> NDArray[np.float64]:
    return rng.uniform(low, high) + rng.normal(0, spread, 3)


def light_table(rng: Rng, w: int, h: int) -> Field:
    """White, grey or cream table top or wall."""
    # On a sheet as white as a card's border only the printed field shows where the card ends.
    low, high = (225, 250) if rng.random() < 0.35 else (150, 245)
    top = plain(rng, w, h, _greyish(rng, low, high, 5), rng.uniform(1, 12))
    return top + waves(rng, w, h, cell_px=(2, 2), amount=rng.uniform(0, 3))


def wood(rng: Rng, w: int, h: int) -> Field:
    """Wood with grain, sometimes in planks."""
    side = int(np.hypot(w, h)) + 4
    tones = np.array([[120, 165, 200], [70, 110, 160], [40, 65, 105], [150, 185, 205], [95, 120, 140]], np.float64)
    tone = tones[int(rng.integers(len(tones)))] * rng.uniform(0.6, 1.2) + rng.normal(0, 8, 3)
    board = plain(rng, side, side, tone, rng.uniform(2, 10))
    grain = waves(rng, side, side, cell_px=(rng.uniform(60, 240), rng.uniform(1.5, 7)), amount=rng.uniform(4, 22))
    fine = waves(rng, side, side, cell_px=(rng.uniform(20, 60), 1.2), amount=rng.uniform(2, 10))
    board += grain + fine
    if rng.random() < 0.45:
        plank = rng.uniform(0.12, 0.5) * side
        for i, y in enumerate(np.arange(rng.uniform(0, plank), side, plank)):
            board[int(y) :] += rng.normal(0, 7) * (-1) ** i
            cv2.line(board, (0, int(y)), (side, int(y)), (tone * 0.5).tolist(), int(rng.integers(1, 3)), cv2.LINE_AA)
    angle = float(rng.choice([0, 90])) if rng.random() < 0.3 else float(rng.uniform(0, 180))
    spun = cv2.warpAffine(board, cv2.getRotationMatrix2D((side / 2, side / 2), angle, 1.02), (side, side))
    y0, x0 = (side - h) // 2, (side - w) // 2
    middle = np.asarray(spun[y0 : y0 + h, x0 : x0 + w], np.float32)
    middle[middle.sum(axis=2) == 0] = tone
    return middle


def cloth(rng: Rng, w: int, h: int) -> Field:
    """Woven cloth of any colour: often red, green or blue like the cards themselves."""
    colours = np.array([[40, 35, 190], [60, 120, 50], [150, 80, 30], [40, 190, 220], [60, 60, 60]], np.float64)
    dyed = rng.random() < 0.6
    colour = colours[int(rng.integers(5))] + rng.normal(0, 18, 3) if dyed else rng.uniform(20, 230, 3)
    sheet = plain(rng, w, h, colour, rng.uniform(3, 14))
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    period = rng.uniform(2.5, 8)
    weave = np.sin(xx * (2 * np.pi / period)) + np.sin(yy * (2 * np.pi / period))
    sheet += weave[..., None] * np.float32(rng.uniform(0, 6))
    sheet += waves(rng, w, h, cell_px=(1.5, 1.5), amount=rng.uniform(1, 9))
    for _ in range(int(rng.poisson(1.2))):
        fold = waves(rng, w, h, cell_px=(w * rng.uniform(0.1, 0.5), h * rng.uniform(0.1, 0.5)), amount=1.0)
        sheet *= 1 + np.tanh(fold) * np.float32(rng.uniform(0.03, 0.16))
    return sheet


def print_cloth(rng: Rng, w: int, h: int) -> Field:
    """Cloth with a printed repeat: leaves, squares in squares, checks, stripes, dots."""
    base, ink = _greyish(rng, 90, 225, 14), rng.uniform(20, 220, 3)
    if rng.random() < 0.5:
        ink = ink.mean() + (ink - ink.mean()) * 0.2
    sheet = plain(rng, w, h, base, rng.uniform(2, 8))
    figure = np.zeros((h, w), np.uint8)
    step = rng.uniform(0.10, 0.5) * h
    style = int(rng.integers(5))
    lean = rng.uniform(0, 90)
    for y in np.arange(-step, h + step, step):
        for x in np.arange(-step, w + step, step):
            cx, cy = x + rng.normal(0, 0.03 * step), y + rng.normal(0, 0.03 * step)
            _figure(figure, rng, style, (cx, cy), 0.42 * step, lean=lean)
    if rng.random() < 0.5:
        worn = waves(rng, w, h, cell_px=(4, 4), amount=1.0)[..., 0]
        figure[worn > 0.7] = 0
    soft = cv2.GaussianBlur(figure, (0, 0), 0.6).astype(np.float32)[..., None] / 255
    soft *= np.float32(rng.uniform(0.4, 1.0))
    sheet = np.asarray(sheet * (1 - soft) + ink * soft, np.float32)
    return np.asarray(sheet + waves(rng, w, h, cell_px=(2, 2), amount=rng.uniform(0, 7)), np.float32)


def _figure(sheet: Picture, rng: Rng, style: int, centre: tuple[float, float], size: float, *, lean: float) -> None:
    x, y = int(centre[0]), int(centre[1])
    if style == 0:
        for k in range(int(rng.integers(3, 7))):
            turn = lean + 360 * k / 6 + rng.normal(0, 12)
            tip = (int(x + 0.5 * size * np.cos(np.radians(turn))), int(y + 0.5 * size * np.sin(np.radians(turn))))
            cv2.ellipse(sheet, tip, (max(1, int(0.5 * size)), max(1, int(0.18 * size))), turn, 0, 360, 255, -1)
    elif style == 1:
        for part in (1.0, 0.72, 0.4):
            box = cv2.boxPoints(
                ((float(x), float(y)), (2 * size * part, 2 * size * part), lean if size > 30 else 45.0)
            )
            cv2.polylines(sheet, [box.astype(np.int32)], True, 255, max(1, int(size * 0.09)), cv2.LINE_AA)
        cv2.circle(sheet, (x, y), max(1, int(size * 0.16)), 255, -1)
    elif style == 2:
        cv2.rectangle(sheet, (x, y), (int(x + size * 1.2), int(y + size * 1.2)), 255, -1)
    elif style == 3:
        cv2.line(sheet, (x, -9), (x, 9999), 255, max(1, int(size * 0.5)))
    else:
        cv2.circle(sheet, (x, y), max(1, int(size * 0.4)), 255, -1 if rng.random() < 0.7 else 2)


def dark_top(rng: Rng, w: int, h: int) -> Field:
    """Dark table, black cloth or a glass top with reflections."""
    top = plain(rng, w, h, _greyish(rng, 8, 70, 5), rng.uniform(1, 9))
    top += waves(rng, w, h, cell_px=(1.3, 1.3), amount=rng.uniform(0, 6))
    if rng.random() < 0.4:
        for _ in range(int(rng.integers(1, 4))):
            shine = np.zeros((h, w), np.float32)
            box = cv2.boxPoints(
                (
                    (float(rng.uniform(0, w)), float(rng.uniform(0, h))),
                    (float(rng.uniform(0.1, 0.9) * w), float(rng.uniform(0.05, 0.4) * h)),
                    float(rng.uniform(0, 180)),
                )
            )
            cv2.fillPoly(shine, [box.astype(np.int32)], 1.0)
            soft = cv2.GaussianBlur(shine, (0, 0), float(rng.uniform(1, 0.08 * h)))
            top += np.asarray(soft, np.float32)[..., None] * np.float32(rng.uniform(15, 110))
    return top


def stone(rng: Rng, w: int, h: int) -> Field:
    """Stone, terrazzo, tiles or carpet."""
    top = plain(rng, w, h, _greyish(rng, 40, 220, 10), rng.uniform(2, 9))
    for cell in (rng.uniform(2, 5), rng.uniform(6, 20)):
        top += waves(rng, w, h, cell_px=(cell, cell), amount=rng.uniform(2, 16), channels=3 if cell > 9 else 1)
    if rng.random() < 0.5:
        step, joint = rng.uniform(0.15, 0.5) * h, _greyish(rng, 60, 200, 3).tolist()
        for at in np.arange(rng.uniform(0, step), max(w, h), step):
            cv2.line(top, (int(at), 0), (int(at), h), joint, 2)
            cv2.line(top, (0, int(at)), (w, int(at)), joint, 2)
    return top


def room(rng: Rng, w: int, h: int) -> Field:
    """A room behind a held card: walls, door and window frames, shelves, lamps, out of focus."""
    view = plain(rng, w, h, _greyish(rng, 40, 215, 8), rng.uniform(2, 10))
    for _ in range(int(rng.integers(4, 16))):
        colour = _greyish(rng, 10, 250, 6) if rng.random() < 0.75 else rng.uniform(10, 240, 3)
        wide, high = rng.uniform(0.03, 0.8) * w, rng.uniform(0.03, 0.8) * h
        lean = float(rng.normal(0, 5) + (rng.uniform(0, 90) if rng.random() < 0.2 else 0))
        place = (float(rng.uniform(0, w)), float(rng.uniform(0, h)))
        box = cv2.boxPoints((place, (float(wide), float(high)), lean)).astype(np.int32)
        if rng.random() < 0.6:
            cv2.fillPoly(view, [box], colour.tolist(), cv2.LINE_AA)
        if rng.random() < 0.5:
            edge = (colour * rng.uniform(0.4, 1.4)).tolist()
            cv2.polylines(view, [box], True, edge, int(rng.integers(1, 7)), cv2.LINE_AA)
    for _ in range(int(rng.poisson(1.0))):
        lamp = (int(rng.uniform(0, w)), int(rng.uniform(0, h)))
        cv2.ellipse(
            view, lamp, (int(w * 0.08), int(h * 0.03)), float(rng.uniform(0, 90)), 0, 360, (255, 255, 255), -1
        )
    if rng.random() < 0.6:
        view = np.asarray(cv2.GaussianBlur(view, (0, 0), float(rng.uniform(0.6, 5))), np.float32)
    return view
