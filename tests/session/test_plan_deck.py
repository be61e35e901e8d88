"""A session names the deck that is played with; the eye that watches it knows that deck's faces."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.faults import InputFault
from referee.session.plan import open_plan
from referee.vision.deck_file import FOLDER_VARIABLE, deck_path, save_deck
from referee.vision.deck_scorer import DeckScorer
from referee.vision.reader import open_reader
from tests.vision.drawn_deck import drawn_deck


def session(folder: Path, deck: str) -> Path:
    (folder / "table.mkv").write_bytes(b"film")
    (folder / "session.toml").write_text(
        f'format = 1\nmedia = ["table.mkv"]\n{deck}[players]\nP1 = "Ana"\nP2 = "Bo"\n', encoding="utf-8"
    )
    return folder


@pytest.mark.parametrize(
    ("line", "deck"),
    [("", None), ('deck = "mine"\n', "mine"), ('deck = "ours.deck"\n', "ours.deck")],
    ids=["none", "by name", "a file in the session's folder"],
)
def test_the_plan_names_the_deck(tmp_path: Path, line: str, deck: str | None) -> None:
    wanted = str(tmp_path / "ours.deck") if deck == "ours.deck" else deck
    assert open_plan(session(tmp_path, line)).deck == wanted


def test_a_reader_with_a_deck_and_one_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    save_deck(drawn_deck(), deck_path("mine"))
    assert isinstance(open_reader(deck="mine").scorer, DeckScorer)
    assert not isinstance(open_reader().scorer, DeckScorer)
    with pytest.raises(InputFault, match="no deck 'yours'"):
        open_reader(deck="yours")
