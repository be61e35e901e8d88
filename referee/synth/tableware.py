"""Things that stand on a drawn table besides the cards: a cup of coffee, a score pad with its pencil."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.synth.surfaces import smooth_noise
from referee.synth.tabletop import Layout, Point

Image = NDArray[np.uint8]

_SHIFT = 4  # cv2 draws at sixteenths of a pixel
_LIGHT: Point = (-0.62, -0.78)


def set_table(top: Image, layout: Layout, seed: int) -> Image:
    """The table top with a cup and a score pad at the free side, right of the piles; a new picture.

    A table of four has no free side: the picture is returned as it is.
    """
    if any(place.edge == "right" for place in layout.seats):
        return top
    picture = top.copy()
    width, height = layout.size_px
    mm = layout.px_per_mm
    rng = np.random.default_rng([73, seed])
    _draw_pad(picture, (width - 64 * mm, height * 0.56), mm, float(rng.normal(7, 3)), rng)
    _draw_cup(picture, (width - 70 * mm, height * 0.27), mm, rng)
    return picture


def _draw_cup(picture: Image, at: Point, mm: float, rng: np.random.Generator) -> None:
    _shade(picture, at, 40 * mm, 9 * mm)
    handle = rng.uniform(20, 60)
    turn = np.radians(handle)
    grip = (at[0] + 50 * mm * np.cos(turn), at[1] + 50 * mm * np.sin(turn))
    glaze = (198, 206, 208)
    cv2.line(picture, _fixed(at), _fixed(grip), (150, 158, 162), round(13 * mm), cv2.LINE_AA, _SHIFT)
    cv2.line(picture, _fixed(at), _fixed(grip), glaze, round(10 * mm), cv2.LINE_AA, _SHIFT)
    for radius, colour in ((40, (140, 148, 152)), (39, glaze), (37.2, (226, 232, 234)), (34.5, (120, 128, 134))):
        _disc(picture, at, radius * mm, colour)
    _disc(picture, (at[0] + 1.2 * mm, at[1] + 1.5 * mm), 32.5 * mm, (22, 40, 66))
    _disc(picture, (at[0] + 2.5 * mm, at[1] + 3 * mm), 29 * mm, (26, 48, 80))
    gleam = np.zeros(picture.shape[:2], np.float32)
    axes = (round(21 * mm), round(19 * mm))
    cv2.ellipse(gleam, (round(at[0]), round(at[1])), axes, 0, 205, 250, 1.0, round(2.4 * mm), cv2.LINE_AA)
    _lighten(picture, cv2.GaussianBlur(gleam, (0, 0), 1.5 * mm), 90)


def _draw_pad(picture: Image, at: Point, mm: float, turn_deg: float, rng: np.random.Generator) -> None:
    """A pad of 74 mm by 105 mm with ruled lines, three columns of written numbers, and a pencil on it."""
    oversampling = 3
    scale = mm * oversampling
    wide, high = round(74 * scale), round(105 * scale)
    pad = np.full((high, wide, 3), (206, 228, 236), np.float32)
    pad *= 1 + 0.012 * smooth_noise((wide, high), (3 * scale, 3 * scale), rng)[..., None]
    for row in np.arange(20, 104, 7.0):
        cv2.line(pad, (0, round(row * scale)), (wide, round(row * scale)), (196, 176, 150), oversampling, cv2.LINE_AA)
    cv2.line(pad, (0, round(13 * scale)), (wide, round(13 * scale)), (90, 80, 170), oversampling, cv2.LINE_AA)
    for column in (24.5, 49):
        x = round(column * scale)
        cv2.line(pad, (x, round(13 * scale)), (x, high), (190, 170, 150), oversampling, cv2.LINE_AA)
    for number, column in enumerate((3, 28, 53)):
        _write(pad, (column * scale, 9.5 * scale), "ABC"[number], 6.5 * scale, rng)
        for row in range(3):
            text = str(int(rng.integers(12, 99)))
            _write(pad, ((column + 3) * scale, (18.6 + 7 * row) * scale), text, 4.6 * scale, rng)
    turn = np.radians(turn_deg)
    cos, sin = np.cos(turn) / oversampling, np.sin(turn) / oversampling
    matrix = np.array(
        [
            [cos, -sin, at[0] - cos * wide / 2 + sin * high / 2],
            [sin, cos, at[1] - sin * wide / 2 - cos * high / 2],
        ],
        np.float32,
    )
    size = (picture.shape[1], picture.shape[0])
    share = cv2.warpAffine(np.ones((high, wide), np.float32), matrix, size, flags=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(share, (0, 0), 2.2 * mm)
    shadow = cv2.warpAffine(soft, np.array([[1, 0, 2.4 * mm], [0, 1, 3 * mm]], np.float32), size)
    _darken(picture, shadow, 0.45)
    soft_pad = cv2.GaussianBlur(pad, (0, 0), oversampling * 0.4)
    seen = cv2.warpAffine(soft_pad, matrix, size, flags=cv2.INTER_LINEAR)
    picture[:] = np.clip(picture * (1 - share[..., None]) + seen * share[..., None], 0, 255).astype(np.uint8)
    _draw_pencil(picture, (at[0] + 4 * mm, at[1] + 22 * mm), mm, turn_deg - 62)


def _draw_pencil(picture: Image, at: Point, mm: float, turn_deg: float) -> None:
    turn = np.radians(turn_deg)
    along = np.array((np.sin(turn), -np.cos(turn)))
    across = np.array((-along[1], along[0]))

    def point(by_mm: float, aside_mm: float = 0.0) -> tuple[float, float]:
        x, y = np.asarray(at) + along * by_mm * mm + across * aside_mm * mm
        return float(x), float(y)

    shadow = np.zeros(picture.shape[:2], np.float32)
    shifted = [(x + 2 * mm, y + 2.6 * mm) for x, y in (point(-42), point(40))]
    cv2.line(shadow, _fixed(shifted[0]), _fixed(shifted[1]), 1.0, round(7 * mm), cv2.LINE_AA, _SHIFT)
    _darken(picture, cv2.GaussianBlur(shadow, (0, 0), 1.3 * mm), 0.4)
    for aside, colour in ((-2.2, (60, 176, 222)), (0.0, (44, 152, 206)), (2.2, (26, 112, 164))):
        body = [point(-44, aside - 1.25), point(34, aside - 1.25), point(34, aside + 1.25), point(-44, aside + 1.25)]
        _fill(picture, body, colour)
    _fill(picture, [point(34, -3.4), point(45, -0.6), point(45, 0.6), point(34, 3.4)], (150, 190, 216))
    _fill(picture, [point(42.5, -1.2), point(46.5, 0), point(42.5, 1.2)], (50, 50, 54))
    _fill(picture, [point(-44, -3.4), point(-44, 3.4), point(-49, 3.4), point(-49, -3.4)], (150, 156, 160))
    _fill(picture, [point(-49, -3.2), point(-49, 3.2), point(-54, 3.0), point(-54, -3.0)], (150, 140, 214))


def _write(pad: NDArray[np.float32], at: Point, text: str, size_px: float, rng: np.random.Generator) -> None:
    layer = np.zeros(pad.shape[:2], np.uint8)
    scale = size_px / 21
    where = (round(at[0]), round(at[1] + rng.normal(0, size_px * 0.06)))
    cv2.putText(
        layer, text, where, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, scale, 255, max(1, round(size_px / 13)), cv2.LINE_AA
    )
    pad *= 1 - 0.72 * (layer.astype(np.float32) / 255)[..., None]


def _shade(picture: Image, at: Point, radius: float, away: float) -> None:
    shadow = np.zeros(picture.shape[:2], np.float32)
    cv2.circle(
        shadow,
        _fixed((at[0] - _LIGHT[0] * away, at[1] - _LIGHT[1] * away)),
        round(radius * 16),
        1.0,
        -1,
        cv2.LINE_AA,
        _SHIFT,
    )
    _darken(picture, cv2.GaussianBlur(shadow, (0, 0), away * 0.6), 0.5)


def _disc(picture: Image, at: Point, radius: float, colour: tuple[int, int, int]) -> None:
    cv2.circle(picture, _fixed(at), round(radius * 16), colour, -1, cv2.LINE_AA, _SHIFT)


def _fill(picture: Image, corners: list[tuple[float, float]], colour: tuple[int, int, int]) -> None:
    cv2.fillConvexPoly(picture, np.array([_fixed(c) for c in corners], np.int32), colour, cv2.LINE_AA, _SHIFT)


def _fixed(at: Point) -> tuple[int, int]:
    return round(at[0] * 16), round(at[1] * 16)


def _darken(picture: Image, share: NDArray[Any], strength: float) -> None:
    picture[:] = (picture * (1 - strength * share[..., None])).astype(np.uint8)


def _lighten(picture: Image, share: NDArray[Any], by: float) -> None:
    picture[:] = np.clip(picture + by * share[..., None], 0, 255).astype(np.uint8)
