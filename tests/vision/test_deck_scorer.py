"""An enrolled deck beside the classifier: it decides where the classifier wavers, and is silent about other cards."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.vision.classifier import CropScorer, Probabilities, joined
from referee.vision.deck_scorer import DeckScorer
from referee.vision.quads import Image
from tests.vision.drawn_deck import drawn_deck, face, loosely_cut

SYMBOLS = ("0", "1", "2", "6", "7", "9", "S", "W", "W4", "WC", "back", "none")
COLOURS = ("R", "Y", "G", "B", "none")


class Says:
    """A classifier that says the same of every crop."""

    size_px: tuple[int, int] = (64, 96)
    symbols: tuple[str, ...] = SYMBOLS
    colours: tuple[str, ...] = COLOURS

    def __init__(self, colour: str, **symbols: float) -> None:
        self.symbol_p = np.array([symbols.get(f"s{s}", 0.0) for s in SYMBOLS], np.float32)
        self.colour_p = np.array([0.97 if c == colour else 0.0075 for c in COLOURS], np.float32)

    def scores(self, crops: Sequence[Image]) -> tuple[Probabilities, Probabilities]:
        return np.tile(self.symbol_p, (len(crops), 1)), np.tile(self.colour_p, (len(crops), 1))


class SureOfSeven(Says):
    """Names every crop a sure blue 7; of many crops, a deck's photographs, only that of one face or its own."""

    def __init__(self, of_photographs: str = "B7") -> None:
        super().__init__("B", s7=1.0)
        self.colour_p = np.array([0, 0, 0, 1, 0], np.float32)
        self._true = of_photographs

    def scores(self, crops: Sequence[Image]) -> tuple[Probabilities, Probabilities]:
        symbols, colours = super().scores(crops)
        if len(crops) > 2:
            codes = drawn_deck().codes
            symbols[[code != self._true for code in codes]] = np.eye(len(SYMBOLS))[SYMBOLS.index("none")]
        return symbols, colours


def named(classifier: CropScorer, crops: Sequence[Image]) -> list[tuple[str, float]]:
    symbols, colours = DeckScorer(classifier, drawn_deck()).scores(crops)
    assert symbols.sum(axis=1) == pytest.approx(1, abs=1e-3)
    assert colours.sum(axis=1) == pytest.approx(1, abs=1e-3)
    best = []
    for row in zip(symbols, colours, strict=True):
        codes = joined(SYMBOLS, COLOURS, *row)
        best.append(max(codes.items(), key=lambda item: item[1]))
    return best


@pytest.mark.parametrize("code", ["R6", "R9"])
def test_six_or_nine_is_decided_by_the_photographs(code: str) -> None:
    ((found, sure),) = named(Says("R", s6=0.5, s9=0.5), [loosely_cut(code, 7)])
    assert (found, sure > 0.9) == (code, True)


def test_photographs_that_contradict_a_sure_classifier_leave_doubt_or_win() -> None:
    ((found, sure),) = named(Says("R", s1=0.9, s6=0.1), [loosely_cut("R6", 7)])
    assert found == "R6" or sure < 0.9


@pytest.mark.parametrize(
    ("classifier", "code"),
    [(Says("G", sback=0.9, snone=0.1), "back"), (Says("B", snone=0.95, s7=0.05), "none"), (Says("R", sWC=1.0), "WC")],
    ids=["back", "no card", "a card the deck does not have"],
)
def test_what_no_photograph_shows_is_left_to_the_classifier(classifier: Says, code: str) -> None:
    clutter = np.random.default_rng(3).integers(0, 255, (96, 64, 3), dtype=np.uint8)
    ((found, sure),) = named(classifier, [clutter])
    assert found == code
    assert sure >= 0.8


def test_another_printing_is_read_as_the_classifier_reads_it() -> None:
    """Look 3 was enrolled; a face in look 40 is none of its photographs, and still a blue 7."""
    ((found, _),) = named(Says("B", s7=0.95, s1=0.05), [loosely_cut("B7", 5, look=40)])
    assert found == "B7"


def test_both_half_turns_of_a_card_are_matched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = DeckScorer(Says("B", s7=1.0), drawn_deck())
    asked: list[int] = []
    one = scorer._matcher.scores

    def counted(crop: Image, likely: Sequence[int]) -> NDArray[np.float32]:
        asked.append(1)
        return one(crop, likely)

    monkeypatch.setattr(scorer._matcher, "scores", counted)
    seven, skip = loosely_cut("B7", 1), loosely_cut("GS", 2)
    symbols, _ = scorer.scores([seven, np.asarray(cv2.rotate(seven, cv2.ROTATE_180), np.uint8), skip])
    assert len(asked) == 2
    assert np.array_equal(symbols[0], symbols[1])


@pytest.mark.parametrize(
    ("classifier", "compared"),
    [
        (Says("B", s7=0.8, s1=0.2), True),
        (Says("B", s7=0.1, snone=0.9), False),
        (SureOfSeven(), False),
        (SureOfSeven(of_photographs="R1"), True),
    ],
    ids=["it wavers", "no card", "beyond doubt", "beyond doubt, but it names a 1 so as well"],
)
def test_photographs_are_laid_over_a_crop_only_where_they_may_change_the_word(
    monkeypatch: pytest.MonkeyPatch, classifier: Says, compared: bool
) -> None:
    """An enrolled deck cost five times a picture's time and changed nothing on most cards."""
    scorer = DeckScorer(classifier, drawn_deck())
    asked: list[int] = []

    def counted(_crop: Image, likely: Sequence[int]) -> NDArray[np.float32]:
        asked.extend(likely)
        return np.zeros(len(drawn_deck().codes), np.float32)

    monkeypatch.setattr(scorer._matcher, "scores", counted)
    scorer.scores([loosely_cut("B7", 1)])
    assert bool(asked) is compared


def test_the_deck_outlives_another_classifier() -> None:
    """Nothing of the deck depends on the classifier's weights: another size and other labels serve as well."""

    class Larger(Says):
        size_px: tuple[int, int] = (96, 128)

    crop = np.asarray(cv2.resize(face("GS"), (96, 128)), np.uint8)
    ((found, _),) = named(Larger("G", sS=0.6, s0=0.4), [crop])
    assert found == "GS"
