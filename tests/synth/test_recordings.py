"""Recorded people in place of voices: an "uno" joined from two syllables, and packages that are missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.faults import InputFault
from referee.synth import recordings
from referee.synth.recordings import Recorded, joined
from referee.synth.voices import VOICE_RATE_HZ
from referee.synth.voices_neural import Manner

SECOND = np.arange(VOICE_RATE_HZ) / VOICE_RATE_HZ
VOWEL = 0.1 * np.sin(2 * np.pi * 300 * SECOND)
SYLLABLE = 0.6 * np.sin(2 * np.pi * 700 * SECOND[:8000])


def test_a_vowel_and_a_syllable_join_without_a_gap_and_as_loud() -> None:
    for seed in range(5):
        sound = joined(VOWEL, SYLLABLE, np.random.default_rng(seed))
        assert 0.55 < len(sound) / VOICE_RATE_HZ < 0.8
        levels = np.sqrt(np.mean(sound[: len(sound) // 400 * 400].reshape(-1, 400) ** 2, axis=1))
        assert levels[1:].min() > 0.15, "the vowel was six times softer"
        assert abs(sound[0]) < 0.01, "no click at the beginning"


def test_only_a_text_with_the_word_gives_a_joined_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recordings, "_sounds", lambda _root, folders: [Path(folders[0])])
    monkeypatch.setattr(recordings, "joined", lambda *_: VOWEL)
    monkeypatch.setattr(
        recordings, "_loaded", lambda path: SYLLABLE if path.name == "klettres" else np.tile(VOWEL, 5)
    )
    monkeypatch.setattr(recordings, "_NAMES", 0.0)
    voice, rng = Recorded(), np.random.default_rng(0)
    assert len(voice.say("¡uno!", "es", rng, Manner())) == len(VOWEL)
    assert len(voice.say("luna", "es", rng, Manner())) == pytest.approx(len(SYLLABLE), abs=100)
    assert len(voice.say("a long line", "en", rng, Manner())) == int(3.5 * VOICE_RATE_HZ), "a piece of a long prompt"
    assert len(voice.say("luna", "es", rng, Manner(formants=1.25))) == pytest.approx(len(SYLLABLE) / 1.25, abs=100)


def test_names_of_things_stand_for_words_and_several_for_talk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "ktuberling" / "sounds" / "es").mkdir(parents=True)
    monkeypatch.setattr(recordings, "_sounds", lambda _root, folders: [Path(folders[0])])
    monkeypatch.setattr(recordings, "_loaded", lambda path: SYLLABLE if path.name == "es" else VOWEL[:100])
    monkeypatch.setattr(recordings, "_NAMES", 1.0)
    voice, rng = Recorded(tmp_path), np.random.default_rng(0)
    assert len(voice.say("luna", "es", rng, Manner())) == pytest.approx(len(SYLLABLE), abs=100)
    assert len(voice.say("una luna", "es", rng, Manner())) >= 2 * len(SYLLABLE) - 200


def test_without_the_packages_there_is_no_such_voice(tmp_path: Path) -> None:
    assert not Recorded.installed(tmp_path)
    with pytest.raises(InputFault, match="recordings are missing"):
        Recorded(tmp_path)
