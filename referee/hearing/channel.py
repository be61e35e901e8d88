"""How whole an utterance came through: clear, clipped at the rails, or hardly above the room's noise."""

from __future__ import annotations

import numpy as np

from referee.hearing.recogniser import Samples

RAIL = 32700
CLIPPED_SHARE = 0.002
"""More samples than this at the rails, and words are no longer to be told apart."""

CLEAR_DB = 10.0
"""So far the loud parts of clear speech stand above the quiet ones. Measured on mixed sounds: words 10 dB over babble
or hiss reach 12 dB, babble, music and hiss alone stay below 10."""

_FRAME = 320


def channel_of(samples: Samples) -> str:
    """`clear`, `clipped` or `noisy`, for int16 sound (n,) of one utterance with a little of what was before it."""
    if len(samples) < 2 * _FRAME:
        return "clear"
    sound = samples.astype(np.float64)
    if float(np.mean(np.abs(sound) >= RAIL)) > CLIPPED_SHARE:
        return "clipped"
    power = np.mean(sound[: len(sound) // _FRAME * _FRAME].reshape(-1, _FRAME) ** 2, axis=1) + 1.0
    quiet, loud = np.quantile(power, (0.1, 0.9))
    return "noisy" if 10 * np.log10(loud / quiet) < CLEAR_DB else "clear"
