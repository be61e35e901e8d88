"""Learning curves: each step of a training on a line of `steps.jsonl`, and all of them as a picture.

The lines are written while the training runs, so that a training that was killed has left its curve, and one that was
carried on has it whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.faults import InputFault
from referee.vision.yolo import TrainingStep

STEPS_FILE = "steps.jsonl"
CURVES_FILE = "curves.png"
EVERY_STEPS = 10


class StepLog:
    """Keeps every tenth step of a training in `folder/steps.jsonl`, and passes all steps on.

    carried_on: the steps are a further stretch of what the file holds; otherwise it starts anew.
    """

    def __init__(self, folder: Path, then: Callable[[TrainingStep], None], *, carried_on: bool) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / STEPS_FILE
        self._then = then
        self._stretch = len(read_steps(folder)) if carried_on else 0
        if not carried_on:
            self._path.unlink(missing_ok=True)
        elif self._path.exists():
            self._note("\n")  # the kill may have come in the middle of a line

    def step(self, now: TrainingStep) -> None:
        """Note one step."""
        if now.number % EVERY_STEPS == 0 or now.number == 1:
            line = {"stretch": self._stretch, "step": now.number, "minutes": round(now.minutes, 3)}
            self._note(json.dumps({**line, "rate": float(f"{now.rate:.3g}"), "loss": round(now.loss, 4)}) + "\n")
        self._then(now)

    def draw(self) -> Path | None:
        """Draw the curves so far; the picture, or None when there was no step yet."""
        return draw_curves(self._path.parent) if self._path.exists() else None

    def _note(self, text: str) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(text)


@dataclass(frozen=True, slots=True)
class Stretch:
    """One uninterrupted training: minutes since its start, learning rate and sum of losses of each noted step."""

    minutes: NDArray[np.float64]
    rate: NDArray[np.float64]
    loss: NDArray[np.float64]


def read_steps(folder: Path) -> list[Stretch]:
    """The stretches noted in a training's folder; a last line that a kill has cut off is passed over."""
    rows: dict[int, list[tuple[float, float, float]]] = {}
    path = folder / STEPS_FILE
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            step = json.loads(line)
            rows.setdefault(int(step["stretch"]), []).append((step["minutes"], step["rate"], step["loss"]))
        except (ValueError, KeyError, TypeError):
            continue
    return [Stretch(*np.array(rows[k], np.float64).T) for k in sorted(rows)]


def draw_curves(folder: Path) -> Path:
    """Draw loss and learning rate over the minutes of all stretches into `folder/curves.png`.

    Raises InputFault when the folder holds no steps.
    """
    stretches = read_steps(folder)
    if not stretches:
        raise InputFault("holds no steps of a training", where=str(folder), mend="run `referee train` into it first")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    losses, rates = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    before = 0.0
    for number, stretch in enumerate(stretches, start=1):
        minutes = before + stretch.minutes
        losses.plot(minutes, stretch.loss, color="0.8", linewidth=0.8)
        losses.plot(minutes, smoothed(stretch.loss), linewidth=1.6, label=f"stretch {number}")
        rates.plot(minutes, stretch.rate, linewidth=1.2)
        before = float(minutes[-1])
    losses.set_ylabel("loss")
    losses.set_yscale("log")
    losses.grid(alpha=0.3, which="both")
    losses.legend()
    losses.set_title(f"{folder.resolve().name}: {before:.1f} minutes")
    rates.set_ylabel("learning rate")
    rates.set_xlabel("minutes")
    rates.grid(alpha=0.3)
    picture = folder / CURVES_FILE
    figure.savefig(picture, dpi=110)
    return picture


def smoothed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Running mean over a fiftieth of the curve, narrower at its ends."""
    reach = max(1, len(values) // 100)
    total = np.concatenate([[0.0], np.cumsum(values)])
    at = np.arange(len(values))
    low, high = np.maximum(at - reach, 0), np.minimum(at + reach + 1, len(values))
    return np.asarray((total[high] - total[low]) / (high - low), np.float64)
