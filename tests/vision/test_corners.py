"""From a loose outline to the card's edges, on drawn tables where the edges are known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.synth.faces import draw_face, printing
from referee.vision.corners import Outline, farther_outlines, near_outlines
from referee.vision.quads import Image, Quad, length_px, upright

TRUE = np.array([[150, 90], [262, 104], [250, 290], [132, 268]], np.float32)
"""A card seen at a slant in a picture of 400 x 400 px."""


def table(colour: tuple[int, int, int], code: str = "G7", hand: bool = False) -> Image:
    """A card at TRUE on a plain table with a little noise; with `hand`, a finger-coloured blob over one corner."""
    rng = np.random.default_rng(3)
    image: NDArray[np.float64] = np.full((400, 400, 3), colour, np.float64)
    face = draw_face(code, printing(1), 348).astype(np.float32)
    height, width = face.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    move = cv2.getPerspectiveTransform(corners, TRUE)
    laid = cv2.warpPerspective(face, move, (400, 400), flags=cv2.INTER_AREA)
    alpha = laid[..., 3:] / 255
    image = image * (1 - alpha) + laid[..., :3] * alpha
    if hand:
        cv2.ellipse(image, (250, 285), (34, 22), 40, 0, 360, (120, 150, 205), -1)
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8)) + rng.normal(0, 3, image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


def loose(factor: float, degrees: float, shift_px: tuple[float, float]) -> Quad:
    """The smallest turned rectangle around TRUE, spoilt as a detector would."""
    (x, y), (w, h), angle = cv2.minAreaRect(TRUE)
    box = ((x + shift_px[0], y + shift_px[1]), (w * factor, h * factor), angle + degrees)
    return upright(np.asarray(cv2.boxPoints(box), np.float32))


def worst_corner(outline: Outline) -> float:
    """Largest distance between corners, as a share of the card's length."""
    return min(
        float(np.linalg.norm(np.roll(outline.quad_px, k, axis=0) - TRUE, axis=1).max()) / length_px(TRUE)
        for k in range(4)
    )


@pytest.mark.parametrize("factor", [0.9, 1.0, 1.1])
@pytest.mark.parametrize("degrees", [-5, 0, 5])
@pytest.mark.parametrize("colour", [(60, 90, 120), (70, 70, 70), (40, 40, 160)], ids=["wood", "grey", "red cloth"])
def test_loose_outline_moves_onto_the_edges(factor: float, degrees: float, colour: tuple[int, int, int]) -> None:
    start = loose(factor, degrees, (4, -3))
    found = near_outlines(table(colour), start)
    np.testing.assert_array_equal(found[0].quad_px, start)
    assert worst_corner(found[1]) < 0.03 < worst_corner(found[0])
    assert found[1].evidence > found[0].evidence


@pytest.mark.parametrize("degrees", [-14, 14])
def test_a_box_turned_too_far_is_begun_again_from_another_turn(degrees: float) -> None:
    image, start = table((60, 90, 120)), loose(1.1, degrees, (3, -5))
    assert min(worst_corner(q) for q in farther_outlines(image, start)) < 0.03


def test_a_photo_cut_to_the_card_offers_its_own_frame() -> None:
    face = draw_face("B6", printing(4), 300)[..., :3].copy()
    height, width = face.shape[:2]
    detected = np.array([[8, 10], [width - 6, 4], [width - 3, height - 9], [5, height - 12]], np.float32)
    frame = [[0, 0], [width, 0], [width, height], [0, height]]
    assert near_outlines(face, detected)[-1].quad_px.tolist() == frame
    small = detected * np.float32(0.5)
    assert near_outlines(face, small)[-1].quad_px.tolist() != frame


def test_a_finger_over_a_corner_does_not_move_it() -> None:
    found = near_outlines(table((60, 90, 120), hand=True), loose(1.05, 3, (2, 2)))
    assert worst_corner(found[1]) < 0.04


def test_on_a_white_table_the_border_is_added_to_the_inner_edge() -> None:
    found = near_outlines(table((238, 240, 241)), loose(1.05, 2, (3, 0)))
    assert min(worst_corner(q) for q in found[1:]) < 0.05


def test_where_no_edge_is_the_outline_stays_as_detected() -> None:
    plain = np.full((400, 400, 3), 130, np.uint8)
    start = loose(1, 0, (0, 0))
    assert [o.quad_px.tolist() for o in near_outlines(plain, start)] == [start.tolist()]


def test_an_outline_at_the_rim_of_the_picture_is_no_trouble() -> None:
    image = table((60, 90, 120))
    for start in (loose(1, 0, (-160, -120)), loose(1, 0, (180, 150)), loose(6, 0, (0, 0)), loose(0.02, 0, (0, 0))):
        assert len(near_outlines(image, start)) >= 1
