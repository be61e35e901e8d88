"""A few steps of real training, end to end: draw, train, export, and the same numbers from OpenCV as from torch."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from referee.vision.classifier import OnnxCropScorer
from referee.vision.detector import OnnxCardFinder
from referee.vision.models import CLASSIFIER, DETECTOR, model_entry

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch")


def test_exact_outlines_cut_the_middle_of_a_stored_crop() -> None:
    from referee.training.two_heads import cut, unit_corners

    stored = np.zeros((1, 120, 80, 3), np.uint8)
    stored[:, 12:108, 8:72] = (10, 20, 200)
    crop = cut(torch.from_numpy(stored), unit_corners(1), (64, 96), 1.25)[0].numpy()
    assert crop.shape == (3, 96, 64)
    assert np.allclose(crop[:, 1:-1, 1:-1].mean(axis=(1, 2)) * 255, (200, 20, 10), atol=0.5)


def test_a_half_turned_outline_turns_the_crop() -> None:
    from referee.training.two_heads import cut, unit_corners

    stored = torch.from_numpy(np.random.default_rng(0).integers(0, 255, (1, 120, 80, 3), dtype=np.uint8))
    upright, turned = (cut(stored, unit_corners(1).roll(k, 1), (64, 96), 1.25) for k in (0, 2))
    assert torch.allclose(upright, turned.flip(2, 3), atol=1e-4)


def test_varied_crops_stay_pictures() -> None:
    from referee.training.classifier import varied

    stored = torch.from_numpy(np.random.default_rng(0).integers(0, 255, (6, 120, 80, 3), dtype=np.uint8))
    crops = varied(stored)
    assert crops.shape == (6, 3, 96, 64)
    assert 0 <= float(crops.min()) < float(crops.max()) <= 1


def test_temperature_softens_what_is_too_sure() -> None:
    from referee.training.two_heads import fitted_temperature

    rng = np.random.default_rng(1)
    labels = rng.integers(0, 3, 400)
    right = np.where(rng.random(400) < 0.7, labels, (labels + 1) % 3)
    logits = torch.from_numpy((np.eye(3)[right] * 12).astype(np.float32)).repeat(2, 1, 1)
    assert fitted_temperature(logits, torch.from_numpy(labels)) > 2
    assert fitted_temperature(logits * 0.01, torch.from_numpy(labels)) < 0.5


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a short training of the classifier."""
    from referee.training.classifier import ClassifierRun, train_classifier

    folder = tmp_path_factory.mktemp("named")
    steps: list[int] = []
    run = ClassifierRun(0.03, folder, 7, crops=70, validation_crops=40, workers=1, threads=1)
    train_classifier(run, lambda *_: None, lambda step: steps.append(step.number))
    assert steps
    return folder


def test_a_short_training_gives_a_pair_that_opencv_runs(named: Path, tmp_path: Path) -> None:
    from referee.training.detector import DetectorRun, train_detector
    from referee.training.export import MOST_DIFFERENT, publish

    steps: list[int] = []
    found, models = tmp_path / "found", tmp_path / "models"
    detector = DetectorRun(0.03, found, 7, scenes=8, validation_scenes=4, size_px=96, workers=1, threads=1)
    train_detector(detector, lambda *_: None, lambda step: steps.append(step.number))
    assert steps
    assert json.loads((named / "run.json").read_text())["stretches"][0]["iterations"] >= 1

    exported = publish(found, named, models)
    assert all(e.largest_difference <= MOST_DIFFERENT for e in exported)
    figures = [model_entry(kind, models / "manifest.toml").facts["figures"] for kind in (DETECTOR, CLASSIFIER)]
    assert all(
        f["opencv_differs_by"] == pytest.approx(e.largest_difference, rel=0.1)
        for f, e in zip(figures, exported, strict=True)
    )
    finder = OnnxCardFinder(model_entry(DETECTOR, models / "manifest.toml"))
    assert isinstance(finder.find(np.zeros((96, 96, 3), np.uint8)), list)
    scorer = OnnxCropScorer(model_entry(CLASSIFIER, models / "manifest.toml"))
    symbols, colours = scorer.scores([np.zeros((96, 64, 3), np.uint8)] * 3)
    assert symbols.shape == (3, len(scorer.symbols))
    assert np.allclose(colours.sum(axis=1), 1, atol=1e-4)
    assert (models / "checkpoints" / "card-detector.pt").stat().st_size < 6_000_000


def test_a_training_can_be_carried_on(named: Path, tmp_path: Path) -> None:
    from referee.training.classifier import ClassifierRun, train_classifier

    folder = shutil.copytree(named, tmp_path / "again")
    again = ClassifierRun(0.02, folder, 7, crops=70, validation_crops=40, workers=1, threads=1, resume=True)
    train_classifier(again, lambda *_: None, lambda _: None)
    stretches = json.loads((folder / "run.json").read_text())["stretches"]
    assert [s["from_scratch"] for s in stretches] == [True, False]


def test_a_stretch_from_nothing_begins_the_record(named: Path, tmp_path: Path) -> None:
    """A run that was to carry on, with no weights in its folder, was noted as carried on."""
    from referee.training.crop_runs import CropRun, note_run
    from referee.training.crops import CropSet

    crops = CropSet.load(named / "train-7.npz")
    note_run(CropRun(1, tmp_path, 7, 70, 40), "any", trained_on=crops, steps=3, carried_on=False, figures={})
    record = json.loads((tmp_path / "run.json").read_text())
    assert [(s["from_scratch"], s["crops"], s["iterations"]) for s in record["stretches"]] == [(True, 70, 3)]
