"""Moves a detected outline onto the card's true edges.

A detector's box is a rectangle, a few percent too large or turned, while a card in perspective is not. The outline is
straightened with a margin; in that picture each side of the card is a nearly straight, nearly upright line, and the
outline is moved to the four lines that have most edge and white border and still make the shape of a card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.card_edges import CARD_PX, MARGIN_PX, MM_PX, Line, side_lines
from referee.vision.quads import CARD_ASPECT, Image, Quad, area_px, grown, is_convex, length_px, straighten, upright

_ROUNDS = 2
_SETTLED = 0.02
"""Share of the card's length: an outline that moves less than this is settled."""

_BORDER_WEIGHT = 0.5
_CLEAR = 1.2
"""Evidence from which on no other start is tried."""

_AS_DETECTED = 1.05
"""Evidence granted to the detector's own box: weaker edges than this are worse than the box."""

_WIDTH, _HEIGHT = CARD_PX
_SHOWN = (_WIDTH + 2 * MARGIN_PX, _HEIGHT + 2 * MARGIN_PX)


@dataclass(frozen=True, slots=True)
class Outline:
    """A possible outline of a card; `evidence` 0…1.5 is how much of it is edge with white border inside.

    is_box: the detector's own box, whose evidence nothing in the picture has given it.
    """

    quad_px: Quad
    evidence: float
    is_box: bool = False


def near_outlines(image: Image, quad: Quad) -> list[Outline]:
    """`quad` as detected, then at most two outlines that follow edges near it, the likelier first.

    `quad` is clockwise with a short side first, and so are the results; the classifier has the last word. For a photo
    that was cut to the card its own frame comes last.
    """
    outlines = [Outline(quad, _AS_DETECTED, is_box=True), *_settled(image, quad)]
    if (frame := _picture_as_card(image, quad)) is not None:
        outlines.append(Outline(frame, _CLEAR))
    return outlines


def farther_outlines(image: Image, quad: Quad) -> list[Outline]:
    """At most two outlines along edges that a box turned or sized too far off has missed, the likelier first."""
    best: list[Outline] = []
    for start in _others_like(quad):
        found = _settled(image, start)
        if found and (not best or found[0].evidence > best[0].evidence):
            best = found
        if best and best[0].evidence >= _CLEAR:
            break
    return best


def _picture_as_card(image: Image, quad: Quad) -> Quad | None:
    """The whole picture as an outline when it is a photo cut to the card, whose edges then show nowhere."""
    height, width = image.shape[:2]
    ratio = min(width, height) / max(width, height) / CARD_ASPECT
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
    card = np.array([[0, 0], [_WIDTH, 0], [_WIDTH, _HEIGHT], [0, _HEIGHT]], np.float32) + MARGIN_PX
    to_picture = cv2.getPerspectiveTransform(card, quad.astype(np.float32))
    frame = np.array([[0, 0], [_SHOWN[0], 0], _SHOWN, [0, _SHOWN[1]]], np.float32)
    surroundings = _moved(frame, to_picture)
    if not is_convex(surroundings):
        return []
    found = _best_outlines(side_lines(straighten(image, surroundings, _SHOWN)))
    placed = [Outline(_moved(outline.quad_px, to_picture), outline.evidence) for outline in found]
    return [outline for outline in placed if is_convex(outline.quad_px)]


def _moved(points: NDArray[np.float32], transform: NDArray[Any]) -> Quad:
    return np.asarray(cv2.perspectiveTransform(points[None], transform)[0], np.float32)


def _best_outlines(sides: list[list[Line]]) -> list[Outline]:
    """Outlines in the straightened picture that join one line of each side, best first."""
    if not all(sides):
        return []
    # meets[k][i, j]: where line i of side k-1 and line j of side k cross; corner k of an outline that uses both.
    ends = [_end_points(lines, k) for k, lines in enumerate(sides)]
    meets = [_crossings(ends[k - 1], ends[k]) for k in range(4)]
    choice = np.stack(np.meshgrid(*(np.arange(len(lines)) for lines in sides), indexing="ij"), -1).reshape(-1, 4)
    quads = np.stack([meets[k][choice[:, k - 1], choice[:, k]] for k in range(4)], axis=1)
    evidence = sum(
        np.array([line.support + _BORDER_WEIGHT * line.border for line in lines])[choice[:, k]]
        for k, lines in enumerate(sides)
    )
    rating = evidence / 4 - _distortion(quads)
    order = np.argsort(-rating)
    far = np.abs(quads[order] - quads[order[0]]).max(axis=(1, 2)) > 2.5 * MM_PX
    chosen = [order[0], *order[far][:1]]
    return [Outline(quads[k].astype(np.float32), float(rating[k])) for k in chosen]


def _distortion(quads: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far outlines (n, 4, 2) are from a card's shape: its ratio of sides, and opposite sides alike."""
    lengths = np.maximum(np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2), 1e-3)
    top, right, bottom, left = lengths.T
    stretch = np.log((top + bottom) / (left + right) / CARD_ASPECT)
    return np.asarray(2.0 * stretch**2 + np.log(top / bottom) ** 2 + np.log(left / right) ** 2)


def _end_points(lines: list[Line], side: int) -> NDArray[np.float64]:
    """Two points (n, 2, 2) on each line of a side (0 top, 1 right, 2 bottom, 3 left) in the picture's own axes."""
    far_x, far_y = MARGIN_PX + _WIDTH, MARGIN_PX + _HEIGHT
    start = np.array([line.start for line in lines])
    end = np.array([line.end for line in lines])
    near, right, bottom = np.full_like(start, MARGIN_PX), np.full_like(start, far_x), np.full_like(start, far_y)
    # The quarter turns that made each side the left one have reversed some directions.
    points = [
        (right, start, near, end),
        (far_x + MARGIN_PX - start, bottom, far_x + MARGIN_PX - end, near),
        (near, far_y + MARGIN_PX - start, right, far_y + MARGIN_PX - end),
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
