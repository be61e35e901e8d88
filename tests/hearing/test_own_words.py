"""A table's own words: added to the pack, refused by name with near ones (V2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.faults import InputFault
from referee.hearing.own_words import checked_words, load_own_words, with_own_words
from referee.hearing.phrases import PhrasePack, parse_pack
from tests.hearing.scripted import word

PACK = parse_pack(
    """
format = 1
[calls]
uno = ["uno"]
catch = ["te pillé"]
[readiness]
uno = 3
[decoys]
words = ["una", "hoy no"]
""",
    "es.toml",
)
KNOWN = {"uno", "te", "pillé", "una", "hoy", "no", "última", "carta", "ya"}
NEAR = {"cartaz": ["carta", "cartas"]}


def added(**words: list[str]) -> PhrasePack:
    return with_own_words(PACK, words, KNOWN.__contains__, lambda one: NEAR.get(one, []))


def calls(pack: PhrasePack, said: str) -> list[str | None]:
    return [found.phrase.call for found in pack.find([word(text) for text in said.split()])]


def test_own_words_are_heard_as_the_call() -> None:
    pack = added(uno=["última carta", "ya"])
    assert calls(pack, "última carta") == ["uno"]
    assert calls(pack, "ya") == ["uno"]
    assert pack.grammar().count("última carta") == 3  # as ready as the call's other wordings


@pytest.mark.parametrize("typed", ["Última Carta", "u\u0301ltima carta", "  última   carta "])
def test_they_may_be_typed_as_people_type(typed: str) -> None:
    assert calls(added(uno=[typed]), "última carta") == ["uno"]


def test_a_decoy_may_become_a_call() -> None:
    assert calls(PACK, "una") == [None]
    assert calls(added(uno=["una"]), "una") == ["uno"]


def test_a_wording_that_is_there_already_changes_nothing() -> None:
    assert added(uno=["uno"]) == PACK


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (
            {"uno": ["última cartaz"]},
            r"words.uno: .* does not know 'cartaz' \(near ones that it knows: carta, cartas\)",
        ),
        ({"uno": ["xyz"]}, r"does not know 'xyz' \(say it in other words\)"),
        ({"uno": ["te pillé"]}, "'te pillé' stands for catch already"),
    ],
)
def test_v2_what_cannot_be_heard_is_refused_by_name(words: dict[str, list[str]], fault: str) -> None:
    with pytest.raises(InputFault, match=fault):
        added(**words)


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ({"unno": ["x"]}, r"words.unno: there is no such call \(choose uno"),
        ({"uno": "x"}, "words.uno is not a list"),
        ({"uno": [" "]}, "words.uno is not a list"),
        (["uno"], "words is not a table"),
    ],
)
def test_a_table_that_is_written_wrongly_is_named(table: object, fault: str) -> None:
    with pytest.raises(InputFault, match=fault):
        checked_words(table, "session.toml")


def test_words_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('[words]\n"colour:R" = ["colorado"]\n', encoding="utf-8")
    assert load_own_words(path) == {"colour:R": ("colorado",)}
    path.write_text("[words\n", encoding="utf-8")
    with pytest.raises(InputFault, match="no valid TOML"):
        load_own_words(path)
    with pytest.raises(InputFault, match="cannot be read"):
        load_own_words(tmp_path / "gone.toml")
