"""Drawn scenes: what the labels say is what is in the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.synth.faces import codes
from referee.synth.layouts import MOST_CARDS, Camera, Place, any_camera, corners, scattered, table_in_play
from referee.synth.light import photographed
from referee.synth.playing_cards import draw_playing_card
from referee.synth.scenes import FaceStock, Scene, SceneMix, draw_scene


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    rng, stock = np.random.default_rng(4), FaceStock(70, printings=2, face_px=120)
    return [draw_scene(rng, stock, 200, 150) for _ in range(40)]


def test_scenes_differ_and_come_with_and_without_cards(scenes: list[Scene]) -> None:
    counts = [len(s.cards) for s in scenes]
    assert min(counts) == 0
    assert max(counts) >= 5
    assert all(s.image_bgr.shape == (150, 200, 3) and s.image_bgr.dtype == np.uint8 for s in scenes)
    assert len({s.image_bgr.tobytes() for s in scenes}) == len(scenes)


def test_labels_are_known_codes_and_shares(scenes: list[Scene]) -> None:
    cards = [c for s in scenes for c in s.cards]
    assert {c.code for c in cards} <= set(codes())
    assert all(0 <= c.visible <= 1 for c in cards)
    assert all(cv2.isContourConvex(c.quad.reshape(-1, 1, 2)) for c in cards if c.visible > 0.5)
    assert any(c.visible < 0.5 for c in cards), "some cards must lie under others"


def test_the_same_seed_draws_the_same_scene() -> None:
    mix = SceneMix(empty_share=0.0)
    first, again = (draw_scene(np.random.default_rng(8), FaceStock(1, face_px=96), 160, 120, mix) for _ in range(2))
    assert np.array_equal(first.image_bgr, again.image_bgr)
    assert [c.code for c in first.cards] == [c.code for c in again.cards]


def test_the_quad_lies_on_the_card() -> None:
    """Straightened by its label and drawn without harsh light, a card looks like its face, but for glare on some."""
    mix = SceneMix(smallest=0.45, largest=0.7, empty_share=0.0, harshness=0.0)
    rng = np.random.default_rng(0)
    stock = FaceStock(300, printings=1, face_px=200)
    likenesses: list[float] = []
    while len(likenesses) < 9:
        scene = draw_scene(rng, stock, 300, 300, mix)
        likenesses += [
            _likeness(scene.image_bgr, c.quad, stock.face(c.code, 300)) for c in scene.cards if c.visible > 0.97
        ]
    assert np.median(likenesses) > 0.9
    assert min(likenesses) > 0.4, "a card turned by half or cut beside its place has none"


def _likeness(image: np.ndarray, quad: np.ndarray, face: np.ndarray) -> float:
    height, width = face.shape[:2]
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = cv2.warpPerspective(image, cv2.getPerspectiveTransform(quad, target), (width, height))
    inside = (slice(8, -8), slice(8, -8))
    return float(np.corrcoef(seen[inside].ravel(), face[..., :3][inside].ravel())[0, 1])


def test_legible_is_what_is_left_of_the_best_sign() -> None:
    rng, stock = np.random.default_rng(6), FaceStock(70, printings=2, face_px=96)
    cards = [c for _ in range(30) for c in draw_scene(rng, stock, 200, 150, SceneMix(empty_share=0.0)).cards]
    assert all(c.legible > 0.95 for c in cards if c.visible > 0.99)
    assert any(c.visible < 0.4 and c.legible > 0.9 for c in cards), "a sign in a corner may look out"
    assert any(c.visible > 0.1 and c.legible < 0.3 for c in cards)


def test_a_quad_starts_at_the_upper_left_corner_of_the_face_and_runs_clockwise() -> None:
    square = Camera(tilt=0.0, heading=1.0, distance=2.0).project(corners(Place("R5", 0.1, 0.2, 0.0), 0.4))
    assert square[0, 0] < square[1, 0]
    assert square[0, 1] < square[3, 1]
    assert np.isclose(square[3, 1] - square[0, 1], 0.4)


def test_a_tilted_camera_makes_the_far_side_smaller() -> None:
    view = Camera(tilt=0.8, heading=0.0, distance=1.5)
    near_and_far = view.project(np.array([[-0.2, 0.3], [0.2, 0.3], [-0.2, -0.3], [0.2, -0.3]]))
    near, far = near_and_far[1, 0] - near_and_far[0, 0], near_and_far[3, 0] - near_and_far[2, 0]
    assert near > 1.2 * far


@pytest.mark.parametrize("layout", [table_in_play, scattered])
def test_a_table_holds_at_most_twenty_cards(layout: object) -> None:
    rng = np.random.default_rng(1)
    counts = [len(layout(rng, 0.07, 4 / 3)) for _ in range(60)]  # type: ignore[operator]
    assert 10 < max(counts) <= MOST_CARDS


def test_cameras_stay_above_the_table() -> None:
    rng = np.random.default_rng(2)
    assert all(0 <= any_camera(rng).tilt <= 0.95 for _ in range(200))


def test_a_camera_changes_the_picture_but_not_its_size() -> None:
    grey = np.full((60, 80, 3), 128, np.uint8)
    taken = photographed(grey, np.random.default_rng(3))
    assert taken.shape == grey.shape
    assert np.abs(taken.astype(int) - 128).mean() > 2


def test_playing_cards_are_mostly_white_with_rounded_corners() -> None:
    rng = np.random.default_rng(5)
    cards = [draw_playing_card(rng, 120) for _ in range(12)]
    assert all(c[0, 0, 3] < 100 and c[60, c.shape[1] // 2, 3] == 255 for c in cards)
    assert sum(np.median(c[..., :3]) > 220 for c in cards) >= 6
