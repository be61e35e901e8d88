"""Compares a straightened crop with the photographed faces of one deck: laid over it, pixel by pixel.

Each face is laid onto the crop by a robust Gauss-Newton search over the eight numbers of a plane seen in perspective
(inverse compositional, after Baker and Matthews 2004): pixels that fit badly, such as a hand or another card across
the face, lose their say. What is left is scored as a mean log likelihood, so that a clear corner sign can decide
where the middle is covered.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.quads import Image

Floats = NDArray[np.float32]

COARSE_PX = (20, 30)
FINE_PX = (40, 60)
"""Sizes (width, height) at which a face is laid onto a crop; a corner sign is five pixels wide in the finer one."""

_NOISE = 0.12
"""Standard deviation of a pixel that fits, as a share of white."""

_STRAY = 0.03
"""Likelihood left to a pixel that does not fit at all."""

_UNSEEN = -0.8
"""Log likelihood granted to pixels of a face that lie outside the crop: poorer than a fit, better than a misfit."""

_LEAST_SHOWN = 0.5

_CLEAR_FIT = -0.2
_CLEAR_LEAD = 0.2
"""A face that fits so well, and better than all others by so much, ends the search."""

_CONTENDERS = 3

_OUTSIDE = -9.0
"""Marks pixels that the crop does not show."""

_STIFFNESS = np.array([3.0, 3, 1, 3, 3, 1, 40, 40]) * 2e-4
"""How much each of the eight numbers is held back: shifts least, slants most."""

_MOST_STEP = 0.15
_SETTLED = 0.004


class FaceMatcher:
    """The faces of a deck, ready to be compared. faces: pictures uint8 (height, width, 3) BGR of whole cards."""

    def __init__(self, faces: Sequence[Image]) -> None:
        self._coarse = [_Template(face, COARSE_PX) for face in faces]
        self._fine = [_Template(face, FINE_PX) for face in faces]
        self._pixels = np.stack([template.pixels for template in self._fine])

    def scores(self, crop: Image, likely: Sequence[int]) -> Floats:
        """How well each face explains a crop of a card, as mean log likelihood a pixel, 0 at best; float32 (faces,).

        crop: a straightened card (height, width, 3) BGR, loosely cut, either half turn; likely: the faces to lay onto
        it, likeliest first. Whichever face fits best then is laid onto it as well.
        """
        best = np.full(len(self._fine), -np.inf, np.float32)
        turned_over = np.asarray(cv2.rotate(crop, cv2.ROTATE_180), np.uint8)
        ways = [(_levelled(way, COARSE_PX), _levelled(way, FINE_PX)) for way in (crop, turned_over)]
        every = np.arange(len(self._fine))
        where: tuple[float, Floats, NDArray[np.float64]] = (-np.inf, ways[0][1], np.eye(3))
        tried: list[int] = []
        for face in (*likely, None):
            laid = int(best.argmax()) if face is None else face
            for coarse, fine in ways if laid not in tried else ():
                move = self._coarse[laid].laid_on(coarse, np.eye(3), 0.35, 8)
                move = self._fine[laid].laid_on(fine, move, 0.25, 6)
                fits = self._fits(fine, move, laid, every)
                best = np.maximum(best, fits)
                where = max(where, (float(fits.max()), fine, move), key=lambda place: place[0])
                if _is_clear(best, likely[0]):
                    return best
            tried.append(laid)
        # The photographs are not cut alike: each face that may be it gets its own best place near the one found.
        for face in {*likely, *(int(k) for k in np.argsort(-best)[:_CONTENDERS])}:
            move = self._fine[face].laid_on(where[1], where[2], 0.25, 6)
            best[face] = max(best[face], self._fits(where[1], move, face, np.array([face]))[0])
        return best

    def _fits(self, fine: Floats, move: NDArray[np.float64], laid: int, faces: NDArray[np.intp]) -> Floats:
        """Scores of `faces` where the face `laid` has come to lie."""
        shown = self._fine[laid].seen(fine, move)
        inside = shown[:, 0] > _OUTSIDE / 2
        share = float(inside.mean())
        if share < _LEAST_SHOWN:
            return np.full(len(faces), -np.inf, np.float32)
        shown = shown[inside]
        off = shown - _in_same_light(self._pixels[laid, inside], shown, np.ones(len(shown), np.float32))
        weight = _weights(off, 0.25)
        squares = ((_in_same_light(self._pixels[faces][:, inside], shown, weight) - shown) ** 2).sum(axis=2)
        likelihood = np.log(_STRAY + (1 - _STRAY) * np.exp(squares * (-0.5 / _NOISE**2))).mean(axis=1)
        return np.asarray(likelihood * share + _UNSEEN * (1 - share), np.float32)


class _Template:
    """One face at one size, with what Gauss-Newton needs of it."""

    def __init__(self, face: Image, size_px: tuple[int, int]) -> None:
        width, height = self._size_px = size_px
        levelled = _levelled(face, size_px)
        self.pixels = levelled.reshape(-1, 3)
        across = cv2.Sobel(levelled, cv2.CV_32F, 1, 0) / 8 * height
        down = cv2.Sobel(levelled, cv2.CV_32F, 0, 1) / 8 * height
        # Places in units of the card's height, from its centre.
        x, y = np.meshgrid((np.arange(width) + 0.5 - width / 2) / height, (np.arange(height) + 0.5) / height - 0.5)
        none, one = np.zeros_like(x), np.ones_like(x)
        moves = [(x, none), (y, none), (one, none), (none, x), (none, y), (none, one), (-x * x, -x * y)]
        moves.append((-x * y, -y * y))
        slopes = [across * dx[..., None] + down * dy[..., None] for dx, dy in moves]
        self._slopes = np.stack(slopes).reshape(8, -1, 3).astype(np.float32)
        self._to_px = np.array([[height, 0, width / 2 - 0.5], [0, height, height / 2 - 0.5], [0, 0, 1.0]])
        self._from_px = np.linalg.inv(self._to_px)

    def seen(self, levelled: Floats, move: NDArray[np.float64]) -> Floats:
        """Pixels (n, 3) of a levelled crop where the face lies by `move`; `_OUTSIDE` where the crop ends."""
        shown = cv2.warpPerspective(
            levelled,
            self._to_px @ move @ self._from_px,
            self._size_px,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(_OUTSIDE, _OUTSIDE, _OUTSIDE),
        )
        return np.asarray(shown, np.float32).reshape(-1, 3)

    def laid_on(
        self, levelled: Floats, move: NDArray[np.float64], tolerance: float, rounds: int
    ) -> NDArray[np.float64]:
        """The plane's move (3, 3) by which the face fits a levelled crop of the same size best, from `move` on."""
        lit = self.pixels
        for _ in range(rounds):
            shown = self.seen(levelled, move)
            inside = shown[:, 0] > _OUTSIDE / 2
            off = np.where(inside[:, None], shown - lit, 0)
            weight = np.where(inside, _weights(off, tolerance), 0).astype(np.float32)
            lit = _in_same_light(self.pixels, shown, weight)
            off = np.where(inside[:, None], shown - lit, 0)
            weighted = (self._slopes * weight[:, None]).reshape(8, -1)
            square = weighted @ self._slopes.reshape(8, -1).T
            square = square + np.diag(_STIFFNESS) * max(float(np.trace(square)), 1e-6)
            step = np.clip(np.linalg.solve(square, weighted @ off.ravel()), -_MOST_STEP, _MOST_STEP)
            a, b, c, d, e, f, g, h = step
            move = move @ np.linalg.inv(np.array([[1 + a, b, c], [d, 1 + e, f], [g, h, 1]]))
            move = move / move[2, 2]
            if np.abs(step[:6]).max() < _SETTLED:
                break
        return move


