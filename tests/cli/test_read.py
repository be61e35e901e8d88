"""`referee read`: JSON and spoken lines, folders and patterns, bad files beside good ones."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

import referee.vision.pictures
import referee.vision.reader
from referee.cards import Card
from referee.cli.main import app
from referee.cli.read import in_words
from referee.faults import InputFault
from referee.observations import CardReading
from referee.vision.quads import Image

RUN = CliRunner()
QUAD = ((10.0, 10.0), (38.0, 10.0), (38.0, 54.0), (10.0, 54.0))


class OneRedFive:
    """Sees a red 5 in every picture that is not black."""

    def read(self, image_bgr: Image, expected_card_px: float | None = None) -> list[CardReading]:
        if not image_bgr.any():
            return []
        return [CardReading(Card.parse("R5"), 0.981, QUAD, (("R5", 0.98), ("R6", 0.08)))]


@pytest.fixture(autouse=True)
def _fake_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee.vision.reader, "open_reader", lambda weights=None, deck=None: OneRedFive())


def photo(path: Path, level: int = 120) -> str:
    cv2.imwrite(str(path), np.full((64, 64, 3), level, np.uint8))
    return str(path)


def test_json_is_the_promised_line(tmp_path: Path) -> None:
    name = photo(tmp_path / "a.jpg")
    result = RUN.invoke(app, ["read", "--json", name])
    assert result.exit_code == 0
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {
            "image": name,
            "cards": [
                {
                    "card": "R5",
                    "confidence": 0.981,
                    "quad_px": [list(corner) for corner in QUAD],
                    "alternatives": [["R5", 0.98], ["R6", 0.08]],
                }
            ],
        }
    ]


def test_a_person_reads_the_colour_in_words(tmp_path: Path) -> None:
    result = RUN.invoke(app, ["read", photo(tmp_path / "a.jpg")])
    assert "red 5" in result.stdout
    assert "0.98" in result.stdout
    assert "or R6 0.08" in result.stdout


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("Y7", "yellow 7"),
        ("BD", "blue draw two"),
        ("GS", "green skip"),
        ("W4", "wild draw four"),
        ("WX", "wild swap hands"),
        ("back", "face down"),
    ],
)
def test_in_words(code: str, words: str) -> None:
    assert in_words(CardReading(None if code == "back" else Card.parse(code), 1.0, QUAD)) == words


def test_folders_and_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("b.jpg", "a.JPG", "c.png"):
        photo(tmp_path / name)
    (tmp_path / "notes.txt").write_text("no picture")
    in_folder = RUN.invoke(app, ["read", "--json", str(tmp_path)])
    assert [Path(json.loads(line)["image"]).name for line in in_folder.stdout.splitlines()] == [
        "a.JPG",
        "b.jpg",
        "c.png",
    ]
    monkeypatch.chdir(tmp_path)
    by_pattern = RUN.invoke(app, ["read", "--json", "*.jpg"])
    assert [json.loads(line)["image"] for line in by_pattern.stdout.splitlines()] == ["b.jpg"]


def test_a_file_whose_name_looks_like_a_pattern(tmp_path: Path) -> None:
    assert RUN.invoke(app, ["read", photo(tmp_path / "deck[1].jpg")]).exit_code == 0


def test_bad_files_are_told_and_the_others_still_read(tmp_path: Path) -> None:
    good, black = photo(tmp_path / "good.jpg"), photo(tmp_path / "black.jpg", 0)
    (tmp_path / "zero.jpg").write_bytes(b"")
    result = RUN.invoke(app, ["read", "--json", str(tmp_path / "zero.jpg"), black, good])
    assert result.exit_code == 2
    assert [(json.loads(line)["image"], len(json.loads(line)["cards"])) for line in result.stdout.splitlines()] == [
        (black, 0),
        (good, 1),
    ]
    told = result.stderr.splitlines()
    assert len(told) == 2
    assert "zero.jpg" in told[0]
    assert "black.jpg: no cards seen" in told[1]


@pytest.mark.parametrize(
    ("name", "words"),
    [("nothing", "holds no pictures"), ("*.webp", "fits no file")],
    ids=["empty folder", "pattern that fits nothing"],
)
def test_nothing_to_read_there_and_the_others_still_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nothing").mkdir()
    photo(tmp_path / "a.jpg")
    result = RUN.invoke(app, ["read", "--json", name, "a.jpg"])
    assert result.exit_code == 2
    assert words in result.stderr
    assert json.loads(result.stdout)["image"] == "a.jpg"


def test_missing_file() -> None:
    result = RUN.invoke(app, ["read", "no-such-photo.jpg"])
    assert result.exit_code == 2
    assert "no-such-photo.jpg: is not there" in result.stderr


def test_annotate_writes_each_picture_even_with_equal_names(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    names = [photo(tmp_path / "a.jpg"), photo(tmp_path / "other" / "a.jpg"), photo(tmp_path / "a.png")]
    out = tmp_path / "seen"
    assert RUN.invoke(app, ["read", "--json", "--annotate", str(out), *names]).exit_code == 0
    assert sorted(f.name for f in out.iterdir()) == ["a-2.jpg", "a-3.jpg", "a.jpg"]
    drawn = cv2.imread(str(out / "a.jpg"))
    assert drawn is not None
    assert (np.abs(drawn.astype(int) - 120) > 20).any()


def test_annotate_into_one_named_file(tmp_path: Path) -> None:
    out = tmp_path / "seen" / "mine.png"
    assert RUN.invoke(app, ["read", "--annotate", str(out), photo(tmp_path / "a.jpg")]).exit_code == 0
    assert out.read_bytes().startswith(b"\x89PNG")
    two = [photo(tmp_path / "b.jpg"), photo(tmp_path / "c.jpg")]
    with pytest.raises(InputFault, match="one file for many"):
        RUN.invoke(app, ["read", "--annotate", str(out), *two], catch_exceptions=False)


def test_the_outline_of_a_huge_photo_is_in_pixels_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee.vision.pictures, "LARGE_PX", 64 * 64 // 4)
    result = RUN.invoke(app, ["read", "--json", photo(tmp_path / "huge.jpg")])
    card = json.loads(result.stdout)["cards"][0]
    assert card["quad_px"] == [[2 * x, 2 * y] for x, y in QUAD]


def test_deck_and_weights_reach_the_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def opened(weights: Path | None = None, deck: str | None = None) -> OneRedFive:
        asked.append((weights, deck))
        return OneRedFive()

    monkeypatch.setattr(referee.vision.reader, "open_reader", opened)
    RUN.invoke(app, ["read", "--deck", "mine", "--weights", "own.pt", photo(tmp_path / "a.jpg")])
    assert asked == [(Path("own.pt"), "mine")]
