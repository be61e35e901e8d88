"""Drawn faces: every code, told apart, the same from the same seed."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from referee.cards import all_faces
from referee.synth import typefaces
from referee.synth.faces import BACK, CARD_RATIO, codes, draw_face, printing
from referee.synth.printings import LAYOUTS

HEIGHT_PX = 96


def test_codes_are_the_57_faces_and_the_back() -> None:
    assert sorted(codes()) == sorted([*(c.code for c in all_faces(special=True)), BACK])


@pytest.mark.parametrize("code", codes())
def test_a_face_has_the_size_of_a_card_and_rounded_corners(code: str) -> None:
    face = draw_face(code, printing("oval"), HEIGHT_PX)
    assert face.shape == (HEIGHT_PX, round(HEIGHT_PX * CARD_RATIO), 4)
    assert face.dtype == np.uint8
    assert max(face[0, 0, 3], face[-1, -1, 3], face[0, -1, 3], face[-1, 0, 3]) < 60
    assert face[HEIGHT_PX // 2, face.shape[1] // 2, 3] == 255


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_two_faces_of_a_printing_look_alike(layout: str) -> None:
    faces = {code: draw_face(code, printing(layout), HEIGHT_PX)[..., :3].astype(int) for code in codes()}
    for a, b in itertools.combinations(faces, 2):
        changed = (np.abs(faces[a] - faces[b]).max(axis=2) > 60).mean()
        assert changed > 0.008, f"{a} and {b} differ in only {changed:.2%} of their pixels"


@pytest.mark.parametrize(("letter", "hue_deg"), [("R", 0), ("Y", 48), ("G", 120), ("B", 210)])
@pytest.mark.parametrize("seed", range(8))
def test_the_field_has_the_colour_of_the_card(letter: str, hue_deg: int, seed: int) -> None:
    face = draw_face(f"{letter}7", printing(seed), HEIGHT_PX)[..., :3]
    hsv = cv2.cvtColor(np.ascontiguousarray(face), cv2.COLOR_BGR2HSV).reshape(-1, 3).astype(int)
    hue = np.median(hsv[(hsv[:, 1] > 110) & (hsv[:, 2] > 60)][:, 0]) * 2
    assert min(abs(hue - hue_deg), 360 - abs(hue - hue_deg)) < 32


@pytest.mark.parametrize("code", ["6", "9"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_six_and_nine_are_underlined(code: str, layout: str) -> None:
    look = printing(layout)
    assert look.underline
    face = draw_face(f"B{code}", look, 200)[..., :3].astype(int)
    turned = np.abs(face - draw_face(f"B{'69'.replace(code, '')}", look, 200)[::-1, ::-1, :3].astype(int)).max(axis=2)
    middle = turned[40:160, 30:100]
    assert (middle > 60).mean() > 0.02, "a six must not be a nine turned upside down"


def test_the_same_seed_draws_the_same_face_and_another_seed_another() -> None:
    first, again, other = (draw_face("G5", printing(s), HEIGHT_PX) for s in (5, 5, 6))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_printings_come_in_every_layout_and_many_typefaces() -> None:
    looks = [printing(seed) for seed in range(120)]
    assert {look.layout for look in looks} == set(LAYOUTS)
    assert len({look.typeface for look in looks}) >= min(10, len(typefaces.names()))


@pytest.mark.parametrize("bad", ["Z5", "W9", "", "R10"])
def test_a_code_that_is_no_card_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        draw_face(bad, printing("oval"), HEIGHT_PX)


def test_an_unknown_printing_is_refused() -> None:
    with pytest.raises(ValueError, match="not a printing"):
        printing("gothic")


def test_a_face_can_be_drawn_without_any_installed_font() -> None:
    mask = typefaces.text_mask("6", "no such typeface", 40)
    assert mask.shape[0] == 40
    assert mask.max() > 200
