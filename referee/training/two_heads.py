"""The training loop of networks with two heads, symbol and colour: averaged weights, a wall-clock budget."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from referee.training.crops import CropSet
from referee.vision.yolo import TrainingStep, rate_share

BATCH = 64
RATE = 2e-3
LATER_RATE = 1e-3
"""Highest learning rate from nothing, and when carrying on."""
KEEP_EVERY_S = 120.0
Network = TypeVar("Network", bound=nn.Module)


@dataclass(frozen=True, slots=True)
class Fitting:
    """How long a network is trained and where its weights are kept while it is."""

    minutes: float
    weights: Path
    seed: int
    carried_on: bool


def fit(
    network: Network,
    train: CropSet,
    plan: Fitting,
    vary: Callable[[Tensor], Tensor],
    on_step: Callable[[TrainingStep], None],
) -> tuple[Network, int]:
    """Train a network on stored crops as `vary` makes them; returns its averaged weights and the steps made."""
    rng = np.random.default_rng(plan.seed)
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=0.02)
    averaged = copy.deepcopy(network).eval()
    start, number = time.monotonic(), 0
    kept = start
    order = rng.permutation(len(train.symbols))
    network.train()
    while (gone := (time.monotonic() - start) / (plan.minutes * 60)) < 1:
        if len(order) < BATCH:
            order = rng.permutation(len(train.symbols))
        pick, order = order[:BATCH], order[BATCH:]
        for group in optimiser.param_groups:
            group["lr"] = (LATER_RATE if plan.carried_on else RATE) * rate_share(gone)
        symbol, colour = network(vary(torch.from_numpy(train.crops[pick])))
        symbols, colours = torch.from_numpy(train.symbols[pick]), torch.from_numpy(train.colours[pick])
        loss = functional.cross_entropy(symbol, symbols, label_smoothing=0.02)
        loss = loss + 0.5 * functional.cross_entropy(colour, colours, label_smoothing=0.02)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        number += 1
        follow(averaged, network, min(0.998, number / (number + 20)))
        if time.monotonic() - kept > KEEP_EVERY_S:
            # A training that is stopped can be carried on from here.
            kept = time.monotonic()
            keep(averaged, plan.weights)
        on_step(TrainingStep(number, gone * plan.minutes, optimiser.param_groups[0]["lr"], float(loss.detach())))
    return averaged, number


def keep(network: nn.Module, weights: Path) -> None:
    """Write weights so that at every moment either the old or the new file is there, whole."""
    part = weights.with_suffix(".part")
    torch.save(network.state_dict(), part)
    part.replace(weights)


def follow(averaged: nn.Module, network: nn.Module, share: float) -> None:
    """Move the averaged weights a little towards the network's."""
    with torch.no_grad():
        for mean, now in zip(averaged.state_dict().values(), network.state_dict().values(), strict=True):
            if mean.dtype.is_floating_point:
                mean.mul_(share).add_(now, alpha=1 - share)
            else:
                mean.copy_(now)


def unit_corners(count: int) -> Tensor:
    """Exact outlines (n, 4, 2): upper left, upper right, lower right, lower left."""
    return torch.tensor([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]).repeat(count, 1, 1)


def cut(stored: Tensor, corners: Tensor, size_px: tuple[int, int], margin: float) -> Tensor:
    """Stored crops uint8 (n, h, w, 3) BGR cut along outlines (n, 4, 2) -> (n, 3, height, width) RGB 0..1.

    Outlines are corners in the unit square: (0, 0) upper left .. (1, 1) lower right of what was outlined when the
    crop was stored, grown by `margin`; size_px: (width, height) of the result.
    """
    width, height = size_px
    pictures = stored.permute(0, 3, 1, 2).flip(1).float() / 255
    u = (torch.arange(width) + 0.5) / width
    v = (torch.arange(height) + 0.5) / height
    u, v = u[None, None, :, None], v[None, :, None, None]
    a, b, c, d = (corners[:, i][:, None, None, :] for i in range(4))
    # Bilinear in the corners: for the small errors drawn here the same as a projective map.
    place = (1 - u) * (1 - v) * a + u * (1 - v) * b + u * v * c + (1 - u) * v * d
    grid = (place - 0.5) * 2 / margin
    return functional.grid_sample(pictures, grid, align_corners=False, padding_mode="border")


def in_other_light(crops: Tensor) -> Tensor:
    """A batch (n, 3, h, w) RGB 0..1 with other contrast, colours and brightness, some softer, with noise."""
    n = len(crops)
    crops = (crops - 0.45) * (torch.rand(n, 1, 1, 1) * 0.6 + 0.7) + 0.45
    crops = crops * (torch.randn(n, 3, 1, 1) * 0.05 + 1) * (torch.rand(n, 1, 1, 1) * 0.5 + 0.75)
    soft = torch.rand(n) < 0.15
    if soft.any():
        crops[soft] = functional.avg_pool2d(crops[soft], 3, 1, 1)
    crops = crops + torch.randn_like(crops) * (torch.rand(n, 1, 1, 1) ** 2 * 0.05)
    return crops.clamp(0, 1)


def fitted_temperature(ways: Tensor, labels: Tensor) -> float:
    """The temperature that makes the mean probability of logits (ways, n, labels) most likely to be right."""

    def cost(temperature: float) -> float:
        mean = (ways / temperature).softmax(2).mean(0)
        return float(functional.nll_loss((mean + 1e-9).log(), labels))

    candidates = [math.exp(x) for x in np.linspace(math.log(0.4), math.log(3.0), 60)]
    return min(candidates, key=cost)
