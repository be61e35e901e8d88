"""Several renderings of one utterance for the recogniser: slower, lower, cleaned of the room's steady noise.

A recogniser that hears a word once is either sure or deaf: its own confidence is nearly 0 or 1. The same
utterance heard six ways gives a vote: measured on the stand-in model, "uno" is then found where a single
hearing misses it, and phantoms out of read speech get one vote at most (`benchmarks/hearing.py`).
All renderings are brought to one loudness first: the model hears nothing in quiet speech.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.hearing.recogniser import Samples

_LOUDNESS = 6000.0  # RMS of the loud frames
_WINDOW = 512
_HOP = 128
_OVERLAP_GAIN = 1.5  # sum of squared Hann windows at a quarter of their length
_QUIET_SHARE = 0.3  # of the frames of an utterance hold the room alone
_QUIET_BIAS = 2.0  # the power of those quietest frames against the room's mean
_OVERSUBTRACTION = 1.5
_LEAST_GAIN = 0.15


@dataclass(frozen=True, slots=True)
class Take:
    """One rendering. tempo: 0.9 lasts longer and sounds lower."""

    tempo: float
    cleaned: bool


TAKES = tuple(Take(tempo, cleaned) for tempo in (1.0, 0.95, 0.9) for cleaned in (False, True))
"""All renderings, the plain ones first."""


def rendered(samples: Samples, take: Take) -> Samples:
    """The utterance, int16 (n,), as this take wants it; int16 (n / tempo,)."""
    if not len(samples):
        return samples
    sound = samples.astype(np.float64)
    if take.cleaned:
        sound = cleaned(sound)
    if take.tempo != 1.0:
        sound = np.interp(np.arange(0, len(sound), take.tempo), np.arange(len(sound)), sound)
    return np.clip(sound * (_LOUDNESS / loudness(sound)), -32768, 32767).astype(np.int16)


def loudness(sound: NDArray[np.float64]) -> float:
    """RMS of the frames that are not quiet beside the loudest; never below 1."""
    frame = 320
    if len(sound) < frame:
        return max(float(np.sqrt(np.mean(sound**2))) if len(sound) else 0.0, 1.0)
    levels = np.sqrt(np.mean(sound[: len(sound) // frame * frame].reshape(-1, frame) ** 2, axis=1))
    loud = levels[levels >= 0.3 * levels.max()]
    return max(float(np.sqrt(np.mean(loud**2))), 1.0)


def cleaned(sound: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sound with its steady noise taken down (spectral subtraction; Boll 1979), same length.

    The noise is taken from the quietest frames of each frequency, not from the beginning: a file may begin
    in the middle of a word.
    """
    window = np.hanning(_WINDOW + 1)[:-1]
    padded = np.concatenate([sound, np.zeros(_WINDOW)])
    starts = range(0, len(sound), _HOP)
    spectra = np.array([np.fft.rfft(padded[at : at + _WINDOW] * window) for at in starts])
    power = np.abs(spectra) ** 2
    noise = _QUIET_BIAS * np.quantile(power, _QUIET_SHARE, axis=0)
    noise = np.convolve(np.pad(noise, 3, "edge"), np.ones(7) / 7, "valid")
    gain = np.sqrt(np.maximum(1 - _OVERSUBTRACTION * noise / np.maximum(power, 1e-9), _LEAST_GAIN**2))
    # Gains that jump from frame to frame tinkle; five frames are 40 ms.
    smooth = np.pad(gain, ((2, 2), (0, 0)), "edge")
    gain = sum((smooth[k : k + len(gain)] for k in range(1, 5)), smooth[: len(gain)]) / 5
    result = np.zeros(len(padded))
    for at, frame in zip(starts, np.fft.irfft(spectra * gain, n=_WINDOW, axis=1), strict=True):
        result[at : at + _WINDOW] += frame * window
    return result[: len(sound)] / _OVERLAP_GAIN
