"""Whose arm it is where several seats share a side: told by where the arm comes from, over all its frames."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.cards import Seat
from referee.vision.arms import Arm, find_arms
from referee.vision.motion import Scene
from referee.vision.placing import Places, places_of
from referee.vision.seat_votes import SeatVotes
from referee.vision.view import view_of
from referee.vision.zones import TableZones
from tests.vision.drawn_table import HEIGHT, WIDTH, paint_arm

TABLE = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
SHOULDERS = 0.55
"""How far outside the picture the shoulders are, in shares of its height."""


def places(seats: int) -> Places:
    return places_of(view_of(TABLE, 0.0), TableZones.whole_frame_guess(WIDTH, HEIGHT, seats), 60.0)


def shoulder(seat: Seat, at: Places) -> tuple[float, float]:
    x, y = next(zone.root for zone in at.seats if zone.seat is seat)
    out = SHOULDERS * HEIGHT
    return (x + np.sign(x - 0.5) * out / WIDTH * (x in (0.0, 1.0))), (
        y + np.sign(y - 0.5) * SHOULDERS * (y in (0.0, 1.0))
    )


def seen(at: Places, *arms: tuple[tuple[float, float], tuple[float, float]]) -> list[Arm]:
    """The arms found where these (from, to) lie, in fractions of the picture."""
    picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for root, tip in arms:
        paint_arm(picture, root, tip)
    foreign = (cv2.resize(picture, (at.width_px, at.height_px)).max(axis=2) > 0).astype(np.uint8) * 255
    ages = np.zeros(foreign.shape, np.float32)
    return find_arms(
        Scene(view_of(TABLE, 0.0), np.asarray(foreign, np.uint8), np.asarray(foreign, np.uint8), ages), at
    ).arms


@pytest.mark.parametrize("pile", [(0.33, 0.5), (0.54, 0.5)], ids=["draw", "discard"])
@pytest.mark.parametrize("seats", range(3, 11))
def test_every_arm_is_its_owners_at_tables_of_three_to_ten(seats: int, pile: tuple[float, float]) -> None:
    at = places(seats)
    for seat in Seat.first(seats):
        votes = SeatVotes(at)
        start = shoulder(seat, at)
        for n in range(1, 7):
            tip = tuple(a + (b - a) * n / 6 for a, b in zip(start, pile, strict=True))
            owned = votes.step(seen(at, (start, (tip[0], tip[1]))), n / 10)
        assert [arm.seat for arm in owned] == [seat]


def test_an_owner_once_sure_is_kept_when_the_arm_bends() -> None:
    at = places(6)
    votes = SeatVotes(at)
    straight, bent = ((0.66, 1.3), (0.55, 0.5)), ((0.42, 1.1), (0.55, 0.5))
    first = next(arm.seat for arm in votes.step(seen(at, straight), 0.0))
    assert [arm.seat for arm in SeatVotes(at).step(seen(at, bent), 0.0)] != [first]
    moving = votes.step(seen(at, ((0.58, 1.1), (0.55, 0.5))), 0.1)
    moving = votes.step(seen(at, ((0.5, 1.1), (0.55, 0.5))), 0.2)
    assert [arm.seat for arm in moving] == [first]


def test_an_arm_between_two_neighbours_may_be_either_ones() -> None:
    at = places(6)
    [arm] = SeatVotes(at).step(seen(at, ((0.5, 1.2), (0.5, 0.5))), 0.0)
    neighbours = {zone.seat for zone in at.seats if zone.edge.value == "bottom"}
    assert {arm.seat, *arm.perhaps} == neighbours


def test_a_sleeve_that_looks_like_the_table_is_one_arm() -> None:
    """Only its two sides are seen."""
    at = places(3)
    picture = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.line(picture, (220, HEIGHT), (225, 200), 255, 8)
    cv2.line(picture, (260, HEIGHT), (250, 200), 255, 8)
    cv2.circle(picture, (238, 195), 22, 255, -1)
    foreign = np.asarray(cv2.resize(picture, (at.width_px, at.height_px)), np.uint8)
    scene = Scene(view_of(TABLE, 0.0), foreign, foreign, np.zeros(foreign.shape, np.float32))
    assert [arm.seat for arm in find_arms(scene, at).arms] == [Seat.P1]


def test_two_arms_of_neighbours_at_once_keep_their_owners() -> None:
    at = places(6)
    votes = SeatVotes(at)
    neighbours = [zone.seat for zone in at.seats if zone.edge.value == "bottom"]
    for n in range(4, 7):
        ways = []
        for seat, pile in zip(neighbours, ((0.56, 0.5), (0.46, 0.5)), strict=True):
            start = shoulder(seat, at)
            ways.append((start, (start[0] + (pile[0] - start[0]) * n / 6, start[1] + (pile[1] - start[1]) * n / 6)))
        owned = votes.step(seen(at, *ways), n / 10)
    assert sorted(arm.seat or 0 for arm in owned) == sorted(neighbours)
