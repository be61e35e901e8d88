"""Moves a detected outline onto the card's true edges.

A detector's box is a rectangle, a few percent too large or turned, while a card in perspective is not. The outline is
straightened with a margin; in that picture each side of the card is a nearly straight, nearly upright line: an edge
between table and card, with the printed white border just inside it. On a white table only the border's inner edge
shows, and the card's edge is taken to lie a border's width outside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.quads import Image, Quad, area_px, grown, is_convex, length_px, straighten, upright

MM_PX = 2.0
"""Resolution of the straightened picture: px for a millimetre of the card."""

CARD_MM = (56.0, 87.0)
MARGIN_MM = 14.0
BORDER_MM = 3.2
"""Width of the printed white border."""

_REACH_MM = (11.0, 10.0)
"""How far inside and outside the detected outline a side is looked for."""

_LINES = 3
_ROUNDS = 3
_SETTLED = 0.01
"""Share of the card's length: an outline that moves less than this is settled."""

_BORDER_WEIGHT = 0.5
_CLEAR = 1.2
"""Evidence from which on an outline is taken without trying others."""

_FULL_CONTRAST = 28.0
"""Difference in Lab units from which on an edge counts as clear."""

_LAB_ZERO = np.array([0, 128, 128], np.float32)
_LAB_UNITS = np.array([100 / 255, 1, 1], np.float32)
Plane = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Line:
    """A side in the straightened picture, turned so that the card lies to its right.

    start, end: its place in px across, at the first and the last row of the card; support: 0…1 of its length is edge;
    border: 0…1, how white the strip just inside it is.
    """

    start: float
    end: float
    support: float
    border: float


@dataclass(frozen=True, slots=True)
class Outline:
    """An outline that follows edges; `evidence` 0…1.5 is how much of it is edge with white border inside."""

    quad_px: Quad
    evidence: float


def corner_candidates(image: Image, quad: Quad) -> list[Quad]:
    """`quad` as detected, then at most two outlines that follow edges near it, the likelier first.

    `quad` is clockwise with a short side first, and so are the results; the classifier has the last word. For a photo
    that was cut to the card its own frame comes last.
    """
    found = _settled(image, quad)
    if not found or found[0].evidence < _CLEAR:
        # A box that is turned or sized too far off to reach the card's sides: begin again from others like it.
        for start in _others_like(quad):
            again = _settled(image, start)
            if again and (not found or again[0].evidence > found[0].evidence):
                found = again
            if found and found[0].evidence >= _CLEAR:
                break
    candidates = [quad, *(outline.quad_px for outline in found)]
    if (frame := _picture_as_card(image, quad)) is not None:
        candidates.append(frame)
    return candidates


def _picture_as_card(image: Image, quad: Quad) -> Quad | None:
    """The whole picture as an outline when it is a photo cut to the card, whose edges then show nowhere."""
    height, width = image.shape[:2]
    ratio = min(width, height) / max(width, height) / (CARD_MM[0] / CARD_MM[1])
    if not 0.85 < ratio < 1.15 or area_px(quad) < 0.55 * width * height:
        return None
    return upright(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32))


def _settled(image: Image, quad: Quad) -> list[Outline]:
    """Outlines along edges from `quad`, followed until they no longer move; likeliest first."""
    best = quad
    found: list[Outline] = []
    for _ in range(_ROUNDS):
        found = _outlines_along_edges(image, best) or found
        if not found:
            break
        moved = float(np.abs(found[0].quad_px - best).max())
        best = found[0].quad_px
        if moved < _SETTLED * length_px(best):
            break
    return found


def _others_like(quad: Quad) -> list[Quad]:
    centre = quad.mean(axis=0)
    others = [grown(quad, 0.85)]
    for degrees in (-13.0, 13.0):
        turn = cv2.getRotationMatrix2D((float(centre[0]), float(centre[1])), degrees, 0.95)
        others.append(np.asarray(cv2.transform(quad[None], turn)[0], np.float32))
    return others


