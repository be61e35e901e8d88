"""New windows from drawn ones, made in the picture: other voices, tempos, microphones and noises for every step.

A power spectrum shows what its sound was made of by sums and products, so that a drawn window can be heard again in
another room's noise (powers add), through another microphone (bands times a gain), from another throat (bands moved)
and said slower or quicker (frames moved): drawing it anew takes ten times as long.
"""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from referee.hearing.features import BANDS, FRAMES
from referee.training.call_windows import STORED_FRAMES

FLOOR = 1e3
"""The least energy of a band, as `referee.hearing.features` takes it."""

SPREAD = 3.0
"""As it levels a window."""

NOISED = 0.45
"""Share of the windows that get another noise on top."""

_POOLED = 4_000_000

_SHIFT = 0.12  # standard deviation of the logarithm by which formants move; a fifth is a child beside a man
_TEMPO = 0.2
_BEND_BANDS = 0.8  # standard deviation of the bands by which parts of the spectrum move against each other
_DRAWN_OUT = 0.2  # share of what is said up to twice as slowly: people shout "unooo"
_PIVOT = 23  # frames before a window's end where a word ends, in the middle
_BAND_MEL, _LOWEST_MEL = (
    65.7145,
    158.396,
)  # from band to band, and the first one's centre (`referee.hearing.features`)


def varied(stored: Tensor, noises: Tensor) -> Tensor:
    """Stored pictures (n, STORED_FRAMES, 40) of log energies as new windows (n, 1, 40, FRAMES), levelled as at use.

    noises: as many stored pictures, of anything that is no call; so many of them are laid over the windows, 7 to
    32 dB below them.
    """
    logs = _other_voice(_moved(stored.float()))
    noised = torch.rand(len(logs)) < NOISED
    logs[noised] = _with_noise(logs[noised], _moved(noises[noised].float()))
    logs += _microphone(len(logs)) + torch.randn(len(logs), 1, 1) * 1.5
    return masked(levelled(logs.exp_().add_(FLOOR).log_()))


def levelled(logs: Tensor) -> Tensor:
    """Log energies (n, FRAMES, 40) as the network takes them: (n, 1, 40, FRAMES) of mean 0."""
    return ((logs - logs.mean((1, 2), keepdim=True)) / SPREAD).transpose(1, 2).unsqueeze(1)


def _moved(stored: Tensor) -> Tensor:
    """Cut to FRAMES at a drawn moment, with formants and tempo moved; the end of what is said stays in place."""
    count = len(stored)
    tempo = torch.exp(torch.randn(count, 1) * _TEMPO).clamp(0.62, 1.5)
    drawn_out = torch.rand(count, 1) < _DRAWN_OUT
    tempo = torch.where(drawn_out, tempo * (1 + torch.rand(count, 1)), tempo)
    back = torch.arange(FRAMES - 1, -1, -1)[None, :]  # frames before the window's end
    # What comes after the word keeps its length: there lies the moment at which the network should answer.
    back = torch.where(back > _PIVOT, _PIVOT + (back - _PIVOT) / tempo, back)
    late = torch.rand(count, 1) * (STORED_FRAMES - FRAMES)
    frames = (STORED_FRAMES - 1 - late - back).clamp(0, STORED_FRAMES - 1.001)
    low = frames.floor().long()
    part = (frames - low)[:, :, None]
    rows = torch.arange(count)[:, None]
    logs = stored[rows, low] * (1 - part) + stored[rows, low + 1] * part
    factor = torch.exp(torch.randn(count, 1) * _SHIFT).clamp(0.8, 1.25)
    centres_hz = 700 * (10 ** ((_LOWEST_MEL + _BAND_MEL * torch.arange(BANDS)[None, :]) / 2595) - 1)
    bands = (2595 * torch.log10(1 + centres_hz / factor / 700) - _LOWEST_MEL) / _BAND_MEL
    bands = (bands + _smooth(count, 6, _BEND_BANDS)[:, 0]).clamp(0, BANDS - 1.001)
    below = bands.floor().long()
    share = (bands - below)[:, None, :]
    spread = below[:, None, :].expand(-1, FRAMES, -1)
    return logs.gather(2, spread) * (1 - share) + logs.gather(2, spread + 1) * share


