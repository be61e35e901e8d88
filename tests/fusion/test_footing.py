"""Nobody is accused on a chain of which a link is not certain: what one unseen thing explains is asked."""

from __future__ import annotations

import pytest

from referee.observations import Observation, Zone
from tests.fusion.scripted import back, covered, drew, laid, lifted, reached, said, unread
from tests.fusion.test_scribe import scribe, write

HARDLY = "~0.36|B7|G1|B8|G2|Y5|Y6|B9|G0"
START = "R3 R > P1 P1:5 P2:5 P3:5 P4:5"
OUT = ("foul", "out_of_turn", "P2")

CASES = [
    (
        "by the order of turns alone nobody is ruled against: it is asked",
        [laid("P2", "R9", 3)],
        [],
        1,
    ),
    (
        "the card was taken back: the table agrees, and it is ruled",
        [laid("P2", "R9", 3), lifted("P2", "R9", 4)],
        [OUT],
        1,
    ),
    (
        "another takes the card back: whose foul it was cannot be told",
        [laid("P2", "R9", 3), lifted("P3", "R9", 4)],
        [],
        1,
    ),
    (
        "the next one goes on: P1 had moved, and nobody saw it",
        [laid("P2", "R9", 3), laid("P3", "R4", 6), laid("P4", "Y7", 8)],
        [("foul", "illegal_play", "P4")],
        1,
    ),
    (
        "a second card goes back and nobody sees it: what is laid on the first one does not fit the second",
        [laid("P1", "R9", 2), laid("P1", "R4", 3), laid("P2", "Y9", 6)],
        [],
        2,
    ),
    (
        "a card that neither fits nor comes in turn goes back: that it did not fit is so whoever was to move",
        [laid("P2", "Y9", 3), lifted("P2", "Y9", 4)],
        [("foul", "illegal_play", "P2")],
        1,
    ),
    (
        "a second card of the same player, taken back",
        [laid("P1", "R9", 2), laid("P1", "R4", 3), lifted("P1", "R4", 5)],
        [("foul", "multiple_cards", "P1")],
        1,
    ),
    (
        "the card just laid seemed to be put straight, and then another goes back from it: it was a second one",
        [laid("P1", "RS~0.9|R9", 2), laid("P1", "R9", 4), lifted("P1", "R9", 6)],
        [("foul", "multiple_cards", "P1")],
        1,
    ),
    (
        "cards drawn by one who was not to move: that somebody moved unseen is likelier",
        [drew("P2", 3), drew("P2", 4)],
        [],
        1,
    ),
    (
        "so long a hand hid the pile that two may have laid a card: whether this one fits is asked",
        [covered(2), laid("P1", "Y4", 6), back(7)],
        [],
        1,
    ),
    (
        "and ruled when it goes back",
        [covered(2), laid("P1", "Y4", 6), back(7), covered(8), lifted("P1", "Y4", 9)],
        [("foul", "illegal_play", "P1")],
        1,
    ),
    (
        "the pile lay in view until the hand came: ruled at once",
        [covered(4.5), laid("P1", "Y4", 6), back(7)],
        [("foul", "illegal_play", "P1")],
        0,
    ),
    (
        "an eye that does not say what it sees, and time for a lap since the last card: asked",
        [laid("P1", "R4", 2), laid("P2", "Y3", 14)],
        [],
        1,
    ),
    (
        "a colour was heard, perhaps another than was said: asked, and ruled when the card goes back",
        [laid("P1", "W", 1), said("colour:B", 1.4), laid("P2", "Y3", 3), lifted("P2", "Y3", 5)],
        [("foul", "illegal_play", "P2")],
        1,
    ),
    (
        "and let lie, it was another colour",
        [laid("P1", "W", 1), said("colour:B", 1.4), laid("P2", "Y3", 3), laid("P3", "Y4", 5)],
        [],
        1,
    ),
    (
        "two cards drawn long after one another may be of two turns",
        [drew("P1", 2), drew("P1", 12)],
        [],
        1,
    ),
    ("two cards drawn one after the other", [drew("P1", 2), drew("P1", 3)], [("foul", "drew_too_many", "P1")], 0),
    (
        "nobody saw whose hand laid the card before: the turn may not be as the record has it",
        [laid(None, "R9", 3), laid("P1", "R4", 6)],
        [],
        1,
    ),
    (
        "something hid the draw pile, and no arm was seen: the player before may have drawn",
        [drew(None, 2, 0, 2), laid("P2", "R9", 6)],
        [],
        1,
    ),
    (
        "a hand was at the pile, and its card was covered at once",
        [reached("P1", Zone.DISCARD, 2), laid("P2", "G9", 6), drew("P3", 8)],
        [],
        1,
    ),
    (
        "the next one's hand was at the pile before who drew laid a card",
        [drew("P1", 2), reached("P2", Zone.DISCARD, 4), laid("P1", "G9", 7)],
        [],
        1,
    ),
    (
        "another card is taken back than the one that was seen to be laid",
        [laid("P1", "R9", 2), lifted("P2", "G4", 5), laid("P2", "R4", 8)],
        [],
        1,
    ),
    (
        "the card just laid is put straight: that is no second card",
        [laid("P1", "R9", 2), laid("P1", "R9", 4), laid("P2", "R4", 7)],
        [],
        1,
    ),
    (
        "the card just laid is put straight and bares one that lay below",
        [laid("P1", "R9", 2), laid("P2", "Y9", 4), laid("P2", "R9", 6), laid("P3", "Y4", 8)],
        [],
        1,
    ),
    (
        "the card just laid was read otherwise before it was put straight",
        [laid("P1", "RS~0.9|R9", 2), laid("P1", "R9", 4), laid("P2", "R4", 7)],
        [],
        1,
    ),
    (
        "a card that could hardly be read does not fit: asked, not judged",
        [laid("P1", "Y4" + HARDLY, 3)],
        [("question", "illegal_play", "P1")],
        0,
    ),
    (
        "a card is laid on one that could hardly be read",
        [laid("P1", "R4" + HARDLY, 3), laid("P2", "Y3", 6)],
        [("question", "illegal_play", "P1"), ("question", "illegal_play", "P2")],
        0,
    ),
    ("a card that can be read does not fit", [laid("P1", "Y4", 3)], [("foul", "illegal_play", "P1")], 0),
]


