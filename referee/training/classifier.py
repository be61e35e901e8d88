"""Trains the card classifier on drawn crops and fits the temperatures of its two heads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from referee.training.card_network import CardNetwork
from referee.training.crop_runs import CropRun, CropTraining, train_on_crops
from referee.training.crops import MARGIN, SIZE_PX, CropSet, draw_crops
from referee.training.two_heads import cut, fitted_temperature, in_other_light, unit_corners
from referee.vision.yolo import TrainingStep

CROPS = 40_000
VALIDATION_CROPS = 4_000
WEIGHTS = "classifier.pt"
CORNER_JITTER = 0.035
"""Standard deviation of each corner's error, as a share of the card's length."""


@dataclass(frozen=True, slots=True)
class ClassifierRun(CropRun):
    """One training of the classifier."""

    crops: int = CROPS
    validation_crops: int = VALIDATION_CROPS


def train_classifier(
    run: ClassifierRun, on_crops: Callable[[int, int], None], on_step: Callable[[TrainingStep], None]
) -> Path:
    """Draw the crops that are missing, train, and return the weights `out/classifier.pt`.

    With `resume` the weights found there are trained on. `out/run.json` keeps what was done and the figures on
    validation crops of printings that training never drew, and the temperatures fitted on one half of them.
    """
    training = CropTraining("card_classifier", WEIGHTS, CardNetwork, draw_crops, varied, measure)
    return train_on_crops(run, training, on_crops, on_step)


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
    return in_other_light(cut(stored, corners, SIZE_PX, MARGIN))


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
        both = [network(cut(stored, turned, SIZE_PX, MARGIN)) for turned in (corners, corners.roll(2, 1))]
        symbols.append(torch.stack([b[0] for b in both]))
        colours.append(torch.stack([b[1] for b in both]))
    return torch.cat(symbols, 1), torch.cat(colours, 1)


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