def _with_noise(logs: Tensor, noises: Tensor) -> Tensor:
    """Powers added; sounds that meet in a band may also cancel, so the sum is rough."""
    count = len(logs)
    peak = logs.amax((1, 2), keepdim=True)
    below_db = torch.rand(count, 1, 1) * 25 + 7
    laid = noises - noises.amax((1, 2), keepdim=True) + peak - below_db / 10 * 2.3026
    total = torch.logaddexp(logs, laid)
    meeting = torch.exp((logs + laid) / 2 - total)  # 0.5 where both are as loud
    return total + torch.log1p((meeting * _normal(logs.shape)).clamp(-0.8, 2.0))


def _microphone(count: int) -> Tensor:
    """A smooth gain over the bands, natural logarithm of power (n, 1, 40)."""
    return _smooth(count, 7, 0.8)


def _smooth(count: int, knots: int, spread: float) -> Tensor:
    """A random smooth line over the bands (n, 1, 40)."""
    drawn = torch.randn(count, 1, knots) * spread
    return torch.nn.functional.interpolate(drawn, size=BANDS, mode="linear", align_corners=True)


def _other_voice(logs: Tensor) -> Tensor:
    """Formants flatter or sharper, harmonics washed out or not, attacks softer or harder.

    Synthesisers, microphones and throats differ in these; a network that has heard few takes them for the word.
    """
    count = len(logs)
    mean = logs.mean(2, keepdim=True)
    logs = mean + (logs - mean) * torch.exp(torch.randn(count, 1, 1) * 0.18)
    beside = (logs[:, :, :-2] + logs[:, :, 2:]) / 2
    wash = (torch.randn(count, 1, 1) * 0.35).clamp(-0.5, 0.8)
    inner = logs[:, :, 1:-1]
    logs = torch.cat([logs[:, :, :1], inner + (beside - inner) * wash, logs[:, :, -1:]], 2)
    around = (logs[:, :-2] + logs[:, 2:]) / 2
    soft = (torch.randn(count, 1, 1) * 0.3).clamp(-0.4, 0.8)
    inner = logs[:, 1:-1]
    return torch.cat([logs[:, :1], inner + (around - inner) * soft, logs[:, -1:]], 1)


def masked(windows: Tensor) -> Tensor:
    """Windows with a few bands or moments blanked, and a little noise: no single one may decide (SpecAugment)."""
    count = len(windows)
    bands, moments = torch.arange(BANDS)[None, :], torch.arange(FRAMES)[None, :]
    keep = torch.ones(count, BANDS, FRAMES, dtype=torch.bool)
    for _ in range(2):
        low = torch.rand(count, 1) * BANDS
        hidden = (bands >= low) & (bands < low + torch.rand(count, 1) * 7) & (torch.rand(count, 1) < 0.45)
        first = torch.rand(count, 1) * FRAMES
        gone = (moments >= first) & (moments < first + torch.rand(count, 1) * 9) & (torch.rand(count, 1) < 0.3)
        keep &= ~(hidden[:, :, None] | gone[:, None, :])
    noise = _normal(windows.shape) * (torch.rand(count, 1, 1, 1) * 0.15)
    return windows * keep[:, None] + noise


@lru_cache(maxsize=1)
def _pool() -> Tensor:
    return torch.randn(_POOLED, generator=torch.Generator().manual_seed(0))


def _normal(shape: torch.Size) -> Tensor:
    """Normal noise out of a pool that was drawn once: drawing it takes as long as all the rest."""
    count = shape.numel()
    pool = _pool() if count < _POOLED else torch.randn(2 * count)
    start = int(torch.randint(len(pool) - count, ()))
    return pool[start : start + count].view(shape)
