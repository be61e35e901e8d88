"""How whole an utterance came through: clear, overlapped by other talk, clipped, or hardly above the room's noise.

Two voices at once cannot be told from one by their sound alone (how periodic it is says little of recorded voices:
one alone .76 to .90, two at once .53 to .82). So it is told by what else was said: voice that goes on before a call
or after it, or that holds no call at all, may hide another one. A pair of microphones tells a second direction
besides (`speakers.RIVAL`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.hearing.recogniser import Samples
from referee.hearing.voice_activity import FRAME_S, Utterance

RAIL = 32700
CLIPPED_SHARE = 0.002
"""More samples than this at the rails, and words are no longer to be told apart."""

CLEAR_DB = 10.0
"""So far the loud parts of clear speech stand above the quiet ones. Measured on mixed sounds: words 10 dB over babble
or hiss reach 12 dB, babble, music and hiss alone stay below 10."""

TALK_S = 0.8
"""So much voice beside the calls of an utterance is talk; a name or a "hey" before a call is shorter."""

WORD_S = 0.15
"""The least voice of a word that neither ear makes out: an UNO in a voice unknown to them is one, and a quick one in
noise holds 0.18 s of it."""

_FRAME = 320
_AROUND_S = 0.15  # the bounds of a word are known no better


def channel_of(utterance: Utterance, calls: Sequence[tuple[float, float]] = ()) -> str:
    """`clear`, `overlapped`, `clipped` or `noisy`.

    calls: the spans of the calls in it, in seconds from its first sample; the rest of its voice is other talk.
    """
    if _clipped(utterance.samples):
        return "clipped"
    if talk_s(utterance, calls) >= TALK_S:
        return "overlapped"
    return "noisy" if _noisy(utterance.samples) else "clear"


def talk_s(utterance: Utterance, calls: Sequence[tuple[float, float]]) -> float:
    """Seconds of voice outside the calls."""
    middles = (np.arange(len(utterance.voiced)) + 0.5) * FRAME_S
    voiced = np.array(utterance.voiced, bool)
    for start_s, end_s in calls:
        voiced &= (middles < start_s - _AROUND_S) | (middles > end_s + _AROUND_S)
    return float(voiced.sum()) * FRAME_S


def _clipped(samples: Samples) -> bool:
    if len(samples) < 2 * _FRAME:
        return False
    return float(np.mean(np.abs(samples.astype(np.int32)) >= RAIL)) > CLIPPED_SHARE


def _noisy(samples: Samples) -> bool:
    if len(samples) < 2 * _FRAME:
        return False
    sound = samples.astype(np.float64)
    power = np.mean(sound[: len(sound) // _FRAME * _FRAME].reshape(-1, _FRAME) ** 2, axis=1) + 1.0
    quiet, loud = np.quantile(power, (0.1, 0.9))
    return bool(10 * np.log10(loud / quiet) < CLEAR_DB)
