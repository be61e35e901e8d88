"""Spoken lines of drawn films: who speaks, at what rate, and what the room adds."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from referee.faults import InputFault
from referee.hearing.phrases import load_pack
from referee.synth.rooms import mix_room, murmur, pink_noise, rustle
from referee.synth.speech import CALL_LINES, CHATTER, PEAK, resampled, speak
from referee.synth.voices import LANGUAGES, SPEAKERS, VOICE_RATE_HZ, synthesise


@pytest.fixture
def _voices() -> None:
    pytest.importorskip("py_nanotts", reason="the voices of drawn films are not installed (extra 'synth')")


@pytest.mark.usefixtures("_voices")
@pytest.mark.parametrize("call", CALL_LINES)
def test_every_line_of_every_call_is_spoken(call: str) -> None:
    for variant in range(len(CALL_LINES[call])):
        sound = speak(call, "ana", variant=variant)
        assert sound.dtype == np.int16
        assert 0.2 < len(sound) / VOICE_RATE_HZ < 2.0
        assert np.abs(sound).max() == pytest.approx(PEAK, abs=1)


def test_the_films_say_every_call_that_the_stand_in_hears() -> None:
    assert set(CALL_LINES) == load_pack("stand-in").calls
    assert all(line.language in LANGUAGES for lines in (*CALL_LINES.values(), CHATTER) for line in lines)


@pytest.mark.usefixtures("_voices")
def test_speaking_is_the_same_each_time_and_speakers_differ() -> None:
    assert np.array_equal(speak("uno", "ana"), speak("uno", "ana"))
    lengths = {name: len(speak("uno", name)) for name in SPEAKERS}
    assert len(set(lengths.values())) > len(SPEAKERS) // 2
    assert lengths["bruno"] > lengths["elena"]  # slower


@pytest.mark.usefixtures("_voices")
@pytest.mark.parametrize("rate_hz", [8000, 16000, 44100, 48000])
def test_a_line_lasts_as_long_at_every_rate(rate_hz: int) -> None:
    seconds = len(speak("challenge", "carla")) / VOICE_RATE_HZ
    assert len(speak("challenge", "carla", rate_hz)) / rate_hz == pytest.approx(seconds, abs=0.001)


def test_resampling_keeps_a_tone() -> None:
    tone = np.sin(2 * np.pi * 440 * np.arange(16000) / 16000)
    for rate_hz in (8000, 48000):
        expected = np.sin(2 * np.pi * 440 * np.arange(rate_hz) / rate_hz)
        assert np.allclose(resampled(tone, 16000, rate_hz), expected, atol=0.01)


@pytest.mark.usefixtures("_voices")
@pytest.mark.parametrize(
    ("text", "speaker", "language", "fault"),
    [
        ("uno", "nobody", "en-GB", "no speaker is called 'nobody'"),
        ("hello", "ana", "tlh", "no voice speaks 'tlh'"),
        ("", "ana", "en-GB", "says nothing"),
    ],
)
def test_what_cannot_be_spoken(text: str, speaker: str, language: str, fault: str) -> None:
    with pytest.raises(InputFault, match=fault):
        speak(text, speaker, language=language)


def test_missing_voices_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py_nanotts", None)
    synthesise.cache_clear()
    with pytest.raises(InputFault, match="extra 'synth'"):
        synthesise("uno", "it-IT", SPEAKERS["ana"])


@pytest.mark.usefixtures("_voices")
def test_a_room_has_the_length_the_seed_and_the_level_asked_for() -> None:
    line = speak("uno", "ana")
    quiet, again = mix_room([(1.0, line)], 3.0, seed=1, snr_db=20), mix_room([(1.0, line)], 3.0, seed=1, snr_db=20)
    assert np.array_equal(quiet, again)
    assert not np.array_equal(quiet, mix_room([(1.0, line)], 3.0, seed=2, snr_db=20))
    assert len(quiet) == 3 * VOICE_RATE_HZ
    noise = quiet[2 * VOICE_RATE_HZ :].astype(np.float64)
    gap_db = 20 * np.log10(np.sqrt(np.mean(line.astype(np.float64) ** 2)) / np.sqrt(np.mean(noise**2)))
    assert gap_db == pytest.approx(20, abs=3)


@pytest.mark.usefixtures("_voices")
def test_a_line_at_the_end_is_cut_and_an_empty_room_is_not_silent() -> None:
    room = mix_room([(1.9, speak("uno", "ana")), (5.0, speak("uno", "ana"))], 2.0, seed=1)
    assert len(room) == 2 * VOICE_RATE_HZ
    assert np.abs(room[-1000:]).max() > 1000
    assert mix_room([], 1.0, seed=1).std() > 50


@pytest.mark.usefixtures("_voices")
def test_the_noises_have_one_level() -> None:
    rng = np.random.default_rng(1)
    for noise in (pink_noise(32000, rng), murmur(2.0, rng, 16000), rustle(160000, rng, 16000)):
        assert np.sqrt(np.mean(noise**2)) == pytest.approx(1.0)
