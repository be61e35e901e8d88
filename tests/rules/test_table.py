"""The table as other programs use it: observe anything, ask anything, undo anything."""

from __future__ import annotations

import pytest

from referee.cards import Card, Colour, Seat
from referee.faults import InputFault
from referee.rules.profiles import load_profile
from referee.rules.ruling import IllegalPlay
from referee.rules.table import Table

P1, P2, P3, P4 = Seat.first(4)


def cards(codes: str) -> list[Card]:
    return [Card.parse(code) for code in codes.split()]


def test_a_new_table_stands_after_the_deal() -> None:
    table = Table("classic-108", seats=4, dealer=P4)
    assert (table.to_act, table.top, table.colour, table.direction, table.over) == (P1, None, None, 1, False)
    assert {hand.count for hand in table.hands.values()} == {7}


def test_push_takes_anything_and_says_what_was_wrong() -> None:
    table = Table.from_pos("R8 R > P1 P1:4 P2:4 P3:4 P4:4")
    table.push("P1: R3")
    ruling = table.push("P3: B4")
    assert not ruling.legal
    assert {incident.code for incident in ruling.incidents} == {"out_of_turn", "illegal_play"}
    assert ruling.next is P2


def test_a_ruling_says_who_owes_what_and_who_is_next() -> None:
    table = Table.from_pos("R8 R > P1 P1:4 P2:4 P3:4")
    ruling = table.push("P1: RD")
    assert [(debt.seat, debt.left, debt.cause) for debt in ruling.owes] == [(P2, 2, "d2")]
    assert (ruling.next, ruling.legal) == (P2, True)
    assert table.push("P2: +1:d2").next is P2
    assert table.push("P2: +1:d2").next is P3


def test_push_legal_refuses_and_leaves_the_table_as_it_was() -> None:
    table = Table.from_pos("R8 R > P1 P1:4 P2:4 P3:4")
    with pytest.raises(IllegalPlay, match="blue 3 does not fit red 8") as refused:
        table.push_legal("P1: B3")
    assert refused.value.ruling.incidents[0].sources
    assert table.pos() == "R8 R > P1 P1:4 P2:4 P3:4"
    assert table.push_legal("P1: R3").legal


def test_pop_undoes_and_gives_back_what_was_pushed() -> None:
    table = Table.from_pos("R8 R > P1 P1:4 P2:4 P3:4")
    table.push("P1: RD")
    assert table.pop().subject is P1  # type: ignore[union-attr]
    assert (table.pos(), table.owed, table.incidents) == ("R8 R > P1 P1:4 P2:4 P3:4", (), ())
    with pytest.raises(IndexError):
        table.pop()


@pytest.mark.parametrize(
    ("position", "moves", "seat", "hand", "legal"),
    [
        ("R8 R > P1 P1:4 P2:4 P3:4", [], P1, "R1 B8 G2 RS W", "R1 B8 RS W"),
        ("R8 R > P1 P1:4 P2:4 P3:4", [], P2, "R1 B8", ""),
        ("R8 R > P1 P1:4 P2:4 P3:4", ["P1: RD"], P2, "RD R1 W4", ""),
        ("R8 R > P1 P1:4 P2:4 P3:4", [], P1, "R1 W4", "R1"),
        ("R8 R > P1 P1:4 P2:4 P3:4", [], P1, "B1 W4", "W4"),
        ("R8 R > P1 P1:4 P2:4 P3:4", ["P1: +1=(R2)"], P1, "R1 R2", "R2"),
        ("R8 R > P1 P1:4 P2:4 P3:4", ["P1: +1=(R2)"], P2, "R1 B2", "R1"),
        ("W B > P1 P1:4 P2:4 P3:4", [], P1, "R1 B2", "B2"),
    ],
)
def test_what_is_legal(position: str, moves: list[str], seat: Seat, hand: str, legal: str) -> None:
    table = Table.from_pos(position)
    for move in moves:
        table.push(move)
    assert table.legal(seat, cards(hand)) == tuple(cards(legal))


def test_what_is_legal_by_the_top_card_alone() -> None:
    table = Table.from_pos("R8 R > P1 P1:4 P2:4 P3:4")
    assert len(table.legal(P1)) == 13 + 3 + 2  # all reds, three other eights, two wilds
    assert Card.parse("BS") not in table.legal(P1)


