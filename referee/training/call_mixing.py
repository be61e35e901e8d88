"""New windows from drawn ones, made in the picture: other voices, tempos, microphones and noises for every step.

A power spectrum shows what its sound was made of by sums and products, so that a drawn window can be heard again in
another room's noise (powers add), through another microphone (bands times a gain), from another throat (bands moved)
and said slower or quicker (frames moved): drawing it anew takes ten times as long.
"""

from __future__ import annotations

import torch
from torch import Tensor

from referee.hearing.features import BANDS, FRAMES
from referee.training.call_windows import STORED_FRAMES

FLOOR = 1e3
"""The least energy of a band, as `referee.hearing.features` takes it."""

SPREAD = 3.0
"""As it levels a window."""

NOISED = 0.5
"""Share of the windows that get another noise on top."""

_SHIFT = 0.10  # standard deviation of the logarithm by which formants move; a fifth is a child beside a man
_TEMPO = 0.14
_DRAWN_OUT = 0.2  # share of what is said up to twice as slowly: people shout "unooo"
_PIVOT = 23  # frames before a window's end where a word ends, in the middle
_BAND_MEL, _LOWEST_MEL = (
    65.7145,
    158.396,
)  # from band to band, and the first one's centre (`referee.hearing.features`)


def varied(stored: Tensor, noises: Tensor) -> Tensor:
    """Stored pictures (n, STORED_FRAMES, 40) of log energies as new windows (n, 1, 40, FRAMES), levelled as at use.

    noises: as many stored pictures, of anything that is no call; about half of them are laid over the windows, 5 to
    30 dB below them.
    """
    logs = _moved(stored.float())
    logs = _with_noise(logs, _moved(noises.float()))
    logs = torch.log(torch.exp(logs + _microphone(len(logs)) + torch.randn(len(logs), 1, 1) * 1.5) + FLOOR)
    return masked(levelled(logs))


def levelled(logs: Tensor) -> Tensor:
    """Log energies (n, FRAMES, 40) as the network takes them: (n, 1, 40, FRAMES) of mean 0."""
    return ((logs - logs.mean((1, 2), keepdim=True)) / SPREAD).transpose(1, 2).unsqueeze(1)


def _moved(stored: Tensor) -> Tensor:
    """Cut to FRAMES at a drawn moment, with formants and tempo moved; the end of what is said stays in place."""
    count = len(stored)
    tempo = torch.exp(torch.randn(count, 1) * _TEMPO).clamp(0.72, 1.5)
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
    bands = ((2595 * torch.log10(1 + centres_hz / factor / 700) - _LOWEST_MEL) / _BAND_MEL).clamp(0, BANDS - 1.001)
    below = bands.floor().long()
    share = (bands - below)[:, None, :]
    spread = below[:, None, :].expand(-1, FRAMES, -1)
    return logs.gather(2, spread) * (1 - share) + logs.gather(2, spread + 1) * share


def _with_noise(logs: Tensor, noises: Tensor) -> Tensor:
    """Powers added; sounds that meet in a band may also cancel, so the sum is rough."""
    count = len(logs)
    peak = logs.amax((1, 2), keepdim=True)
    below_db = torch.rand(count, 1, 1) * 25 + 5
    below_db[torch.rand(count) > NOISED] = 80.0
    laid = noises - noises.amax((1, 2), keepdim=True) + peak - below_db / 10 * 2.3026
    total = torch.logaddexp(logs, laid)
    meeting = torch.exp((logs + laid) / 2 - total)  # 0.5 where both are as loud
    return total + torch.log1p((meeting * torch.randn(logs.shape)).clamp(-0.8, 2.0))


def _microphone(count: int) -> Tensor:
    """A smooth gain over the bands, natural logarithm of power (n, 1, 40)."""
    knots = torch.randn(count, 1, 7) * 0.7
    return torch.nn.functional.interpolate(knots, size=BANDS, mode="linear", align_corners=True)


def masked(windows: Tensor) -> Tensor:
    """Windows with a few bands or moments blanked, and a little noise: no single one may decide (SpecAugment)."""
    count = len(windows)
    bands, moments = torch.arange(BANDS)[None, :], torch.arange(FRAMES)[None, :]
    low = torch.rand(count, 1) * BANDS
    hidden = (bands >= low) & (bands < low + torch.rand(count, 1) * 7) & (torch.rand(count, 1) < 0.5)
    first = torch.rand(count, 1) * FRAMES
    gone = (moments >= first) & (moments < first + torch.rand(count, 1) * 8) & (torch.rand(count, 1) < 0.3)
    keep = ~(hidden[:, :, None] | gone[:, None, :])
    noise = torch.randn(windows.shape) * (torch.rand(count, 1, 1, 1) * 0.15)
    return windows * keep[:, None] + noise
