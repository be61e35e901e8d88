"""Crops for the classifier: labels, what is called `none`, the same crops from the same seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.synth.faces import codes
from referee.synth.scenes import FaceStock, Scene, SceneCard, SceneMix, draw_scene
from referee.training.crops import COLOURS, NONE, STORED_PX, SYMBOLS, CropSet, crops_of, draw_crops, labels_of


@pytest.mark.parametrize(
    ("code", "symbol", "colour"),
    [
        ("R5", "5", "R"),
        ("YS", "S", "Y"),
        ("GR", "R", "G"),
        ("BD", "D", "B"),
        ("W4", "W4", "none"),
        ("WX", "WX", "none"),
        ("back", "back", "none"),
        ("none", "none", "none"),
    ],
)
def test_labels_part_symbol_and_colour(code: str, symbol: str, colour: str) -> None:
    s, c = labels_of(code)
    assert (SYMBOLS[s], COLOURS[c]) == (symbol, colour)


def test_every_code_has_labels() -> None:
    assert len({labels_of(code) for code in codes()}) == len(codes())


def test_crops_show_visible_cards_and_some_that_are_none() -> None:
    rng, stock = np.random.default_rng(3), FaceStock(40, printings=2, face_px=96)
    mix = SceneMix(smallest=0.3, largest=0.6, empty_share=0.2)
    scenes = [draw_scene(rng, stock, 160, 160, mix) for _ in range(25)]
    found = [crop for scene in scenes for crop in crops_of(scene, rng)]
    none = sum(code == NONE for code, _ in found)
    assert 0.04 < none / len(found) < 0.65
    assert all(crop.shape == (STORED_PX[1], STORED_PX[0], 3) for _, crop in found)


def test_a_covered_card_gives_no_crop() -> None:
    quad = np.array([[20, 20], [60, 20], [60, 80], [20, 80]], np.float32)
    scene = Scene(np.full((100, 100, 3), 90, np.uint8), (SceneCard("R5", quad, 0.2, 0.1),), ())
    assert all(code == NONE for seed in range(5) for code, _ in crops_of(scene, np.random.default_rng(seed)))


def test_the_same_seed_draws_the_same_crops_and_a_set_survives_its_file(tmp_path: Path) -> None:
    first = draw_crops(12, 5, validating=False, workers=1, on_crops=lambda _: None)
    again = draw_crops(12, 5, validating=False, workers=1, on_crops=lambda _: None)
    held = draw_crops(12, 5, validating=True, workers=1, on_crops=lambda _: None)
    assert np.array_equal(first.crops, again.crops)
    assert not np.array_equal(first.crops, held.crops)
    first.save(tmp_path / "crops.npz")
    loaded = CropSet.load(tmp_path / "crops.npz")
    assert np.array_equal(loaded.crops, first.crops)
    assert np.array_equal(loaded.symbols, first.symbols)
    assert np.array_equal(loaded.colours, first.colours)
