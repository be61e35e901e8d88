"""The picture of sound that the call spotter looks at: log-mel energies, the same numbers in training and at use.

40 bands from 60 to 7600 Hz (HTK's mel scale, triangles), Hann windows of 25 ms every 10 ms at 16 kHz.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

RATE_HZ = 16000
BANDS = 40
HOP = 160
WINDOW = 400
FRAMES = 160
"""Frames that the spotter looks at: 1.6 s, a sentence that accuses ("you didn't say uno") or a held "unooo"."""

SPAN = (FRAMES - 1) * HOP + WINDOW
"""Samples behind `FRAMES` frames."""

_SIZE = 512
_LOWEST_HZ, _HIGHEST_HZ = 60.0, 7600.0
_FLOOR = 1e3  # a band's energy of sound of about one step of int16: digital silence looks like a quiet room
_SPREAD = 3.0  # standard deviation of log energies in speech, about

Features = NDArray[np.float32]


def log_mel(samples: NDArray[np.int16]) -> Features:
    """Log energies of int16 sound (n,) as float32 (frames, 40); no frame for less than 25 ms."""
    count = 1 + (len(samples) - WINDOW) // HOP if len(samples) >= WINDOW else 0
    if count == 0:
        return np.empty((0, BANDS), np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(samples.astype(np.float32), WINDOW)[::HOP][:count]
    spectrum = np.fft.rfft(frames * _hann(), n=_SIZE, axis=1)
    power = spectrum.real**2 + spectrum.imag**2
    energies: Features = power.astype(np.float32) @ _triangles() + np.float32(_FLOOR)
    return np.log(energies)


def windows(frames: Features, ends: NDArray[np.int64]) -> Features:
    """The `FRAMES` frames before each end (exclusive), levelled: float32 (n, 1, 40, FRAMES), the network's input.

    Loudness is taken out: each window has mean 0. Where frames do not reach back so far the first one is repeated.
    """
    index = np.clip(ends[:, None] - FRAMES + np.arange(FRAMES), 0, len(frames) - 1)
    picked = frames[index]
    levelled = (picked - picked.mean(axis=(1, 2), keepdims=True)) / np.float32(_SPREAD)
    return np.ascontiguousarray(levelled.transpose(0, 2, 1)[:, None])


@lru_cache(maxsize=1)
def _hann() -> NDArray[np.float32]:
    return np.hanning(WINDOW + 1)[:-1].astype(np.float32)


@lru_cache(maxsize=1)
def _triangles() -> NDArray[np.float32]:
    """Weights (257, 40) from the power spectrum to the bands."""
    edges_mel = np.linspace(_mel(_LOWEST_HZ), _mel(_HIGHEST_HZ), BANDS + 2)
    edges_hz = 700 * (10 ** (edges_mel / 2595) - 1)
    bins_hz = np.arange(_SIZE // 2 + 1) * RATE_HZ / _SIZE
    rise = (bins_hz[:, None] - edges_hz[:-2]) / (edges_hz[1:-1] - edges_hz[:-2])
    fall = (edges_hz[2:] - bins_hz[:, None]) / (edges_hz[2:] - edges_hz[1:-1])
    return np.maximum(np.minimum(rise, fall), 0).astype(np.float32)


def _mel(hertz: float) -> float:
    return float(2595 * np.log10(1 + hertz / 700))


class FrameStream:
    """Log-mel frames of running sound, the last `KEPT_S` of it; the result does not depend on the chunks."""

    KEPT_S = 10.0

    def __init__(self) -> None:
        self._held = np.empty(0, np.int16)
        self._frames = np.empty((0, BANDS), np.float32)
        self.first = 0
        """Number of the oldest frame kept; frame n begins at sample n * HOP of the stream."""

    def feed(self, samples: NDArray[np.int16]) -> None:
        """Take the next samples."""
        self._held = np.concatenate([self._held, samples])
        new = log_mel(self._held)
        if not len(new):
            return
        self._held = self._held[len(new) * HOP :]
        self._frames = np.concatenate([self._frames, new])
        extra = len(self._frames) - round(self.KEPT_S * RATE_HZ / HOP)
        if extra > 0:
            self._frames = self._frames[extra:]
            self.first += extra

    def span(self, first: int, last: int) -> tuple[Features, int]:
        """The frames from number `first` to before `last` that are kept, and the number of the first of them."""
        begin = max(first, self.first)
        return self._frames[begin - self.first : max(last - self.first, 0)], begin
