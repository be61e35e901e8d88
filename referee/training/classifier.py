"""Trains the card classifier on drawn crops and fits the temperatures of its two heads."""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from referee.training.card_network import CardNetwork
from referee.training.crops import MARGIN, SIZE_PX, CropSet, draw_crops
from referee.vision.yolo import TrainingStep, rate_share

CROPS = 40_000
VALIDATION_CROPS = 4_000
BATCH = 64
RATE = 2e-3
LATER_RATE = 1e-3
"""Highest learning rate from nothing, and when carrying on."""
WEIGHTS = "classifier.pt"
KEEP_EVERY_S = 120.0
CORNER_JITTER = 0.035
"""Standard deviation of each corner's error, as a share of the card's length."""


@dataclass(frozen=True, slots=True)
class ClassifierRun:
    """One training of the classifier: wall-clock minutes (drawing not counted), folder, seed, crop counts."""

    minutes: float
    out: Path
    seed: int
    crops: int = CROPS
    validation_crops: int = VALIDATION_CROPS
    workers: int = 2
    threads: int = 2
    resume: bool = False


def train_classifier(
    run: ClassifierRun, on_crops: Callable[[int, int], None], on_step: Callable[[TrainingStep], None]
) -> Path:
    """Draw the crops that are missing, train, and return the weights `out/classifier.pt`.

    With `resume` the weights found there are trained on. `out/run.json` keeps what was done and the figures on
    validation crops of printings that training never drew, and the temperatures fitted on one half of them.
    """
    run.out.mkdir(parents=True, exist_ok=True)
    train, held = drawn_sets(run, on_crops)
    torch.set_num_threads(run.threads)
    torch.manual_seed(run.seed)
    network = CardNetwork()
    weights = run.out / WEIGHTS
    if run.resume and weights.exists():
        network.load_state_dict(torch.load(weights, weights_only=True))
    averaged, steps = _train(network, train, run, on_step)
    _keep(averaged, weights)
    figures = measure(averaged, held)
    record = run.out / "run.json"
    earlier = json.loads(record.read_text())["stretches"] if run.resume and record.exists() else []
    stretch = {
        "minutes": round(run.minutes, 2),
        "iterations": steps,
        "batch": BATCH,
        "seed": run.seed,
        "crops": len(train.symbols),
        "from_scratch": not run.resume,
    }
    record.write_text(
        json.dumps({"kind": "card_classifier", "stretches": [*earlier, stretch], "figures": figures}, indent=1)
    )
    return weights


def drawn_sets(run: ClassifierRun, on_crops: Callable[[int, int], None]) -> tuple[CropSet, CropSet]:
    """The training and validation crops of a run, read from its folder or drawn and kept there.

    Crops that earlier stretches drew with other seeds into the same folder are learnt again.
    """
    total = run.crops + run.validation_crops
    for part, count in (("train", run.crops), ("val", run.validation_crops)):
        path = run.out / f"{part}-{run.seed}.npz"
        if not path.exists():
            crops = draw_crops(
                count,
                run.seed,
                validating=part == "val",
                workers=run.workers,
                on_crops=lambda done: on_crops(done, total),
            )
            crops.save(path)
    train = CropSet.joined([CropSet.load(path) for path in sorted(run.out.glob("train-*.npz"))])
    return train, CropSet.load(run.out / f"val-{run.seed}.npz")


def _train(
    network: CardNetwork, train: CropSet, run: ClassifierRun, on_step: Callable[[TrainingStep], None]
) -> tuple[CardNetwork, int]:
    rng = np.random.default_rng(run.seed)
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=0.02)
    averaged = copy.deepcopy(network).eval()
    start, number = time.monotonic(), 0
    kept = start
    order = rng.permutation(len(train.symbols))
    network.train()
    while (gone := (time.monotonic() - start) / (run.minutes * 60)) < 1:
        if len(order) < BATCH:
            order = rng.permutation(len(train.symbols))
        pick, order = order[:BATCH], order[BATCH:]
        for group in optimiser.param_groups:
            group["lr"] = (LATER_RATE if run.resume else RATE) * rate_share(gone)
        crops = varied(torch.from_numpy(train.crops[pick]))
        symbol, colour = network(crops)
        symbols, colours = torch.from_numpy(train.symbols[pick]), torch.from_numpy(train.colours[pick])
        loss = functional.cross_entropy(symbol, symbols, label_smoothing=0.02)
        loss = loss + 0.5 * functional.cross_entropy(colour, colours, label_smoothing=0.02)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        number += 1
        _follow(averaged, network, min(0.998, number / (number + 20)))
        if time.monotonic() - kept > KEEP_EVERY_S:
            # A training that is stopped can be carried on from here.
            kept = time.monotonic()
            _keep(averaged, run.out / WEIGHTS)
        on_step(TrainingStep(number, gone * run.minutes, optimiser.param_groups[0]["lr"], float(loss.detach())))
    return averaged, number


def _keep(network: CardNetwork, weights: Path) -> None:
    """Write weights so that at every moment either the old or the new file is there, whole."""
    part = weights.with_suffix(".part")
    torch.save(network.state_dict(), part)
    part.replace(weights)


def _follow(averaged: CardNetwork, network: CardNetwork, keep: float) -> None:
    """Move the averaged weights a little towards the network's."""
    with torch.no_grad():
        for mean, now in zip(averaged.state_dict().values(), network.state_dict().values(), strict=True):
            if mean.dtype.is_floating_point:
                mean.mul_(keep).add_(now, alpha=1 - keep)
            else:
                mean.copy_(now)


