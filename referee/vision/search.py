"""Looks for cards in a whole picture: which windows to look at, and one detection for each card.

What the detector misses is mostly a matter of scale: the same weights find a card at a third of their input's side
far more surely than one that fills it or is a few pixels long.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.vision.detector import CardFinder, Detection, one_each
from referee.vision.quads import Image, length_px, overlap
from referee.vision.windows import Window, around, tiles, whole

IDEAL_SHARE = 0.36
"""Length of a card over the side of the window, where the detector is at its best."""

_KNOWN_SHARE = 0.19
"""The same when the length is known: two looks at a table of 1280 px; more looks found no more of its cards."""

_CLEAR_SHARES = (0.16, 0.62)
"""Cards between these shares of the window need no other scale."""


def find_cards(finder: CardFinder, image: Image, expected_card_px: float | None = None) -> list[Detection]:
    """Every card of a picture (h, w, 3) BGR once, outlines in its pixels, best first.

    With `expected_card_px`, the length of a card in this picture, only that scale is looked at; without, the whole
    picture, a shrunken copy and tiles are, and then each card again in a window of its own.
    """
    height, width = image.shape[:2]
    if expected_card_px:
        side = expected_card_px / _KNOWN_SHARE
        if side >= max(width, height):
            return one_each(_look(finder, image, [whole(width, height)]))
        return one_each(_look(finder, image, tiles(width, height, side, 1.1 * expected_card_px)))
    longer = max(width, height)
    windows = [whole(width, height), whole(width, height, share=0.5)]
    found = _look(finder, image, windows)
    if not found or min(length_px(d.quad_px) for d in found) < _CLEAR_SHARES[1] * longer / 2:
        found += _look(finder, image, tiles(width, height, longer / 2, longer / 5))
    found = one_each(found)
    closer = [_look_closer(finder, image, detection) for detection in found]
    return one_each(closer)


def _look(finder: CardFinder, image: Image, windows: Iterable[Window]) -> list[Detection]:
    height, width = image.shape[:2]
    found = []
    for window in windows:
        for detection in finder.find(window.seen(image, finder.size_px)):
            quad = window.to_picture(detection.quad_px, finder.size_px)
            if not window.cuts(quad, width, height):
                found.append(Detection(quad, detection.score, detection.back_score))
    return found


def _look_closer(finder: CardFinder, image: Image, detection: Detection) -> Detection:
    """The same card in a window that gives it its ideal size, when it is found there; else `detection`."""
    window = around(detection.quad_px, length_px(detection.quad_px) / IDEAL_SHARE)
    same = [d for d in _look(finder, image, [window]) if overlap(d.quad_px, detection.quad_px) > 0.4]
    return max([detection, *same], key=lambda d: d.score)
