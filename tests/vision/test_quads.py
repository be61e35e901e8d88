"""Outlines of cards: order of corners, overlap, and the straightened card."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.quads import (
    Quad,
    grown,
    inside,
    length_px,
    overlap,
    shared_px,
    side_lengths,
    squareness,
    straighten,
    turned,
    upright,
)


def quad(*corners: tuple[float, float]) -> Quad:
    return np.array(corners, np.float32)


UPRIGHT = quad((10, 20), (66, 20), (66, 107), (10, 107))


@pytest.mark.parametrize("shift", range(4))
@pytest.mark.parametrize("mirrored", [False, True], ids=["clockwise", "anticlockwise"])
def test_upright_starts_at_the_top_left_whatever_corner_came_first(shift: int, mirrored: bool) -> None:
    given = np.roll(UPRIGHT, shift, axis=0)
    np.testing.assert_array_equal(upright(given[::-1] if mirrored else given), UPRIGHT)


@pytest.mark.parametrize("degrees", [0, 30, 80, 100, 170, 250, 359])
def test_upright_puts_a_short_side_first_at_any_turn(degrees: float) -> None:
    box = cv2.boxPoints(((200, 200), (56, 87), degrees))
    sides = side_lengths(upright(np.asarray(box, np.float32)))
    np.testing.assert_allclose(sides, [56, 87, 56, 87], atol=1e-3)


@pytest.mark.parametrize(
    ("other", "shared", "share_of_union", "share_inside"),
    [
        (UPRIGHT, 56 * 87, 1.0, 1.0),
        (UPRIGHT + np.array([28, 0], np.float32), 28 * 87, 1 / 3, 0.5),
        (UPRIGHT + np.array([100, 0], np.float32), 0.0, 0.0, 0.0),
        (grown(UPRIGHT, 2), 56 * 87, 0.25, 1.0),
        (grown(UPRIGHT, 0.5), 28 * 43.5, 0.25, 0.25),
    ],
    ids=["itself", "half a card to the right", "apart", "inside a larger one", "round a smaller one"],
)
def test_overlap(other: Quad, shared: float, share_of_union: float, share_inside: float) -> None:
    assert shared_px(UPRIGHT, other) == pytest.approx(shared, rel=1e-4)
    assert overlap(UPRIGHT, other) == pytest.approx(share_of_union, rel=1e-4)
    assert inside(UPRIGHT, other) == pytest.approx(share_inside, rel=1e-4)


def test_length_and_squareness_do_not_depend_on_the_first_corner() -> None:
    for k in range(4):
        assert length_px(turned(UPRIGHT, k)) == 87
        assert squareness(turned(UPRIGHT, k)) == pytest.approx(56 / 87)


@pytest.mark.parametrize("degrees", [0, 37, 90, 200])
@pytest.mark.parametrize("length", [40, 90, 400, 1500])
def test_straighten_undoes_any_turn_and_size(length: int, degrees: int) -> None:
    """A card with a red top-left quarter comes out with its red quarter at the top left."""
    side = 2 * length
    picture = np.full((side, side, 3), 90, np.uint8)
    box = np.asarray(cv2.boxPoints(((length, length), (length * 56 / 87, length), degrees)), np.float32)
    box = turned(box, 1)  # OpenCV starts at the bottom left of the unturned box
    cv2.fillConvexPoly(picture, np.rint(box).astype(np.int32), (255, 255, 255))
    middle, right, below = box.mean(axis=0), box[1] - box[0], box[3] - box[0]
    corner = np.array([box[0], box[0] + right / 2, middle, box[0] + below / 2])
    cv2.fillConvexPoly(picture, np.rint(corner).astype(np.int32), (0, 0, 255))
    card = straighten(picture, box, (56, 87)).astype(int)
    assert card.shape == (87, 56, 3)
    assert card[10:35, 5:22].mean(axis=(0, 1)) == pytest.approx([0, 0, 255], abs=6)
    for part in (card[10:35, 33:50], card[53:78, 5:22], card[53:78, 33:50]):
        assert part.mean(axis=(0, 1)) == pytest.approx([255, 255, 255], abs=6)


def test_straighten_large_card_averages_rather_than_skips() -> None:
    """Stripes of one pixel on a 3000 px card become grey, not a random black or white."""
    picture = np.zeros((3000, 1931, 3), np.uint8)
    picture[::2] = 255
    card = straighten(picture, quad((0, 0), (1931, 0), (1931, 3000), (0, 3000)), (64, 96))
    assert card.mean() == pytest.approx(127, abs=3)
    assert card.std() < 8


def test_straighten_survives_an_outline_outside_the_picture() -> None:
    picture = np.full((50, 50, 3), 200, np.uint8)
    assert straighten(picture, UPRIGHT * 8 + 100, (64, 96)).shape == (96, 64, 3)
