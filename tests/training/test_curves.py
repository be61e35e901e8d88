"""Learning curves: kept while a training runs, whole after a kill and a resumption, and drawn."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.faults import InputFault
from referee.training.curves import CURVES_FILE, STEPS_FILE, StepLog, draw_curves, read_steps, smoothed
from referee.vision.yolo import TrainingStep

pytest.importorskip("matplotlib", reason="needs the extra 'train'")


def run(folder: Path, steps: int, *, carried_on: bool = False) -> StepLog:
    log = StepLog(folder, lambda _: None, carried_on=carried_on)
    for k in range(1, steps + 1):
        log.step(TrainingStep(k, k / 100, 2e-3, 3 * math.exp(-k / 80) + 0.3))
    return log


def test_steps_are_on_disk_while_the_training_runs(tmp_path: Path) -> None:
    run(tmp_path, 50)
    (stretch,) = read_steps(tmp_path)
    assert stretch.minutes.tolist() == [0.01, 0.1, 0.2, 0.3, 0.4, 0.5]


def test_a_second_stretch_is_added_and_a_new_training_starts_anew(tmp_path: Path) -> None:
    run(tmp_path, 50)
    with (tmp_path / STEPS_FILE).open("a") as file:
        file.write('{"stretch": 0, "ste')  # cut off by a kill
    run(tmp_path, 30, carried_on=True)
    assert [len(s.loss) for s in read_steps(tmp_path)] == [6, 4]
    run(tmp_path, 20)
    assert [len(s.loss) for s in read_steps(tmp_path)] == [3]


def test_the_picture_shows_a_curve(tmp_path: Path) -> None:
    assert run(tmp_path, 300).draw() == tmp_path / CURVES_FILE
    picture = cv2.imread(str(tmp_path / CURVES_FILE))
    assert picture is not None
    assert picture.shape == (550, 880, 3)
    assert (np.ptp(picture, axis=2) > 60).sum() > 500, "coloured lines"


def test_the_command_draws_even_when_the_training_is_stopped(tmp_path: Path) -> None:
    from referee.cli import train

    class Bars(train._Bars):
        said: tuple[str, ...] = ()

        def say(self, line: str) -> None:
            self.said += (line,)

    bars = Bars("drawing", 1)

    def stopped_by_hand() -> None:
        with train._curves(tmp_path, bars, resume=False) as on_step:
            on_step(TrainingStep(1, 0.1, 1e-3, 2.0))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped_by_hand()
    assert bars.said == (f"learning curves: {tmp_path / CURVES_FILE}",)


def test_nothing_to_draw(tmp_path: Path) -> None:
    assert StepLog(tmp_path, lambda _: None, carried_on=False).draw() is None
    with pytest.raises(InputFault, match="holds no steps"):
        draw_curves(tmp_path)


def test_smoothing_keeps_a_straight_line() -> None:
    line = np.linspace(5, 1, 400)
    assert smoothed(line)[10:-10] == pytest.approx(line[10:-10])
    assert smoothed(np.array([2.0])) == pytest.approx([2.0])
