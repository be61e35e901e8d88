"""Runs that train on crops: the crops are drawn once into the run's folder, and a record there says what was done."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol

import torch
from torch import Tensor

from referee.training.crops import CropSet
from referee.training.two_heads import BATCH, Fitting, Network, fit, keep
from referee.vision.yolo import TrainingStep

RECORD_FILE = "run.json"


@dataclass(frozen=True, slots=True)
class CropRun:
    """One training on crops: wall-clock minutes (drawing not counted), folder, seed, how many crops of either set.

    workers: processes that draw; threads: processor threads that train; resume: from the weights in the folder.
    """

    minutes: float
    out: Path
    seed: int
    crops: int
    validation_crops: int
    workers: int = 2
    threads: int = 2
    resume: bool = False


class DrawCrops(Protocol):
    """Draws `count` crops; on_crops is told how many are done."""

    def __call__(  # noqa: D102
        self, count: int, seed: int, *, validating: bool, workers: int, on_crops: Callable[[int], None]
    ) -> CropSet: ...


def drawn_sets(run: CropRun, draw: DrawCrops, on_crops: Callable[[int, int], None]) -> tuple[CropSet, CropSet]:
    """The training and validation crops of a run, read from its folder or drawn and kept there.

    Crops that earlier stretches drew with other seeds into the same folder are learnt again. on_crops gets (crops
    just drawn, crops in all).
    """
    total = run.crops + run.validation_crops
    for part, count in (("train", run.crops), ("val", run.validation_crops)):
        path = run.out / f"{part}-{run.seed}.npz"
        if not path.exists():
            crops = draw(
                count,
                run.seed,
                validating=part == "val",
                workers=run.workers,
                on_crops=lambda done: on_crops(done, total),
            )
            crops.save(path)
    train = CropSet.joined([CropSet.load(path) for path in sorted(run.out.glob("train-*.npz"))])
    return train, CropSet.load(run.out / f"val-{run.seed}.npz")


@dataclass(frozen=True, slots=True)
class CropTraining(Generic[Network]):
    """What is trained on crops: a kind of model, the file of its weights, its network and how its crops are drawn.

    vary: a stored batch as a reader may cut it; measure: figures and temperatures on crops that were held back.
    """

    kind: str
    weights_file: str
    network: Callable[[], Network]
    draw: DrawCrops
    vary: Callable[[Tensor], Tensor]
    measure: Callable[[Network, CropSet], Mapping[str, Any]]


def train_on_crops(
    run: CropRun,
    training: CropTraining[Network],
    on_crops: Callable[[int, int], None],
    on_step: Callable[[TrainingStep], None],
) -> Path:
    """Draw the crops that are missing, train, and return the weights in the run's folder.

    With `resume` the weights found there are trained on. `run.json` keeps what was done and the figures on validation
    crops of printings that training never drew.
    """
    run.out.mkdir(parents=True, exist_ok=True)
    train, held = drawn_sets(run, training.draw, on_crops)
    torch.set_num_threads(run.threads)
    torch.manual_seed(run.seed)
    network = training.network()
    weights = run.out / training.weights_file
    carry_on = run.resume and weights.exists()
    if carry_on:
        network.load_state_dict(torch.load(weights, weights_only=True))
    averaged, steps = fit(network, train, Fitting(run.minutes, weights, run.seed, carry_on), training.vary, on_step)
    keep(averaged, weights)
    figures = training.measure(averaged, held)
    note_run(run, training.kind, trained_on=train, steps=steps, carried_on=carry_on, figures=figures)
    return weights


def note_run(
    run: CropRun, kind: str, *, trained_on: CropSet, steps: int, carried_on: bool, figures: Mapping[str, Any]
) -> None:
    """Add this stretch of training to the record of its folder, with the figures it ended at."""
    record = run.out / RECORD_FILE
    earlier = json.loads(record.read_text())["stretches"] if carried_on and record.exists() else []
    stretch = {
        "minutes": round(run.minutes, 2),
        "iterations": steps,
        "batch": BATCH,
        "seed": run.seed,
        "crops": len(trained_on.symbols),
        "from_scratch": not carried_on,
    }
    record.write_text(json.dumps({"kind": kind, "stretches": [*earlier, stretch], "figures": figures}, indent=1))