def _is_clear(scores: Floats, face: int) -> bool:
    """True when `face` fits so well, and all others so much worse, that no more need be tried."""
    second = float(np.partition(scores, -2)[-2]) if len(scores) > 1 else -np.inf
    return bool(scores[face] >= _CLEAR_FIT and scores[face] - second >= _CLEAR_LEAD)


def _in_same_light(faces: Floats, shown: Floats, weight: Floats) -> Floats:
    """`faces` (…, n, 3) with each channel scaled and shifted, within limits, to what is `shown` (n, 3).

    A photograph's blue may be deeper than the camera's: only what differs in shape, or in kind of colour, may count.
    """
    total = max(float(weight.sum()), 1e-6)
    share = (weight / total)[:, None]
    mean_face, mean_shown = (faces * share).sum(axis=-2, keepdims=True), (shown * share).sum(axis=0)
    level = faces - mean_face
    spread = (level**2 * share).sum(axis=-2, keepdims=True)
    common = (level * (shown - mean_shown) * share).sum(axis=-2, keepdims=True)
    gain = np.clip(common / (spread + 1e-4), 0.75, 2.2)
    shift = np.clip(mean_shown - gain * mean_face, -0.7, 0.7)
    return np.asarray(faces * gain + shift, np.float32)


def _weights(off: Floats, tolerance: float) -> Floats:
    """The say of each pixel by how far it is off (n, 3): one that is off by more than `tolerance` has little."""
    return np.asarray(1 / (1 + (off**2).sum(axis=-1) / tolerance**2) ** 2, np.float32)


def _levelled(picture: Image, size_px: tuple[int, int]) -> Floats:
    """Brightness, and blue and red less brightness, as shares of the card's white; float32 (height, width, 3)."""
    small = cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA).astype(np.float32)
    white = np.percentile(small.reshape(-1, 3), 95, axis=0).astype(np.float32)
    small = np.minimum(small / np.maximum(white, 40), 1.2)
    light = small @ np.array([0.114, 0.587, 0.299], np.float32)
    parts = np.dstack([light, small[..., 0] - light, small[..., 2] - light])
    return np.asarray(cv2.GaussianBlur(parts, (3, 3), 0.7), np.float32)
