"""Exports a trained call spotter as ONNX for OpenCV, checks it against torch, and enters it in the manifest."""

from __future__ import annotations

import hashlib
import json
import warnings
from pathlib import Path

import cv2
import numpy as np
import torch

from referee.faults import InputFault
from referee.hearing.features import BANDS, FRAMES
from referee.hearing.spotter import KIND
from referee.training.call_network import CallNetwork
from referee.training.call_windows import LABELS
from referee.training.half_weights import store_in_half
from referee.training.hearing import WEIGHTS
from referee.training.manifest import LICENCE, Value, enter, toml_value

FILE = "call-spotter.onnx"
CHECKPOINT = "checkpoints/call-spotter.pt"
MOST_DIFFERENT = 0.01
"""Largest difference allowed between OpenCV's and torch's logits; half precision costs all of it."""
_LARGEST_BYTES = 1_000_000


def export_spotter(weights: Path, target: Path) -> float:
    """Write weights as ONNX in half precision (any number of windows a run); returns how far OpenCV's logits lie from
    torch's.

    Raises InputFault when they differ, or when the file is larger than 1 MB.
    """
    network = CallNetwork(len(LABELS))
    network.load_state_dict(torch.load(weights, weights_only=True))
    network.eval()
    windows = torch.randn(3, 1, BANDS, FRAMES, generator=torch.Generator().manual_seed(0))
    with warnings.catch_warnings():
        # The older exporter writes plain operators that OpenCV runs; the newer one needs another package.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            network, (windows,), str(target), input_names=["windows"], output_names=["calls"],
            dynamic_axes={"windows": {0: "n"}, "calls": {0: "n"}}, opset_version=17, dynamo=False,
        )  # fmt: skip
    store_in_half(target)
    net = cv2.dnn.readNetFromONNX(str(target))
    net.setInput(windows.numpy())
    with torch.no_grad():
        difference = float(np.abs(np.asarray(net.forward()) - network(windows).numpy()).max())
    if difference > MOST_DIFFERENT or target.stat().st_size > _LARGEST_BYTES:
        raise InputFault(
            f"OpenCV's output differs from torch's by {difference:.2g}, the file has {target.stat().st_size} bytes",
            where=str(target),
            mend="try another version of opencv-python",
        )
    return difference


def publish_spotter(run: Path, models: Path) -> float:
    """Export the run's weights into the folder `models` and enter them in its manifest; other entries stay.

    Weights to carry on from go into its folder `checkpoints`, in half precision.

    Returns how far OpenCV lies from torch. Raises InputFault as `export_spotter`, and for a folder without a run.
    """
    record = run / "run.json"
    if not record.exists():
        raise InputFault(
            "holds no finished training", where=str(run), mend="run `referee train hearing` into it first"
        )
    facts = json.loads(record.read_text(encoding="utf-8"))
    models.mkdir(parents=True, exist_ok=True)
    difference = export_spotter(run / WEIGHTS, models / FILE)
    (models / CHECKPOINT).parent.mkdir(exist_ok=True)
    weights = torch.load(run / WEIGHTS, weights_only=True)
    halved = {name: tensor.half() if tensor.is_floating_point() else tensor for name, tensor in weights.items()}
    torch.save(halved, models / CHECKPOINT)
    figures = dict(facts["figures"])
    stretches = " and then ".join(
        f"{s['iterations']} iterations of {s['batch']} in {s['minutes']} minutes on {s['windows']} windows"
        for s in facts["stretches"]
    )
    entry: dict[str, Value] = {
        "name": "call-spotter",
        "kind": KIND,
        "file": FILE,
        "sha256": hashlib.sha256((models / FILE).read_bytes()).hexdigest(),
        "licence": LICENCE,
        "calls": LABELS,
        "temperature": figures.pop("temperature"),
        "how_made": f"CNN, seed {facts['stretches'][0]['seed']}, {stretches}; synthetic voices, free recordings",
    }
    lines = ["[[model]]", *(f"{key} = {toml_value(value)}" for key, value in entry.items()), "[model.figures]"]
    lines += [f"{key} = {toml_value(value)}" for key, value in figures.items()]
    enter(models / "manifest.toml", "\n".join(lines) + "\n")
    return difference
