"""Noises of a room: level, seed, and what a room and a microphone do to a word."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.synth.noises import (
    RATE_HZ,
    babble,
    colouring,
    held,
    hum,
    knocks,
    levelled,
    music,
    room_response,
    shouted,
    sung,
)

Sound = NDArray[np.float64]
Noise = Callable[[np.random.Generator], Sound]


def talk(rng: np.random.Generator) -> Sound:
    return rng.normal(size=RATE_HZ // 2)


NOISES: dict[str, Noise] = {
    "babble": lambda rng: babble(3, rng, talk, 4),
    "talker": lambda rng: babble(3, rng, talk, 1),
    "music": lambda rng: music(3, rng),
    "song": lambda rng: sung(3, rng),
    "knocks": lambda rng: knocks(3, rng),
    "hum": lambda rng: hum(3, rng),
}


@pytest.mark.parametrize("name", NOISES)
def test_noise_has_rms_one_and_comes_from_the_seed(name: str) -> None:
    one, same, other = (NOISES[name](np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert len(one) == 3 * RATE_HZ
    assert np.sqrt(np.mean(one**2)) == pytest.approx(1.0)
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_one_talker_pauses_and_many_hardly_do() -> None:
    quiet = {name: np.mean(np.abs(NOISES[name](np.random.default_rng(4))) < 1e-9) for name in ("talker", "babble")}
    assert quiet["talker"] > quiet["babble"]


def test_a_room_keeps_the_direct_sound_first_and_dies_away() -> None:
    for seed in range(20):
        response = room_response(np.random.default_rng(seed))
        assert response[0] == 1.0
        tenth = len(response) // 10
        assert np.sum(response[-tenth:] ** 2) < 0.05 * np.sum(response**2)


def test_a_microphone_colours_every_frequency_by_something() -> None:
    gains = np.array([colouring(np.random.default_rng(seed), 257) for seed in range(30)])
    assert (gains > 0).all()
    assert gains.std(axis=0).min() > 0.1


def test_a_shout_is_as_loud_at_its_peak_and_louder_all_along() -> None:
    rng = np.random.default_rng(1)
    word = np.sin(2 * np.pi * 300 * np.arange(8000) / RATE_HZ) * np.hanning(8000)
    shout = shouted(word, rng)
    assert np.abs(shout).max() == pytest.approx(np.abs(word).max(), rel=0.01)
    assert np.mean(shout**2) > 1.3 * np.mean(word**2)


def test_a_held_word_is_longer_at_its_vowels_and_not_between_them() -> None:
    second = np.arange(RATE_HZ) / RATE_HZ
    parts = [
        np.sin(2 * np.pi * hertz * second[: int(share * 9600)])
        for hertz, share in ((300, 0.4), (1500, 0.2), (700, 0.4))
    ]
    word = np.concatenate(parts)
    for seed in range(4):
        shouted_out = held(word, np.random.default_rng(seed))
        frames = shouted_out[: len(shouted_out) // 512 * 512].reshape(-1, 512)
        strongest_hz = np.abs(np.fft.rfft(frames * np.hanning(512))).argmax(axis=1) * RATE_HZ / 512
        loud = np.sqrt(np.mean(frames**2, axis=1)) > 0.2
        seconds = {hertz: 0.032 * np.sum(loud & (np.abs(strongest_hz - hertz) < 40)) for hertz in (300, 1500, 700)}
        assert seconds[700] > 0.3, "the last vowel was 0.24 s"
        assert 0.06 < seconds[1500] < 0.2, "the consonant was 0.12 s"
        assert np.abs(shouted_out).max() == pytest.approx(1.0, abs=0.01)


def test_silence_stays_silent() -> None:
    assert not levelled(np.zeros(10)).any()
