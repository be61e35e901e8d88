"""How whole a call came through: a penalty needs a clear channel."""

from __future__ import annotations

import numpy as np
import pytest

from referee.hearing.channel import channel_of
from referee.hearing.recogniser import Samples
from tests.hearing.scripted import silence, voice


def noise(seconds: float, level: float) -> Samples:
    return (np.random.default_rng(1).normal(size=round(seconds * 16_000)) * level).astype(np.int16)


WORD = np.concatenate([silence(0.25), voice(0.4), silence(0.3)])


@pytest.mark.parametrize(
    ("situation", "sound", "channel"),
    [
        ("a word in a quiet room", WORD + noise(0.95, 5), "clear"),
        ("a word well above the noise", WORD + noise(0.95, 800), "clear"),
        ("a word as loud as the noise", WORD + noise(0.95, 3000), "noisy"),
        ("noise alone", noise(1.0, 3000), "noisy"),
        ("a word at the rails", np.clip(WORD.astype(np.int32) * 30, -32768, 32767).astype(np.int16), "clipped"),
        ("a click: too short to tell", voice(0.02), "clear"),
        ("nothing", silence(0), "clear"),
    ],
)
def test_channel_of_an_utterance(situation: str, sound: Samples, channel: str) -> None:
    assert channel_of(sound) == channel, situation
