"""Measuring at one's own table: what pictures show by their names, shares with bounds, a verdict and advice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.faults import InputFault
from referee.observations import CardReading
from referee.vision.accuracy import Accuracy, Share, has_glare, shown_in, troubles_of
from referee.vision.quads import Image
from tests.vision.drawn_deck import face

PLAIN = np.full((300, 400, 3), 200, np.uint8)


def read(code: str, confidence: float = 0.95, length: float = 100) -> CardReading:
    w = length * 56 / 87
    card = None if code == "back" else Card.parse(code)
    return CardReading(card, confidence, ((50, 50), (50 + w, 50), (50 + w, 50 + length), (50, 50 + length)))


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("R5.jpg", "R5"),
        ("r5-2.jpg", "R5"),
        ("R5 (3).png", "R5"),
        ("R5_12.jpg", "R5"),
        ("R5_B7.jpg", "R5 B7"),
        ("R5 R5-3.jpg", "R5 R5"),
        ("W4-1.webp", "W4"),
        ("back.jpg", "back"),
    ],
)
def test_names_say_what_is_shown(tmp_path: Path, name: str, cards: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    (tmp_path / "notes.txt").write_text("")
    assert [(file.name, shown) for file, shown in shown_in(tmp_path)] == [(name, Counter(cards.split()))]


def test_a_table_says_what_is_shown(tmp_path: Path) -> None:
    (tmp_path / "truth.tsv").write_text("file\tcards\n# by the window\na.jpg\tR5 R5 GS\nempty.jpg\t\n")
    assert list(shown_in(tmp_path)) == [
        (tmp_path / "a.jpg", Counter(R5=2, GS=1)),
        (tmp_path / "empty.jpg", Counter()),
    ]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "holds no pictures"),
        ({"holiday.jpg": ""}, r"holiday\.jpg: is not named by the cards"),
        ({"truth.tsv": "file\tcards\na.jpg\tQ5\n"}, r"truth\.tsv:2"),
    ],
    ids=["empty", "a name that is no card", "a line that is no card"],
)
def test_folders_that_say_nothing(tmp_path: Path, files: dict[str, str], words: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(InputFault, match=words):
        list(shown_in(tmp_path))


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    # Wilson's bounds for 95 %, computed by hand: 0 of 10, 10 of 10, 5 of 10, 97 of 100.
    [(0, 10, 0.0, 27.8), (10, 10, 72.2, 100.0), (5, 10, 23.7, 76.3), (97, 100, 91.5, 99.0), (0, 0, 0.0, 100.0)],
)
def test_bounds(part: int, whole: int, low: float, high: float) -> None:
    assert Share(part, whole).bounds_percent == pytest.approx((low, high), abs=0.06)


def test_counting() -> None:
    table = Accuracy()
    assert table.add(Counter(R6=1, B7=1), PLAIN, [read("R9", 0.7), read("B7"), read("G1", 0.2)]) == Counter(R6=1)
    assert table.add(Counter(GS=1), PLAIN, []) == Counter(GS=1)
    assert table.add(Counter(Y2=1), PLAIN, [read("Y2"), read("Y2", 0.6)]) == Counter()
    counted = {name: (share.part, share.whole) for name, share in table.shares.items()}
    assert counted == {"found": (3, 4), "right": (2, 3), "sure": (2, 3), "sure_right": (2, 2)}
    assert (table.false, table.confusions) == (1, Counter({("R6", "R9"): 1}))


@pytest.mark.parametrize(
    ("readings", "words"),
    [
        (["R6"] * 20, "your table reads well"),
        (["R6"] * 19 + ["R9"], "your table can be refereed, with questions now and then; weak: 6 against 9"),
        (["R6"] * 15 + ["R9"] * 5, "your table reads poorly: mend it before you play; weak: 6 against 9"),
        (["R6"] * 19 + ["G6"], "your table can be refereed, with questions now and then; weak: red against green"),
    ],
    ids=["well", "6 and 9", "poorly", "colours"],
)
def test_verdict(readings: list[str], words: str) -> None:
    table = Accuracy()
    for code in readings:
        table.add(Counter(R6=1), PLAIN, [read(code)])
    assert table.verdict() == words or table.verdict() == words.replace("red against green", "green against red")


def test_nothing_shown() -> None:
    assert Accuracy().verdict() == "no card was shown"


def on_table(length: int, *, level: float = 1.0, blur: float = 0, spot: bool = False) -> tuple[Image, CardReading]:
    """A drawn card on grey, `length` px long, and its reading."""
    width = round(length * 56 / 87)
    picture = np.full((50 + length + 50, 50 + width + 50, 3), 120, np.float32)
    card = cv2.resize(face("R6"), (width, length), interpolation=cv2.INTER_AREA).astype(np.float32)
    if spot:
        y, x = np.mgrid[:length, :width]
        lamp = np.exp(-((x - width / 2) ** 2 + (y - length / 3) ** 2) / (length / 5) ** 2)[..., None]
        card = np.minimum(card + 420 * lamp, 255)
    picture[50 : 50 + length, 50 : 50 + width] = card
    if blur:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.float32)
    return np.asarray(picture * level, np.uint8), read("R6", 0.6, length)


@pytest.mark.parametrize(
    ("scene", "trouble"),
    [
        (on_table(200), set()),
        (on_table(50), {"far"}),
        (on_table(100, level=0.35), {"dark"}),
        (on_table(200, spot=True), {"glare"}),
        (on_table(200, blur=9), {"blur"}),
    ],
    ids=["fine", "far", "dark", "glare", "blur"],
)
def test_troubles(scene: tuple[Image, CardReading], trouble: set[str]) -> None:
    image, reading = scene
    assert troubles_of(image, [reading]) == trouble


def test_advice_names_what_to_mend() -> None:
    table = Accuracy()
    image, reading = on_table(50)
    table.add(Counter(R6=1), image, [reading])
    assert table.advice() == ["cards are short in the picture (under 60 px): move the camera closer"]
    assert not has_glare(np.zeros((96, 64, 3), np.uint8))
