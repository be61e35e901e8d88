"""Renderings of an utterance: loudness, tempo, and steady noise taken down."""

from __future__ import annotations

import numpy as np
import pytest

from referee.hearing.takes import TAKES, Take, cleaned, loudness, rendered
from tests.hearing.scripted import RATE_HZ, silence, voice, zeros


@pytest.mark.parametrize("level", [150.0, 3000.0, 12000.0])
def test_every_take_has_one_loudness(level: float) -> None:
    """Symptom: the model heard nothing in quiet speech."""
    sound = np.concatenate([silence(0.3), voice(0.6, level), silence(0.3)])
    for take in TAKES:
        assert loudness(rendered(sound, take).astype(np.float64)) == pytest.approx(6000, rel=0.05)


@pytest.mark.parametrize("tempo", [1.0, 0.9, 0.95])
def test_a_slower_take_is_longer(tempo: float) -> None:
    assert len(rendered(voice(1.0), Take(tempo, cleaned=False))) == pytest.approx(RATE_HZ / tempo, abs=1)


def test_cleaning_takes_down_the_room_and_leaves_the_voice() -> None:
    rng = np.random.default_rng(2)
    noise = rng.normal(0, 500, RATE_HZ * 3 // 2)
    sound = noise.copy()
    sound[RATE_HZ // 2 : RATE_HZ] += voice(0.5, 6000.0)
    result = cleaned(sound)
    assert len(result) == len(sound)
    room = slice(RATE_HZ // 10, RATE_HZ * 4 // 10)
    spoken = slice(RATE_HZ * 6 // 10, RATE_HZ * 9 // 10)
    assert np.std(result[room]) < 0.4 * np.std(sound[room])
    assert np.std(result[spoken]) > 0.7 * np.std(sound[spoken])


@pytest.mark.parametrize("sound", [zeros(0), zeros(0.01), zeros(1.0)], ids=["nothing", "10 ms", "digital silence"])
def test_silence_stays_silent_and_breaks_nothing(sound: np.ndarray[tuple[int], np.dtype[np.int16]]) -> None:
    for take in TAKES:
        assert not rendered(sound, take).any()


def test_loud_sound_is_clipped_and_does_not_wrap() -> None:
    spike = silence(1.0)
    spike[8000] = 32767
    assert rendered(spike, Take(1.0, cleaned=False))[8000] == 32767
