"""A second look beside sure cards: only where something sticks out, and believed only for a sign in a corner."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.synth.faces import draw_face, printing
from referee.vision.corner_signs import Corners, sign_shows
from referee.vision.detector import Detection
from referee.vision.quads import Image, Quad
from referee.vision.reader import YoloCardReader, open_reader
from referee.vision.under_cards import LEAST_SCORE, find_under, lies_under

CODES = ("R4", "R5", "W", "W4")


class LookCounter:
    """Finds nothing, and remembers how large each picture was and from which score on it was asked."""

    size_px = 320

    def __init__(self) -> None:
        self.looks: list[tuple[tuple[int, ...], float]] = []

    def find(self, picture: Image, least_score: float = 0.15) -> list[Detection]:
        self.looks.append((picture.shape[:2], least_score))
        return []


def card(x: float, y: float, length: float = 150, degrees: float = 0) -> Quad:
    """Clockwise from the upper left corner, as the card stands."""
    return np.roll(np.asarray(cv2.boxPoints(((x, y), (length * 56 / 87, length), degrees)), np.float32), -1, axis=0)


def table(*cards: tuple[str, Quad]) -> Image:
    """Drawn cards on a plain brown table of 640 x 480 px, the last on top."""
    picture = np.full((480, 640, 3), (70, 95, 120), np.float64)
    for code, quad in cards:
        face = draw_face(code, printing(3), 400).astype(np.float64)
        height, width = face.shape[:2]
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        move = cv2.getPerspectiveTransform(corners, quad)
        placed = cv2.warpPerspective(face, move, (640, 480), flags=cv2.INTER_AREA)
        cover = placed[..., 3:] / 255
        picture = picture * (1 - cover) + placed[..., :3] * cover
    picture += np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7), 0, 255).astype(np.uint8)


TOP, UNDER, APART = card(320, 240), card(300, 222, degrees=-14), card(480, 240)


@pytest.mark.parametrize(
    ("cards", "sure", "looks"),
    [
        ([("G5", TOP)], [TOP], 0),
        ([("R7", UNDER), ("G5", TOP)], [TOP], 1),
        ([("R7", UNDER), ("G5", TOP)], [TOP, UNDER], 0),
        ([("R7", APART), ("G5", TOP)], [TOP, APART], 0),
        ([("R7", UNDER), ("G5", TOP)], [], 0),
        ([], [], 0),
    ],
    ids=["alone", "one sticks out", "both are known", "side by side", "nothing sure", "empty"],
)
def test_windows_are_spent_only_where_something_sticks_out(
    cards: list[tuple[str, Quad]], sure: list[Quad], looks: int
) -> None:
    finder = LookCounter()
    assert find_under(finder, table(*cards), sure) == []
    assert finder.looks == [((320, 320), LEAST_SCORE)] * looks


@pytest.mark.parametrize(
    ("quad", "under"),
    [
        (card(300, 222, degrees=-14), True),
        (card(322, 240), False),
        (card(300, 222, 80), False),
        (card(480, 240), False),
        (card(300, 222, 220, -14), False),
    ],
    ids=["turned beneath", "the card itself", "a part of a card", "beside it", "a hand in one outline"],
)
def test_what_lies_under_a_card_is_as_long_and_partly_covered(quad: Quad, under: bool) -> None:
    assert lies_under(quad, [TOP]) is under
    assert lies_under(quad, []) is False


def corners(*shares: tuple[int, float]) -> Corners:
    """Two corners, each with a share of one code's sign and the rest for none."""
    seen = np.zeros((2, len(CODES)), np.float32)
    for k, (code, share) in enumerate(shares):
        seen[k, code] = share
    return Corners(seen, 1 - seen.sum(axis=1))


@pytest.mark.parametrize(
    ("seen", "code", "shows"),
    [
        (corners((0, 0.9), (0, 0.0)), "R4", True),
        (corners((0, 0.9), (0, 0.0)), "R5", False),
        (corners((0, 0.3), (1, 0.9)), "R5", True),
        (corners((0, 0.5), (0, 0.5)), "R4", False),
        (corners((2, 0.9), (0, 0.0)), "WX", True),
        (corners((3, 0.9), (0, 0.0)), "WX", False),
    ],
    ids=["its sign", "another's", "the clearer corner counts", "none is clear", "a wheel for any wild", "a +4"],
)
def test_a_clear_sign_must_be_that_of_the_face(seen: Corners, code: str, shows: bool) -> None:
    assert sign_shows([seen], CODES, code) is shows
    assert sign_shows([], CODES, code) is False


@pytest.fixture(scope="module")
def shipped() -> YoloCardReader:
    return open_reader()


def test_a_card_of_which_a_corner_is_left_is_read(shipped: YoloCardReader) -> None:
    """A card under another was boxed by so low a score that a hand was one card short."""
    picture = table(("R7", UNDER), ("G5", TOP))
    assert sorted(r.code for r in shipped.read(picture) if r.confidence >= 0.5) == ["G5", "R7"]


def test_colours_beside_a_card_are_no_card(shipped: YoloCardReader) -> None:
    picture = table(("G5", TOP))
    cv2.rectangle(picture, (250, 170), (272, 330), (40, 40, 200), -1)
    assert [r.code for r in shipped.read(picture) if r.confidence >= 0.5] == ["G5"]
