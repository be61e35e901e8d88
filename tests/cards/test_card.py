"""Card codes and deck counts. Rows: B1-B5 of the matrix; G01 filled from sheet O1."""

import copy
import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cards import EDITIONS, Card, Colour, Seat, Symbol, all_faces, deck_counts


@pytest.mark.parametrize(
    ("code", "symbol", "colour"),
    [
        ("R5", Symbol.FIVE, Colour.RED),
        ("GS", Symbol.SKIP, Colour.GREEN),
        ("BR", Symbol.REVERSE, Colour.BLUE),
        ("YD", Symbol.DRAW_TWO, Colour.YELLOW),
        ("rr", Symbol.REVERSE, Colour.RED),
        ("W", Symbol.WILD, None),
        ("W4", Symbol.WILD_DRAW_FOUR, None),
        ("WX", Symbol.WILD_SWAP_HANDS, None),
        ("WM", Symbol.WILD_SHUFFLE_HANDS, None),
        ("WC2", Symbol.WILD_CUSTOMIZABLE, None),
    ],
)
def test_code_names_card(code: str, symbol: Symbol, colour: Colour | None) -> None:
    assert Card.parse(code) == Card(symbol, colour)


@pytest.mark.parametrize("code", ["", "R", "5R", "RW", "W5", "Z3", "R10", "WC0", "back", "R 5"])
def test_no_such_card(code: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        Card.parse(code)


@given(st.sampled_from(all_faces(special=True)))
def test_every_code_reads_back(card: Card) -> None:
    assert Card.parse(card.code) == card
    assert card.is_wild == (card.colour is None)


def test_a_wild_has_no_colour_and_a_number_needs_one() -> None:
    with pytest.raises(ValueError, match="takes no colour"):
        Card(Symbol.WILD, Colour.RED)
    with pytest.raises(ValueError, match="needs a colour"):
        Card(Symbol.FIVE)


@pytest.mark.parametrize(
    ("edition", "total", "extra"),
    [
        ("classic_108", 108, {}),  # B1
        ("swap_112", 112, {"WX": 1, "WC": 3}),  # B5, seed 0:33 0:36
        ("shuffle_112", 112, {"WM": 1, "WC": 3}),  # B5, seed 1:15
        ("blank_112", 112, {"WC": 4}),  # sheet O3
    ],
)
def test_deck_editions(edition: str, total: int, extra: dict[str, int]) -> None:
    counts = deck_counts(edition)
    assert counts.total() == total
    assert {c.code: n for c, n in counts.items() if c.code in {"WX", "WM", "WC"}} == extra
    assert [counts[Card.parse(code)] for code in ("G0", "G1", "GS", "GD", "W", "W4")] == [1, 2, 2, 2, 4, 4]  # G01


def test_blanks_left_out_and_two_decks() -> None:
    assert deck_counts("swap_112", customizable=1)[Card.parse("WC")] == 1  # B7
    assert deck_counts("classic_108", decks=2) == Counter({c: 2 * n for c, n in deck_counts().items()})  # G18
    with pytest.raises(ValueError, match="not a deck edition"):
        deck_counts("uno_flip")
    assert len(EDITIONS) == 4


def test_seats_are_clockwise_and_named() -> None:
    assert Seat.parse("p10") is Seat.P10
    assert [str(s) for s in Seat.first(3)] == ["P1", "P2", "P3"]
    with pytest.raises(ValueError, match="P1 to P10"):
        Seat.parse("P11")
    with pytest.raises(ValueError, match="seats 1 to 10"):
        Seat.first(11)


def test_a_face_is_one_object() -> None:
    """Cards compare by identity: a copy, however it was made, must be the same object."""
    card = Card.parse("R5")
    assert Card(Symbol.FIVE, Colour.RED) is card
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert Card(Symbol.FIVE, Colour.BLUE) != card
