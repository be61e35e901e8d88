"""The sign in a card's corner weighs what the crop of the whole card showed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from referee.vision.classifier import Face, Probabilities
from referee.vision.corner_signs import SIGN_PX, SignReader, corner_region, sign_is_clear
from referee.vision.quads import Image, Quad

SIGNS = ("4", "5", "W4", "W", "none")
COLOURS = ("R", "Y", "G", "B", "none")
NOTHING = (0.0, 0.0, 0.0, 0.0, 1.0)
CARD: Quad = np.array([[100, 100], [156, 100], [156, 187], [100, 187]], np.float32)


class FixedSigns:
    """Sees one sign in each upper corner of an outline, another in each lower one."""

    size_px: tuple[int, int] = SIGN_PX
    symbols: tuple[str, ...] = SIGNS
    colours: tuple[str, ...] = COLOURS

    def __init__(self, upper: Sequence[float], lower: Sequence[float]) -> None:
        self._rows = np.array([upper, lower], np.float32)

    def scores(self, crops: Sequence[Image]) -> tuple[Probabilities, Probabilities]:
        assert all(crop.shape == (SIGN_PX[1], SIGN_PX[0], 3) for crop in crops)
        colour = np.array([[0.97, 0.01, 0.01, 0.01, 0.0]], np.float32)
        return np.tile(self._rows, (len(crops) // 2, 1)), np.tile(colour, (len(crops), 1))


def weighed(face: Face, upper: Sequence[float], lower: Sequence[float] = NOTHING, outlines: int = 1) -> Face:
    signs = SignReader(FixedSigns(upper, lower))
    return signs.weighed(face, signs.corners(np.zeros((300, 300, 3), np.uint8), [CARD] * outlines))


def face(*codes: tuple[str, float], nothing: float = 0.0) -> Face:
    return Face(codes, nothing, 0)


FIVE = (0.01, 0.98, 0.0, 0.0, 0.01)
WHEEL = (0.0, 0.0, 0.0, 0.99, 0.01)


@pytest.mark.parametrize(
    ("whole", "upper", "code", "at_least", "at_most"),
    [
        (face(("R4", 0.5), ("R5", 0.3)), FIVE, "R5", 0.9, 1.0),
        (face(("Y4", 0.9), ("R5", 0.02)), FIVE, "R5", 0.5, 0.99),
        (face(("R4", 0.5), ("R5", 0.3)), NOTHING, "R4", 0.4, 0.55),
        (face(("WX", 0.6), ("R5", 0.4)), WHEEL, "WX", 0.9, 1.0),
        (face(("back", 0.8), ("W", 0.2)), WHEEL, "W", 0.9, 1.0),
        (face(("R5", 0.3), nothing=0.7), FIVE, "R5", 0.25, 0.3),
        (face(("R4", 0.3), ("R5", 0.2)), FIVE, "R5", 0.9, 1.0),
    ],
    ids=[
        "the corner decides",
        "a face that covers it is overruled",
        "a covered corner says nothing",
        "every wild but the +4 has the wheel",
        "a back has no sign",
        "a sign makes no card",
        "what the whole crop left open goes to the faces",
    ],
)
def test_weighed(whole: Face, upper: tuple[float, ...], code: str, at_least: float, at_most: float) -> None:
    best, share = weighed(whole, upper).best
    assert best == code
    assert at_least <= share <= at_most


def test_shares_stay_shares() -> None:
    whole = weighed(face(("R4", 0.5), ("R5", 0.3), nothing=0.2), FIVE, WHEEL, outlines=3)
    assert sum(share for _, share in whole.codes) + whole.not_a_card == pytest.approx(1, abs=0.02)


def test_both_corners_count_more_than_one() -> None:
    unsure = (0.3, 0.5, 0.0, 0.0, 0.2)
    one, both = (
        weighed(face(("R4", 0.5), ("R5", 0.5)), unsure),
        weighed(face(("R4", 0.5), ("R5", 0.5)), unsure, unsure),
    )
    assert both.best[1] > one.best[1] > 0.5


@pytest.mark.parametrize(
    ("upper", "lower", "clear"), [(FIVE, NOTHING, True), (NOTHING, FIVE, True), (NOTHING, NOTHING, False)]
)
def test_one_clear_sign_is_enough(upper: tuple[float, ...], lower: tuple[float, ...], clear: bool) -> None:
    corners = SignReader(FixedSigns(upper, lower)).corners(np.zeros((300, 300, 3), np.uint8), [CARD, CARD])
    assert sign_is_clear(corners) == clear
    assert not sign_is_clear([])


def test_no_corner_looked_at_leaves_the_face_as_it_is() -> None:
    whole = face(("R4", 0.5))
    assert SignReader(FixedSigns(FIVE, FIVE)).weighed(whole, []) is whole


def test_the_region_reaches_from_beside_the_corner_over_its_sign() -> None:
    region = corner_region(CARD)
    assert np.allclose(region[0], (96, 96), atol=1e-3)
    assert np.allclose(region[2], (126, 131), atol=1e-3)
