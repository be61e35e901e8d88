"""What is held on to on plain tables, so that a bump is noticed and found again and a hand is none."""

from __future__ import annotations

import numpy as np
import pytest

from referee.observations import ViewChanged, ViewState
from referee.vision.outlines import ArmOutline
from referee.vision.quads import Image
from referee.vision.standing import Reference, Stance
from referee.vision.view import CAMERA_FOUND, CAMERA_MOVED
from tests.vision.test_steady import SIZE, STEP_S, TABLE, Filming, shifted, textured, with_arm

PLAIN = np.full_like(TABLE, 40)


def with_things(*places: tuple[int, int, int, int], seed: int = 5, on: Image = PLAIN) -> Image:
    """A plain cloth with things at (left, top, right, bottom) px."""
    picture, things = on.copy(), textured(seed)
    for left, top, right, bottom in places:
        picture[top:bottom, left:right] = things[top:bottom, left:right]
    return picture


STRIP = with_things((520, 90, 600, 330))


@pytest.mark.parametrize(("dx", "dy", "degrees"), [(5, 2, 0), (-4, 6, 0.6)])
def test_a_cup_and_a_paper_in_one_corner_tell_a_push(dx: float, dy: float, degrees: float) -> None:
    """Black cloth: all there was to hold on to lay at the right rim, and nineteen seconds were not judged."""
    standing = Reference(STRIP).compare(shifted(STRIP, dx, dy, degrees))
    assert standing.stance is Stance.MOVED
    assert standing.to_reference is not None
    there = np.array([160.0, 120.0, 1.0])  # far from anything
    move = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1.0]])
    turn, middle = np.radians(degrees), np.array([SIZE[0] / 2, SIZE[1] / 2])
    spun = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) @ (there[:2] - middle) + middle
    seen = move @ np.array([*spun, 1.0])
    back = standing.to_reference @ (seen / (*SIZE, 1.0))
    assert back[:2] / back[2] * SIZE == pytest.approx(there[:2], abs=1.2)


def test_such_a_table_is_found_again_after_the_push() -> None:
    filming = Filming()
    filming.film(STRIP)
    said = filming.film(shifted(STRIP, 5, 3), 3)
    assert said == [(ViewState.LOST, CAMERA_MOVED), (ViewState.SETTLING, CAMERA_FOUND), (ViewState.READY, "")]


def test_an_arm_that_lies_still_at_first_is_not_held_on_to() -> None:
    """White table: the arm was all the reference had, it came back 30 px further on, and play stopped for four s."""
    filming = Filming()
    filming.watcher.arms = arm_outline()  # type: ignore[attr-defined]
    filming.film(with_arm(PLAIN), 2)
    filming.watcher.arms = ()  # type: ignore[attr-defined]
    filming.film(PLAIN, 2)
    filming.watcher.arms = arm_outline()  # type: ignore[attr-defined]
    assert filming.film(with_arm(PLAIN, 330), 3) == []


def test_nothing_is_held_on_to_where_an_arm_lies() -> None:
    here = with_things((100, 100, 260, 400))
    there = with_things((300, 300, 400, 400), on=shifted(here, 6))
    reference = Reference(here)
    assert reference.compare(there).stance is Stance.MOVED
    arm = np.array([[90, 90], [280, 90], [280, 420], [90, 420]]) / SIZE
    assert reference.compare(there, hidden=[arm]).stance is Stance.UNCLEAR


def test_a_table_is_found_by_the_cards_that_lay_there_a_moment_ago() -> None:
    """The cup that showed the push was taken away at once; the pile and the cards around it had moved with it."""
    cards, cup = (180, 140, 420, 340), (520, 60, 620, 300)
    filming = Filming()
    filming.eye._piles = lambda *_: pile_mask(cards)  # type: ignore[method-assign]
    filming.film(with_things(cards, cup))
    both = shifted(with_things(cards, cup), 7, 3)
    looks = (filming.film(both, 0.2) for _ in range(10))
    assert next(said for said in looks if said) == [(ViewState.LOST, CAMERA_MOVED)]
    assert (ViewState.SETTLING, CAMERA_FOUND) in filming.film(shifted(with_things(cards), 7, 3), 3)
    assert np.abs(filming.eye.to_picture(SIZE)[:2, 2] - (-7, -3)).max() < 1.5


def test_what_was_filmed_while_the_place_was_made_sure_is_handed_on() -> None:
    """A card laid in that half second was dated to its end, and whoever reached for the draw pile was not seen."""
    filming = Filming()
    filming.film(TABLE)
    before = len(filming.watcher.pictures)
    filming.film(shifted(TABLE, 20, 8), 3)
    lost, found = [o for o in filming.said if isinstance(o, ViewChanged) and o.id.startswith("s")][:2]
    assert (lost.reason, found.reason) == (CAMERA_MOVED, CAMERA_FOUND)
    assert found.t_s - lost.t_s <= 2 * STEP_S + 0.01
    assert len(filming.watcher.pictures) - before >= 13, "of fifteen frames"
    assert filming.said == sorted(filming.said, key=lambda o: o.t_s)


def pile_mask(place: tuple[int, int, int, int]) -> Image:
    mask = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    left, top, right, bottom = place
    mask[top - 20 : bottom + 20, left - 20 : right + 20] = 255
    return mask


def arm_outline() -> tuple[ArmOutline, ...]:
    return (ArmOutline(None, ((0.3, 0.3), (0.7, 0.3), (0.7, 1.0), (0.3, 1.0))),)


def test_a_camera_that_drifts_on_keeps_no_frames_of_where_it_was() -> None:
    """No two of its places agreed for long, and each frame since the first was kept: 40 MB a second."""
    filming, kept = Filming(), []
    filming.film(TABLE)
    for step in range(80):
        filming.film(shifted(TABLE, 6 + 2.5 * step), STEP_S)
        kept.append(len(filming.eye._waiting))
    assert max(kept) > 0
    assert max(kept) < 1.5 / STEP_S
