"""Faces cut out of photographs, for films that are measured on and not kept."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.faults import InputFault
from referee.synth.film import FilmStyle, film
from referee.synth.photographed_faces import photographed_faces
from tests.synth.film_scripts import items


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for code, colour in (("R5", (20, 20, 200)), ("R7", (40, 40, 180))):
        picture = np.full((430, 280, 3), 245, np.uint8)
        picture[30:400, 30:250] = colour
        cv2.imwrite(str(tmp_path / f"{code}.png"), picture)
    (tmp_path / "notes.txt").write_text("no picture", encoding="utf-8")
    return tmp_path


def test_a_photograph_becomes_a_card_with_round_corners(folder: Path) -> None:
    face = photographed_faces(folder)("R5", 200)
    assert face.shape == (200, 129, 4)
    assert face[0, 0, 3] == 0
    assert face[100, 64, 3] == 255
    assert face[100, 64, :3].tolist() == [20, 20, 200]


def test_a_back_is_drawn(folder: Path) -> None:
    assert photographed_faces(folder)("back", 100).shape == (100, 64, 4)


def test_a_face_without_a_picture_is_a_fault(folder: Path) -> None:
    with pytest.raises(InputFault, match="no picture of B2"):
        photographed_faces(folder)("B2", 100)


def test_a_folder_without_faces_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="no photographed face"):
        photographed_faces(tmp_path)


def test_a_film_shows_the_photographs(folder: Path) -> None:
    style = FilmStyle(faces=folder, size_px=(480, 360))
    made = film(items("dealer: start R7\nP1: R5\n"), style, seed=1)
    stage = made.stage()
    x, y = (round(v) for v in made.layout.discard_px)
    assert stage.still(0.0)[y, x].tolist() == pytest.approx([40, 40, 180], abs=6)
