"""Card backs told by the colours of the pile itself, against the table and against the empty hand."""

from __future__ import annotations

import numpy as np
import pytest

from referee.observations import BACK
from referee.vision.backs import OwnColours, colour_counts, count_px, elsewhere_mask, pile_mask
from referee.vision.placing import places_of
from referee.vision.quads import Image
from referee.vision.view import Mask, view_of
from tests.vision.drawn_table import DRAW_AT, HEIGHT, WIDTH, DrawnTable, Lying, paint_arm, paint_card, quad_at, zones

HAND_AT = (0.5, 0.75)


def small(*cards: Lying, hand: bool = False, light: float = 1.0) -> Image:
    picture = DrawnTable().painted()
    for card in cards:
        paint_card(picture, card)
    if hand:
        paint_arm(picture, (0.5, 1.02), (0.5, 0.8))
    return view_of(np.clip(picture * light, 0, 255).astype(np.uint8), 0.0).small


VIEW = view_of(np.zeros((HEIGHT, WIDTH, 3), np.uint8), 0.0)
PLACES = places_of(VIEW, zones(), 60.0)
DRAW = PLACES.draw if PLACES.draw is not None else np.zeros((1, 1), np.uint8)
PILE = small(Lying(BACK, DRAW_AT))
NEAR: Mask = np.zeros_like(DRAW)
NEAR[150:210, 130:190] = 255


def seen_cards(picture: Image) -> float:
    """How many cards' areas of back colours are seen near the hand."""
    pile = pile_mask(PILE, DRAW, None, VIEW.scale)
    telling = OwnColours(PILE, pile, elsewhere_mask(PLACES)).unlike(colour_counts(small(hand=True), NEAR))
    return count_px(picture, NEAR, telling) / PLACES.card_area_px


@pytest.mark.parametrize(
    ("picture", "least", "most"),
    [
        (small(hand=True), 0.0, 0.05),
        (small(), 0.0, 0.05),
        (small(Lying(BACK, HAND_AT, 30), hand=True), 0.3, 1.1),
        (small(Lying(BACK, HAND_AT, 30), hand=True, light=0.92), 0.2, 1.1),
    ],
    ids=["an empty hand", "no hand", "a back", "a back in less light"],
)
def test_a_back_in_the_hand_is_told_from_the_hand(picture: Image, least: float, most: float) -> None:
    assert least <= seen_cards(picture) <= most


def test_the_pile_is_what_stands_out_of_its_zone_or_the_outline_that_was_read() -> None:
    stands_out = pile_mask(PILE, DRAW, None, VIEW.scale) > 0
    outline = pile_mask(PILE, DRAW, quad_at(DRAW_AT), VIEW.scale) > 0
    assert (stands_out & outline).sum() / (stands_out | outline).sum() > 0.8
    assert not pile_mask(small(), DRAW, None, VIEW.scale).any()


def test_a_pile_of_the_tables_own_colour_tells_nothing() -> None:
    bare = small()
    assert not OwnColours(bare, DRAW, elsewhere_mask(PLACES)).known
