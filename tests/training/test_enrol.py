"""Enrolling a deck from photographs: every face once, one card a photograph, straightened."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cards import Card, deck_counts
from referee.faults import InputFault
from referee.observations import CardReading
from referee.training.enrol import card_in, enrol, face_files
from referee.vision.quads import Image

CODES = [card.code for card in deck_counts()]
WHOLE = ((0.0, 0.0), (56.0, 0.0), (56.0, 87.0), (0.0, 87.0))


def reading(code: str, x: float, y: float, length: float, confidence: float = 0.9) -> CardReading:
    w = length * 56 / 87
    quad = ((x, y), (x + w, y), (x + w, y + length), (x, y + length))
    return CardReading(Card.parse(code), confidence, quad, ((code, confidence),))


class Sees:
    """Reads the same in every picture."""

    def __init__(self, *readings: CardReading) -> None:
        self.readings = list(readings)

    def read(self, image_bgr: Image, expected_card_px: float | None = None) -> list[CardReading]:
        return self.readings


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """54 pictures of a card's shape, each of its own grey."""
    folder = tmp_path_factory.mktemp("deck")
    for k, code in enumerate(CODES):
        cv2.imwrite(str(folder / f"{code}.png"), np.full((87, 56, 3), 4 * k, np.uint8))
    return folder


@pytest.fixture
def folder(photos: Path, tmp_path: Path) -> Path:
    """A copy of the photographs that a test may spoil."""
    for file in photos.iterdir():
        (tmp_path / file.name).hardlink_to(file)
    return tmp_path


def test_a_whole_deck(photos: Path) -> None:
    done: list[int] = []
    made = enrol(photos, "mine", Sees(reading("R5", 1, 1, 85)), lambda count, total: done.append(total - count))
    assert sorted(made.deck.codes) == sorted(CODES)
    assert (made.deck.name, done[0], done[-1]) == ("mine", 53, 0)
    greys = {code: int(face.mean()) for code, face in zip(made.deck.codes, made.deck.faces, strict=True)}
    assert greys == {code: 4 * k for k, code in enumerate(CODES)}
    assert made.deck.faces[0].shape == (192, 128, 3)


def test_a_sure_reading_of_another_face_is_remarked_upon(photos: Path) -> None:
    made = enrol(photos, "mine", Sees(reading("R5", 1, 1, 85, confidence=0.97)), lambda *_: None)
    assert len(made.remarks) == 53
    assert "looks like R5" in made.remarks[0]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda f: (f / "R5.png").unlink(), "lacks a photo: R5"),
        (lambda f: [(f / f"R{n}.png").unlink() for n in range(10)], r"lacks 10 photos: R0.*and 2 more"),
        (lambda f: (f / "r5.jpg").write_bytes(b"x"), "shows R5, and so does R5.png"),
        (lambda f: (f / "holiday.jpg").write_bytes(b"x"), "holiday.jpg: is not named by a card"),
        (lambda f: (f / "B0.png").unlink() or (f / "B0.png").write_bytes(b""), r"B0\.png: is empty"),
    ],
    ids=["face missing", "many missing", "face twice", "wrong name", "unreadable photo"],
)
def test_a_spoilt_folder_is_told_in_one_line(folder: Path, spoil: object, words: str) -> None:
    assert callable(spoil)
    spoil(folder)
    with pytest.raises(InputFault, match=words):
        enrol(folder, "mine", Sees(reading("R5", 1, 1, 85)), lambda *_: None)


def test_faces_of_other_editions_may_be_there_and_other_files_are_left_alone(folder: Path) -> None:
    (folder / "WX.jpg").write_bytes(b"x")
    (folder / "notes.txt").write_text("bought in 1999")
    assert list(face_files(folder))[-1] == "WX" or "WX" in face_files(folder)
    assert len(face_files(folder)) == 55


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        ([], "no card"),
        ([reading("R5", 10, 10, 90, confidence=0.01)], "no card"),
        ([reading("R5", 10, 10, 90), reading("B7", 110, 10, 88)], "shows 2 cards"),
    ],
    ids=["nothing", "hardly anything", "two cards"],
)
def test_photographs_that_cannot_be_used(seen: list[CardReading], words: str) -> None:
    with pytest.raises(InputFault, match=words) as caught:
        card_in(Path("R5.jpg"), np.zeros((200, 260, 3), np.uint8), Sees(*seen))
    assert "R5.jpg" in str(caught.value)


@pytest.mark.parametrize(
    ("size", "seen", "outline"),
    [
        ((200, 260), [reading("R5", 50, 40, 87)], [[50, 40], [106, 40], [106, 127], [50, 127]]),
        (
            (200, 260),
            [reading("R5", 50, 40, 87), reading("R5", 55, 45, 20)],
            [[50, 40], [106, 40], [106, 127], [50, 127]],
        ),
        ((90, 58), [reading("R5", 2, 2, 84)], [[0, 0], [58, 0], [58, 90], [0, 90]]),
    ],
    ids=["a card on a table", "its corner sign is no second card", "a picture cut to the card"],
)
def test_outline_of_the_card(size: tuple[int, int], seen: list[CardReading], outline: list[list[int]]) -> None:
    quad, read = card_in(Path("R5.jpg"), np.zeros((*size, 3), np.uint8), Sees(*seen))
    assert quad.tolist() == pytest.approx(np.array(outline), abs=1e-3)
    assert read == seen[0]


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="is no folder"):
        face_files(tmp_path / "none")
