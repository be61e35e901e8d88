"""Whose arm it is, what its hand touched and what it only passed over."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.cards import Seat
from referee.observations import Zone
from referee.vision.arms import AtBorder, find_arms
from referee.vision.motion import Scene
from referee.vision.placing import Places, places_of
from referee.vision.reaches import Reaches, Visit
from referee.vision.view import view_of
from tests.vision.drawn_table import HEIGHT, ROOTS, WIDTH, paint_arm, zones

TABLE = np.asarray(np.random.default_rng(1).integers(60, 120, (HEIGHT, WIDTH, 3)), np.uint8)
PLACES: Places = places_of(view_of(TABLE, 0.0), zones(), 60.0)


def scene(*arms: tuple[tuple[float, float], tuple[float, float]], age_s: float = 0.0, t_s: float = 0.0) -> Scene:
    """A scene whose foreign pixels are these arms (root, tip), which last moved `age_s` ago."""
    picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for root, tip in arms:
        paint_arm(picture, root, tip)
    foreign = (cv2.resize(picture, (PLACES.width_px, PLACES.height_px)).max(axis=2) > 0).astype(np.uint8) * 255
    ages = np.full(foreign.shape, age_s, np.float32)
    return Scene(view_of(TABLE, t_s), np.asarray(foreign, np.uint8), np.asarray(foreign, np.uint8), ages)


def seats(found: AtBorder) -> list[Seat | None]:
    return sorted((arm.seat for arm in found.arms), key=lambda s: s or 0)


@pytest.mark.parametrize("seat", ROOTS)
@pytest.mark.parametrize("tip", [(0.5, 0.5), (0.35, 0.45), (0.6, 0.6)])
def test_an_arm_belongs_to_the_seat_it_enters_from(seat: Seat, tip: tuple[float, float]) -> None:
    found = find_arms(scene((ROOTS[seat], tip)), PLACES)
    assert seats(found) == [seat]
    assert found.arms[0].tip == pytest.approx((tip[0] * PLACES.width_px, tip[1] * PLACES.height_px), abs=10)


@pytest.mark.parametrize(("x", "seat"), [(0.1, Seat.P3), (0.4, Seat.P3), (0.6, Seat.P4), (0.9, Seat.P4)])
def test_two_seats_share_an_edge(x: float, seat: Seat) -> None:
    assert seats(find_arms(scene(((x, -0.02), (0.5, 0.5))), PLACES)) == [seat]


def test_an_arm_from_where_nobody_sits_has_no_seat() -> None:
    assert seats(find_arms(scene(((1.02, 0.6), (0.7, 0.55))), PLACES)) == [None]


def test_two_arms_that_touch_are_parted() -> None:
    found = find_arms(scene((ROOTS[Seat.P1], (0.55, 0.5)), (ROOTS[Seat.P4], (0.57, 0.47))), PLACES)
    assert seats(found) == [Seat.P1, Seat.P4]
    first, second = found.arms
    assert not (first.mask & second.mask).any()


def test_what_lies_still_at_the_border_is_parked_until_it_moves() -> None:
    """A forearm at rest, a cup at the rim."""
    lying = ((0.3, 1.02), (0.32, 0.85))
    assert find_arms(scene(lying, age_s=2.0), PLACES).arms == []
    assert find_arms(scene(lying, age_s=2.0), PLACES).parked.any()
    assert seats(find_arms(scene(lying, age_s=0.1), PLACES)) == [Seat.P1]


def test_a_hand_that_waits_over_a_pile_is_still_a_hand() -> None:
    assert seats(find_arms(scene((ROOTS[Seat.P2], (0.55, 0.5)), age_s=5.0), PLACES)) == [Seat.P2]


def test_what_does_not_reach_the_border_is_no_arm() -> None:
    assert find_arms(scene(((0.3, 0.3), (0.6, 0.6))), PLACES).arms == []


def visits(seat: Seat, *tips: tuple[float, float]) -> list[tuple[Zone, bool]]:
    """The visits of an arm whose tip is seen at these points, a tenth of a second apart."""
    reaches = Reaches(PLACES)
    ended: list[Visit] = []
    for n, tip in enumerate(tips):
        ended += reaches.step(find_arms(scene((ROOTS[seat], tip)), PLACES).arms, 0.1 * n)
    for n in range(len(tips), len(tips) + 5):
        ended += reaches.step([], 0.1 * n)
    assert all(v.seat == seat and v.t_s <= v.until_s for v in ended)
    assert not reaches.under_way
    return [(v.zone, v.touched) for v in ended if v.zone is not Zone.HAND]


@pytest.mark.parametrize(
    ("seat", "tips", "expected"),
    [
        (Seat.P2, [(0.1, 0.5), (0.2, 0.5), (0.33, 0.5), (0.2, 0.5), (0.1, 0.5)], [(Zone.DRAW, True)]),
        (Seat.P2, [(0.1, 0.5), (0.33, 0.5), (0.55, 0.5), (0.33, 0.5), (0.1, 0.5)],
         [(Zone.DRAW, False), (Zone.DISCARD, True), (Zone.DRAW, False)]),
        (Seat.P1, [(0.5, 0.9), (0.54, 0.6), (0.55, 0.5), (0.54, 0.7)], [(Zone.DISCARD, True)]),
        (Seat.P1, [(0.5, 0.9)] + [(0.33, 0.55)] * 6 + [(0.5, 0.9)], [(Zone.DRAW, True)]),
        (Seat.P4, [(0.7, 0.1), (0.65, 0.2)], []),
    ],
    ids=["touches the draw pile", "passes over it to the discard pile", "lays a card", "waits at the pile", "stops"],
)  # fmt: skip
def test_a_touch_turns_back_or_stays(
    seat: Seat, tips: list[tuple[float, float]], expected: list[tuple[Zone, bool]]
) -> None:
    assert visits(seat, *tips) == expected


def test_a_frame_in_which_the_arm_is_not_found_does_not_end_a_reach() -> None:
    reaches = Reaches(PLACES)
    arms = find_arms(scene((ROOTS[Seat.P1], (0.55, 0.5))), PLACES).arms
    assert reaches.step(arms, 0.0) == []
    assert reaches.step([], 0.1) == []
    assert reaches.step(arms, 0.2) == []
    assert [v.zone for v in reaches.close(0.3)] == [Zone.DISCARD]


def test_fingers_on_the_pile_are_a_touch_though_the_hand_and_its_shadow_lie_beside_it() -> None:
    """A hand that took a card with outstretched fingers over its own long shadow was never at the draw pile."""
    reaches = Reaches(PLACES)
    ended: list[Visit] = []
    for n, reach in enumerate((0.1, 0.2, 0.33, 0.33, 0.2, 0.1)):
        foreign = np.zeros((PLACES.height_px, PLACES.width_px), np.uint8)
        width, height = PLACES.width_px, PLACES.height_px
        foreign[round(0.4 * height) : round(0.6 * height), : round((reach - 0.055) * width)] = 255
        foreign[round(0.475 * height) : round(0.525 * height), : round(reach * width)] = 255
        now = Scene(view_of(TABLE, 0.1 * n), foreign, foreign, np.zeros(foreign.shape, np.float32))
        ended += reaches.step(find_arms(now, PLACES).arms, 0.1 * n)
    ended += reaches.close(0.6)
    assert [(v.zone, v.touched) for v in ended if v.zone is Zone.DRAW] == [(Zone.DRAW, True)]