def test_what_is_legal_at_a_table_that_stacks_and_jumps_in() -> None:
    table = Table.from_pos("R8 R > P1 P1:4 P2:4 P3:4", "party")
    table.push("P1: RD")
    assert table.legal(P2, cards("BD W4 G1")) == tuple(cards("BD W4"))
    assert table.legal(P3, cards("RD R1")) == tuple(cards("RD"))


def test_colour_in_force_after_a_wild() -> None:
    table = Table.from_pos("R8 R > P1 P1:4 P2:4 P3:4")
    table.push("P1: W")
    assert (table.top, table.colour) == (Card.parse("W"), None)
    table.push("P1: >G")
    assert table.colour is Colour.GREEN


@pytest.mark.parametrize(
    "position",
    [
        "R5 R > P1 P1:R7,B2 P2:3 P3:1!",
        "W B < P2 P1:R7,?,? P2:3",
        "? ? > P1 P1:7 P2:7",
        "W ? > P1 P1:? P2:7",
    ],
)
def test_a_position_is_read_and_written_alike(position: str) -> None:
    assert Table.from_pos(position).pos() == position


@pytest.mark.parametrize(
    ("position", "what"),
    [
        ("R5 R > P1", "a position needs"),
        ("Q5 R > P1 P1:3 P2:3", "'Q5' is not a card"),
        ("R5 G > P1 P1:3 P2:3", "R5 is on top and the colour is G"),
        ("R5 X > P1 P1:3 P2:3", "'X' is no colour"),
        ("R5 R ^ P1 P1:3 P2:3", "'\\^' is no direction"),
        ("R5 R > P1 P1:-3 P2:3", "P1 cannot hold -3 cards"),
        ("R5 R > P1 P1:0 P2:3", "P1 cannot hold 0 cards"),
        ("R5 R > P3 P1:3 P2:3", "P3 is to move and has no hand"),
        ("R5 R > P1 P1:3 P1:3", "P1 has two hands"),
        ("R5 R > P1 P1:3 P12:3", "'P12' is not a seat"),
        ("R5 R > P1 P1 P2:3", "'P1' is no hand"),
        ("R0 R > P1 P1:R0,R1 P2:3", "the position shows 2 R0, the deck holds 1"),
        ("WX R > P1 P1:3 P2:3", "the position shows 1 WX, the deck holds 0"),
        ("R5 R > P1 P1:60 P2:60", "the hands hold 120 cards, the deck 108"),
    ],
)
def test_a_position_that_cannot_be(position: str, what: str) -> None:
    with pytest.raises(InputFault, match=what):
        Table.from_pos(position)


def test_players_that_a_profile_does_not_seat() -> None:
    with pytest.raises(InputFault, match="for 4 to 4 players, not 3"):
        Table("partners", seats=3)
    with pytest.raises(InputFault, match="P5 does not sit"):
        Table("classic-108", seats=4, dealer=Seat.P5)


def test_text_that_is_no_entry() -> None:
    with pytest.raises(InputFault, match="cannot read 'hello' here"):
        Table("classic-108").push("P1: hello")


def test_ten_players_and_two_decks() -> None:
    profile = load_profile("classic-108").changed({"deck.copies": 2})
    table = Table(profile, seats=10)
    for move in ("dealer: start R5", "P1: R0", "P2: R0", "P3: RR", "P2: R1", "P1: R2", "P10: R3"):
        assert table.push(move).incidents == ()
    assert table.to_act is Seat.P9


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "P1: blue 3 does not fit red 8. Take it back, draw 2, next player."),
        ("pt", "P1: "),
        ("es", "P1: "),
        ("ro", "P1: "),
    ],
)
def test_a_ruling_speaks_four_languages(language: str, sentence: str) -> None:
    [incident] = Table.from_pos("R8 R > P1 P1:4 P2:4").push("P1: B3").incidents
    assert incident.say(language).startswith(sentence)


def test_a_ruling_names_the_option_and_the_line_it_rests_on() -> None:
    table = Table.from_pos("R8 R > P1 P1:R1,B9 P2:4", "seed-004")
    table.push("P1: R1")
    [incident] = table.push("P2: UNO?P1").incidents
    assert incident.rule == "uno.penalty = 4 (seed-004 4:27)"
