"""The figures of a detector: what counts as found, missed and false."""

from __future__ import annotations

import numpy as np
import pytest

from referee.training.detector_check import Tally, _count, corner_error
from referee.vision.detector import Detection
from referee.vision.yolo import LAST_RATE, rate_share

CARD = np.array([[10, 10], [42, 10], [42, 60], [10, 60]], np.float32)
AWAY = CARD + 100


def truth(quad: np.ndarray, visible: float = 1.0, code: str = "R5") -> dict[str, object]:
    return {"code": code, "quad": quad.tolist(), "visible": visible}


@pytest.mark.parametrize(
    ("cards", "found", "recall", "precision"),
    [
        ([truth(CARD)], [Detection(CARD, 0.9)], 1, 1),
        ([truth(CARD)], [], 0, 1),
        ([truth(CARD)], [Detection(AWAY, 0.9)], 0, 0),
        ([truth(CARD), truth(AWAY)], [Detection(CARD, 0.9)], 0.5, 1),
        ([truth(CARD)], [Detection(CARD, 0.9), Detection(CARD, 0.8)], 1, 1),
        ([truth(CARD, visible=0.4)], [Detection(CARD, 0.9)], 0, 1),
        ([], [Detection(CARD, 0.9)], 0, 0),
    ],
    ids=["found", "missed", "beside", "one of two", "twice", "half covered", "nothing there"],
)
def test_found_missed_and_false(
    cards: list[dict[str, object]], found: list[Detection], recall: float, precision: float
) -> None:
    tally = Tally()
    _count(tally, cards, found)
    assert tally.figures()["recall"] == recall
    assert tally.figures()["precision"] == precision


@pytest.mark.parametrize(("code", "back_score", "right"), [("back", 0.9, 1), ("back", 0.1, 0), ("R5", 0.1, 1)])
def test_backs_are_told_from_faces(code: str, back_score: float, right: float) -> None:
    tally = Tally()
    _count(tally, [truth(CARD, code=code)], [Detection(CARD, 0.9, back_score)])
    assert tally.figures()["card_or_back_right"] == right


def test_corner_error_is_a_share_of_the_length_whichever_corner_comes_first() -> None:
    assert corner_error(np.roll(CARD, 2, axis=0), CARD) == 0
    assert corner_error(CARD + np.array([0, 5], np.float32), CARD) == pytest.approx(0.1)


def test_the_rate_rises_quickly_and_falls_slowly() -> None:
    shares = [rate_share(t) for t in (0.0, 0.02, 0.04, 0.3, 0.6, 1.0, 1.5)]
    assert shares[0] < shares[1] < shares[2] == max(shares)
    assert shares[2:] == sorted(shares[2:], reverse=True)
    assert shares[-1] == pytest.approx(LAST_RATE)
