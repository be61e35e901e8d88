"""Cards drawn and turns passed: how many, when, and what may be laid afterwards."""

from __future__ import annotations

import pytest

from referee.cards import Seat
from referee.rules.entries import Draw, Entry
from referee.rules.record import Record
from referee.rules.table import Table
from referee.rules.ugn import format_item, parse_entry
from tests.rules.situations import assert_ruled, ruled

CLASSIC = {
    "F4 1:40 one may draw with a playable card in hand": """
        [Pos "R5 R > P1 P1:R1,B2 P2:5"]
        P1: +1 --
        P2: R6
    """,
    "F5 1:38 one card, and the turn passes in silence": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: +1
        P2: R6
    """,
    "F5 P2 1:120 several cards in one turn": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: +3 --  !drew_too_many
        P2: R6
    """,
    "F5 three draws in one go are one fault": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: +1 +1 +1 --  !drew_too_many
    """,
    "F6 1:38 the drawn card may be laid at once": """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(R8) R8
        P2: R6
    """,
    "F7 P3 1:121 another card after drawing, the drawn one seen": """
        [Pos "R5 R > P1 P1:R1,B2 P2:5"]
        P1: +1=(G3) R1 !hand_card_after_draw
    """,
    "F7 the drawn card not seen, but the hand was known: a question": """
        [Pos "R5 R > P1 P1:R1,B2 P2:5"]
        P1: +1 R1 !hand_card_after_draw
    """,
    "F7 the drawn card not seen, the hand unknown: nothing to say": """
        [Pos "R5 R > P1 P1:4 P2:5"]
        P1: +1 R1
    """,
    "F7 the card laid was not in the known hand, so it was the drawn one": """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1 R1
    """,
    "F9 passing without drawing, then drawing as told": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: -- !passed_without_drawing
        P1: +1
        P2: R6
    """,
    "H3 P2 draws its two one at a time": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: RD
        P2: +1:d2
        P2: +1:d2 --
        P3: R6
    """,
    "G1 H3 the pile runs out in the middle of a penalty": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: RD
        P2: +1:d2
        table: reshuffle(80)
        P2: +1:d2 --
        P3: R6
    """,
    "H3 two of two and one more": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: RD
        P2: +3:d2 -- !drew_too_many
    """,
    "H5 three of four, and the next one plays": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>G
        P2: +3:w4
        P3: G1 !penalty_not_drawn
        P2: +1:w4
    """,
    "H3 nobody draws and two go on: told once": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5 P4:5"]
        P1: RD
        P3: R1 !penalty_not_drawn
        P4: R2
    """,
    "the cause was written wrongly, the count is right": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: RD
        P2: +2:w4 --
    """,
    "a draw outside the own turn": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: R1
        P3: +1 !drew_without_cause
        P2: R2
    """,
    "a draw after the own card": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: R1 +1 !drew_without_cause
    """,
    "a penalty for nothing": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: +2:uno !drew_without_cause
        P1: R1
    """,
    "G17 O1 advice: two cards, if somebody insists": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P3: say("play your green") !advice
        P3: +2:tip
        P1: R1
    """,
    "G17 one's own plan is no advice": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: say("play the red one, I think")
        P1: R1
    """,
    "G03 nothing is left to draw: the debt is forgiven": """
        [Pos "RD R > P2 P1:50 P2:50 P3:7"]
        P2: --
        P3: R1
    """,
    "G19 who leaves owes nothing": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: RD
        P2: say("I have to leave")
        P3: R1
    """,
}


@pytest.mark.parametrize("situation", CLASSIC)
def test_classic(situation: str) -> None:
    assert_ruled(CLASSIC[situation])