def _outlines_along_edges(image: Image, quad: Quad) -> list[Outline]:
    """The two outlines near `quad` with most edge under them; none when the picture shows no edges there."""
    width, height = round(CARD_MM[0] * MM_PX), round(CARD_MM[1] * MM_PX)
    margin = round(MARGIN_MM * MM_PX)
    card = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) + margin
    outer_size = (width + 2 * margin, height + 2 * margin)
    to_picture = cv2.getPerspectiveTransform(card, quad.astype(np.float32))
    frame = np.array([[0, 0], [outer_size[0], 0], outer_size, [0, outer_size[1]]], np.float32)
    surroundings = _moved(frame, to_picture)
    if not is_convex(surroundings):
        return []
    patch = straighten(image, surroundings, outer_size)
    lab = (cv2.cvtColor(patch, cv2.COLOR_BGR2LAB).astype(np.float32) - _LAB_ZERO) * _LAB_UNITS
    # Turned by quarters, every side in its turn becomes the left one: top, right, bottom, left.
    sides = [_lines(np.ascontiguousarray(np.rot90(lab, k)), margin) for k in (1, 2, 3, 4)]
    found = _best_outlines(sides, (width, height), margin)
    placed = [Outline(_moved(outline.quad_px, to_picture), outline.evidence) for outline in found]
    return [outline for outline in placed if is_convex(outline.quad_px)]


def _moved(points: NDArray[np.float32], transform: NDArray[Any]) -> Quad:
    return np.asarray(cv2.perspectiveTransform(points[None], transform)[0], np.float32)


def _lines(lab: Plane, margin: int) -> list[_Line]:
    """The likeliest left sides of the card in a picture (rows, columns, Lab) with `margin` px around the card."""
    rows = np.linspace(margin, lab.shape[0] - margin - 1, 48)
    rows = rows[4:-4].astype(int)
    share = (rows - margin) / (lab.shape[0] - 2 * margin)
    smooth = np.asarray(cv2.blur(lab, (3, 5)), np.float32)
    step = 2
    edge = np.zeros(lab.shape[:2], np.float32)
    edge[:, step:-step] = np.linalg.norm(smooth[:, 2 * step :] - smooth[:, : -2 * step], axis=2)
    edge = np.minimum(edge / _FULL_CONTRAST, 1.0)
    places = np.arange(margin - round(_REACH_MM[1] * MM_PX), margin + round(_REACH_MM[0] * MM_PX) + 1, 1.0)
    start, end = np.meshgrid(places, places, indexing="ij")
    columns = np.rint(start[..., None] + (end - start)[..., None] * share).astype(int)
    columns = np.clip(columns, 0, lab.shape[1] - 1)
    support = edge[rows, columns].mean(axis=2)
    support -= 0.0015 * np.abs(start - end)
    lines = []
    for _ in range(_LINES):
        i, j = np.unravel_index(int(np.argmax(support)), support.shape)
        if support[i, j] < 0.15:
            break
        white = _whiteness(smooth, rows, columns[i, j], 0.8, 2.2)
        lines.append(_Line(float(places[i]), float(places[j]), float(support[i, j]), white))
        support[np.maximum(np.abs(start - places[i]), np.abs(end - places[j])) < 5] = -1
    return lines + [shifted for line in lines if (shifted := _outside_border(smooth, rows, line, share))]


def _whiteness(lab: Plane, rows: NDArray[np.int_], columns: NDArray[np.int_], from_mm: float, to_mm: float) -> float:
    """Share of a strip beside a line that is light and has no colour, 0…1."""
    offsets = np.arange(round(from_mm * MM_PX), round(to_mm * MM_PX) + 1)
    strip = lab[rows[:, None], np.clip(columns[:, None] + offsets, 0, lab.shape[1] - 1)]
    light = np.clip((strip[..., 0] - 35) / 20, 0, 1)
    plain = np.clip((32 - np.hypot(strip[..., 1], strip[..., 2])) / 16, 0, 1)
    return float((light * plain).mean())


