"""Observations become entries and rulings. The game told here is the bundled session's, from ideal eyes and ears."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.cards import Seat
from referee.fusion.desk import Judged, Question
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import CardLanded, Observation, Zone
from referee.rules.profiles import load_profile
from referee.rules.record import Record
from referee.rules.ugn import format_item, format_items
from tests.fusion.scripted import back, drew, laid, lifted, lost, reached, reading, said, showed, unread

CLASSIC = load_profile("classic-108")


def scribe(position: str | None = None, *, seats: int = 3, dealer: Seat | None = None) -> Scribe:
    return Scribe(CLASSIC, TableStart(Seat.first(seats), dealer=dealer, position=position))


def write(
    scribe: Scribe, observations: Sequence[Observation]
) -> tuple[list[str], list[tuple[str, str, str]], list[str]]:
    """The entries as UGN without times, the incidents as (kind, code, seat), and the questions."""
    entries: list[str] = []
    incidents: list[tuple[str, str, str]] = []
    questions: list[str] = []
    end_s = max((o.t_s for o in observations), default=0.0)
    for written in [w for o in observations for w in scribe.take(o)] + scribe.close(end_s):
        if isinstance(written, Question):
            questions.append(written.text)
            continue
        assert isinstance(written, Judged)
        entries.append(format_item(written.entry).partition(" ")[2])
        incidents += [(i.kind, i.code, str(i.seat)) for i in written.ruling.incidents]
        assert all(i.say(language) for i in written.ruling.incidents for language in ("en", "pt", "es", "ro"))
    return entries, incidents, questions


def test_a_whole_round_from_the_start_card_to_the_score() -> None:
    game = [
        laid(None, "R7", 0.1),
        laid("P1", "R5", 3),
        laid("P2", "R2", 5),
        laid("P3", "G2", 8),
        laid("P1", "G9", 10),
        laid("P2", "GD", 13),
        drew("P3", 15),
        drew("P3", 16),
        laid("P1", "G4", 19),
        laid("P2", "Y4", 21),
        laid("P3", "Y8", 24),
        laid("P1", "YR", 26),
        laid("P3", "B6", 29),
        lifted("P3", "B6", 32),
        drew("P3", 33),
        drew("P3", 34),
        laid("P2", "Y1", 38),
        laid("P1", "B1", 41),
        laid("P3", "B6", 43),
        laid("P2", "BS", 46),
        laid("P3", "B0", 48),
        drew("P2", 51),
        laid("P1", "Y0", 53),
        said("catch", 54.5),
        drew("P1", 57),
        drew("P1", 58),
        laid("P3", "Y3", 60),
        laid("P2", "W", 63),
        said("colour:G", 63.4),
        said("colour:B", 65),
        laid("P1", "W4", 65.4),
        said("challenge", 67.5),
        showed("P1", "G3 R8", 71),
        *[drew("P1", t_s) for t_s in (76, 77, 78, 79)],
        laid("P3", "B5", 82),
        said("uno", 84.6),
        laid("P2", "R5", 85),
        laid("P1", "R8", 87),
        laid("P3", "R2", 90),
        laid("P2", "R1", 92),
        showed("P3", "G1 RS Y2 B8", 96),
        showed("P1", "G3 YD G7 BR Y5", 98),
    ]
    entries, incidents, questions = write(scribe(dealer=Seat.P3), game)
    assert incidents == [
        ("foul", "illegal_play", "P3"),  # F1
        ("foul", "missed_uno", "P1"),  # J3, caught inside the window
        ("foul", "wd4_with_matching_colour", "P1"),  # H6, shown after a challenge
    ]
    assert questions == []
    assert "P2: --" in entries  # nobody says "I pass" after drawing
    assert entries[-1] == "wins P2 P1=55(G3 YD G7 BR Y5) P3=31(G1 RS Y2 B8)"
    assert "P3: +1:d2" in entries
    assert "P3: +1:foul" in entries


CASES: list[tuple[str, str, list[Observation], list[str], list[tuple[str, str, str]]]] = [
    (
        "an uncertain card asks, never accuses (principle 4)",
        "R3 R > P1 P1:3 P2:4 P3:4",
        [laid("P1", "B6~0.6|R9", 1)],
        ["P1: B6|R9~0.6"],
        [("question", "illegal_play", "P1")],
    ),
    (
        "a doubt between two cards that both fit says nothing",
        "R3 R > P1 P1:3 P2:4 P3:4",
        [laid("P1", "R6~0.6|R9", 1)],
        ["P1: R6|R9~0.6"],
        [],
    ),
    (
        "the arm tells who played: out of turn, once the table agrees (a silent turn order accuses nobody)",
        "R3 R > P1 P1:3 P2:4 P3:4",
        [laid("P3", "R9", 1), lifted("P3", "R9", 3)],
        ["P3: R9", "P3: <R9"],
        [("foul", "out_of_turn", "P3")],
    ),
    ("no arm was seen: the turn order tells", "R3 R > P1 P1:3 P2:4 P3:4", [laid(None, "R9", 1)], ["P1: R9"], []),
    (
        "UNO said before the card lands is the mover's (J1, O1)",
        "R3 R > P1 P1:2 P2:4 P3:4",
        [said("uno", 0.5), laid("P1", "R9", 1), said("catch", 1.6)],
        ["P1: UNO!", "P1: R9", "table: UNO?P1"],
        [("note", "false_catch", "None")],
    ),
    (
        "UNO said after the card, before any catch, is safe (G10)",
        "R3 R > P1 P1:2 P2:4 P3:4",
        [laid("P1", "R9", 1), said("uno", 1.4), said("catch", 2.0)],
        ["P1: R9", "P1: UNO!", "table: UNO?P1"],
        [("note", "false_catch", "None")],
    ),
    (
        "perhaps there was an UNO: the catch asks, and accuses nobody (principle 1)",
        "R3 R > P1 P1:2 P2:4 P3:4",
        [laid("P1", "R9", 1), said("uno", 1.4, certainty="maybe"), said("catch", 2.0)],
        ["P1: R9", "table: UNO?P1"],
        [("question", "missed_uno", "P1")],
    ),
    (
        "perhaps there was an UNO before the card landed: the same",
        "R3 R > P1 P1:2 P2:4 P3:4",
        [said("uno", 0.6, certainty="maybe"), laid("P1", "R9", 1), said("catch", 2.0)],
        ["P1: R9", "table: UNO?P1"],
        [("question", "missed_uno", "P1")],
    ),
    (
        "a doubt of another moment does not save from a catch",
        "R3 R > P1 P1:2 P2:4 P3:4",
        [said("uno", 0.5, certainty="maybe"), laid("P1", "R9", 18), said("catch", 19.0)],
        ["P1: R9", "table: UNO?P1"],
        [("foul", "missed_uno", "P1")],
    ),
    (
        "a catch through clipped sound asks",
        "R3 R > P1 P1:2 P2:4 P3:4",
        [laid("P1", "R9", 1), said("catch", 2.0, channel="clipped")],
        ["P1: R9", "table: UNO?P1"],
        [("question", "missed_uno", "P1")],
    ),
    (
        "calls that are still being said, were withdrawn, or are the referee's own voice are no calls (A9)",
        "R3 R > P1 P1:2 P2:4 P3:4",
        [
            laid("P1", "R9", 1),
            *(said("catch", 2.0, phase=phase) for phase in ("provisional", "withdrawn", "ignored")),
        ],
        ["P1: R9"],
        [],
    ),
    (
        "a missed call that nobody catches costs nothing (principle 1)",
        "R3 R > P1 P1:2 P2:4 P3:4",
        [laid("P1", "R9", 1), laid("P2", "R8", 4)],
        ["P1: R9", "P2: R8"],
        [],
    ),
    (
        "a catch after the next player has drawn is too late (J3)",
        "R3 R > P1 P1:2 P2:4 P3:4",
        [laid("P1", "R9", 1), reached("P2", Zone.DRAW, 3), drew("P2", 3.5), said("catch", 4.5)],
        ["P1: R9", "P2: touch(draw)", "P2: +1:turn", "table: UNO?P1"],
        [("note", "catch_late", "None")],
    ),
    (
        "words with no meaning now are no entries",
        "R3 R > P1 P1:3 P2:4 P3:4",
        [said("uno", 1), said("challenge", 2)],
        [],
        [],
    ),
    (
        "a colour said just before the wild lands is meant for it (F14)",
        "R3 R > P1 P1:3 P2:4 P3:4",
        [said("colour:B", 0.2), laid("P1", "W", 1), laid("P2", "B3", 4)],
        ["P1: W>B", "P2: B3"],
        [],
    ),
    (
        # A faint "red" before the wild, "blue" after it: each wild took the colour before, and a yellow was a foul.
        "a colour half heard before the wild waits for a clearer one after it",
        "R3 R > P1 P1:3 P2:4 P3:4",
        [
            replace(said("colour:R", 0.2), confidence=0.66),
            laid("P1", "W", 1),
            said("colour:B", 1.6),
            laid("P2", "B3", 4),
        ],
        ["P1: W>?", "P1: >B", "P2: B3"],
        [],
    ),
    (
        "a colour that nobody heard is asked for, not held against anyone (principle 2)",
        "R3 R > P1 P1:3 P2:4 P3:4",
        [laid("P1", "W", 1), laid("P2", "B3", 4)],
        ["P1: W>?", "P2: B3"],
        [("question", "no_colour_named", "P1")],
    ),
]


@pytest.mark.parametrize(
    ("position", "observed", "entries", "incidents"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_situation(
    position: str, observed: list[Observation], entries: list[str], incidents: list[tuple[str, str, str]]
) -> None:
    assert write(scribe(position), observed)[:2] == (entries, incidents)


def test_a_challenge_waits_for_the_whole_hand_unless_a_card_decides_it() -> None:
    start = "R5 R > P1 P1:4 P2:5 P3:5"
    first = [laid("P1", "W4", 1), said("colour:B", 1.5), said("challenge", 2)]
    _, incidents, _ = write(scribe(start), [*first, showed("P1", "B2 G4", 5)])
    assert incidents == []  # one card of three is not on the table yet
    _, incidents, _ = write(scribe(start), [*first, showed("P1", "B2 G4", 5), showed("P1", "B2 G4 Y1", 6)])
    assert [code for _, code, _ in incidents] == ["challenge_innocent"]
    _, incidents, _ = write(scribe(start), [*first, showed("P1", "B2 R4", 5)])
    assert [code for _, code, _ in incidents] == ["wd4_with_matching_colour"]
    _, incidents, _ = write(scribe(start), [*first, showed("P1", "B2 R4~0.5|G4 Y1", 5)])
    assert incidents == []  # an unsure red proves nothing


def test_a_hand_not_seen_whole_at_the_end_is_asked_for() -> None:
    over = [laid("P1", "R9", 1)]
    _, _, questions = write(scribe("R3 R > P1 P1:1! P2:2 P3:2"), [*over, showed("P2", "G1 G2", 3)])
    assert len(questions) == 1
    assert "P3" in questions[0]


def test_cards_that_lie_on_one_another_are_the_whole_hand_if_they_are_as_many() -> None:
    over = [laid("P1", "R9", 1), showed("P2", "G1 G2", 3, complete=False)]
    entries, _, _ = write(scribe("R3 R > P1 P1:1! P2:2 P3:2"), [*over, showed("P3", "B1 B2", 5, complete=False)])
    assert entries[-1] == "wins P1 P2=3(G1 G2) P3=3(B1 B2)"
    entries, _, _ = write(scribe("R3 R > P1 P1:1! P2:? P3:2"), [*over, showed("P3", "B1 B2", 5, complete=False)])
    assert "wins" not in entries[-1]


def test_draws_between_bounds_ask_how_many() -> None:
    entries, incidents, questions = write(scribe("R3 R > P1 P1:3 P2:4 P3:4"), [drew("P1", 1, 2, 3)])
    assert entries == ["P1: +1:turn", "P1: +1:turn"]
    assert [code for _, code, _ in incidents] == ["drew_too_many"]
    assert questions == ["How many cards did P1 draw: 2 or 3?"]
    assert write(scribe("R3 R > P1 P1:3 P2:4 P3:4"), [drew("P1", 1, 0, 0)]) == ([], [], [])


@pytest.mark.parametrize(
    "after",
    [
        [laid("P1", "RD", 1), drew("P2", 3, 0, 1), drew("P2", 4), laid("P3", "R4", 7)],
        [drew("P1", 1, 0, 1), laid("P2", "R4", 4), laid("P3", "R5", 7)],
        [drew("P1", 1, 0, 2), laid("P1", "R4", 4), laid("P2", "R5", 7)],
    ],
    ids=["owed two, one of them not seen", "perhaps drew and passed", "perhaps drew, then played"],
)
def test_a_draw_that_could_not_be_counted_accuses_nobody(after: list[Observation]) -> None:
    """What the rules explain is not asked either: the hand keeps its bounds."""
    table = scribe("R3 R > P1 P1:5 P2:5 P3:5")
    assert write(table, after)[1:] == ([], [])
    assert table.desk.in_step
    assert any(least < most for least, most in table.desk.counts().values())


def test_a_recording_from_the_middle_judges_the_fit_of_cards_and_no_turn_order() -> None:
    observed = [laid(None, "R3", 0), laid("P2", "R9", 2), laid("P1", "Y4", 5), laid("P4", "Y7", 8)]
    entries, incidents, _ = write(scribe(seats=4), observed)
    assert entries == ["P2: R9", "P1: Y4", "P4: Y7"]
    assert incidents == [("foul", "illegal_play", "P1")]


def test_an_empty_table_and_chatter_write_nothing() -> None:
    chatter = [said(call, float(t)) for t, call in enumerate(("uno", "catch", "challenge", "colour:R", "guilty"))]
    assert write(scribe(dealer=Seat.P3), chatter) == ([], [], [])
    assert write(scribe(seats=4), chatter) == ([], [], [])


def test_a_face_down_card_on_the_discard_pile_is_no_play() -> None:
    back = CardLanded(id="v", t_s=1.0, seen_s=1.5, reading=reading("R1"), seat=Seat.P1)
    face_down = CardLanded(
        id="v", t_s=1.0, seen_s=1.5, seat=Seat.P1, reading=type(back.reading)(None, 0.9, back.reading.quad_px)
    )
    assert write(scribe("R3 R > P1 P1:3 P2:4 P3:4"), [face_down]) == ([], [], [])


def test_one_unread_card_does_not_make_fouls_of_all_that_follows() -> None:
    """The film's fourth card was not read, and every later player was told off for playing out of turn."""
    start = "G2 G > P1 P1:5 P2:5 P3:5"
    rest = [laid("P2", "GD", 12), drew("P3", 15), drew("P3", 16), laid("P1", "G4", 19), laid("P2", "Y4", 21)]
    _, incidents, questions = write(scribe(start), [reached("P1", Zone.DISCARD, 9.8), unread(11.4), *rest])
    assert incidents == []
    assert questions == ["P1 laid something that I could not read. Which card is on top?"]
    went_back = [rest[0], lifted("P2", "GD", 14)]  # had nothing been laid, P2 would have been out of turn
    assert write(scribe(start), went_back)[1] == [("foul", "out_of_turn", "P2")]


