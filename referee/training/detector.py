"""Trains the card detector on drawn scenes and exports it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from referee.training.scene_files import ScenePlan, write_scenes
from referee.vision import yolo

SIZE_PX = 320
SCENES = 9000
VALIDATION_SCENES = 400
FIRST_RATE = 2e-3
LATER_RATE = 1e-3
"""Highest learning rate from nothing, and when carrying on from weights that a higher one would undo."""


@dataclass(frozen=True, slots=True)
class DetectorRun:
    """One training of the detector: wall-clock minutes (drawing not counted), folder, seed, scene counts."""

    minutes: float
    out: Path
    seed: int
    scenes: int = SCENES
    validation_scenes: int = VALIDATION_SCENES
    size_px: int = SIZE_PX
    workers: int = 2
    resume: bool = False
    threads: int = 2


def train_detector(
    run: DetectorRun, on_scenes: Callable[[int, int], None], on_step: Callable[[yolo.TrainingStep], None]
) -> Path:
    """Draw the scenes that are missing, train, and return the weights `out/last.pt`.

    With `resume` the weights found there are trained on; otherwise training starts from nothing. on_scenes gets
    (scenes just drawn, scenes in all). `out/run.json` keeps what was done, for the manifest.
    """
    data = run.out / "scenes" / "data.yaml"
    total = run.scenes + run.validation_scenes
    for part, count in (("val", run.validation_scenes), ("train", run.scenes)):
        folder = run.out / "scenes" / "images" / part
        if not folder.is_dir() or sum(1 for _ in folder.iterdir()) < count:
            scenes = ScenePlan(run.out / "scenes", part, count, run.seed)
            data = write_scenes(scenes, run.workers, lambda done: on_scenes(done, total))
    last = run.out / "last.pt"
    carry_on = run.resume and last.exists()
    steps: list[yolo.TrainingStep] = []

    def step(now: yolo.TrainingStep) -> None:
        if now.number % 20 == 0:
            steps.append(now)
        on_step(now)

    plan = yolo.TrainingPlan(
        data=data,
        out=run.out,
        size_px=run.size_px,
        minutes=run.minutes,
        seed=run.seed,
        start=last if carry_on else None,
        rate=LATER_RATE if carry_on else FIRST_RATE,
        threads=run.threads,
    )
    weights = yolo.train_oriented(plan, step)
    _note(run, steps, plan)
    return weights


def _note(run: DetectorRun, steps: list[yolo.TrainingStep], plan: yolo.TrainingPlan) -> None:
    record = run.out / "run.json"
    earlier = json.loads(record.read_text())["stretches"] if run.resume and record.exists() else []
    stretch = {
        "minutes": round(run.minutes, 2),
        "iterations": steps[-1].number if steps else 0,
        "batch": plan.batch,
        "seed": run.seed,
        "scenes": run.scenes,
        "size_px": run.size_px,
        "from_scratch": plan.start is None,
        "loss": [[s.number, round(s.minutes, 2), round(s.loss, 3)] for s in steps],
    }
    record.write_text(json.dumps({"kind": "card_detector", "stretches": [*earlier, stretch]}, indent=1))
