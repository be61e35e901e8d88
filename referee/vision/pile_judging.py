"""What a change of the settled discard pile means: a card landed, two did, one left, or the pile was only moved.

Told by where the pixels changed against where the cards lie, so that red 5 on red 5 is a play and a squared pile is
none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observations import UNREAD_CHANGE, CardReading
from referee.vision.joining import quad_of, without_ghosts
from referee.vision.pile_history import PileMemory, filled
from referee.vision.pile_looks import bared_and_covered, colour_apart, covered_since, turned_by
from referee.vision.placing import Places
from referee.vision.quads import Image, overlap
from referee.vision.view import Mask

_KERNEL = np.ones((3, 3), np.uint8)
_RIM_PX = 2
_LEAST_COVERED = 0.35
_LEAST_VISIBLE = 0.1
_SECOND_CHANGED = 0.4
_SAME_PLACE = 0.75
_SAME_OUTLINE = 0.8
_STILL_THERE = 0.15
_TELLING = 0.07
_GONE = 0.4
"""So much of the old top beside the new one's place tells, by the share of it that changed, whether the old one went.
On films, where its like was laid on it, at most 0.1 had changed; where a hand turned it, at least 0.55.
"""
_THROWN_APART = 0.7
_OTHER_COLOUR = 45.0
"""Levels; on films the same face was at most 10 from itself, a yellow card on a red one, read as that one, 135."""
_DOUBTFUL = 0.6
_LEAST_SECOND = 0.7
_MUCH_CHANGED = 0.2
_SURE_TOP = 0.85
_LIES_UNDER = 0.25
_UNTOUCHED = 0.4
_UNCOVERED = 0.35
_LEAST_BARED = 0.08
_HARDLY_HIDDEN = 0.4
_MUCH_OUTSIDE = 0.4
_TURNED = 0.15


@dataclass(frozen=True, slots=True)
class Change:
    """The meaning of a change.

    landed: new cards from below to the top, with the pixels each changed; lifted: how many of the last changes were
    undone; moved: the top card's new reading when the pile was only moved. All empty when nothing card-like explains
    it. doubtful: the cards do not explain the change, or are hard to read, so another look is worth while.
    """

    landed: tuple[tuple[CardReading, Mask], ...] = ()
    lifted: int = 0
    moved: CardReading | None = None
    note: str = ""
    doubtful: bool = False
    rests_on: tuple[CardReading, ...] = ()


def top_of(cards: Sequence[CardReading], where: Mask, scale: float) -> CardReading | None:
    """The most trusted face-up card whose centre lies in `where`: the pile's top when nothing was seen to land."""
    return max((c for c in cards if c.card and lies_in(c, where, scale)), key=lambda c: c.confidence, default=None)


def judge_change(
    cards: Sequence[CardReading],
    changed: Mask,
    memory: PileMemory,
    places: Places,
    scale: float,
    *,
    small: Image,
    brought: Callable[[Mask], bool],
    thrown: bool = False,
) -> Change:
    """What happened to the pile, given the cards seen now and the pixels that changed since it last rested.

    cards: outlines in frame pixels; changed: at working size; scale: working pixels for a frame pixel; small: the
    picture now, at working size; brought: says whether the hand brought the card that lies inside a mask, asked only
    where the pile does not tell; thrown: no hand has touched the pile, but one may have thrown a card on it.
    """
    where, card_area_px = places.discard, places.card_area_px
    shape = (where.shape[0], where.shape[1])
    total = max(1, cv2.countNonZero(changed))
    faces = without_ghosts([c for c in cards if c.card and lies_in(c, where, scale)])
    areas = {id(c): filled(quad_of(c), scale, shape) for c in faces}
    covered = {id(c): _count(areas[id(c)], changed) / total for c in faces}
    old = memory.now.top
    stayed = next((c for c in faces if old is not None and _stayed(c, old)), None)
    # Nobody moved the top card of a pile that no hand has touched.
    moved = None if stayed or thrown else next((c for c in faces if old is not None and _same_card(c, old)), None)
    top = stayed or moved
    untouched = _untouched(changed)
    if moved is not None and old is not None:
        untouched = _looks_untouched(memory, small, old, moved, scale)
    if top is not None:
        faces = [c for c in faces if c is top or not _under(areas[id(c)], areas[id(top)], untouched)]

    def fit(card: CardReading) -> float:
        """How well a card explains the change: it covers it, is changed all over, and did not lie there before."""
        area = areas[id(card)]
        filling = _count(area, changed) / max(1, cv2.countNonZero(area))
        stayed = old is not None and old.code == card.code and overlap(quad_of(old), quad_of(card)) >= _SAME_OUTLINE
        return covered[id(card)] + 0.5 * filling - 0.4 * stayed + 0.05 * card.confidence

    best = max(faces, key=fit, default=None)
    unexplained = best is None or best is top or covered[id(best)] < _LEAST_COVERED
    whole = stayed is not None or (moved is not None and untouched(areas[id(moved)]))
    if top and unexplained and whole and _squared(areas[id(top)], changed, memory, small, card_area_px):
        return Change(moved=top, note="the pile was squared up under its top card", rests_on=(top,))
    if best is None or covered[id(best)] < _LEAST_COVERED:
        return Change(note=UNREAD_CHANGE, doubtful=True)
    if old and old.code == best.code and colour_apart(memory.now.small, small, old, best, scale) > _OTHER_COLOUR:
        return Change(note=UNREAD_CHANGE, doubtful=True)  # read by its corners: another lies on it
    area = areas[id(best)]
    if old is not None:
        around = cv2.dilate(area, _KERNEL)
        bared = _without(filled(quad_of(old), scale, shape, _RIM_PX), around)
        bared_px = cv2.countNonZero(bared)
        gone = _count(bared, changed) / bared_px if bared_px else 0.0
        if _uncovered(best, memory, gone):
            return Change(lifted=1, rests_on=(best,))
        # A hand that lays a card leaves the rest of the pile as it was, one that squares it up does not.
        much_outside = cv2.countNonZero(_without(changed, around)) > _MUCH_OUTSIDE * card_area_px
        went = best.code == old.code and bared_px >= _TELLING * card_area_px and gone > _GONE
        another = thrown and not went and overlap(quad_of(old), quad_of(best)) < _THROWN_APART
        if (_maybe_same(best, old) and not another) and (
            went or much_outside or not (_turned(best, old, memory, small, scale) or brought(area))
        ):
            if bared_px < _LEAST_VISIBLE / 2 * card_area_px:
                much = total > _MUCH_CHANGED * card_area_px
                note = "the top card looks the same in the same place"
                return Change(moved=best, note=note, doubtful=much, rests_on=(best,))
            if gone > _STILL_THERE:
                return Change(moved=best, note="the pile was moved", rests_on=(best,))
    landed = [(best, _both(area, changed))]
    for other in faces:
        if other is not best and _second(other, memory):
            seen = _without(areas[id(other)], area)
            seen_px = cv2.countNonZero(seen)
            if seen_px >= _LEAST_VISIBLE * card_area_px and _count(seen, changed) >= _SECOND_CHANGED * seen_px:
                landed.insert(0, (other, _both(seen, changed)))
    doubtful, rests_on = best.confidence < _DOUBTFUL, tuple(reading for reading, _ in landed)
    return Change(landed=tuple(landed), doubtful=doubtful, rests_on=rests_on)