def _outside_border(lab: Plane, rows: NDArray[np.int_], line: _Line, share: NDArray[np.float64]) -> _Line | None:
    """The card's edge when `line` is its border's inner edge and the edge itself does not show."""
    columns = np.rint(line.start + (line.end - line.start) * share).astype(int)
    white = _whiteness(lab, rows, columns, -2.4, -0.8)
    if line.border > 0.5 or white < 0.6:
        return None
    out = BORDER_MM * MM_PX
    return _Line(line.start - out, line.end - out, 0.6 * line.support, white)


def _best_outlines(sides: list[list[_Line]], size: tuple[int, int], margin: int) -> list[Outline]:
    """Outlines in the straightened picture that join one line of each side, best first."""
    if not all(sides):
        return []
    # meets[k][i, j]: where line i of side k-1 and line j of side k cross; corner k of an outline that uses both.
    ends = [_end_points(lines, k, size, margin) for k, lines in enumerate(sides)]
    meets = [_crossings(ends[k - 1], ends[k]) for k in range(4)]
    choice = np.stack(np.meshgrid(*(np.arange(len(lines)) for lines in sides), indexing="ij"), -1).reshape(-1, 4)
    quads = np.stack([meets[k][choice[:, k - 1], choice[:, k]] for k in range(4)], axis=1)
    evidence = sum(
        np.array([line.support + _BORDER_WEIGHT * line.border for line in lines])[choice[:, k]]
        for k, lines in enumerate(sides)
    )
    rating = evidence / 4 - _distortion(quads, size)
    order = np.argsort(-rating)
    far = np.abs(quads[order] - quads[order[0]]).max(axis=(1, 2)) > 2.5 * MM_PX
    chosen = [order[0], *order[far][:1]]
    return [Outline(quads[k].astype(np.float32), float(rating[k])) for k in chosen]


def _distortion(quads: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float64]:
    """How far outlines (n, 4, 2) are from a card's shape: its ratio of sides, and opposite sides alike."""
    lengths = np.maximum(np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2), 1e-3)
    top, right, bottom, left = lengths.T
    stretch = np.log((top + bottom) / (left + right) * size[1] / size[0])
    return np.asarray(2.0 * stretch**2 + np.log(top / bottom) ** 2 + np.log(left / right) ** 2)


def _end_points(lines: list[_Line], side: int, size: tuple[int, int], margin: int) -> NDArray[np.float64]:
    """Two points (n, 2, 2) on each line of a side (0 top, 1 right, 2 bottom, 3 left) in the picture's own axes."""
    width, height = size
    far_x, far_y = margin + width, margin + height
    start = np.array([line.start for line in lines])
    end = np.array([line.end for line in lines])
    near, right, bottom = np.full_like(start, margin), np.full_like(start, far_x), np.full_like(start, far_y)
    # The quarter turns that made each side the left one have reversed some directions.
    points = [
        (right, start, near, end),
        (far_x + margin - start, bottom, far_x + margin - end, near),
        (near, far_y + margin - start, right, far_y + margin - end),
        (start, near, end, bottom),
    ][side]
    return np.stack(points, axis=-1).reshape(-1, 2, 2)


def _crossings(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where each line of `a` (n, 2 points, 2) meets each of `b` (m, 2, 2): (n, m, 2)."""
    p, r = a[:, None, 0], a[:, None, 1] - a[:, None, 0]
    q, s = b[None, :, 0], b[None, :, 1] - b[None, :, 0]
    across = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
    across = np.where(np.abs(across) < 1e-9, 1e-9, across)
    gap = q - p
    along = (gap[..., 0] * s[..., 1] - gap[..., 1] * s[..., 0]) / across
    return np.asarray(p + along[..., None] * r)
