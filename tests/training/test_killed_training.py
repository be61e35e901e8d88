"""A training that is killed leaves weights and a curve, and is carried on from them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch")

TRAINS_FOR_TEN_MINUTES = """
import sys
from pathlib import Path
import referee.training.classifier as training
import referee.training.two_heads as two_heads
from referee.training.curves import StepLog

two_heads.KEEP_EVERY_S = 0.0
out = Path(sys.argv[1])
log = StepLog(out, lambda _: None, carried_on=False)
run = training.ClassifierRun(10, out, 3, crops=64, validation_crops=40, workers=1, threads=1)
training.train_classifier(run, lambda *_: None, log.step)
"""


def test_killed_in_the_middle_and_carried_on(tmp_path: Path) -> None:
    from referee.training.classifier import WEIGHTS, ClassifierRun, train_classifier
    from referee.training.curves import StepLog, read_steps

    with subprocess.Popen([sys.executable, "-c", TRAINS_FOR_TEN_MINUTES, str(tmp_path)]) as training:
        patience_s = time.monotonic() + 240
        while not (tmp_path / WEIGHTS).exists() or not read_steps(tmp_path):
            assert training.poll() is None, "it must not end by itself"
            assert time.monotonic() < patience_s
            time.sleep(0.05)
        training.send_signal(signal.SIGKILL)
        assert training.wait() == -signal.SIGKILL
    assert not (tmp_path / "run.json").exists()
    kept = torch.load(tmp_path / WEIGHTS, weights_only=True)

    log = StepLog(tmp_path, lambda _: None, carried_on=True)
    run = ClassifierRun(0.01, tmp_path, 3, crops=64, validation_crops=40, workers=1, threads=1, resume=True)
    train_classifier(run, lambda *_: None, log.step)
    assert len(read_steps(tmp_path)) == 2
    assert json.loads((tmp_path / "run.json").read_text())["stretches"][-1]["from_scratch"] is False
    assert set(torch.load(tmp_path / WEIGHTS, weights_only=True)) == set(kept)


DETECTOR_TRAINS_FOR_TEN_MINUTES = """
import sys
from pathlib import Path
from referee.training.scene_files import ScenePlan, write_scenes
from referee.vision import yolo

out = Path(sys.argv[1])
for part in ("val", "train"):
    data = write_scenes(ScenePlan(out / "scenes", part, 8, 3), 1, lambda _: None)
plan = yolo.TrainingPlan(data, out, 96, minutes=10, seed=3, batch=4, threads=1, keep_every_minutes=0)
yolo.train_oriented(plan, lambda _: None)
"""


def test_a_detector_training_killed_in_the_middle_is_carried_on(tmp_path: Path) -> None:
    from referee.training.detector import DetectorRun, train_detector

    last = tmp_path / "last.pt"
    with subprocess.Popen([sys.executable, "-c", DETECTOR_TRAINS_FOR_TEN_MINUTES, str(tmp_path)]) as training:
        patience_s = time.monotonic() + 240
        while not last.exists():
            assert training.poll() is None, "it must not end by itself"
            assert time.monotonic() < patience_s
            time.sleep(0.05)
        training.send_signal(signal.SIGKILL)
        assert training.wait() == -signal.SIGKILL
    kept = last.read_bytes()

    run = DetectorRun(0.02, tmp_path, 3, scenes=8, validation_scenes=8, size_px=96, workers=1, resume=True, threads=1)
    assert train_detector(run, lambda *_: None, lambda _: None) == last
    assert last.read_bytes() != kept
    assert json.loads((tmp_path / "run.json").read_text())["stretches"][-1]["from_scratch"] is False
