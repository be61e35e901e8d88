"""Deck files: kept whole, found by name, and refused in one line when broken."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from referee.faults import InputFault
from referee.vision.deck_file import FOLDER_VARIABLE, deck_path, decks_folder, enrolled, load_deck, save_deck
from tests.vision.drawn_deck import CODES, drawn_deck


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "decks"))


def test_kept_and_found_by_name_and_by_file() -> None:
    save_deck(drawn_deck(), deck_path("mine"))
    assert [file.stem for file in enrolled()] == ["mine"]
    for name in ("mine", str(deck_path("mine"))):
        deck = load_deck(name)
        assert deck.codes == CODES
        assert np.array_equal(deck.faces[0], drawn_deck().faces[0])
    assert list(decks_folder().iterdir()) == [deck_path("mine")]


def test_the_usual_place_is_the_users_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE)
    assert decks_folder().parts[-2:] == ("uno-table-referee", "decks")


def test_an_unknown_deck_is_told_with_those_that_are_known() -> None:
    save_deck(drawn_deck(), deck_path("mine"))
    with pytest.raises(InputFault, match=r"no deck 'yours' is enrolled.*mine"):
        load_deck("yours")


@pytest.mark.parametrize("name", ["", "../mine", "a b", "x" * 60, ".hidden"])
def test_names_that_cannot_be_files(name: str) -> None:
    with pytest.raises(InputFault, match="cannot be called"):
        deck_path(name)


@pytest.mark.parametrize("spoil", ["cut", "text", "face missing", "no face", "other format", "no such card"])
def test_broken_files_are_refused_in_one_line(spoil: str) -> None:
    path = deck_path("mine")
    save_deck(drawn_deck(), path)
    head = {"format": 1, "name": "mine", "codes": list(CODES)}
    if spoil == "cut":
        path.write_bytes(path.read_bytes()[:2000])
    elif spoil == "text":
        path.write_text("not a deck")
    else:
        with zipfile.ZipFile(path) as old:
            pictures = {name: old.read(name) for name in old.namelist() if name.endswith(".png")}
        if spoil == "face missing":
            pictures.pop("R6.png")
        if spoil == "no face":
            pictures["R6.png"] = b"no picture"
        if spoil == "other format":
            head["format"] = 2
        if spoil == "no such card":
            head["codes"] = ["Q7"]
        with zipfile.ZipFile(path, "w") as new:
            new.writestr("deck.json", json.dumps(head))
            for name, content in pictures.items():
                new.writestr(name, content)
    with pytest.raises(InputFault, match=r"mine\.deck") as caught:
        load_deck("mine")
    assert "enrol" in str(caught.value)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "decks").write_text("a file where the folder should be")
    with pytest.raises(InputFault, match="cannot be written"):
        save_deck(drawn_deck(), deck_path("mine"))
