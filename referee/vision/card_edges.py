"""Straight edges near the four sides of a straightened card: where the card may end and the table begin.

A side is looked for as a nearly straight, nearly upright line of contrast with the printed white border just inside
it. On a white table only the border's inner edge shows, and the card's edge is taken to lie a border's width outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.quads import Image

MM_PX = 2.0
"""Resolution of the straightened picture: px for a millimetre of the card."""

CARD_PX = (112, 174)
"""Size of the card in the straightened picture: 56 by 87 mm."""

MARGIN_PX = 28
"""Width of what is shown around the card."""

_BORDER_PX = 6.4
"""Width of the printed white border, 3.2 mm."""

_REACH_PX = (22, 20)
"""How far inside and outside the detected outline a side is looked for."""

_WHITE_STRIP_PX = (2, 3, 4)
"""Distances from an edge at which the white border must show."""

_BESIDE = np.array([*_WHITE_STRIP_PX, *(-step for step in _WHITE_STRIP_PX)])[:, None]

_LINES = 3
_ROWS = 40
_LEAST_SUPPORT = 0.15
_FULL_CONTRAST = 28.0
"""Difference in Lab units from which on an edge counts as clear."""

Plane = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Line:
    """A side in the straightened picture, turned so that the card lies to its right.

    start, end: its place in px across, at the first and the last row of the card; support: 0…1 of its length is edge;
    border: 0…1, how white the strip just inside it is.
    """

    start: float
    end: float
    support: float
    border: float


@dataclass(frozen=True, slots=True)
class _Grid:
    """All lines that are tried for one side, in a picture of a fixed size.

    places (p,): px across; index (r, p, p): the flat pixel of the picture that the line from places[i] to places[j]
    crosses in each of r rows; slant (p, p): what that line's lean takes from its support; inwards: what leads from a
    flat pixel to its neighbour towards the card.
    """

    places: NDArray[np.int64]
    index: NDArray[np.intp]
    slant: Plane
    inwards: int


def side_lines(patch: Image) -> list[list[Line]]:
    """The likeliest lines of the top, right, bottom and left side, for a card of CARD_PX with MARGIN_PX around it.

    patch: BGR (230, 168, 3). Lines of the first three sides are as seen with the picture turned until they lie left.
    """
    # Planes one after the other: sums over three interleaved channels are several times slower.
    light, a, b = cv2.split(cv2.cvtColor(patch, cv2.COLOR_BGR2LAB).astype(np.float32))
    lab = [light * np.float32(100 / 255), a - np.float32(128), b - np.float32(128)]
    white = _whiteness(lab).ravel()
    # Smoothed along the edges that are looked for, so that the weave of a cloth counts for less than a card's side.
    upright = _contrast([np.asarray(cv2.blur(plane, (3, 5)), np.float32) for plane in lab])
    level = _contrast([np.asarray(cv2.blur(plane, (5, 3)), np.float32).T for plane in lab]).T
    grids = [_grid(*patch.shape[:2], k) for k in range(4)]
    edges = [np.ascontiguousarray(edge).ravel() for edge in (level, upright)]
    return [_lines(edges[k % 2], white, grids[k]) for k in range(4)]


def _contrast(smooth: list[Plane]) -> Plane:
    """How clear an upright edge is at each pixel, 0…1, of three smoothed planes."""
    edge = np.zeros(smooth[0].shape, np.float32)
    squares = [np.square(plane[:, 4:] - plane[:, :-4]) for plane in smooth]
    edge[:, 2:-2] = np.minimum(np.sqrt(squares[0] + squares[1] + squares[2]) / np.float32(_FULL_CONTRAST), 1)
    return edge


def _whiteness(lab: list[Plane]) -> Plane:
    """How light and free of colour each pixel is, 0…1."""
    light = np.clip((lab[0] - np.float32(35)) / np.float32(20), 0, 1)
    plain = np.clip((np.float32(32) - cv2.magnitude(lab[1], lab[2])) / np.float32(16), 0, 1)
    return np.asarray(light * plain, np.float32)


def _lines(edge: Plane, white: Plane, grid: _Grid) -> list[Line]:
    """The likeliest lines of one side, in flat pictures of edges and of whiteness."""
    support = edge.take(grid.index).sum(axis=0) / np.float32(_ROWS) - grid.slant
    lines = []
    for _ in range(_LINES):
        i, j = divmod(int(support.argmax()), len(grid.places))
        if support[i, j] < _LEAST_SUPPORT:
            break
        start, end = int(grid.places[i]), int(grid.places[j])
        beside = white.take(grid.index[:, i, j] + _BESIDE * grid.inwards)
        inside, outside = float(beside[: len(_WHITE_STRIP_PX)].mean()), float(beside[len(_WHITE_STRIP_PX) :].mean())
        lines.append(Line(start, end, float(support[i, j]), inside))
        if inside <= 0.5 and outside >= 0.6:
            # White outside and colour inside: the inner edge of a border whose outer edge may not show at all.
            lines.append(Line(start - _BORDER_PX, end - _BORDER_PX, 0.6 * float(support[i, j]), outside))
        support[max(0, i - 4) : i + 5, max(0, j - 4) : j + 5] = -1
    return lines


@lru_cache(maxsize=8)
def _grid(height: int, width: int, side: int) -> _Grid:
    """The lines of a side (0 top, 1 right, 2 bottom, 3 left) of a picture of that size."""
    flat = np.rot90(np.arange(height * width).reshape(height, width), side + 1)
    height, width = flat.shape
    # The rounded corners of the card have no straight edge: the first and last twelfth of a side are left out.
    rows = np.linspace(MARGIN_PX, height - MARGIN_PX - 1, _ROWS + 8)[4:-4].astype(int)
    share = (rows - MARGIN_PX) / (height - 2 * MARGIN_PX)
    places = np.arange(MARGIN_PX - _REACH_PX[1], MARGIN_PX + _REACH_PX[0] + 1)
    start, end = np.meshgrid(places, places, indexing="ij")
    columns = np.rint(start + (end - start) * share[:, None, None]).astype(int)
    index = flat[rows[:, None, None], columns].astype(np.intp)
    slant = (0.0015 * np.abs(start - end)).astype(np.float32)
    return _Grid(places, index, slant, int(flat[0, 1] - flat[0, 0]))
