"""Trains the classifier of corner signs on drawn corners and fits the temperatures of its two heads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from referee.training.card_network import SignNetwork
from referee.training.crop_runs import CropRun, CropTraining, train_on_crops
from referee.training.crops import CropSet
from referee.training.sign_crops import SIGN_MARGIN, SIGNS, draw_sign_crops
from referee.training.two_heads import cut, fitted_temperature, in_other_light, unit_corners
from referee.vision.corner_signs import SIGN_PX
from referee.vision.yolo import TrainingStep

SIGN_CROPS = 40_000
VALIDATION_SIGN_CROPS = 3_000
SIGN_WEIGHTS = "signs.pt"
SHIFT = 0.05
"""Standard deviation of a corner's place, as a share of its crop: 4 % of a card's length are a tenth of the crop."""


@dataclass(frozen=True, slots=True)
class SignRun(CropRun):
    """One training of the sign classifier."""

    crops: int = SIGN_CROPS
    validation_crops: int = VALIDATION_SIGN_CROPS


def train_signs(run: SignRun, on_crops: Callable[[int, int], None], on_step: Callable[[TrainingStep], None]) -> Path:
    """Draw the corners that are missing, train, and return the weights `out/signs.pt`.

    With `resume` the weights found there are trained on. `out/run.json` keeps what was done, and figures and
    temperatures on validation corners of printings that training never drew.
    """
    training = CropTraining("sign_classifier", SIGN_WEIGHTS, SignNetwork, draw_sign_crops, loosely_cut, measure_signs)
    return train_on_crops(run, training, on_crops, on_step)


def loosely_cut(stored: Tensor) -> Tensor:
    """A batch as a reader may cut it: moved, sized, turned a little, in other light; (n, 3, 56, 48) RGB 0..1."""
    n = len(stored)
    # The outline of a card that lies half under another is a guess.
    loose = SHIFT * torch.where(torch.rand(n, 1, 1) < 0.25, 2.0, 1.0) * torch.rand(n, 1, 1) * 1.6
    corners = unit_corners(n) - 0.5
    turn = torch.randn(n) * 0.06
    spin = torch.stack([turn.cos(), turn.sin(), -turn.sin(), turn.cos()], 1).view(n, 2, 2)
    corners = corners @ spin * (1 + torch.randn(n, 1, 2) * loose)
    corners = corners + 0.5 + torch.randn(n, 1, 2) * loose + torch.randn(n, 4, 2) * loose * 0.3
    return in_other_light(cut(stored, corners, SIGN_PX, SIGN_MARGIN))


@torch.no_grad()
def measure_signs(network: SignNetwork, held: CropSet) -> dict[str, float]:
    """Accuracies and temperatures on validation corners that are moved by 5 % of the crop.

    The temperatures are fitted on the first half, all shares measured on the second.
    """
    torch.manual_seed(0)
    network.eval()
    logits: list[tuple[Tensor, Tensor]] = []
    for start in range(0, len(held.symbols), 256):
        stored = torch.from_numpy(held.crops[start : start + 256])
        corners = unit_corners(len(stored)) + torch.randn(len(stored), 1, 2) * SHIFT
        logits.append(network(cut(stored, corners, SIGN_PX, SIGN_MARGIN)))
    symbol, colour = (torch.cat([pair[k] for pair in logits]) for k in (0, 1))
    symbols, colours = torch.from_numpy(held.symbols), torch.from_numpy(held.colours)
    half = len(symbols) // 2
    heat = (
        fitted_temperature(symbol[None, :half], symbols[:half]),
        fitted_temperature(colour[None, :half], colours[:half]),
    )
    sure = (symbol / heat[0]).softmax(1).max(1).values[half:] > 0.9
    right_symbol, right_colour = (symbol.argmax(1) == symbols)[half:], (colour.argmax(1) == colours)[half:]
    signs = symbols[half:] != SIGNS.index("none")
    return {
        "symbol_temperature": round(heat[0], 3),
        "colour_temperature": round(heat[1], 3),
        "sign": round(float(right_symbol[signs].float().mean()), 4),
        "colour": round(float(right_colour[signs].float().mean()), 4),
        "none_rejected": round(float(right_symbol[~signs].float().mean()), 4),
        "share_above_0.9": round(float(sure[signs].float().mean()), 4),
        "right_above_0.9": round(float(right_symbol[signs & sure].float().mean()), 4),
    }