def cut(stored: Tensor, corners: Tensor) -> Tensor:
    """Stored crops uint8 (n, 120, 80, 3) BGR cut along outlines (n, 4, 2) -> (n, 3, 96, 64) RGB 0..1.

    Outlines are corners in the unit square of the card: (0, 0) upper left .. (1, 1) lower right.
    """
    width, height = SIZE_PX
    pictures = stored.permute(0, 3, 1, 2).flip(1).float() / 255
    u = (torch.arange(width) + 0.5) / width
    v = (torch.arange(height) + 0.5) / height
    u, v = u[None, None, :, None], v[None, :, None, None]
    a, b, c, d = (corners[:, i][:, None, None, :] for i in range(4))
    # Bilinear in the corners: for the small errors drawn here the same as a projective map.
    place = (1 - u) * (1 - v) * a + u * (1 - v) * b + u * v * c + (1 - u) * v * d
    grid = (place - 0.5) * 2 / MARGIN
    return functional.grid_sample(pictures, grid, align_corners=False, padding_mode="border")


def unit_corners(count: int) -> Tensor:
    """Exact outlines (n, 4, 2): upper left, upper right, lower right, lower left."""
    return torch.tensor([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]).repeat(count, 1, 1)


def varied(stored: Tensor) -> Tensor:
    """A batch as a reader may cut it: loose outline, either half turn, other light; (n, 3, 96, 64) RGB 0..1."""
    n = len(stored)
    aspect = torch.tensor([SIZE_PX[1] / SIZE_PX[0], 1.0])
    scale = CORNER_JITTER * torch.rand(n, 1, 1) * 1.6
    # The outline of a card that lies half under another is a guess.
    scale = scale * torch.where(torch.rand(n, 1, 1) < 0.2, 2.0, 1.0)
    corners = unit_corners(n) + torch.randn(n, 4, 2) * scale * aspect * 0.7
    corners = corners + torch.randn(n, 1, 2) * scale * aspect * 0.6
    corners = (corners - 0.5) * (1 + torch.randn(n, 1, 1) * 0.03) + 0.5
    flip = torch.rand(n) < 0.5
    corners = torch.where(flip[:, None, None], corners.roll(2, 1), corners)
    crops = cut(stored, corners)
    crops = (crops - 0.45) * (torch.rand(n, 1, 1, 1) * 0.6 + 0.7) + 0.45
    crops = crops * (torch.randn(n, 3, 1, 1) * 0.05 + 1) * (torch.rand(n, 1, 1, 1) * 0.5 + 0.75)
    soft = torch.rand(n) < 0.15
    if soft.any():
        crops[soft] = functional.avg_pool2d(crops[soft], 3, 1, 1)
    crops = crops + torch.randn_like(crops) * (torch.rand(n, 1, 1, 1) ** 2 * 0.05)
    return crops.clamp(0, 1)


@torch.no_grad()
def logits(network: CardNetwork, held: CropSet, jitter: float = 0.0) -> tuple[Tensor, Tensor]:
    """Logits of both heads for a set, each crop in both half turns: (2, n, symbols) and (2, n, colours)."""
    torch.manual_seed(0)
    symbols, colours = [], []
    network.eval()
    for start in range(0, len(held.symbols), 256):
        stored = torch.from_numpy(held.crops[start : start + 256])
        corners = unit_corners(len(stored))
        corners = corners + torch.randn_like(corners) * jitter * torch.tensor([1.5, 1.0])
        both = [network(cut(stored, corners)), network(cut(stored, corners.roll(2, 1)))]
        symbols.append(torch.stack([b[0] for b in both]))
        colours.append(torch.stack([b[1] for b in both]))
    return torch.cat(symbols, 1), torch.cat(colours, 1)


def fitted_temperature(both: Tensor, labels: Tensor) -> float:
    """The temperature that makes the mean probability of both half turns most likely to be right."""

    def cost(temperature: float) -> float:
        mean = (both / temperature).softmax(2).mean(0)
        return float(functional.nll_loss((mean + 1e-9).log(), labels))

    candidates = [math.exp(x) for x in np.linspace(math.log(0.4), math.log(3.0), 60)]
    return min(candidates, key=cost)


def measure(network: CardNetwork, held: CropSet) -> dict[str, float]:
    """Accuracies and temperatures on validation crops cut with corner errors of 2.5 % of the card's length.

    The temperatures are fitted on the first half, all shares measured on the second.
    """
    symbol, colour = logits(network, held, jitter=0.025)
    symbols, colours = torch.from_numpy(held.symbols), torch.from_numpy(held.colours)
    half = len(symbols) // 2
    heat = (
        fitted_temperature(symbol[:, :half], symbols[:half]),
        fitted_temperature(colour[:, :half], colours[:half]),
    )
    symbol_p = (symbol[:, half:] / heat[0]).softmax(2).mean(0)
    colour_p = (colour[:, half:] / heat[1]).softmax(2).mean(0)
    symbols, colours = symbols[half:], colours[half:]
    faces = symbols != symbol.shape[2] - 1
    right_symbol, right_colour = symbol_p.argmax(1) == symbols, colour_p.argmax(1) == colours
    sure = symbol_p.max(1).values > 0.9
    six_nine = (symbols == 6) | (symbols == 9)
    return {
        "symbol_temperature": round(heat[0], 3),
        "colour_temperature": round(heat[1], 3),
        "symbol": round(float(right_symbol[faces].float().mean()), 4),
        "colour": round(float(right_colour[faces].float().mean()), 4),
        "identity": round(float((right_symbol & right_colour)[faces].float().mean()), 4),
        "six_or_nine": round(float(right_symbol[six_nine].float().mean()), 4),
        "none_rejected": round(float(right_symbol[~faces].float().mean()), 4),
        "share_above_0.9": round(float(sure[faces].float().mean()), 4),
        "right_above_0.9": round(float(right_symbol[faces & sure].float().mean()), 4),
    }