@pytest.mark.parametrize(
    ("moves", "kind", "certainty"),
    [
        ("P1: +1=(G3) R1", "foul", "sure"),
        ("P1: +1 R1", "question", "likely"),
    ],
)
def test_another_card_after_the_draw_is_sure_only_if_the_drawn_one_was_seen(
    moves: str, kind: str, certainty: str
) -> None:
    [incident] = ruled('[Pos "R5 R > P1 P1:R1,B2 P2:5"]\n' + moves).incidents
    assert (incident.code, incident.kind, incident.certainty) == ("hand_card_after_draw", kind, certainty)


@pytest.mark.parametrize(
    ("moves", "codes", "hand"),
    [
        ("P1: RD\nP2: +0..1:d2\nP2: +1:d2\nP3: R4", [], (6, 7)),
        ("P1: RD\nP2: +1..2:d2\nP2: +1:d2\nP3: R4", [], (7, 8)),
        ("P1: RD\nP2: +0..1:d2\nP3: R4", ["penalty_not_drawn"], (5, 6)),
        ("P1: RD\nP2: +2..3:d2\nP3: R4", [], (7, 8)),
        ("P1: RD\nP2: +3..4:d2\nP3: R4", ["drew_too_many"], (7, 9)),
        ("P1: R4\nP2: +0..1:turn\nP3: R5", [], (5, 6)),
        ("P1: R4\nP2: +0..2\nP2: R5\nP3: R6", [], (4, 6)),
        ("P1: R4\nP2: +1..2:turn\nP3: R5", [], (6, 7)),
        ("P1: R4\nP2: +1..2:turn +1:turn", ["drew_too_many"], (6, 8)),
        ("P1: R4\nP3: +0..1:turn\nP2: R5", [], (4, 4)),
    ],
)
def test_cards_that_nobody_could_count_are_held_against_nobody(
    moves: str, codes: list[str], hand: tuple[int, int]
) -> None:
    """Bounds: what is certainly too few or too many is told, nothing else; the hand keeps its bounds."""
    table = Table.from_pos("R3 R > P1 P1:5 P2:5 P3:5")
    for line in moves.splitlines():
        entry = parse_entry(line)
        assert parse_entry(format_item(entry)) == entry
        table.push(entry)
    assert [incident.code for incident in table.incidents] == codes
    assert (table.hands[Seat.P2].least, table.hands[Seat.P2].most) == hand


def test_a_last_card_to_which_perhaps_another_was_drawn_is_asked_about() -> None:
    found = ruled('[Pos "R3 R > P1 P1:2 P2:5 P3:5"]\nP1: R4\nP1: +0..1:tip\nP2: UNO?P1').incidents
    assert [(incident.code, incident.kind) for incident in found] == [("missed_uno", "question")]


@pytest.mark.parametrize("text", ["P1: +2..2", "P1: +3..1", "P1: +0..0"])
def test_bounds_are_read_in_any_order(text: str) -> None:
    entry = parse_entry(text)
    assert isinstance(entry, Entry)
    [draw] = entry.events
    assert isinstance(draw, Draw)
    assert draw.most is None or draw.most > draw.count


@pytest.mark.parametrize(
    ("moves", "incidents"),
    [
        ("P1: B7\nP2: +0..1\nP1: <B7 +2:foul\nP2: R3", [("illegal_play", Seat.P1)]),
        ("P1: R7\nP2: +0..1\nP3: R3", []),
        ("P1: R7\nP2: +0..1\nP2: R3\nP3: R1", []),
    ],
    ids=["a wrong card goes back after it", "a turn that may have ended by it", "a turn that may go on after it"],
)
def test_what_was_perhaps_drawn_is_no_move(moves: str, incidents: list[tuple[str, Seat]]) -> None:
    """After a bump of the camera P4 had perhaps drawn, and P2, who took a wrong card back, was accused of that."""
    replay = Record.read(f'[Pos "R5 R > P1 P1:4 P2:4 P3:4"]\n{moves}\n').replay("classic-108")
    assert [(incident.code, incident.seat) for incident in replay.incidents] == incidents
