"""Exports trained card models as ONNX for OpenCV, checks them against torch, and writes their manifest."""

from __future__ import annotations

import json
import shutil
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from referee.faults import InputFault
from referee.training.card_network import CardNetwork, SignNetwork, parameters_of
from referee.training.crops import COLOURS, SIZE_PX, SYMBOLS
from referee.training.detector_check import check_detector
from referee.training.half_weights import store_in_half
from referee.training.manifest import enter, model_table, write_manifest
from referee.training.scene_files import CLASSES
from referee.training.sign_classifier import SIGN_WEIGHTS
from referee.training.sign_crops import SIGNS as SIGN_LABELS
from referee.vision import yolo
from referee.vision.corner_signs import SIGN_PX
from referee.vision.models import CLASSIFIER, DETECTOR, SIGNS, model_entry

MOST_DIFFERENT = 2e-3
"""Largest difference allowed between OpenCV's and torch's scores and logits; half precision costs most of it."""
LARGEST_CHECKPOINT_BYTES = 6_000_000


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote and how far OpenCV's output lies from torch's."""

    file: Path
    largest_difference: float


def export_detector(weights: Path, size_px: int, target: Path) -> Exported:
    """Write detector weights as ONNX to `target` and compare both on noise, square and in the shape of a film."""
    made = yolo.export_oriented(weights, size_px)
    store_in_half(made)
    shutil.move(made, target)
    net = cv2.dnn.readNetFromONNX(str(target))
    worst = 0.0
    for height, width in ((size_px, size_px), (5 * size_px // 4 // 32 * 32, 2 * size_px)):
        noise = np.random.default_rng(0).random((1, 3, height, width), dtype=np.float32)
        net.setInput(noise)
        difference = np.abs(np.asarray(net.forward()) - yolo.raw_output(weights, noise))
        # Box rows are pixels of the input; as shares of its size they compare like the scores.
        difference[:, :4] /= size_px
        worst = max(worst, float(difference.max()))
    return _checked(target, worst)


def export_classifier(
    network: CardNetwork | SignNetwork, weights: Path, size_px: tuple[int, int], target: Path
) -> Exported:
    """Write a classifier's weights as ONNX to `target` (any number of crops a run) and compare on noise."""
    network.load_state_dict(torch.load(weights, weights_only=True))
    network.eval()
    width, height = size_px
    crops = torch.rand(3, 3, height, width, generator=torch.Generator().manual_seed(0))
    with warnings.catch_warnings():
        # The older exporter writes plain operators that OpenCV runs; the newer one needs another package.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            network, (crops,), str(target), input_names=["crops"], output_names=["symbol", "colour"],
            dynamic_axes={"crops": {0: "n"}, "symbol": {0: "n"}, "colour": {0: "n"}}, opset_version=17, dynamo=False,
        )  # fmt: skip
    net = cv2.dnn.readNetFromONNX(str(target))
    net.setInput(crops.numpy())
    symbol, colour = net.forward(["symbol", "colour"])
    with torch.no_grad():
        true_symbol, true_colour = network(crops)
    worst = max(np.abs(symbol - true_symbol.numpy()).max(), np.abs(colour - true_colour.numpy()).max())
    return _checked(target, float(worst))


def _checked(target: Path, difference: float) -> Exported:
    if difference > MOST_DIFFERENT:
        raise InputFault(
            f"OpenCV's output differs from torch's by {difference:.2g}",
            where=str(target),
            mend="try another version of opencv-python",
        )
    return Exported(target, difference)


def publish(detector_run: Path, classifier_run: Path, models: Path) -> tuple[Exported, Exported]:
    """Export both runs into the folder `models` with manifest and checkpoint, measured on validation data."""
    models.mkdir(parents=True, exist_ok=True)
    detector_record, classifier_record = _record(detector_run), _record(classifier_run)
    size = int(detector_record["stretches"][-1]["size_px"])
    detector = export_detector(detector_run / "last.pt", size, models / "card-detector.onnx")
    classifier = export_classifier(
        CardNetwork(), classifier_run / "classifier.pt", SIZE_PX, models / "card-classifier.onnx"
    )
    facts = {"symbols": SYMBOLS, "colours": COLOURS}
    second = _classifier_table("card-classifier", CLASSIFIER, classifier, CardNetwork(), classifier_record, facts)
    how = f"YOLO11n-OBB from scratch, {_stretches(detector_record)}, on {detector_record['scenes']}"
    write_manifest(models / "manifest.toml", [_detector_table(detector.file, size, how, {}), second])
    measured = check_detector(model_entry(DETECTOR, models / "manifest.toml"), detector_run / "scenes")
    measured |= _as_figure(detector)
    write_manifest(models / "manifest.toml", [_detector_table(detector.file, size, how, measured), second])
    if (detector_run / "last.pt").stat().st_size <= LARGEST_CHECKPOINT_BYTES:
        (models / "checkpoints").mkdir(exist_ok=True)
        shutil.copy(detector_run / "last.pt", models / "checkpoints" / "card-detector.pt")
    return detector, classifier


def publish_signs(run: Path, models: Path) -> Exported:
    """Export a run of the sign classifier into the folder `models` and enter it in the manifest there."""
    models.mkdir(parents=True, exist_ok=True)
    record = _record(run)
    made = export_classifier(SignNetwork(), run / SIGN_WEIGHTS, SIGN_PX, models / "card-signs.onnx")
    facts = {"symbols": SIGN_LABELS, "colours": COLOURS}
    enter(models / "manifest.toml", _classifier_table("card-signs", SIGNS, made, SignNetwork(), record, facts))
    return made


def _classifier_table(
    name: str,
    kind: str,
    made: Exported,
    network: CardNetwork | SignNetwork,
    record: dict[str, Any],
    labels: dict[str, tuple[str, ...]],
) -> str:
    figures = {**record["figures"], **_as_figure(made)}
    heat = {key: figures.pop(key) for key in ("symbol_temperature", "colour_temperature")}
    size = SIGN_PX if kind == SIGNS else SIZE_PX
    how = f"two-headed CNN of {parameters_of(network)} parameters, {_stretches(record)}, on {record['crops']}"
    loose = "of corners, loosely cut" if kind == SIGNS else "with loose outlines, either way up"
    return model_table(
        name, kind, made.file, size_px=size, facts={**labels, **heat}, how_made=f"{how} {loose}", figures=figures
    )


def _as_figure(made: Exported) -> dict[str, float]:
    """How far OpenCV lies from torch, for the manifest."""
    return {"opencv_differs_by": float(f"{made.largest_difference:.1e}")}


def _detector_table(file: Path, size: int, how_made: str, figures: dict[str, float]) -> str:
    return model_table(
        "card-detector", DETECTOR, file, size_px=(size, size), facts={"classes": CLASSES}, how_made=how_made,
        figures=figures,
    )  # fmt: skip


def _record(run: Path) -> dict[str, Any]:
    path = run / "run.json"
    if not path.exists():
        raise InputFault("holds no finished training", where=str(run), mend="run `referee train` into it first")
    record: dict[str, Any] = json.loads(path.read_text())
    last = record["stretches"][-1]
    record["scenes"] = f"{last['scenes']} drawn scenes" if "scenes" in last else ""
    record["crops"] = f"{last['crops']} drawn crops" if "crops" in last else ""
    return record


def _stretches(record: dict[str, Any]) -> str:
    parts = [f"{s['iterations']} iterations of {s['batch']} in {s['minutes']} minutes" for s in record["stretches"]]
    return f"seed {record['stretches'][0]['seed']}, " + " and then ".join(parts)
