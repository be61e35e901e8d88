"""What others were bitten by in pictures of cards, each under its id: G1 to G3."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from referee.synth.scenes import FaceStock, draw_scene
from referee.vision.accuracy import Accuracy, has_glare
from referee.vision.detector import Detection
from referee.vision.quads import Image, Quad, length_px, straighten
from referee.vision.reader import YoloCardReader, open_reader
from tests.vision.drawn_deck import face
from tests.vision.test_reader import FixedFinder, FixedScorer, card, read

CLEAR = [0.99, 0, 0, 0.01]


@pytest.fixture(scope="module")
def shipped() -> YoloCardReader:
    return open_reader()


def lay(picture: Image, code: str, where: Quad, look: int, *, glare: float = 0.0) -> None:
    """Paint a drawn card into a picture; with a lamp mirrored on it that covers about `glare` of its length."""
    shown = face(code, look, 400).astype(np.float32)
    height, width = shown.shape[:2]
    if glare:
        y, x = np.mgrid[:height, :width]
        lamp = np.exp(-((x - 0.5 * width) ** 2 + (y - 0.4 * height) ** 2) / (glare * height / 2) ** 2)[..., None]
        shown = np.minimum(shown + 500 * lamp, 255)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    move = cv2.getPerspectiveTransform(corners, where)
    size = picture.shape[1], picture.shape[0]
    mask = cv2.warpPerspective(np.ones((height, width), np.float32), move, size)[..., None]
    placed = cv2.warpPerspective(shown, move, size, flags=cv2.INTER_AREA)
    picture[:] = np.clip(picture * (1 - mask) + placed * mask, 0, 255)


def table() -> Image:
    picture = np.full((480, 640, 3), (70, 95, 120), np.float32)
    picture += np.random.default_rng(1).normal(0, 4, picture.shape)
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def upright_card(x: float, y: float, length: float) -> Quad:
    w, h = length * 56 / 87 / 2, length / 2
    return np.array([[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]], np.float32)


def test_g1_two_corner_signs_of_one_card_are_not_two_cards() -> None:
    """geaxgx/playing-card-detection #3. The signs lie in opposite corners of the card that is also seen whole."""
    signs = [Detection(card(300 + dx, 300 + dy, 30), 0.8) for dx, dy in ((-25, -43), (25, 43))]
    found = [Detection(card(300, 300), 0.7), *signs]
    assert read(found, FixedScorer(CLEAR), 120) == read(found[:1], FixedScorer(CLEAR), 120)


def test_g1_signs_alone_are_no_cards_where_the_length_is_known() -> None:
    signs = [Detection(card(300 + dx, 300 + dy, 30), 0.8) for dx, dy in ((-25, -43), (25, 43))]
    assert read(signs, FixedScorer(CLEAR), 120) == []


def test_g1_a_drawn_card_is_one_card(shipped: YoloCardReader) -> None:
    picture = table()
    lay(picture, "B7", upright_card(320, 240, 300), 4)
    assert [r.code for r in shipped.read(picture) if r.confidence >= 0.3] == ["B7"]


def test_g2_cards_lie_over_cards_in_what_is_trained_on() -> None:
    """AlexeyAB/darknet #7045: a detector that had never seen cards overlap found none that did."""
    rng, stock = np.random.default_rng(5), FaceStock(3, printings=1)
    partly = whole = 0
    for _ in range(12):
        shares = [one.visible for one in draw_scene(rng, stock, 320, 240).cards]
        partly += sum(0.3 <= share < 0.9 for share in shares)
        whole += sum(share >= 0.9 for share in shares)
    assert partly >= 3
    assert whole >= 5


def test_g2_overlapping_cards_are_both_read(shipped: YoloCardReader) -> None:
    picture = table()
    lay(picture, "R5", upright_card(270, 240, 220), 1)
    lay(picture, "G2", upright_card(355, 255, 220), 3)
    found = {r.code: r for r in shipped.read(picture, 220) if r.confidence >= 0.5}
    assert set(found) == {"R5", "G2"}


@pytest.mark.parametrize("code", ["R6", "G9", "B7"])
@pytest.mark.parametrize("glare", [0.3, 0.7, 1.2])
def test_g3_under_glare_a_sure_reading_is_a_right_one(shipped: YoloCardReader, code: str, glare: float) -> None:
    """YenTheFirst/card_scan #17. What the lamp hides is not guessed: the confidence falls."""
    picture = table()
    lay(picture, code, upright_card(320, 240, 220), 1, glare=glare)
    for reading in shipped.read(picture, 220):
        assert reading.code == code or reading.confidence < 0.9


def test_g3_the_hint_names_the_lamp() -> None:
    picture, where = table(), upright_card(320, 240, 220)
    lay(picture, "R6", where, 3, glare=0.5)
    assert length_px(where) == pytest.approx(220)
    assert has_glare(straighten(picture, where, (64, 96)))
    measured = Accuracy()
    scorer = FixedScorer([0.6, 0, 0, 0.4])
    readings = YoloCardReader(FixedFinder([Detection(where, 0.9)], 640), scorer).read(picture, 220)
    measured.add(Counter(R6=1), picture, readings)
    assert any("lamp" in line for line in measured.advice())
