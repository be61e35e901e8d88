"""A sure face by an outline without a sign in its corners gives way to one that has the signs of its face."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import referee.vision.reader
from referee.vision.classifier import Probabilities
from referee.vision.corner_signs import SIGN_PX, SignReader
from referee.vision.corners import Outline
from referee.vision.detector import Detection
from referee.vision.quads import Image, length_px
from referee.vision.reader import YoloCardReader
from tests.vision.test_reader import FixedFinder, card

SYMBOLS = ("5", "R", "back", "none")
COLOURS = ("R", "Y", "G", "B", "none")
NOTHING = (0.0, 0.0, 0.0, 1.0)
FIVE = (0.98, 0.01, 0.0, 0.01)
REVERSE = (0.01, 0.98, 0.0, 0.01)

ACROSS, TRUE = card(200, 300), card(400, 300)
"""An outline in the dark half of the picture, and one in the bright half."""


class ByBrightness:
    """Sees one face in dark crops and another in bright ones; two rows of a face take turns."""

    symbols: tuple[str, ...] = SYMBOLS
    colours: tuple[str, ...] = COLOURS

    def __init__(self, size_px: tuple[int, int], dark: Sequence[float], bright: Sequence[Sequence[float]]) -> None:
        self.size_px = size_px
        self._dark, self._bright = dark, bright

    def scores(self, crops: Sequence[Image]) -> tuple[Probabilities, Probabilities]:
        seen = [self._bright[n % 2] if crop.mean() > 128 else self._dark for n, crop in enumerate(crops)]
        colour = np.array([[1.0, 0, 0, 0, 0]], np.float32)
        return np.array(seen, np.float32), np.tile(colour, (len(crops), 1))


def read(
    monkeypatch: pytest.MonkeyPatch,
    signs: tuple[Sequence[float], Sequence[float]],
    share: float = 0.9,
    expected: float | None = None,
) -> tuple[str, float, float]:
    """Code, confidence and middle of the one card, whose true outline shows a reverse of so much."""
    picture = np.full((600, 600, 3), (70, 60, 50), np.uint8)
    picture[:, 300:] = (210, 200, 190)
    monkeypatch.setattr(referee.vision.reader, "near_outlines", lambda *_: [Outline(ACROSS, 1.0)])
    monkeypatch.setattr(referee.vision.reader, "farther_outlines", lambda *_: [Outline(TRUE, 0.9)])
    faces = ByBrightness((64, 96), (0.996, 0, 0, 0.004), [(1 - share, share, 0, 0)] * 2)
    reader = YoloCardReader(
        FixedFinder([Detection(ACROSS, 0.9)], 600), faces, SignReader(ByBrightness(SIGN_PX, NOTHING, signs))
    )
    (reading,) = reader.read(picture, expected or length_px(ACROSS))
    return reading.code, reading.confidence, float(np.mean(reading.quad_px, axis=0)[0])


def test_an_outline_with_its_signs_is_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """An outline across a reverse and the cards under it was a red 9, of 0.996."""
    code, confidence, middle = read(monkeypatch, (REVERSE, REVERSE))
    assert (code, round(middle)) == ("RR", 400)
    assert confidence > 0.95


@pytest.mark.parametrize(
    ("signs", "share"),
    [((NOTHING, NOTHING), 0.9), ((REVERSE, NOTHING), 0.9), ((REVERSE, FIVE), 0.9), ((REVERSE, REVERSE), 0.6)],
    ids=["without signs", "with one", "with another face's", "that hardly shows its face"],
)
def test_any_other_outline_leaves_the_first_in_doubt(
    monkeypatch: pytest.MonkeyPatch, signs: tuple[Sequence[float], Sequence[float]], share: float
) -> None:
    """Mixing in whatever other outlines show had cost a yellow 1 and a card of a hand laid open."""
    code, confidence, middle = read(monkeypatch, signs, share)
    assert (code, round(middle)) == ("R5", 200)
    assert 0.75 < confidence < 0.85


def test_of_small_cards_no_sign_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    code, confidence, _ = read(monkeypatch, (NOTHING, NOTHING), expected=79)
    assert (code, round(confidence, 3)) == ("R5", 0.996)
