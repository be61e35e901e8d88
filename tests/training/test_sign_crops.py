"""Corners drawn for the sign classifier: named where the sign is seen, `none` where it is covered or never was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.synth.scenes import FaceStock, Scene, SceneCard, SceneMix, draw_scene
from referee.training.crops import COLOURS, NONE
from referee.training.sign_crops import SIGNS, STORED_SIGN_PX, draw_sign_crops, sign_crops_of, sign_of

QUAD = np.array([[60, 40], [124, 40], [124, 140], [60, 140]], np.float32)


@pytest.mark.parametrize(
    ("code", "sign", "colour"),
    [
        ("R5", "5", "R"),
        ("GS", "S", "G"),
        ("W4", "W4", NONE),
        ("WX", "W", NONE),
        ("WC", "W", NONE),
        ("back", NONE, NONE),
    ],
)
def test_what_stands_in_the_corners(code: str, sign: str, colour: str) -> None:
    s, c = sign_of(code)
    assert (SIGNS[s], COLOURS[c]) == (sign, colour)


@pytest.mark.parametrize(
    ("signs", "named"),
    [((0.0, 1.0, 1.0), 2), ((1.0, 1.0, 0.0), 1), ((1.0, 0.1, 0.1), 0), ((0.0, 0.5, 0.5), 0)],
    ids=["both seen", "one covered", "both covered", "half seen is neither"],
)
def test_a_corner_is_named_by_what_is_seen_of_it(signs: tuple[float, float, float], named: int) -> None:
    scene = Scene(np.full((200, 200, 3), 90, np.uint8), (SceneCard("R5", QUAD, 0.5, max(signs), signs),), ())
    found = sign_crops_of(scene, np.random.default_rng(1))
    assert sum(code == "R5" for code, _ in found) == named
    assert all(crop.shape == (STORED_SIGN_PX[1], STORED_SIGN_PX[0], 3) for _, crop in found)


def test_crowded_scenes_cover_cards() -> None:
    mix = SceneMix(smallest=0.3, largest=0.4, empty_share=0.0, crowded_share=1.0)
    rng, stock = np.random.default_rng(5), FaceStock(30, printings=1, face_px=96)
    cards = [card for _ in range(8) for card in draw_scene(rng, stock, 160, 160, mix).cards]
    assert np.mean([min(card.signs) < 0.3 for card in cards]) > 0.25


def test_the_same_seed_draws_the_same_corners(tmp_path: Path) -> None:
    first, again = (draw_sign_crops(6, 5, validating=True, workers=1, on_crops=lambda _: None) for _ in range(2))
    assert np.array_equal(first.crops, again.crops)
    assert np.array_equal(first.symbols, again.symbols)
