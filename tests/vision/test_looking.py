"""Looks at parts of a frame: where cards lie, how long they are, and what is too large or small to be one."""

from __future__ import annotations

import numpy as np
import pytest

from referee.cards import Card
from referee.observations import CardReading
from referee.vision.looking import CardLength, Looker
from referee.vision.quads import Image
from referee.vision.view import view_of
from tests.vision.drawn_table import HEIGHT, WIDTH, quad_at

VIEW = view_of(np.full((HEIGHT, WIDTH, 3), 90, np.uint8), 0.0)
AREA = ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75))


def read(length_px: float, confidence: float = 0.9) -> CardReading:
    quad = tuple((float(x), float(y)) for x, y in quad_at((0.2, 0.2), 0, length_px))
    return CardReading(Card.parse("R5"), confidence, quad, (("R5", confidence),))


class Scripted:
    """A reader that always sees the same, and keeps what it was asked."""

    def __init__(self, *readings: CardReading) -> None:
        self.readings = list(readings)
        self.asked: list[tuple[tuple[int, ...], float | None]] = []

    def read(self, image_bgr: Image, expected_card_px: float | None = None) -> list[CardReading]:
        self.asked.append((image_bgr.shape, expected_card_px))
        return self.readings


@pytest.mark.parametrize(
    ("lengths", "learnt"),
    [
        ([60, 61, 59, 60], 60.0),
        ([60, 61, 59], None),
        ([60, 61, 59, 200], 60.5),
        ([60, 120, 60, 120], None),
        ([], None),
    ],
)
def test_the_length_of_a_card_is_learnt_from_cards_that_agree(lengths: list[float], learnt: float | None) -> None:
    length = CardLength()
    for px in lengths:
        length.learn([read(px), read(300, confidence=0.3)])
    assert length.px == (None if learnt is None else pytest.approx(learnt, abs=0.01))


def test_a_length_that_is_given_is_not_relearnt() -> None:
    length = CardLength(80)
    length.learn([read(60)] * 9)
    assert length.px == 80


def test_what_is_read_in_a_part_is_told_in_pixels_of_the_frame() -> None:
    reader = Scripted(read(60))
    (card,) = Looker(reader).look(VIEW, AREA, 10)
    assert reader.asked == [((200, 260, 3), None)]
    assert card.quad_px[0] == pytest.approx((read(60).quad_px[0][0] + 110, read(60).quad_px[0][1] + 80))


def test_once_the_length_is_known_the_reader_is_told_and_other_sizes_are_no_cards() -> None:
    reader = Scripted(read(60))
    looker = Looker(reader)
    for _ in range(4):
        looker.look(VIEW, AREA, 0)
    reader.readings = [read(150)]
    assert looker.look(VIEW, AREA, 0) == []
    assert [expected for _, expected in reader.asked] == [None] * 4 + [pytest.approx(60)]
    assert looker.look_into(VIEW.image) == [read(150)]


def looks(looker: Looker, seconds: float) -> int:
    """How often a place that is looked at whenever it is due is looked at."""
    count = 0
    for n in range(round(seconds * 10)):
        view = view_of(VIEW.image, n / 10)
        if looker.due(AREA, view.t_s):
            looker.look(view, AREA, 0)
            count += 1
    return count


@pytest.mark.parametrize(
    ("seen", "sparing", "count"),
    [([], True, 5), ([read(60, 0.1)], True, 5), ([read(60)], True, 200), ([], False, 200)],
    ids=["nothing", "hardly a card", "a card", "nothing, but the place is known"],
)
def test_a_guessed_place_without_cards_is_looked_at_more_and_more_rarely(
    seen: list[CardReading], sparing: bool, count: int
) -> None:
    assert looks(Looker(Scripted(*seen), sparing=sparing), 20) == count


def test_a_card_ends_the_waiting() -> None:
    reader = Scripted()
    looker = Looker(reader, sparing=True)
    looks(looker, 3)
    reader.readings = [read(60)]
    looker.look(VIEW, AREA, 0)
    assert looker.due(AREA, 0.0)