def _uncovered(best: CardReading, memory: PileMemory, gone: float) -> bool:
    """The card that lay there before is on top again, and the last one is not in sight."""
    before = memory.before.top if memory.before else None
    if before is None or before.code != best.code:
        return False
    return gone > 0.5 and overlap(quad_of(before), quad_of(best)) >= _SAME_PLACE


def _maybe_same(best: CardReading, old: CardReading) -> bool:
    if best.code == old.code:
        return True
    return best.confidence < _DOUBTFUL and old.code in {code for code, p in best.alternatives if p > 0.1}


def _same_card(card: CardReading, old: CardReading) -> bool:
    return card.code == old.code and card.confidence >= _SURE_TOP


def _stayed(card: CardReading, old: CardReading) -> bool:
    """The top card is seen, surely, where it lay."""
    return _same_card(card, old) and overlap(quad_of(card), quad_of(old)) >= _SAME_OUTLINE


def _under(area: Mask, top: Mask, untouched: Callable[[Mask], bool]) -> bool:
    """True when a card reaches under the top card, which looks as it did: it cannot have landed."""
    shared = _both(area, top)
    return cv2.countNonZero(shared) > _LIES_UNDER * cv2.countNonZero(area) and untouched(shared)


def _untouched(changed: Mask) -> Callable[[Mask], bool]:
    """Whether a part of the top card, which lies where it lay, looks as it did."""
    return lambda part: _count(part, changed) < _UNTOUCHED * cv2.countNonZero(part)


def _looks_untouched(
    memory: PileMemory, small: Image, old: CardReading, moved: CardReading, scale: float
) -> Callable[[Mask], bool]:
    """As `_untouched`, for a top card that was moved, as a hand does that squares the pile up."""
    return lambda part: covered_since(memory.now.small, small, old, moved, part, scale) < _UNCOVERED


def _squared(top: Mask, changed: Mask, memory: PileMemory, small: Image, card_area_px: float) -> bool:
    """Around the top card, which lies where it lay, the table was bared and hardly any of it covered."""
    outside = _without(changed, cv2.dilate(top, _KERNEL))
    bared_px, hidden_px = bared_and_covered(memory.now.small, small, outside, np.bitwise_or(top, changed))
    return bared_px > _LEAST_BARED * card_area_px and hidden_px < _HARDLY_HIDDEN * bared_px


def _turned(best: CardReading, old: CardReading, memory: PileMemory, small: Image, scale: float) -> bool:
    """The same face the other way round: nobody squares a pile up by turning its top card half round."""
    return best.code == old.code and turned_by(memory.now.small, small, old, best, scale) > _TURNED


def _second(card: CardReading, memory: PileMemory) -> bool:
    """Whether a card beside the one that landed may have come with it: one that lies below for long flickers, too."""
    return card.confidence >= _LEAST_SECOND and card.code not in memory.codes


def lies_in(card: CardReading, where: Mask, scale: float) -> bool:
    """True when the middle of the card lies in `where`; scale: working pixels for a frame pixel."""
    x, y = quad_of(card).mean(axis=0) * scale
    column, row = round(float(x)), round(float(y))
    return 0 <= row < where.shape[0] and 0 <= column < where.shape[1] and bool(where[row, column])


def _both(a: Mask, b: Mask) -> Mask:
    return np.bitwise_and(a, b)


def _without(a: Mask, b: NDArray[Any]) -> Mask:
    return np.asarray(cv2.bitwise_and(a, cv2.bitwise_not(b)), np.uint8)


def _count(a: Mask, b: Mask) -> int:
    return cv2.countNonZero(_both(a, b))
