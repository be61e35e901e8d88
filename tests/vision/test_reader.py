"""From detections to readings: one for each card, with a confidence that falls with every doubt."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

import referee.vision.reader
from referee.synth.faces import draw_face, printing
from referee.vision.classifier import Probabilities
from referee.vision.corners import Outline
from referee.vision.detector import LEAST_SCORE, Detection
from referee.vision.quads import Image, Quad, overlap
from referee.vision.reader import LEGIBLE_PX, YoloCardReader, open_reader

SYMBOLS = ("5", "W", "back", "none")
COLOURS = ("R", "Y", "G", "B", "none")


class FixedFinder:
    """Finds the same outlines in the whole picture, an even one of `picture_px`, at whatever scale it is shown."""

    size_px = 320

    def __init__(self, found: Sequence[Detection], picture_px: int) -> None:
        self._found = found
        self._picture_px = picture_px

    def find(self, picture: Image, least_score: float = LEAST_SCORE) -> list[Detection]:
        shown = np.flatnonzero((picture != 114).any(axis=(0, 2)))
        scale, left = len(shown) / self._picture_px, float(shown[0])
        return [
            Detection(d.quad_px * np.float32(scale) + np.float32(left), d.score, d.back_score) for d in self._found
        ]


class FixedScorer:
    """Sees the same face in every crop."""

    size_px: tuple[int, int] = (64, 96)
    symbols: tuple[str, ...] = SYMBOLS
    colours: tuple[str, ...] = COLOURS

    def __init__(self, symbol: Sequence[float], colour: Sequence[float] = (0.9, 0.1, 0, 0, 0)) -> None:
        self._row = np.array(symbol, np.float32), np.array(colour, np.float32)

    def scores(self, crops: Sequence[Image]) -> tuple[Probabilities, Probabilities]:
        symbol, colour = self._row
        return np.tile(symbol, (len(crops), 1)), np.tile(colour, (len(crops), 1))


def card(x: float, y: float, length: float = 120, degrees: float = 0) -> Quad:
    return np.asarray(cv2.boxPoints(((x, y), (length * 56 / 87, length), degrees)), np.float32)


def read(found: Sequence[Detection], scorer: FixedScorer, expected: float) -> list[tuple[str, float]]:
    picture = np.full((600, 600, 3), (70, 90, 110), np.uint8)
    readings = YoloCardReader(FixedFinder(found, 600), scorer).read(picture, expected)
    return [(r.code, round(r.confidence, 3)) for r in readings]


@pytest.mark.parametrize(
    ("symbol", "score", "code", "confidence"),
    [
        ([0.99, 0, 0, 0.01], 0.95, "R5", 0.891),
        ([0.99, 0, 0, 0.01], 0.3, "R5", 0.446),
        ([0.3, 0, 0, 0.7], 0.95, "R5", 0.27),
        ([0.02, 0.98, 0, 0], 0.8, "W", 0.98),
        ([0.02, 0, 0.97, 0.01], 0.8, "back", 0.97),
    ],
    ids=["clear", "outline in doubt", "probably no card", "wild ignores colour", "face down"],
)
def test_confidence(symbol: list[float], score: float, code: str, confidence: float) -> None:
    assert read([Detection(card(300, 300), score)], FixedScorer(symbol), 600) == []
    ((read_code, sure),) = read([Detection(card(300, 300), score)], FixedScorer(symbol), 120)
    assert read_code == code
    assert sure == pytest.approx(confidence, abs=2e-3)


def test_a_part_of_a_card_is_not_told_beside_the_card_g1() -> None:
    found = [Detection(card(300, 300), 0.5), Detection(card(290, 290, 78), 0.4), Detection(card(450, 300), 0.9)]
    assert len(read(found, FixedScorer([0.99, 0, 0, 0.01]), 120)) == 2


def test_halves_of_two_sure_cards_are_no_third() -> None:
    """A hand of cards side by side was never seen whole, for a box across two of them."""
    beside = [Detection(card(240, 300), 0.9), Detection(card(322, 300), 0.9)]
    assert len(read([*beside, Detection(card(281, 300), 0.06)], FixedScorer([0, 0.99, 0, 0.01]), 120)) == 2
    assert len(read([*beside, Detection(card(400, 300), 0.06)], FixedScorer([0, 0.99, 0, 0.01]), 120)) == 3


@pytest.mark.parametrize(
    ("beside", "third", "cards"),
    [
        ([0.999, 0, 0, 0], [0.7, 0.2, 0, 0.1], 2),
        ([0.999, 0, 0, 0], [0.2, 0.7, 0, 0.1], 3),
        ([0.999, 0, 0, 0], [0.95, 0, 0, 0], 3),
        ([0, 0, 0.999, 0], [0, 0.2, 0.7, 0.1], 3),
    ],
    ids=["the face of both", "another face", "sure", "a back in a hand over the pile of backs"],
)
def test_the_sign_of_a_card_within_an_outline_across_two_makes_no_third(
    beside: list[float], third: list[float], cards: int
) -> None:
    """A hand of eight was nine: across a blue 7 and its neighbour the 7's own sign was seen once more."""

    class Thirds(FixedScorer):
        def scores(self, crops: Sequence[Image]) -> tuple[Probabilities, Probabilities]:
            symbol, colour = super().scores(crops)
            across = [np.ptp(crop[..., 2]) > 0 for crop in crops]
            symbol[across] = third
            return symbol, colour

    picture = np.full((600, 600, 3), (70, 90, 110), np.uint8)
    picture[:, 281:] = (70, 90, 130)
    found = [Detection(card(239, 300), 0.9), Detection(card(323, 300), 0.9), Detection(card(281, 300), 0.9)]
    readings = YoloCardReader(FixedFinder(found, 600), Thirds(beside, (1, 0, 0, 0, 0))).read(picture, 120)
    assert len(readings) == cards


