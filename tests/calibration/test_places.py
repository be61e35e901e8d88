"""Where piles and seats come to lie: around the table, where somebody clicked, and where hands were seen."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from referee.calibration.learning import SeatLearner
from referee.calibration.places import Wanted, clockwise, placed_zones
from referee.cards import Seat
from referee.faults import InputFault
from referee.vision.planes import TablePlane
from referee.vision.quads import Image
from referee.vision.zones import Edge, Point, TableZones, centre_of, contains
from referee.vision.zones_file import shared_area

PLANE = TablePlane((1280, 720), (1000.0, 700.0), 1.0, ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)))
SMALL = TablePlane((1280, 720), (620.0, 480.0), 1.5, PLANE.corners)


def areas(zones: TableZones) -> list[tuple[str, tuple[Point, ...]]]:
    assert zones.draw is not None
    return [("discard", zones.discard), ("draw", zones.draw), *((str(s.seat), s.place) for s in zones.seats)]


@pytest.mark.parametrize("plane", [PLANE, SMALL])
@pytest.mark.parametrize("seats", range(1, 11))
def test_up_to_ten_seats_find_room_around_a_table(plane: TablePlane, seats: int) -> None:
    zones = placed_zones(plane, Wanted(seats))
    assert [s.seat for s in zones.seats] == list(Seat.first(seats))
    for (a, one), (b, other) in itertools.combinations(areas(zones), 2):
        assert shared_area(one, other) <= 0.003, f"{a} and {b}"


def test_the_piles_have_a_cards_room_and_lie_around_the_middle_that_was_measured() -> None:
    zones = placed_zones(PLANE, Wanted(4, middle=(0.4, 0.45)))
    assert zones.draw is not None
    (left, top), _, (right, bottom), _ = zones.discard
    assert ((right - left) * 1000, (bottom - top) * 700) == pytest.approx((132, 132))
    between = np.mean([centre_of(zones.discard), centre_of(zones.draw)], axis=0)
    assert between == pytest.approx((0.4, 0.45))


def test_clicked_places_are_taken_and_each_seat_faces_its_side() -> None:
    at: dict[Seat, Point] = {Seat.P1: (0.5, 0.9), Seat.P2: (0.1, 0.5), Seat.P3: (0.3, 0.1), Seat.P4: (0.7, 0.1)}
    zones = placed_zones(PLANE, Wanted(4, discard=(0.55, 0.5), draw=(0.4, 0.5), at=at))
    assert [s.edge for s in zones.seats] == [Edge.BOTTOM, Edge.LEFT, Edge.TOP, Edge.TOP]
    assert all(contains(s.place, at[s.seat]) for s in zones.seats)
    assert centre_of(zones.discard) == pytest.approx((0.55, 0.5))


@pytest.mark.parametrize(
    ("wanted", "fault"),
    [
        (Wanted(2, at={Seat.P1: (0.5, 0.9), Seat.P3: (0.5, 0.1)}), "without a gap"),
        (Wanted(2, at={Seat.P1: (0.5, 0.9), Seat.P2: (0.51, 0.9)}), "P1 and P2 lie on one another"),
        (Wanted(1, at={Seat.P1: (0.56, 0.5)}), "discard and P1 lie on one another"),
        (Wanted(2, discard=(0.5, 0.5), draw=(0.52, 0.5)), "discard and draw lie on one another"),
        (Wanted(2, draw=(1.2, 0.5)), "draw lies outside"),
        (Wanted(11), "seats 1 to 10"),
    ],
)
def test_places_that_cannot_be_are_refused_by_name(wanted: Wanted, fault: str) -> None:
    with pytest.raises(InputFault, match=fault):
        placed_zones(PLANE, wanted)


def test_clockwise_as_the_eye_sees_the_picture() -> None:
    bottom, left, top, right = (0.5, 0.9), (0.1, 0.5), (0.5, 0.1), (0.9, 0.5)
    assert clockwise([bottom, right, top, left]) == [0, 3, 2, 1]


# Learning from hands ---------------------------------------------------------------------------------------------

HANDS: dict[str, tuple[Point, Point]] = {  # from the rim, to the place
    "bottom": ((0.5, 1.05), (0.5, 0.85)),
    "left": ((-0.05, 0.5), (0.13, 0.5)),
    "top left": ((0.3, -0.05), (0.3, 0.16)),
    "top right": ((0.72, -0.05), (0.72, 0.16)),
    "right": ((1.05, 0.45), (0.86, 0.45)),
}
WIDTH, HEIGHT = 320, 220


def filmed(order: list[str]) -> SeatLearner:
    """One hand after the other comes in, lies for a second and a half, and goes."""
    rng = np.random.default_rng(6)
    grain = cv2.GaussianBlur(rng.normal(0, 40, (HEIGHT, WIDTH, 1)).astype(np.float32), (0, 0), 2)
    table = np.clip(np.array([60, 95, 130]) + grain[..., None], 0, 255).astype(np.uint8)
    noises = rng.normal(0, 1.5, (3, HEIGHT, WIDTH, 3))
    learner, t_s = SeatLearner(), 0.0

    def film(image: Image, frames: int) -> None:
        nonlocal t_s
        for _ in range(frames):
            noisy = np.clip(image + noises[round(t_s * 10) % 3], 0, 255).astype(np.uint8)
            learner.see(noisy, t_s, 30)
            t_s = round(t_s + 0.1, 3)

    film(table, 5)
    for name in order:
        start, end = (np.array(p) * (WIDTH, HEIGHT) for p in HANDS[name])
        for step, frames in [(n / 5, 1) for n in range(1, 6)] + [(1.0, 8)] + [(n / 5, 1) for n in range(4, 0, -1)]:
            image = table.copy()
            tip = start + (end - start) * step
            cv2.line(
                image,
                tuple(np.rint(start).astype(int).tolist()),
                tuple(np.rint(tip).astype(int).tolist()),
                (140, 170, 215),
                38,
            )
            film(image, frames)
        film(table, 6)
    return learner


def test_hands_are_learnt_in_any_order_and_numbered_clockwise_from_the_first() -> None:
    places = filmed(["bottom", "top right", "left", "right", "top left"]).seats()
    names = ["bottom", "left", "top left", "top right", "right"]
    assert list(places) == list(Seat.first(5))
    for seat, name in zip(places, names, strict=True):
        x, y = places[seat]
        to = HANDS[name][1]
        assert (x, y) == pytest.approx(to, abs=0.09), f"{seat} should sit {name}"


def test_a_hand_that_comes_twice_is_one_seat() -> None:
    assert len(filmed(["bottom", "left", "bottom"]).seats(2)) == 2


def test_another_number_of_hands_than_seats_is_told() -> None:
    with pytest.raises(InputFault, match="2 places were seen, not 3"):
        filmed(["bottom", "left"]).seats(3)


def test_no_hand_is_told() -> None:
    with pytest.raises(InputFault, match="no hand was seen"):
        filmed([]).seats()