@pytest.mark.parametrize("gap", [unread(2), lost(2), laid("P1", "RR~0.19", 2)])
def test_out_of_step_a_card_that_does_not_fit_the_card_below_is_still_told(gap: Observation) -> None:
    observed = [gap, laid("P2", "B4", 4), back(4.5), laid("P3", "R9", 6)]
    _, incidents, questions = write(scribe("R3 R > P1 P1:5 P2:5 P3:5"), observed)
    assert incidents == [("foul", "illegal_play", "P3")]
    assert len(questions) == 1


def test_a_lap_in_steady_order_puts_the_record_in_step_again() -> None:
    lap = [
        laid(seat, card, t)
        for t, (seat, card) in enumerate([("P2", "R1"), ("P3", "R2"), ("P1", "R4"), ("P2", "R5")], 4)
    ]
    table = scribe("R3 R > P1 P1:9 P2:9 P3:9")
    _, incidents, _ = write(table, [unread(2), *lap, laid("P1", "R6", 20), lifted("P1", "R6", 21)])
    assert incidents == [("foul", "out_of_turn", "P1")]
    assert table.desk.in_step
    table = scribe("R3 R > P1 P1:9 P2:9 P3:9")
    _, incidents, _ = write(table, [unread(2), *lap[:2], laid("P3", "R6", 20)])
    assert incidents == []
    assert not table.desk.in_step


