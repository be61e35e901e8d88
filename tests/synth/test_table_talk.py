"""The lines that train the spotter: whole in every language, and no line of another kind says the call."""

from __future__ import annotations

import re
from shutil import which

import numpy as np
import pytest

from referee.faults import InputFault
from referee.synth.phonemes import PROGRAM, ipa, kokoro_spelling, spoken_ipa
from referee.synth.table_talk import CALLS, drawn_line, minimal_pair, nonsense, table_talk
from referee.synth.voices_neural import Manner
from referee.synth.voices_programs import Borrowed, read_in_english

SAYS_UNO = re.compile(r"\buno\b", re.IGNORECASE)


@pytest.mark.parametrize("language", ["en", "es", "pt", "ro", "it"])
def test_every_language_has_lines_of_every_kind(language: str) -> None:
    table = table_talk()[language]
    assert {*CALLS, "ipa", "in_sentence", "near", "talk"} == set(table)
    assert all(SAYS_UNO.search(line) for line in (*table["uno"], *table["in_sentence"]))
    assert all(re.search(r"\buno\W*$", line, re.IGNORECASE) for line in table["in_sentence"])


@pytest.mark.parametrize("kind", ["near", "talk", "challenge", "red", "yellow", "green", "blue"])
def test_no_other_line_says_uno(kind: str) -> None:
    assert [line for table in table_talk().values() for line in table[kind] if SAYS_UNO.search(line)] == []


def test_no_wording_stands_for_two_kinds_in_one_language() -> None:
    for language, table in table_talk().items():
        kinds = {re.sub(r"\W", "", line.lower()) for kind in ("near", "talk") for line in table[kind]}
        calls = {re.sub(r"\W", "", line.lower()) for kind in CALLS for line in table[kind]}
        assert kinds & calls == set(), language


def test_made_up_near_words_are_many_and_never_the_call() -> None:
    rng = np.random.default_rng(1)
    words = {minimal_pair(rng) for _ in range(2000)}
    assert {"luno", "ulo", "ono", "una", "aluno", "unoma"} <= words
    assert not words & {"uno", "unu"}
    assert len(words) > 150


def test_lines_come_from_the_seed_and_from_the_languages_asked_for() -> None:
    one = [drawn_line(np.random.default_rng(5), "near") for _ in range(3)]
    assert one[0] == one[1]
    drawn = [drawn_line(np.random.default_rng(seed), "uno", ("ro",)) for seed in range(5)]
    assert {line.accent for line in drawn} == {"ro"}


def test_nonsense_never_says_the_call() -> None:
    words = [word for seed in range(400) for word in nonsense(np.random.default_rng(seed)).split()]
    assert len(set(words)) > 500
    assert not {"uno", "unu", "una"} & set(words)


@pytest.mark.parametrize("language", ["en", "es", "pt", "ro", "it"])
def test_running_speech_is_made_of_the_languages_words_and_says_no_call(language: str) -> None:
    table = table_talk()[language]
    lines = [drawn_line(np.random.default_rng(seed), "chain", (language,)).text for seed in range(150)]
    assert all(len(line.split()) >= 3 for line in lines)
    assert len(set(lines)) == 150
    single = {line.strip("¡!.").lower() for kind in CALLS for line in table[kind] if " " not in line}
    said = {word.strip("¡!.").lower() for line in lines for word in line.split()}
    assert said & (single - {word.lower() for word in table["near"]}) == set()


@pytest.mark.parametrize(
    ("text", "read"), [("Uno, uno!", "oono, oono!"), ("you forgot uno", "you forgot oono"), ("Bruno", "Bruno")]
)
def test_a_voice_with_english_rules_is_told_how_the_game_is_called(text: str, read: str) -> None:
    assert read_in_english(text) == read


@pytest.mark.skipif(which(PROGRAM) is None, reason=f"{PROGRAM} is not installed")
@pytest.mark.parametrize(("accent", "sound"), [("es", "ˈuno"), ("en-us", "ˈuːnoʊ"), ("pt-br", "ˈunʊ")])
def test_the_call_in_the_accents_of_the_table(accent: str, sound: str) -> None:
    assert ipa("uno!", accent) == sound + "!"


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.synth.phonemes.which", lambda _name: None)
    with pytest.raises(InputFault, match=PROGRAM):
        ipa("a line never read before", "es")


def test_spelling_of_diphthongs_for_kokoro_voices() -> None:
    assert kokoro_spelling("juː nˈoʊ tʃˈeɪndʒ") == "juː nˈO ʧˈAnʤ"


def test_a_vowel_that_the_voices_lack_becomes_one_that_they_have() -> None:
    """A Scottish "uno" would have lost its first sound, and been learnt as a call."""
    assert kokoro_spelling("ˈʉːnoː") == "ˈɨːnoː"


def test_a_voice_that_festival_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends well all the same, and writes nothing."""
    monkeypatch.setattr("referee.synth.voices_programs._told", lambda _command, _order: None)
    with pytest.raises(InputFault, match="festival has no voice"):
        Borrowed().say("uno", "it", np.random.default_rng(1), Manner())


def test_only_english_is_said_with_its_u_to_the_front_and_not_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.synth.phonemes.ipa", lambda _text, accent: {"en-us": "ˈuːnoʊ", "es": "ˈuno"}[accent])
    rng = np.random.default_rng(1)
    english = {spoken_ipa("uno", "en-us", rng) for _ in range(200)}
    assert {"ˈuːnoʊ", "ˈɨːnoʊ", "ˈyːnəʊ"} <= english
    assert {spoken_ipa("uno", "es", rng) for _ in range(50)} == {"ˈuno"}
