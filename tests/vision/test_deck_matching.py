"""Photographed faces laid over crops: the right one fits best, turned, dimmed, loosely cut and partly covered."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.deck_matching import FaceMatcher
from referee.vision.deck_scorer import UNKNOWN
from referee.vision.quads import Image
from tests.vision.drawn_deck import CODES, drawn_deck, loosely_cut


@pytest.fixture(scope="module")
def matcher() -> FaceMatcher:
    return FaceMatcher(drawn_deck().faces)


def covered(crop: Image) -> Image:
    """The right third hidden by a sleeve."""
    crop = crop.copy()
    crop[:, 44:] = (40, 60, 90)
    return crop


def as_is(crop: Image) -> Image:
    return crop


def upside_down(crop: Image) -> Image:
    return np.asarray(cv2.rotate(crop, cv2.ROTATE_180), np.uint8)


@pytest.mark.parametrize("change", [as_is, upside_down, covered])
@pytest.mark.parametrize("code", ["R6", "R9", "B7", "W4"])
def test_the_right_face_fits_best(matcher: FaceMatcher, code: str, change: object) -> None:
    assert callable(change)
    crop = change(loosely_cut(code, seed=CODES.index(code)))
    likely = [CODES.index("R9"), CODES.index("R6")] if code[0] == "R" else [CODES.index(code)]
    scores = matcher.scores(crop, likely)
    assert CODES[int(scores.argmax())] == code
    assert scores.dtype == np.float32
    assert scores.max() > (-2 if change is covered else -0.4)


def test_a_face_nobody_thought_of_is_found_if_it_fits_better(matcher: FaceMatcher) -> None:
    scores = matcher.scores(loosely_cut("R6", seed=4), [CODES.index("R1")])
    assert CODES[int(scores.argmax())] == "R6"


def test_what_is_no_card_fits_nothing(matcher: FaceMatcher) -> None:
    noise = np.random.default_rng(2).integers(0, 255, (96, 64, 3), dtype=np.uint8)
    assert matcher.scores(noise, [0, 3]).max() < UNKNOWN


def test_plain_crops_do_no_harm(matcher: FaceMatcher) -> None:
    for level in (0, 128, 255):
        scores = matcher.scores(np.full((96, 64, 3), level, np.uint8), [0])
        assert not np.isnan(scores).any()