def test_the_record_says_where_it_was_set_anew_and_judges_alike() -> None:
    table = scribe("R3 R > P1 P1:9 P2:9 P3:9")
    observed = [unread(2), laid("P2", "B4", 4), laid("P3", "R9", 6)]
    _, incidents, _ = write(table, observed)
    text = format_items(table.desk.items)
    again = Record.read(text).replay("classic-108")
    assert [(i.kind, i.code, str(i.seat)) for i in again.incidents] == incidents


@pytest.mark.parametrize(
    ("after", "entries", "questions"),
    [
        ([drew("P1", 8), drew("P1", 9), drew("P1", 10), drew("P1", 11), laid("P2", "B7", 14)], "P2: =guilty", 0),
        ([*(drew("P2", float(t)) for t in range(8, 14)), laid("P3", "B7", 16)], "P2: =innocent", 0),
        ([laid("P2", "B7", 9), drew("P1", 12), laid("P3", "B8", 15)], "P2: B7", 1),
    ],
    ids=["the player draws four: guilty", "the challenger draws six: innocent", "play goes on: asked"],
)
def test_a_challenge_whose_hand_could_not_be_read_is_settled_by_who_draws(
    after: list[Observation], entries: str, questions: int
) -> None:
    """A hand shown in bad light left the challenge open, and four players were told off for drawing."""
    first = [laid("P1", "W4", 1), said("colour:B", 1.5), said("challenge", 2), showed("P1", "B2 R4~0.5|G4 Y1", 5)]
    told, incidents, asked = write(scribe("R5 R > P1 P1:4 P2:5 P3:5"), [*first, *after])
    assert incidents == []
    assert entries in told
    assert len(asked) == questions