@pytest.mark.parametrize(
    ("drawn", "at_least", "at_most"),
    [(True, 0.5, 0.9), (False, 0.25, 0.45)],
    ids=["with a card's edges", "no edge anywhere"],
)
def test_a_doubtful_card_needs_edges_when_nothing_is_known(drawn: bool, at_least: float, at_most: float) -> None:
    """The screen of a computer behind the card was told as a blue 1."""
    picture = np.full((600, 600, 3), (70, 90, 110), np.uint8)
    if drawn:
        cv2.fillConvexPoly(picture, np.rint(card(300, 300)).astype(np.int32), (255, 255, 255))
        cv2.fillConvexPoly(picture, np.rint(card(300, 300, 108)).astype(np.int32), (60, 60, 200))
    finder = FixedFinder([Detection(card(300, 300), 0.9)], 600)
    (reading,) = YoloCardReader(finder, FixedScorer([0.8, 0.2, 0, 0])).read(picture)
    assert at_least < reading.confidence < at_most


def test_one_face_about_one_middle_is_one_card_g1() -> None:
    """The oval of a FLIP card was outlined again across it, and its corner sign half beside it."""
    for again in (card(303, 297, 110, degrees=40), card(275, 270, 70, degrees=20)):
        found = [Detection(card(300, 300), 0.9), Detection(again, 0.7)]
        assert len(read(found, FixedScorer([0.99, 0, 0, 0.01]), 120)) == 1


class FacePerPlace(FixedScorer):
    """Sees a red 5 in crops of the left half of the picture, which is darker, and a wild in the other."""

    def scores(self, crops: Sequence[Image]) -> tuple[Probabilities, Probabilities]:
        _, colours = super().scores(crops)
        left = [float(crop.mean()) < 100 for crop in crops]
        return np.array([(0.97, 0, 0, 0.03) if dark else (0, 0.97, 0, 0.03) for dark in left], np.float32), colours


@pytest.mark.parametrize(
    ("shift", "score", "cards"),
    [(22, 0.9, 2), (22, 0.2, 1), (8, 0.9, 1)],
    ids=["two faces", "the second is a guess", "one outline"],
)
def test_cards_of_a_tight_fan_are_told_apart_by_their_faces(shift: float, score: float, cards: int) -> None:
    """Their outlines overlap by more than half."""
    picture = np.full((600, 600, 3), (110, 130, 150), np.uint8)
    picture[:, :300] = (50, 70, 90)
    found = [Detection(card(300 - shift / 2, 300), 0.9), Detection(card(300 + shift / 2, 300), score)]
    readings = YoloCardReader(FixedFinder(found, 600), FacePerPlace([0, 0, 0, 0])).read(picture, 120)
    assert len(readings) == cards


def test_a_half_of_a_sure_card_is_no_card_of_its_own_g1(monkeypatch: pytest.MonkeyPatch) -> None:
    """A box round one half of a sure +2 was told as a 1: no card shows within another."""
    picture = np.full((600, 600, 3), (110, 130, 150), np.uint8)
    picture[:, :300] = (50, 70, 90)
    half = np.array([[258, 210], [308, 210], [308, 390], [258, 390]], np.float32)
    found = [Detection(card(320, 300, 200), 0.9), Detection(half, 0.5)]
    monkeypatch.setattr(referee.vision.reader, "near_outlines", lambda _image, quad: [Outline(quad, 1.0)])
    (reading,) = YoloCardReader(FixedFinder(found, 600), FacePerPlace([0, 0, 0, 0])).read(picture, 190)
    assert reading.code == "W"


@pytest.mark.parametrize(
    ("behind", "told"),
    [(card(300, 45, 60), 2), (card(300, 2, 60), 1), (card(300, 2, 120), 2)],
    ids=["small and whole", "small and cut off", "as large and cut off"],
)
def test_half_a_card_far_behind_the_one_held_up_is_background(behind: Quad, told: int) -> None:
    """It was claimed beside the card in the hand, once with a wrong face."""
    picture = np.full((600, 600, 3), (70, 90, 110), np.uint8)
    found = [Detection(card(300, 330, 200), 0.9), Detection(behind, 0.9)]
    scorer = FixedScorer([0.99, 0, 0, 0.01], [1, 0, 0, 0, 0])
    assert len(YoloCardReader(FixedFinder(found, 600), scorer).read(picture)) == told


