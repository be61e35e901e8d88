"""Scenes written for training: labels inside limits, the same files from the same seed."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.synth.scenes import SceneCard
from referee.training.scene_files import (
    LEAST_VISIBLE,
    LEAST_WITH_SIGN,
    ScenePlan,
    can_be_read,
    label_box,
    write_scenes,
)
from referee.vision.quads import overlap

FRAME = (320, 240)
WHOLE = np.array([[100, 50], [150, 50], [150, 130], [100, 130]], np.float32)


def shifted(dx: float, dy: float) -> np.ndarray:
    return WHOLE + np.array([dx, dy], np.float32)


def test_a_whole_card_keeps_its_corners() -> None:
    box = label_box(SceneCard("R5", WHOLE, 1.0), *FRAME)
    assert box is not None
    assert np.array_equal(box, WHOLE)


@pytest.mark.parametrize(
    ("dx", "dy", "share"),
    [(-120, 0, 0.6), (200, 0, 0.4), (0, -90, 0.5), (0, 150, 0.5)],
    ids=["left", "right", "top", "bottom"],
)
def test_a_card_cut_by_the_frame_is_labelled_by_its_part_inside(dx: float, dy: float, share: float) -> None:
    box = label_box(SceneCard("R5", shifted(dx, dy), share), *FRAME)
    assert box is not None
    assert (box >= 0).all()
    assert (box <= FRAME).all()
    assert overlap(box, np.clip(shifted(dx, dy), 0, FRAME).astype(np.float32)) > 0.95


@pytest.mark.parametrize(
    ("visible", "legible", "labelled"),
    [
        (0.0, 0.0, False),
        (LEAST_VISIBLE - 0.01, 0.5, False),
        (LEAST_VISIBLE, 0.0, True),
        (LEAST_WITH_SIGN, 1.0, True),
        (LEAST_WITH_SIGN - 0.01, 1.0, False),
    ],
)
def test_a_card_hardly_seen_is_labelled_only_by_a_whole_sign(visible: float, legible: float, labelled: bool) -> None:
    assert (label_box(SceneCard("R5", WHOLE, visible, legible), *FRAME) is not None) == labelled


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scenes")
    done: list[int] = []
    write_scenes(ScenePlan(path, "train", 12, seed=2), 1, done.append)
    assert sum(done) == 12
    return path


def test_every_scene_has_picture_labels_and_truth(folder: Path) -> None:
    stems = [sorted(p.stem for p in (folder / kind / "train").iterdir()) for kind in ("images", "labels", "truth")]
    assert stems[0] == stems[1] == stems[2]
    assert len(stems[0]) == 12


def test_labels_are_classes_and_fractions_of_the_frame(folder: Path) -> None:
    rows = [line.split() for p in (folder / "labels/train").iterdir() for line in p.read_text().splitlines()]
    assert rows
    for kind, *numbers in rows:
        assert kind in ("0", "1")
        assert len(numbers) == 8
        assert all(0 <= float(n) <= 1 for n in numbers)


def test_labels_agree_with_the_truth(folder: Path) -> None:
    for path in (folder / "truth/train").iterdir():
        image = cv2.imread(str(folder / "images/train" / f"{path.stem}.jpg"))
        assert image is not None
        truth = json.loads(path.read_text())
        shown = [c for c in truth if can_be_read(SceneCard(c["code"], WHOLE, c["visible"], c["legible"]))]
        lines = (folder / "labels/train" / f"{path.stem}.txt").read_text().splitlines()
        assert abs(len(shown) - len(lines)) <= 1
        assert sum(c["code"] == "back" for c in shown) >= sum(line.startswith("1 ") for line in lines) - 1


def test_the_same_plan_writes_the_same_scenes(folder: Path, tmp_path: Path) -> None:
    write_scenes(ScenePlan(tmp_path, "train", 3, seed=2), 1, lambda _: None)
    for name in ("images/train/000002.jpg", "labels/train/000002.txt"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
