"""`referee accuracy`: what a person reads, what a program reads, guided and not."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

import referee.vision.reader
from referee.cards import Card
from referee.cli.main import app
from referee.faults import InputFault
from referee.observations import CardReading
from referee.vision.guided import TEN_CARDS, require_all, showings
from referee.vision.quads import Image

RUN = CliRunner()
QUAD = ((10.0, 10.0), (74.0, 10.0), (74.0, 110.0), (10.0, 110.0))


class ByGrey:
    """Reads the card of TEN_CARDS whose number the picture's grey says; nothing in black."""

    def read(self, image_bgr: Image, expected_card_px: float | None = None) -> list[CardReading]:
        number = int(image_bgr.mean() + 2) // 20
        if not number:
            return []
        card = Card.parse(TEN_CARDS[number - 1])
        return [CardReading(card, 0.96, QUAD, ((card.code, 0.96),))]


@pytest.fixture(autouse=True)
def _reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee.vision.reader, "open_reader", lambda deck=None: ByGrey())


def grey(number: int) -> Image:
    return np.full((140, 100, 3), 20 * number, np.uint8)


def photo(path: Path, number: int) -> None:
    cv2.imwrite(str(path), grey(number))


def test_json_and_words(tmp_path: Path) -> None:
    for number, code in enumerate(TEN_CARDS, start=1):
        photo(tmp_path / f"{code}.png", number)
    photo(tmp_path / "R6-2.png", 2)
    result = RUN.invoke(app, ["accuracy", "--json", str(tmp_path)])
    assert result.exit_code == 0, result.output
    facts = json.loads(result.stdout)
    assert (facts["pictures"], facts["cards"], facts["false"]) == (11, 11, 0)
    assert facts["right"] == {"part": 10, "of": 11, "percent": 90.9, "bounds": [62.3, 98.4]}
    assert facts["confusions"] == [["R6", "Y9", 1]]
    assert facts["verdict"].endswith("weak: 6 against 9")

    told = RUN.invoke(app, ["accuracy", str(tmp_path)]).stdout
    assert "R6-2.png: missed or misread R6" in told
    assert "weak: 6 against 9" in told
    assert "fewer than 30 cards" in told


def test_a_bad_picture_is_told_and_the_others_count(tmp_path: Path) -> None:
    photo(tmp_path / "R6.png", 1)
    (tmp_path / "B6.png").write_bytes(b"")
    result = RUN.invoke(app, ["accuracy", "--json", str(tmp_path)])
    assert result.exit_code == 2
    assert "B6.png: is empty" in result.stderr
    assert json.loads(result.stdout)["pictures"] == 1


def test_guided_by_a_folder_in_order(tmp_path: Path) -> None:
    for number in range(1, 11):
        photo(tmp_path / f"IMG_{number:04}.png", number)
    result = RUN.invoke(app, ["accuracy", "--guided", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert " 1. red 6 (R6)" in result.stdout
    assert "10 of 10" in result.stdout
    (tmp_path / "IMG_0010.png").unlink()
    with pytest.raises(InputFault, match="holds 9 pictures, not 10"):
        RUN.invoke(app, ["accuracy", "--guided", str(tmp_path)], catch_exceptions=False)


def test_guided_before_there_are_pictures_names_the_cards(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="is not there yet"):
        RUN.invoke(app, ["accuracy", "--guided", str(tmp_path / "film.mp4")], catch_exceptions=False)


def test_showings_in_a_film() -> None:
    """Between two cards the table is bare; one that only passes by, in a single frame, is none."""
    film = [0, 1, 1, 1, 0, 0, 5, 0, 2, 2, 0, 3, 3, 3]
    found = showings((grey(number) for number in film), ByGrey())
    assert [int(image.mean()) // 20 for image in found] == [1, 2, 3]
    with pytest.raises(InputFault, match="shows 3 cards, not 10"):
        require_all(found, "film.mp4")
