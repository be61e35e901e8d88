"""Readings of successive frames, joined: one reading a card, honest about doubt."""

from __future__ import annotations

import pytest

from referee.cards import Card
from referee.observations import CardReading
from referee.vision.joining import ReadingJoiner, moved_by, single_cards, without_ghosts
from tests.vision.drawn_table import quad_at


def read(code: str, p: float = 0.9, x: float = 0.5, length_px: float = 60, sure: float = 1.0) -> CardReading:
    """A reading of `code` with probability `p`, `sure` of the outline."""
    other = "R9" if code != "R9" else "R6"
    quad = tuple((float(a), float(b)) for a, b in quad_at((x, 0.5), 0, length_px))
    return CardReading(Card.parse(code), p * sure, quad, ((code, p), (other, round(1 - p, 3))))


def joined(*frames: list[CardReading]) -> list[CardReading]:
    joiner = ReadingJoiner()
    for frame in frames:
        joiner.add(frame)
    return [card.reading() for card in joiner.cards()]


def test_probabilities_are_averaged_the_surer_frame_counting_more() -> None:
    (card,) = joined([read("R6", 0.9)], [read("R6", 0.6)])
    assert card.code == "R6"
    assert card.confidence == pytest.approx((0.9 * 0.9 + 0.6 * 0.6) / 1.5, abs=0.001)
    assert dict(card.alternatives)["R9"] == pytest.approx(1 - card.confidence, abs=0.001)


def test_frames_that_disagree_leave_a_doubt() -> None:
    (card,) = joined([read("R6", 0.8)], [read("R9", 0.9)])
    assert card.code == "R9"
    assert card.confidence == pytest.approx(0.57, abs=0.01)


def test_a_loose_outline_lowers_the_confidence_and_not_the_probabilities() -> None:
    (card,) = joined([read("R6", 0.9, sure=0.5)], [read("R6", 0.9, sure=0.7)])
    assert card.confidence == pytest.approx(0.9 * 0.6, abs=0.02)
    assert dict(card.alternatives)["R6"] == pytest.approx(0.9)


def test_two_cards_that_lie_on_one_another_stay_two() -> None:
    pair = [read("R6", x=0.5), read("G2", x=0.52)]
    assert sorted(card.code for card in joined(pair, pair[::-1])) == ["G2", "R6"]


def test_what_one_frame_in_three_shows_is_not_there() -> None:
    assert [c.code for c in joined([read("R6")], [read("R6"), read("G2", x=0.9)], [read("R6")])] == ["R6"]


@pytest.mark.parametrize(("sure", "there"), [(0.05, False), (0.3, True)])
def test_what_is_hardly_like_a_card_is_none(sure: float, there: bool) -> None:
    """Clutter gets outlines too, with next to no probability of any face; a doubtful card is still reported."""
    assert bool(joined([read("R6", 0.9, sure=sure)], [read("R6", 0.9, sure=sure)])) is there


@pytest.mark.parametrize(
    ("frames", "agreed"),
    [
        ([[read("R6")], [read("R6")]], True),
        ([[read("R6")]], False),
        ([[read("R6")], [read("R9")]], False),
        ([[read("R6", 0.6)], [read("R6", 0.6)]], False),
        ([[read("R6")], []], False),
        ([[], []], False),
    ],
    ids=["twice the same", "once", "two faces", "both unsure", "gone", "nothing"],
)
def test_agreement_needs_the_same_sure_face_twice(frames: list[list[CardReading]], agreed: bool) -> None:
    joiner = ReadingJoiner()
    for frame in frames:
        joiner.add(frame)
    assert joiner.agreed(2, 0.85) is agreed


def test_the_ghost_of_a_sure_card_need_not_agree_where_it_does_not_count() -> None:
    """A red 8 was read surely, its ghost was not, and the next hand covered both before it was told."""
    joiner = ReadingJoiner()
    for ghost in (read("R3", 0.5, 0.53, sure=0.2), read("R1", 0.6, 0.53, sure=0.2)):
        joiner.add([read("R8", 0.99), ghost])
    assert not joiner.agreed(2, 0.85)
    assert joiner.agreed(2, 0.85, ghosts=False)


@pytest.mark.parametrize("card_px", [60.0, None])
def test_g1_a_corner_of_a_card_is_not_a_second_card(card_px: float | None) -> None:
    """G1: two corners of one card counted as two cards. Merged by the size of the outline."""
    corner = read("R6", 0.99, x=0.49, length_px=20)
    whole = read("R6", 0.9)
    assert len(single_cards([corner, whole], card_px)) == 1
    if card_px:
        assert single_cards([corner, whole], card_px) == [whole]


def test_outlines_of_one_card_are_one_card_and_the_surest_is_kept() -> None:
    loose = read("R9", 0.6, x=0.505)
    assert single_cards([loose, read("R6", 0.9)], 60.0) == [read("R6", 0.9)]


def test_what_can_hardly_be_read_on_a_sure_card_is_its_ghost() -> None:
    """Laid-open hands of two cards were told to be of three."""
    sure, ghost, apart = read("B2", 0.95), read("B2", 0.1, x=0.52), read("Y7", 0.1, x=0.9)
    assert without_ghosts([sure, ghost, apart]) == [sure, apart]
    assert without_ghosts([ghost, apart]) == [ghost, apart]


def test_a_crop_is_put_back_into_the_frame() -> None:
    reading = read("R6")
    assert moved_by(moved_by(reading, 10, -4), -10, 4) == reading
    assert moved_by(reading, 10, -4).quad_px[0][0] == reading.quad_px[0][0] + 10