@pytest.mark.parametrize(("observed", "incidents", "questions"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_what_the_record_can_carry(
    observed: list[Observation],
    incidents: list[tuple[str, str, str]],
    questions: int,
) -> None:
    told = write(scribe(START), observed)
    assert told[1] == incidents
    assert len(told[2]) == questions


def test_after_a_question_a_lap_in_order_puts_the_record_in_step_again() -> None:
    doubted = [laid(None, "R9", 3), laid("P1", "R4", 6)]
    lap = [laid(f"P{1 + n % 4}", f"R{n}", 10 + 3.0 * n) for n in range(1, 6)]
    table = scribe(START)
    told = write(table, [*doubted, *lap])
    assert told[1] == []
    assert table.desk.in_step


@pytest.mark.parametrize("card", ["R4", "W4"])
def test_a_call_that_nobody_heard_explains_a_draw(card: str) -> None:
    """The second last card, then two cards drawn: a catch in a loud room; a wild four, then four: a challenge."""
    table = scribe(START.replace("P1:5", "P1:2" if card == "R4" else "P1:5"))
    draws = [drew("P1", 6), drew("P1", 7)]
    told = write(table, [laid("P1", card, 2), *([laid("P2", "R5", 4)] if card == "R4" else []), *draws])
    assert [code for kind, code, _ in told[1] if kind == "foul"] == []
    assert len(told[2]) == 1


@pytest.mark.parametrize(("seat", "ruled"), [(None, []), ("P2", [("foul", "illegal_play", "P3")])])
def test_on_a_card_that_nobody_was_seen_to_lay_another_may_lie(
    seat: str | None, ruled: list[tuple[str, str, str]]
) -> None:
    """Out of step, a yellow nine lay there; a yellow reverse came unseen, and the green one on it was ruled."""
    table = scribe(START)
    gap = [laid("P1", "R4", 1), laid("P2", "R5", 3), unread(6)]
    nine = [covered(29), laid(seat, "Y9", 30), back(30.5)]
    assert write(table, [*gap, *nine, covered(37), laid("P3", "GR", 38)])[1] == ruled
    assert not table.desk.in_step