def test_one_sign_is_one_card_g1() -> None:
    """A box across two cards side by side had the left one's corner, and was read as it."""
    across = np.array([[268, 246], [392, 246], [392, 376], [268, 376]], np.float32)
    found = [Detection(card(300, 300), 0.9), Detection(across, 0.7)]
    assert len(read(found, FixedScorer([0.99, 0, 0, 0.01]), 120)) == 1


def test_lengths_far_from_the_expected_are_no_cards_of_this_table() -> None:
    found = [Detection(card(300, 300), 0.9), Detection(card(100, 100, 60), 0.9), Detection(card(450, 450, 250), 0.9)]
    assert len(read(found, FixedScorer([0.99, 0, 0, 0.01]), 120)) == 1


def test_the_strip_that_is_left_of_a_card_cut_off_is_no_card() -> None:
    strip = np.array([[250, 0], [340, 0], [340, 30], [250, 30]], np.float32)
    assert (
        len(read([Detection(card(300, 300), 0.9), Detection(strip, 0.9)], FixedScorer([0, 0, 0.98, 0.02]), 130)) == 1
    )


def test_what_is_too_small_to_read_is_not_read() -> None:
    """A caption of 13 px in a film was read as a blank wild with 0.97."""
    found = [Detection(card(300, 300, LEGIBLE_PX - 1), 0.9)]
    assert read(found, FixedScorer([0, 0.99, 0, 0.01]), LEGIBLE_PX) == []


def test_alternatives_start_with_the_card_and_sum_to_at_most_one() -> None:
    picture = np.full((600, 600, 3), (70, 90, 110), np.uint8)
    reader = YoloCardReader(FixedFinder([Detection(card(300, 300), 0.9)], 600), FixedScorer([0.7, 0.2, 0.1, 0]))
    (reading,) = reader.read(picture, 120)
    assert reading.alternatives[0][0] == reading.code == "R5"
    assert dict(reading.alternatives) == pytest.approx({"R5": 0.63, "W": 0.2, "back": 0.1, "Y5": 0.07})


@pytest.fixture(scope="module")
def shipped() -> YoloCardReader:
    return open_reader()


def laid(code: str, seed: int, degrees: float, length: int) -> tuple[Image, Quad]:
    """A drawn card on a plain wooden-brown table of 640 x 480 px, and where it lies."""
    quad = card(330, 240, length, degrees)
    quad = np.roll(quad, -1, axis=0)
    face = draw_face(code, printing(seed), 400).astype(np.float64)
    height, width = face.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    placed = cv2.warpPerspective(face, cv2.getPerspectiveTransform(corners, quad), (640, 480), flags=cv2.INTER_AREA)
    alpha = placed[..., 3:] / 255
    picture = np.full((480, 640, 3), (70, 95, 120), np.float64) * (1 - alpha) + placed[..., :3] * alpha
    picture += np.random.default_rng(1).normal(0, 4, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7), 0, 255).astype(np.uint8), quad


@pytest.mark.parametrize(
    ("code", "seed", "degrees", "length"),
    [
        ("R5", 1, 10, 150),
        ("Y7", 2, 100, 200),
        ("G2", 3, 200, 120),
        ("B0", 4, 290, 300),
        ("GS", 5, 30, 160),
        ("BD", 6, 75, 180),
        ("W4", 7, 0, 160),
        ("W", 8, 140, 200),
        ("back", 9, 60, 160),
    ],
)
@pytest.mark.parametrize("known", [True, False], ids=["length known", "nothing known"])
def test_drawn_cards_are_read_end_to_end(
    shipped: YoloCardReader, code: str, seed: int, degrees: float, length: int, known: bool
) -> None:
    picture, truth = laid(code, seed, degrees, length)
    readings = [r for r in shipped.read(picture, length if known else None) if r.confidence >= 0.5]
    assert [r.code for r in readings] == [code]
    assert overlap(np.array(readings[0].quad_px, np.float32), truth) > 0.8


def test_an_empty_table_has_no_cards(shipped: YoloCardReader) -> None:
    noise = np.random.default_rng(2).normal(110, 12, (480, 640, 3))
    assert [r for r in shipped.read(np.clip(noise, 0, 255).astype(np.uint8)) if r.confidence >= 0.5] == []


@pytest.mark.parametrize(("code", "told"), [("R5", []), ("B0", []), ("W4", ["W4"])])
def test_no_colour_is_claimed_from_a_grey_picture(shipped: YoloCardReader, code: str, told: list[str]) -> None:
    """A red 3 in a grey photo was told as a sure green 3; the symbol stays, each colour as likely as the others."""
    picture, _ = laid(code, 1, 10, 150)
    grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    readings = shipped.read(np.asarray(grey, np.uint8), 150)
    assert [r.code for r in readings if r.confidence >= 0.5] == told
    assert told or {c[1] for c, p in readings[0].alternatives if p > 0.2} == {code[1]}
