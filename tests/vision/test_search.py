"""Looking at the scales a picture needs: near and far cards are found once, and a known length saves looks."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from referee.vision.detector import LEAST_SCORE, Detection
from referee.vision.quads import Image, Quad, length_px, overlap, upright
from referee.vision.search import find_cards
from referee.vision.windows import STRIDE_PX


class LightBlobFinder:
    """Finds light rectangles, like a detector only those between a tenth of its side and nine tenths."""

    size_px = 320

    def __init__(self) -> None:
        self.looks: list[tuple[int, ...]] = []

    def find(self, picture: Image, least_score: float = LEAST_SCORE) -> list[Detection]:
        self.looks.append(picture.shape[:2])
        light = np.asarray((picture.min(axis=2) > 200).astype(np.uint8))
        outlines, _ = cv2.findContours(light, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        found = []
        for outline in outlines:
            quad = np.asarray(cv2.boxPoints(cv2.minAreaRect(outline)), np.float32)
            if 0.1 < length_px(quad) / self.size_px < 0.9:
                found.append(Detection(quad, 0.9))
        return found


def table(width: int, height: int, cards: Sequence[tuple[float, float, float, float]]) -> tuple[Image, list[Quad]]:
    """A dark picture with white cards (x, y, length, degrees), and their outlines."""
    image = np.full((height, width, 3), 40, np.uint8)
    quads = [
        np.asarray(cv2.boxPoints(((x, y), (length * 56 / 87, length), degrees)), np.float32)
        for x, y, length, degrees in cards
    ]
    for quad in quads:
        cv2.fillConvexPoly(image, np.rint(quad).astype(np.int32), (255, 255, 255))
    return image, quads


@pytest.mark.parametrize(
    ("size", "cards"),
    [
        ((1280, 720), [(640, 360, 660, 5)]),
        ((1280, 720), [(300, 200, 75, 20)]),
        ((1280, 720), [(300, 200, 80, 20), (700, 500, 300, 70)]),
        ((540, 960), [(270, 500, 500, 0)]),
        ((1280, 720), [(x, y, 150, x) for x in (150, 400, 650, 900, 1150) for y in (120, 360, 600)]),
        ((1280, 720), [(300, 200, 45, 20), (900, 600, 50, 70)]),
        ((4000, 3000), [(1300, 1200, 60, 20), (3900, 2600, 64, 70)]),
        ((90, 140), [(45, 70, 110, 0)]),
        ((1280, 720), []),
    ],
    ids=[
        "fills the picture",
        "small",
        "small and large",
        "portrait",
        "a full table",
        "far away",
        "12 megapixels",
        "tiny",
        "none",
    ],
)
def test_every_card_is_found_once(size: tuple[int, int], cards: list[tuple[float, float, float, float]]) -> None:
    image, truth = table(*size, cards)
    finder = LightBlobFinder()
    found = find_cards(finder, image)
    assert len(found) == len(truth)
    assert all(side % STRIDE_PX == 0 for look in finder.looks for side in look)
    assert max(max(look) for look in finder.looks) <= 1312, "a larger one needs too much memory"
    for quad in truth:
        assert max(overlap(d.quad_px, quad) for d in found) > 0.85


@pytest.mark.parametrize("length", [60, 150, 300])
def test_a_known_length_needs_one_scale(length: int) -> None:
    cards = [(x, y, length, x / 3) for x in (350, 1000) for y in (170, 550)]
    image, truth = table(1280, 720, cards)
    finder = LightBlobFinder()
    found = find_cards(finder, image, expected_card_px=length)
    assert [max(overlap(d.quad_px, quad) for d in found) > 0.85 for quad in truth] == [True] * 4
    assert len(found) == 4
    assert len(finder.looks) == 1


def test_half_turn_order_of_outlines() -> None:
    image, truth = table(640, 480, [(300, 200, 160, 30)])
    (found,) = find_cards(LightBlobFinder(), image, 160)
    np.testing.assert_allclose(upright(found.quad_px), upright(truth[0]), atol=4)
