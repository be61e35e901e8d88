"""What pictures of the pile tell without a reader: squared up, turned round, or a card on its own face."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.observations import CardReading
from referee.vision.joining import quad_of
from referee.vision.pile_history import PileMemory, Settled, filled
from referee.vision.pile_judging import Change, judge_change
from referee.vision.pile_looks import covered_since, turned_by
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


def judged(
    seen: list[CardReading], before: Image, now: Image, *, brought: bool = False, thrown: bool = False
) -> Change:
    """What it means that the pile under `TOP` looked like `before` and looks like `now`."""
    memory = PileMemory()
    memory.add(Settled(before, (TOP,)))
    apart = cv2.absdiff(before, now).max(axis=2)
    changed: Mask = np.where(apart > 26, np.uint8(255), np.uint8(0))
    return judge_change(
        seen, changed, memory, PLACES, VIEW.scale, small=now, brought=lambda _: brought, thrown=thrown
    )


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


MOVED, STRIP = card("Y5", dx=0.022, degrees=8), card("RD", dx=-0.006, degrees=-5, p=0.985)
"""The top card as a hand left it that squared the pile up, and a red card of which a strip shows beside it."""


def with_the_strip(*, over: bool) -> Image:
    """The moved top card and the red one, which lies over it or under."""
    pile = picture(STRIP, MOVED)
    red = filled(quad_of(STRIP), VIEW.scale, SHAPE, 1)
    pile[red > 0 if over else (red > 0) & (filled(quad_of(MOVED), VIEW.scale, SHAPE) == 0)] = (40, 40, 200)
    return pile


def test_a_card_that_sticks_out_from_under_the_moved_top_card_has_not_landed() -> None:
    """A hand squared the pile up and moved its yellow 0 by a finger's width: a red +2 was said to be laid."""
    change = judged([MOVED, STRIP], picture(*UNDER, TOP), with_the_strip(over=False))
    assert change.moved == MOVED
    assert (change.landed, change.doubtful) == ((), False)


def test_a_card_that_lies_over_the_moved_top_card_has_landed() -> None:
    """The hand that laid it moved the card below, which still shows."""
    change = judged([MOVED, STRIP], picture(TOP), with_the_strip(over=True))
    assert [reading.code for reading, _ in change.landed] == ["RD"]


def test_what_covers_a_moved_card_is_told_from_what_lies_under_it() -> None:
    shared = filled(quad_of(STRIP), VIEW.scale, SHAPE) & filled(quad_of(MOVED), VIEW.scale, SHAPE)
    before = picture(TOP)
    for lies in (MOVED, card("Y5", dx=0.022, degrees=188)):  # the reader does not know which end is up
        assert covered_since(before, with_the_strip(over=False), TOP, lies, shared, VIEW.scale) < 0.3
        assert covered_since(before, with_the_strip(over=True), TOP, lies, shared, VIEW.scale) > 0.5
    assert covered_since(before, before, TOP, MOVED, np.zeros_like(shared), VIEW.scale) == 0


@pytest.mark.parametrize("brought", [False, True])
def test_the_same_face_elsewhere_in_a_pile_that_changed_all_around_was_squared_up(brought: bool) -> None:
    """A hand as red as the card: R5 was said to be laid a second time."""
    now = card("Y5", dx=0.01, degrees=80)
    change = judged([now], picture(*UNDER, TOP), picture(now), brought=brought)
    assert change.moved == now
    assert change.landed == ()


@pytest.mark.parametrize("brought", [False, True])
def test_a_top_card_that_a_hand_turned_is_no_second_one(brought: bool) -> None:
    """A green 7 was turned on its pile, and what it had hidden came to light: G7 was said to be laid twice."""
    below, now = card("B1", degrees=4), card("Y5", degrees=82)
    change = judged([now], picture(below, TOP), picture(below, now), brought=brought)
    assert (change.moved, change.landed) == (now, ())


@pytest.mark.parametrize("brought", [False, True])
def test_its_like_laid_across_the_top_card_hides_a_part_of_it_only(brought: bool) -> None:
    now = card("Y5", degrees=82)
    change = judged([now], picture(TOP), picture(TOP, now), brought=brought)
    assert [reading.code for reading, _ in change.landed] == ["Y5"]


def test_a_pushed_camera_throws_no_card() -> None:
    """No hand had touched the pile when the camera was pushed: the wild +4 was said to be thrown on itself."""
    now = card("Y5", dx=0.012, degrees=3)
    change = judged([now], picture(*UNDER, TOP), picture(*UNDER, now), thrown=True)
    assert (change.moved, change.landed) == (now, ())


@pytest.mark.parametrize("seen", [TOP, card("Y5", dx=0.012, degrees=14)])
def test_the_old_face_in_another_colour_is_a_change_that_cannot_be_read(seen: CardReading) -> None:
    """A yellow skip hid all but the corners of the red skip, by which it was read again: red skip on red skip."""
    now = picture(*UNDER, seen, card("B5", degrees=7))
    change = judged([seen], picture(*UNDER, TOP), now, brought=True)
    assert (change.landed, change.moved, change.doubtful) == ((), None, True)


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
