"""How whole a call came through, and where one may be hidden: a penalty needs a clear channel."""

from __future__ import annotations

import numpy as np
import pytest

from referee.hearing.channel import channel_of
from referee.hearing.dead_sound import DeadSound
from referee.hearing.recogniser import Samples
from referee.hearing.voice_activity import FRAME_S, Utterance
from tests.hearing.scripted import chunks, silence, voice, zeros


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
    assert channel_of(Utterance(sound, 0, len(sound))) == channel, situation


CALL = (0.3, 0.7)


@pytest.mark.parametrize(
    ("situation", "voiced_s", "calls", "channel"),
    [
        ("a call alone", [(0.3, 0.7)], [CALL], "clear"),
        ("hey, and the call", [(0.3, 0.5), (0.6, 1.1)], [(0.6, 1.1)], "clear"),
        ("somebody talks on after it", [(0.3, 1.9)], [CALL], "overlapped"),
        ("somebody talks before and after", [(0.3, 2.2)], [(1.0, 1.5)], "overlapped"),
        ("talk without a call may hide one", [(0.3, 1.3)], [], "overlapped"),
        ("a short word is not taken for talk", [(0.3, 0.8)], [], "clear"),
        ("two calls in one breath", [(0.3, 0.7), (0.9, 1.4)], [CALL, (0.9, 1.4)], "clear"),
    ],
)
def test_voice_beside_the_calls_is_other_talk(
    situation: str, voiced_s: list[tuple[float, float]], calls: list[tuple[float, float]], channel: str
) -> None:
    sound = np.concatenate([silence(0.3), voice(2.0), silence(0.3)])
    middles = [(frame + 0.5) * FRAME_S for frame in range(round(len(sound) / 16_000 / FRAME_S))]
    voiced = tuple(any(begin <= at <= end for begin, end in voiced_s) for at in middles)
    assert channel_of(Utterance(sound, 0, len(sound), voiced), calls) == channel, situation


@pytest.mark.parametrize("chunk_s", [0.03, 0.1, 5.0])
@pytest.mark.parametrize(
    ("sound", "spans_s"),
    [
        (silence(5), []),
        (np.concatenate([silence(1), zeros(0.9), silence(1)]), []),
        (np.concatenate([silence(1), zeros(1.5), silence(1)]), [(1.0, 2.0), (2.0, 2.5)]),
        (zeros(5.5), [(0.0, 1.0), (1.0, 3.0), (3.0, 5.0)]),
    ],
    ids=["a quiet room", "a short gap", "a gap", "muted"],
)
def test_nothing_but_zeros_is_a_dead_microphone(
    sound: Samples, spans_s: list[tuple[float, float]], chunk_s: float
) -> None:
    dead = DeadSound(16_000)
    found = [span for chunk in chunks(sound, chunk_s) for span in dead.feed(chunk.samples)]
    # the room of `silence` ends and begins in a zero too
    assert [(round(first / 16_000, 2), round(end / 16_000, 2)) for first, end in found] == spans_s
