"""The only door to Ultralytics: training, checking and exporting oriented detectors.

Ultralytics looks up hosts, may install packages and writes settings when it is imported. The switches below turn
all of that off; they must be set before the import, so the import happens inside the functions.
"""

from __future__ import annotations

import copy
import logging
import math
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.faults import InputFault

OFFLINE = {
    "YOLO_OFFLINE": "true",
    "YOLO_AUTOINSTALL": "false",
    "YOLO_VERBOSE": "false",
    "ULTRALYTICS_SAFE_LOAD": "true",
    "YOLO_CONFIG_DIR": str(Path(tempfile.gettempdir()) / "referee-yolo"),
    "OMP_WAIT_POLICY": "PASSIVE",
}
ARCHITECTURE = "yolo11n-obb.yaml"
WARM_UP = 0.04
LAST_RATE = 0.02


def _yolo(weights: str | Path) -> Any:
    # Whatever the environment says: nothing is fetched, and nobody's own settings are read or changed (U1, U2).
    os.environ.update(OFFLINE)
    Path(os.environ["YOLO_CONFIG_DIR"]).mkdir(parents=True, exist_ok=True)
    try:
        from ultralytics.models import YOLO
        from ultralytics.utils import SETTINGS
    except ImportError as error:
        raise InputFault("Ultralytics is not installed", mend="install the extra 'train'") from error
    if SETTINGS["sync"]:
        SETTINGS["sync"] = False
    logging.getLogger("ultralytics").setLevel(logging.WARNING)
    return YOLO(str(weights), task="obb")


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How long and with what an oriented detector is trained.

    data: Ultralytics data file; out: folder for checkpoints; start: weights to carry on from, None for scratch;
    rate: highest learning rate; minutes: wall-clock budget, over which the rate rises and falls once.
    """

    data: Path
    out: Path
    size_px: int
    minutes: float
    seed: int
    batch: int = 16
    rate: float = 2e-3
    threads: int = 2
    start: Path | None = None
    keep_every_minutes: float = 5.0


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """Where a training stands: step number, minutes gone, current rate, sum of the losses."""

    number: int
    minutes: float
    rate: float
    loss: float


def rate_share(gone: float) -> float:
    """Share of the highest rate after `gone` (0..1) of the time: a short rise, then half a cosine down."""
    gone = min(1.0, max(0.0, gone))
    if gone < WARM_UP:
        return max(gone / WARM_UP, 1e-3)
    fall = (gone - WARM_UP) / (1 - WARM_UP)
    return LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * fall))


def train_oriented(plan: TrainingPlan, on_step: Callable[[TrainingStep], None]) -> Path:
    """Train a detector and return its last weights (averaged, half precision), `plan.out/last.pt`.

    The file is rewritten every `keep_every_minutes`, so that a stopped training can be carried on from it.
    """
    model = _yolo(plan.start or ARCHITECTURE)
    import torch

    clock: dict[str, float] = {"start": 0.0, "steps": 0.0, "kept": 0.0}
    last = plan.out / "last.pt"

    def begin(_trainer: Any) -> None:
        # Ultralytics leaves one core unused when it sets up training on a processor.
        torch.set_num_threads(plan.threads)
        clock["start"] = clock["kept"] = time.monotonic()

    def before_batch(trainer: Any) -> None:
        gone = (time.monotonic() - clock["start"]) / (plan.minutes * 60)
        for group in trainer.optimizer.param_groups:
            group["lr"] = plan.rate * rate_share(gone)

    def after_batch(trainer: Any) -> None:
        clock["steps"] += 1
        now = time.monotonic()
        minutes = (now - clock["start"]) / 60
        rate = trainer.optimizer.param_groups[0]["lr"]
        on_step(TrainingStep(int(clock["steps"]), minutes, rate, float(trainer.loss.detach())))
        if now - clock["kept"] > plan.keep_every_minutes * 60:
            clock["kept"] = now
            _keep(trainer, last)
        if minutes > plan.minutes:
            trainer.stop = True

    def end(trainer: Any) -> None:
        _keep(trainer, last)

    model.add_callback("on_train_start", begin)
    model.add_callback("on_train_batch_start", before_batch)
    model.add_callback("on_train_batch_end", after_batch)
    model.add_callback("on_train_end", end)
    plan.out.mkdir(parents=True, exist_ok=True)
    model.train(
        data=str(plan.data), imgsz=plan.size_px, batch=plan.batch, nbs=plan.batch, device="cpu", seed=plan.seed,
        epochs=1_000_000, patience=0, optimizer="AdamW", lr0=plan.rate, warmup_epochs=0,
        mosaic=0.0, close_mosaic=0, fliplr=0.0, flipud=0.0, hsv_h=0.01, hsv_s=0.35, hsv_v=0.3, scale=0.3,
        translate=0.08, erasing=0.0, angle=4.0, amp=False, plots=False, val=False, cache="ram", deterministic=False,
        project=str(plan.out), name="run", exist_ok=True, verbose=False,
    )  # fmt: skip
    return last


def _keep(trainer: Any, path: Path) -> None:
    import torch

    averaged = copy.deepcopy(trainer.ema.ema).half()
    temporary = path.with_suffix(".part")
    torch.save({"model": averaged, "train_args": {"task": "obb", "imgsz": trainer.args.imgsz}}, temporary)
    temporary.replace(path)


def export_oriented(weights: Path, size_px: int) -> Path:
    """Write the weights as ONNX (input 1x3xHxW, sides multiples of 32, raw output) beside them; returns that file."""
    model = _yolo(weights)
    with warnings.catch_warnings():
        # Ultralytics writes ONNX by torch's older exporter, which warns of its age and of what it traces.
        warnings.simplefilter("ignore")
        return Path(model.export(format="onnx", imgsz=size_px, opset=17, dynamic=True, simplify=True, nms=False))


def raw_output(weights: Path, images: Any) -> Any:
    """Raw network output (1, rows, n) of the weights for a float32 batch (1, 3, S, S) of RGB 0..1."""
    import torch

    network = _yolo(weights).model.float().eval()
    with torch.no_grad():
        output = network(torch.from_numpy(images))
    return (output[0] if isinstance(output, (tuple, list)) else output).numpy()


class OwnNetwork:
    """A user's own oriented detector (`.pt`), run by Ultralytics' network in torch.

    Raises InputFault when the file is missing, is no Ultralytics weights, or was not trained for oriented boxes; when
    Ultralytics is not installed. A `.pt` is a pickle: only its owner may name it, nothing here ever fetches one (U1).
    """

    def __init__(self, weights: Path) -> None:
        mend = "name a .pt that Ultralytics trained for oriented boxes (task obb)"
        if not weights.is_file():
            raise InputFault("is not there", where=str(weights), mend=mend)
        try:
            model = _yolo(weights)
            network = model.model.float().eval()
            oriented = type(network.model[-1]).__name__.startswith("OBB")
            self.size_px = int(model.overrides.get("imgsz", 640))
            self.labels: tuple[str, ...] = tuple(str(model.names[k]) for k in sorted(model.names))
        except InputFault:
            raise
        except Exception as fault:
            # Ultralytics and torch raise whatever the pickle made them trip over; it is one fault of the file.
            raise InputFault("cannot be loaded as Ultralytics weights", where=str(weights), mend=mend) from fault
        if not oriented:
            raise InputFault("finds upright boxes only", where=str(weights), mend=mend)
        self._network = network

    def raw(self, blob: Any) -> Any:
        """Raw output float32 (1, 4 + classes + 1, n) for a float32 batch (1, 3, S, S) of RGB 0..1."""
        import torch

        with torch.no_grad():
            output = self._network(torch.from_numpy(blob))
        return (output[0] if isinstance(output, (tuple, list)) else output).numpy()


class OwnRuntime:
    """Ultralytics' whole own way of running oriented weights, to compare with; InputFault as `OwnNetwork`."""

    def __init__(self, weights: Path) -> None:
        if not weights.is_file():
            raise InputFault("is not there", where=str(weights))
        self._model = _yolo(weights)

    def boxes(self, image_bgr: Any, size_px: int) -> int:
        """How many boxes of score 0.25 or more it finds in a picture uint8 (h, w, 3) scaled to `size_px`."""
        (result,) = self._model.predict(image_bgr, imgsz=size_px, device="cpu", verbose=False)
        return len(result.obb)
