"""`referee deck`: enrol, list, show and forget, as a person uses them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

import referee.vision.reader
from referee.cards import Card, deck_counts
from referee.cli.deck import app
from referee.cli.deck_camera import take_photographs
from referee.faults import InputFault
from referee.observations import CardReading
from referee.testing.manual_clock import ManualClock
from referee.testing.scripted_camera import ScriptedCamera
from referee.vision.deck_file import FOLDER_VARIABLE, deck_path, save_deck
from referee.vision.quads import Image
from tests.vision.drawn_deck import drawn_deck

RUN = CliRunner()


class FillsTheFrame:
    def read(self, image_bgr: Image, expected_card_px: float | None = None) -> list[CardReading]:
        height, width = image_bgr.shape[:2]
        quad = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
        return [CardReading(Card.parse("R6"), 0.5, quad, (("R6", 0.5),))]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "decks"))
    monkeypatch.setattr(referee.vision.reader, "open_reader", FillsTheFrame)


def photos(folder: Path) -> Path:
    folder.mkdir()
    for k, card in enumerate(deck_counts()):
        cv2.imwrite(str(folder / f"{card.code}.png"), np.full((87, 56, 3), 4 * k, np.uint8))
    return folder


def test_enrol_list_show_forget(tmp_path: Path) -> None:
    folder = photos(tmp_path / "photos")
    made = RUN.invoke(app, ["enrol", str(folder), "--name", "mine", "--json"])
    assert made.exit_code == 0, made.output
    facts = json.loads(made.stdout)
    assert (facts["deck"], facts["faces"], facts["remarks"]) == ("mine", 54, [])
    assert Path(facts["file"]) == deck_path("mine")

    listed = RUN.invoke(app, ["list", "--json"])
    assert [json.loads(line)["deck"] for line in listed.stdout.splitlines()] == ["mine"]

    picture = tmp_path / "faces.png"
    shown = RUN.invoke(app, ["show", "mine", "--picture", str(picture)])
    assert "54 faces" in shown.stdout
    sheet = cv2.imread(str(picture))
    assert sheet is not None
    assert sheet.shape == (4 * 192, 14 * 128, 3)

    assert RUN.invoke(app, ["forget", "mine"]).exit_code == 0
    assert not deck_path("mine").exists()
    assert "No deck is enrolled" in RUN.invoke(app, ["list"]).stdout


def test_a_person_is_told_how_to_go_on(tmp_path: Path) -> None:
    made = RUN.invoke(app, ["enrol", str(photos(tmp_path / "photos")), "--name", "mine"])
    assert "54 faces enrolled" in made.stdout
    assert "referee read --deck mine" in made.stdout


def test_out_names_another_file(tmp_path: Path) -> None:
    folder, out = photos(tmp_path / "photos"), tmp_path / "elsewhere" / "ours.deck"
    assert RUN.invoke(app, ["enrol", str(folder), "--name", "ours", "--out", str(out)]).exit_code == 0
    assert out.is_file()
    assert not deck_path("ours").exists()
    with pytest.raises(InputFault, match="deck file"):
        RUN.invoke(app, ["enrol", str(folder), "--name", "ours", "--out", "ours.zip"], catch_exceptions=False)


def test_a_face_missing_leaves_an_older_deck_as_it_was(tmp_path: Path) -> None:
    save_deck(drawn_deck(), deck_path("mine"))
    before = deck_path("mine").read_bytes()
    folder = photos(tmp_path / "photos")
    (folder / "R5.png").unlink()
    with pytest.raises(InputFault, match="lacks a photo: R5"):
        RUN.invoke(app, ["enrol", str(folder), "--name", "mine"], catch_exceptions=False)
    assert deck_path("mine").read_bytes() == before


@pytest.mark.parametrize("command", ["show", "forget"])
def test_a_deck_that_is_not_enrolled(command: str) -> None:
    save_deck(drawn_deck(), deck_path("mine"))
    with pytest.raises(InputFault, match=r"no deck 'yours' is enrolled.*mine"):
        RUN.invoke(app, [command, "yours"], catch_exceptions=False)


def test_a_broken_deck_is_told_and_the_others_listed() -> None:
    save_deck(drawn_deck(), deck_path("mine"))
    deck_path("broken").write_bytes(b"nothing")
    result = RUN.invoke(app, ["list"])
    assert "mine" in result.stdout
    assert "broken.deck" in result.stderr


def test_the_camera_takes_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = photos(tmp_path / "photos")
    (folder / "R6.png").unlink()
    clock = ManualClock()
    take_photographs(folder, None, ScriptedCamera(clock), clock, lines=[])
    assert (folder / "R6.png").is_file()
    assert "lay down the red 6" in capsys.readouterr().err
    assert RUN.invoke(app, ["enrol", str(folder), "--name", "mine"]).exit_code == 0


def test_who_stops_is_told_how_to_carry_on(tmp_path: Path) -> None:
    folder, clock = tmp_path / "new", ManualClock()
    with pytest.raises(InputFault, match="still lacks 54 faces"):
        take_photographs(folder, None, ScriptedCamera(clock), clock, lines=["q"])
