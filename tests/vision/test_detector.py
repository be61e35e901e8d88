"""From the network's raw numbers to outlines: turn, score, classes, and one detection for one card."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from referee.vision.detector import Detection, averaged, decode, is_same_card, oriented_quads
from referee.vision.quads import Quad, overlap, side_lengths


def raw(*boxes: tuple[float, ...]) -> np.ndarray:
    """Raw output (1, 7, n) from boxes (x, y, width, height, card score, back score, turn)."""
    return np.array(boxes, np.float32).T[None]


def card(x: float, y: float, length: float = 87, degrees: float = 0) -> Quad:
    box = np.array([[x, y, length * 56 / 87, length, math.radians(degrees)]], np.float32)
    return np.asarray(oriented_quads(box)[0], np.float32)


@pytest.mark.parametrize("degrees", [0, 10, 45, 90, 134])
def test_an_oriented_quad_is_the_box_that_opencv_draws(degrees: float) -> None:
    (ours,) = oriented_quads(np.array([[100, 80, 60, 30, math.radians(degrees)]], np.float32))
    theirs = np.asarray(cv2.boxPoints(((100, 80), (60, 30), degrees)), np.float32)
    assert overlap(ours, theirs) == pytest.approx(1, abs=1e-4)
    np.testing.assert_allclose(side_lengths(ours), [60, 30, 60, 30], atol=1e-3)


def test_decode_keeps_what_is_sure_enough_best_first() -> None:
    found = decode(
        raw((50, 50, 20, 30, 0.4, 0.0, 0.1), (200, 90, 20, 30, 0.9, 0.1, 0), (120, 200, 20, 30, 0.05, 0, 0))
    )
    assert [round(d.score, 3) for d in found] == [0.9, 0.4]
    np.testing.assert_allclose(found[0].quad_px.mean(axis=0), [200, 90], atol=1e-3)


def test_decode_tells_backs_from_faces() -> None:
    back, face = decode(raw((50, 50, 20, 30, 0.2, 0.8, 0), (200, 90, 20, 30, 0.7, 0.1, 0)))
    assert [back.score, back.back_score] == pytest.approx([0.8, 0.8])
    assert face.back_score == pytest.approx(0.1)


def test_decode_of_an_empty_picture() -> None:
    assert decode(raw((50, 50, 20, 30, 0.01, 0.01, 0))) == []


def test_averaged_places_the_card_between_its_anchors_wherever_their_first_corner_is() -> None:
    """An angle of 0 and one of 90 degrees with width and height exchanged outline the same card."""
    found = decode(raw((98, 100, 56, 87, 0.8, 0, 0), (102, 100, 87, 56, 0.8, 0, math.pi / 2)))
    assert len(found) == 1
    np.testing.assert_allclose(found[0].quad_px.mean(axis=0), [100, 100], atol=1e-3)
    np.testing.assert_allclose(sorted(side_lengths(found[0].quad_px)), [56, 56, 87, 87], atol=1e-3)


def test_averaged_ignores_anchors_that_are_much_less_sure() -> None:
    (only,) = averaged([Detection(card(100, 100), 0.9), Detection(card(110, 100), 0.3)])
    np.testing.assert_allclose(only.quad_px, card(100, 100), atol=1e-3)


@pytest.mark.parametrize(
    ("others", "cards"),
    [
        ([card(103, 101, degrees=4)], 1),
        ([card(100, 100, length=40)], 1),
        ([card(85, 80, length=30)], 1),
        ([card(150, 100)], 2),
        ([card(125, 110, degrees=25)], 2),
        ([card(100, 100, degrees=90)], 2),
    ],
    ids=["seen twice", "its oval (G1)", "its corner sign (G1)", "beside", "fanned over it", "across it"],
)
def test_is_same_card(others: list[Quad], cards: int) -> None:
    kept: list[Quad] = [card(100, 100)]
    kept += [quad for quad in others if not is_same_card(quad, kept[0])]
    assert len(kept) == cards
