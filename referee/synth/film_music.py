"""Music in the room of a drawn film: a slow progression of plucked chords with a bass, all from a seed."""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

_CHORDS = ((0, 4, 7), (9, 12, 16), (5, 9, 12), (7, 11, 14))
"""Semitones above the key: I vi IV V."""

_PARTIALS = ((1, 1.0), (2, 0.45), (3, 0.25), (4, 0.1))


def music(duration_s: float, seed: int, rate_hz: int) -> NDArray[np.float64]:
    """Mono sound of `duration_s`, RMS 1."""
    rng = np.random.default_rng([zlib.crc32(b"music"), seed])
    key_hz = 130.8 * 2 ** (rng.integers(0, 9) / 12)
    beat_s = 60 / rng.uniform(80, 124)
    total = np.zeros(round(duration_s * rate_hz))
    for beat in range(int(duration_s / beat_s) + 1):
        chord = _CHORDS[beat // 4 % len(_CHORDS)]
        note = chord[int(rng.integers(3))] + (12 if rng.random() < 0.5 else 0)
        _pluck(total, beat * beat_s, key_hz * 2 ** (note / 12), 0.5, rate_hz)
        if beat % 2 == 0:
            _pluck(total, beat * beat_s, key_hz / 2 * 2 ** (chord[0] / 12), 0.9, rate_hz)
        if beat % 4 == 0:
            for step in chord:
                _pluck(total, beat * beat_s, key_hz * 2 ** (step / 12), 0.35, rate_hz)
    level = float(np.sqrt(np.mean(total**2)))
    return total / level if level > 0 else total


def _pluck(total: NDArray[np.float64], at_s: float, pitch_hz: float, loud: float, rate_hz: int) -> None:
    at = round(at_s * rate_hz)
    count = min(round(1.4 * rate_hz), len(total) - at)
    if count <= 0:
        return
    t = np.arange(count) / rate_hz
    tone = sum(share * np.sin(2 * np.pi * pitch_hz * n * t) * np.exp(-t * (2.2 + 1.2 * n)) for n, share in _PARTIALS)
    total[at : at + count] += loud * tone
