"""What pictures of the pile tell without a reader: squared up, turned round, or a card on its own face."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.observations import CardReading
from referee.vision.joining import quad_of
from referee.vision.pile_history import PileMemory, Settled, filled
from referee.vision.pile_judging import Change, judge_change
from referee.vision.pile_looks import turned_by
from referee.vision.quads import Image
from referee.vision.view import Mask
from tests.vision.drawn_table import Lying, paint_card
from tests.vision.test_pile_judging import PLACES, SHAPE, VIEW, card

TOP, UNDER = card("Y5"), (card("B1", dx=0.04, degrees=50), card("B2", dx=-0.04, degrees=-40))


def picture(*cards: CardReading) -> Image:
    """The table with these cards on it, from below to the top, at working size."""
    frame = np.full((*VIEW.image.shape[:2], 3), (60, 90, 120), np.uint8)
    for each in cards:
        quad = quad_of(each)
        x, y = quad.mean(axis=0)
        along = quad[1] - quad[0]
        at = (float(x) / frame.shape[1], float(y) / frame.shape[0])
        paint_card(frame, Lying(each.code, at, float(np.degrees(np.arctan2(along[1], along[0])))))
    return np.asarray(cv2.resize(frame, SHAPE[::-1], interpolation=cv2.INTER_AREA), np.uint8)


def judged(seen: list[CardReading], before: Image, now: Image, *, brought: bool = False) -> Change:
    """What it means that the pile under `TOP` looked like `before` and looks like `now`."""
    memory = PileMemory()
    memory.add(Settled(before, (TOP,)))
    apart = cv2.absdiff(before, now).max(axis=2)
    changed: Mask = np.where(apart > 26, np.uint8(255), np.uint8(0))
    return judge_change(seen, changed, memory, PLACES, VIEW.scale, small=now, brought=lambda _: brought)


@pytest.mark.parametrize("ghosts", [[], [card("Y0", dx=-0.03, degrees=6, p=0.34)]])
def test_a_pile_squared_up_under_its_top_card_is_no_change_that_cannot_be_read(ghosts: list[CardReading]) -> None:
    """The top card lay where it lay: `laid something that I could not read`, and once a yellow 0 of 0.33."""
    change = judged([TOP, *ghosts], picture(*UNDER, TOP), picture(TOP))
    assert change.moved == TOP
    assert (change.landed, change.lifted, change.doubtful) == ((), 0, False)


def test_something_unread_beside_the_top_card_is_no_squaring() -> None:
    change = judged([TOP], picture(TOP), picture(*UNDER, TOP))
    assert change.moved is None
    assert change.doubtful


@pytest.mark.parametrize("brought", [False, True])
def test_the_same_face_elsewhere_in_a_pile_that_changed_all_around_was_squared_up(brought: bool) -> None:
    """A hand as red as the card: R5 was said to be laid a second time."""
    now = card("Y5", dx=0.01, degrees=80)
    change = judged([now], picture(*UNDER, TOP), picture(now), brought=brought)
    assert change.moved == now
    assert change.landed == ()


def test_a_face_that_lies_the_other_way_round_was_laid_on_its_like() -> None:
    """A yellow 6 laid squarely on the yellow 6: the digit stands upside down now, and nobody turned the card."""
    six, nine = _with_a_mark(picture(TOP), up=True), _with_a_mark(picture(TOP), up=False)
    assert turned_by(six, nine, TOP, TOP, VIEW.scale) > 0.3
    assert turned_by(six, six, TOP, TOP, VIEW.scale) < -0.3
    other = card("Y5", degrees=180)
    assert turned_by(six, nine, TOP, other, VIEW.scale) > 0.3, "the reader does not know which end is up"
    assert [reading.code for reading, _ in judged([TOP], six, nine).landed] == ["Y5"]


def _with_a_mark(small: Image, *, up: bool) -> Image:
    marked = small.copy()
    marked[filled(quad_of(TOP), VIEW.scale, SHAPE, 3) > 0] = (20, 180, 220)
    x, y = quad_of(TOP).mean(axis=0) * VIEW.scale
    cv2.circle(marked, (round(float(x)), round(float(y)) + (4 if up else -4)), 5, (240, 240, 240), -1)
    cv2.line(marked, (round(float(x)), round(float(y))), (round(float(x)), round(float(y)) - (9 if up else -9)), 0, 3)
    return marked
