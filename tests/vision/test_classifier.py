"""Naming a straightened card: half turns, quarter turns, wilds without colour, what is no card."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from referee.vision.classifier import Face, Probabilities, joined, merged, name_faces, softmax
from referee.vision.quads import Image, Quad

SYMBOLS = ("6", "9", "W", "back", "none")
COLOURS = ("R", "Y", "G", "B", "none")


def row(values: Sequence[float]) -> Probabilities:
    return np.array(values, np.float32)


class TopLeftScorer:
    """Calls a crop with a dark top-left quarter a 6, one with a dark bottom-right a 9, squeezed ones nothing."""

    size_px: tuple[int, int] = (56, 87)
    symbols: tuple[str, ...] = SYMBOLS
    colours: tuple[str, ...] = COLOURS

    def scores(self, crops: Sequence[Image]) -> tuple[Probabilities, Probabilities]:
        rows = []
        for crop in crops:
            dark = [bool((crop[y, x] < 60).all()) for y, x in ((20, 12), (20, 44), (66, 12), (66, 44))]
            rows.append(
                [0.9, 0.05, 0, 0, 0.05]
                if dark == [True, False, False, False]
                else [0.5, 0.3, 0, 0, 0.2]
                if dark == [False, False, False, True]
                else [0.1, 0.1, 0, 0, 0.8]
            )
        return np.array(rows, np.float32), np.tile(row([0, 0, 0, 0.9, 0.1]), (len(crops), 1))


def picture(quad: Quad) -> Image:
    """A white card at `quad` with a dark quarter at its first corner."""
    image = np.full((300, 300, 3), 128, np.uint8)
    u, v = quad[1] - quad[0], quad[3] - quad[0]
    for y in range(300):
        for x in range(300):
            a, b = np.linalg.solve(np.stack([u, v], axis=1), np.array([x, y]) - quad[0])
            if 0 <= a <= 1 and 0 <= b <= 1:
                image[y, x] = 0 if a < 0.5 and b < 0.5 else 255
    return image


CARD = np.array([[100, 80], [156, 80], [156, 167], [100, 167]], np.float32)


@pytest.mark.parametrize("turn", [0, 2], ids=["upright", "upside down"])
def test_half_turns_are_averaged(turn: int) -> None:
    glyph_first = np.roll(CARD, turn, axis=0)
    (face,) = name_faces(TopLeftScorer(), picture(glyph_first), [CARD])
    assert face.best[0] == "B6"
    assert face.best[1] == pytest.approx(0.7)
    assert face.not_a_card == pytest.approx(0.125)
    assert face.quarter_turns == 0


def test_a_square_looking_card_is_also_tried_lying_on_its_side() -> None:
    square = np.array([[100, 80], [160, 80], [160, 140], [100, 140]], np.float32)
    (face,) = name_faces(TopLeftScorer(), picture(np.roll(square, -1, axis=0)), [square])
    assert face.best[0] == "B6"
    assert face.quarter_turns == 1


def test_faces_keep_the_order_of_their_outlines() -> None:
    image = picture(CARD)
    beside = CARD + row([-90, 60])
    assert name_faces(TopLeftScorer(), image, [CARD, beside])[0].best[0] == "B6"
    assert name_faces(TopLeftScorer(), image, [beside, CARD])[0].not_a_card == pytest.approx(0.8)
    assert name_faces(TopLeftScorer(), image, []) == []


@pytest.mark.parametrize(
    ("symbol", "colour", "code", "p"),
    [
        ([0.9, 0.1, 0, 0, 0], [0.8, 0, 0, 0.2, 0], "R6", 0.72),
        ([0.9, 0.1, 0, 0, 0], [0.4, 0, 0, 0.1, 0.5], "R6", 0.72),
        ([0, 0, 1.0, 0, 0], [0.8, 0.2, 0, 0, 0], "W", 1.0),
        ([0, 0, 0, 1.0, 0], [0.8, 0.2, 0, 0, 0], "back", 1.0),
        ([0.1, 0.1, 0, 0, 0.8], [0.8, 0.2, 0, 0, 0], "none", 0.8),
    ],
    ids=["a number", "a number, its colour in doubt", "a wild ignores colour", "a back", "no card"],
)
def test_joined(symbol: list[float], colour: list[float], code: str, p: float) -> None:
    codes = joined(SYMBOLS, COLOURS, row(symbol), row(colour))
    assert max(codes, key=lambda c: codes[c]) == code
    assert codes[code] == pytest.approx(p)
    assert sum(codes.values()) == pytest.approx(1)


def test_temperature_makes_probabilities_less_sure_and_keeps_their_order() -> None:
    logits = row([3, 1, 0])
    sharp, soft = softmax(logits), softmax(logits, 3)
    assert sharp[0] > soft[0] > soft[1] > soft[2]
    assert soft.sum() == pytest.approx(1)


def test_merged_is_half_the_surest_and_half_the_mean() -> None:
    fits, misses = Face((("R5", 0.9), ("R6", 0.1)), 0.0, 0), Face((("R6", 0.3), ("R5", 0.1)), 0.6, 1)
    both = merged([misses, fits])
    assert both.quarter_turns == 0
    assert dict(both.codes) == pytest.approx({"R5": 0.45 + 0.25, "R6": 0.05 + 0.1})
    assert both.not_a_card == pytest.approx(0.15)


def test_merged_is_in_doubt_where_two_outlines_disagree() -> None:
    both = merged([Face((("R6", 0.95), ("R9", 0.05)), 0.0, 0), Face((("R9", 0.95), ("R6", 0.05)), 0.0, 0)])
    assert both.best[1] == pytest.approx(0.725)


def test_best_is_the_first_code() -> None:
    assert Face((("R5", 0.9), ("R6", 0.1)), 0.0, 0).best == ("R5", 0.9)
