"""Looks for cards in a whole picture: at which scales to look, and one detection for each card.

What the detector misses is mostly a matter of scale: it knows cards from a twelfth of its side to all of it. The
whole picture is looked at in a few sizes, each half the next; a known length of the cards needs one.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.vision.detector import CardFinder, Detection, averaged, is_part
from referee.vision.quads import Image, length_px, overlap
from referee.vision.windows import STRIDE_PX, Window, around, tiles, whole

LOOKS = (0.5, 1.0, 2.0)
"""Longer side of the whole picture in each look, over the detector's own side."""

_CLOSE_LOOK = 4.0
_SMALL_SHARE = 0.16
_MOST_FINER = 2
"""Cards shorter than this share of the detector's side in the last look are looked for again, twice as large."""

_KNOWN_SHARE = 0.33
"""Length over the detector's side at which cards of known length are shown: its best size."""

_IDEAL_SHARE = 0.36
_DOUBTFUL = 0.5
_MOST_CLOSER = 4
_CLOSER_SHARE = 0.8
"""A few doubtful cards are each looked at alone, at that share of the detector's side, with little around them."""

_MOST_ENLARGED = 3.0
_FINEST = 1.5
"""A picture is not enlarged more than this to find small cards in it, and more than the other only to fill a look."""


def find_cards(finder: CardFinder, image: Image, expected_card_px: float | None = None) -> list[Detection]:
    """Every card of a picture (h, w, 3) BGR once, outlines in its pixels, best first.

    With `expected_card_px`, the length of a card in this picture, only that scale is looked at.
    """
    height, width = image.shape[:2]
    if expected_card_px:
        largest = max(1.0, LOOKS[-1] * finder.size_px / max(width, height))
        scale = min(_KNOWN_SHARE * finder.size_px / expected_card_px, largest)
        return _at_scale(finder, image, scale, expected_card_px)
    found: list[Detection] = []
    scale = 1.0
    for look in LOOKS:
        scale = min(_MOST_ENLARGED, look * finder.size_px / max(width, height))
        found += _at_scale(finder, image, scale)
    found = averaged(found)
    for _ in range(_MOST_FINER):
        if 2 * scale > _FINEST or not _all_small(found, _SMALL_SHARE * finder.size_px / scale):
            break
        scale *= 2
        found = averaged([*found, *_at_scale(finder, image, scale, 0.5 * finder.size_px / scale)])
    clear = [d for d in found if d.score >= _DOUBTFUL]
    # A box much larger than a clear card within it would only be that card again.
    doubtful = [d for d in found if d.score < _DOUBTFUL and not any(is_part(c.quad_px, d.quad_px) for c in clear)]
    if len(doubtful) <= _MOST_CLOSER:
        closer = {id(d): _closer(finder, image, d) for d in doubtful}
        found = averaged([closer.get(id(d), d) for d in found])
    return found


def _at_scale(
    finder: CardFinder, image: Image, scale: float, largest_card_px: float | None = None
) -> list[Detection]:
    """Cards seen at one scale: in one look, or in tiles when that look would be too large for the memory.

    largest_card_px: what neighbouring tiles share.
    """
    height, width = image.shape[:2]
    side = _CLOSE_LOOK * finder.size_px / scale
    if max(width, height) <= 1.01 * side or largest_card_px is None:
        return _look(finder, image, [whole(width, height, scale)], scale)
    return averaged(_look(finder, image, tiles(width, height, side, 1.1 * largest_card_px), scale))


def _all_small(found: list[Detection], small_px: float) -> bool:
    return all(length_px(d.quad_px) < small_px for d in found)


def _look(finder: CardFinder, image: Image, windows: Iterable[Window], scale: float) -> list[Detection]:
    height, width = image.shape[:2]
    found = []
    for window in windows:
        for detection in finder.find(window.seen(image, scale)):
            quad = window.to_picture(detection.quad_px, scale)
            if not window.cuts(quad, width, height):
                found.append(Detection(quad, detection.score, detection.back_score))
    return found


def _closer(finder: CardFinder, image: Image, detection: Detection) -> Detection:
    """The same card in a window that gives it its ideal size, when it is found there; else `detection`."""
    scale = _IDEAL_SHARE * finder.size_px / length_px(detection.quad_px)
    side = STRIDE_PX * round(_CLOSER_SHARE * finder.size_px / STRIDE_PX) / scale
    same = [
        d
        for d in _look(finder, image, [around(detection.quad_px, side)], scale)
        if overlap(d.quad_px, detection.quad_px) > 0.4
    ]
    return max([detection, *same], key=lambda d: d.score)
