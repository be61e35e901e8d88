"""Cards that no deck holds, numbers that were only said, windows that the profile closes: no false certainty."""

from __future__ import annotations

import pytest

from referee.cards import Seat
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import Observation, Zone
from referee.rules.profiles import load_profile
from tests.fusion.scripted import drew, laid, lifted, reached, said
from tests.fusion.test_scribe import CLASSIC, scribe, write

START = "R3 R > P1 P1:5 P2:5 P3:5"
BOTH = [laid("P1", "R9", 1), laid("P2", "R9", 4)]
THIRD = ("question", "impossible_card")
ASKED = ("question", "illegal_play")


@pytest.mark.parametrize(
    ("observed", "incidents"),
    [
        ([laid("P3", "R9", 7), laid("P1", "R4", 10)], [(*THIRD, "P3")]),
        (
            [laid("P3", "B9", 7), laid("P1", "B4", 10), laid("P2", "R9", 13), lifted("P2", "R9", 15)],
            [(*ASKED, "P2"), (*THIRD, "P2")],
        ),
        ([laid("P3", "R9", 7), laid("P1", "B4", 10)], [(*THIRD, "P3"), (*ASKED, "P1")]),
        ([laid("P3", "R9~0.6|R6", 7), laid("P1", "G6", 10)], []),
        ([laid("P3", "R8", 7), laid("P1", "B4", 10)], [("foul", "illegal_play", "P1")]),
    ],
    ids=["it fits", "it does not fit", "the next one is laid on it", "it may be a six", "another card"],
)
def test_a_third_red_nine_is_a_doubt(observed: list[Observation], incidents: list[tuple[str, str, str]]) -> None:
    """Its player was ruled against for a card that no deck holds a third time: it had been misread."""
    assert write(scribe(START), [*BOTH, *observed])[1] == incidents


def test_a_number_that_was_only_said_accuses_nobody() -> None:
    """The eye saw one to three cards, somebody said "two", and drawing too many was ruled."""
    table = scribe(START)
    _, incidents, questions = write(table, [said("draw:2", 0.5), drew("P1", 1, 1, 3), laid("P2", "R5", 5)])
    assert incidents == []
    assert questions == ["Did P1 draw 2 cards? I heard the number."]


@pytest.mark.parametrize(
    ("before", "said_s", "counts"),
    [
        ([laid("P1", "RD", 1)], 3, (7, 7)),
        ([laid("P1", "W4", 1), said("colour:R", 1.4), drew("P2", 2), drew("P2", 2.5)], 3, (9, 9)),
    ],
    ids=["two of two owed", "the last two of four"],
)
def test_a_number_said_with_cards_that_are_owed_is_their_number(
    before: list[Observation], said_s: float, counts: tuple[int, int]
) -> None:
    table = scribe(START)
    told = write(table, [*before, said("draw:2", said_s), drew("P2", 4, 1, 2)])
    assert told[1:] == ([], [])
    assert table.desk.counts()[Seat.P2] == counts


REACHES = [reached("P2", Zone.DRAW, 3)]
DRAWS = [*REACHES, drew("P2", 4)]
LAYS = [laid("P2", "R5", 4)]
LAP = [*LAYS, laid("P3", "R6", 4.9)]


@pytest.mark.parametrize(
    ("option", "still_open", "closed"),
    [
        ("next_draws_or_lifts_card", [[], REACHES], [DRAWS, LAYS]),
        ("next_touches_pile", [[]], [REACHES, DRAWS, LAYS]),
        ("next_plays_or_draws", [[], REACHES], [DRAWS, LAYS]),
        ("next_turn_over", [[], REACHES, DRAWS], [LAP]),
    ],
)
def test_the_catch_window_is_closed_by_the_event_that_the_profile_names(
    option: str, still_open: list[list[Observation]], closed: list[list[Observation]]
) -> None:
    profile = CLASSIC.changed({"uno.window_closes": option})
    for between, caught in [*((b, True) for b in still_open), *((b, False) for b in closed)]:
        table = Scribe(profile, TableStart(Seat.first(3), position="R3 R > P1 P1:2 P2:5 P3:5"))
        _, incidents, _ = write(table, [laid("P1", "R4", 1), *between, said("catch", 5)])
        assert [code for kind, code, _ in incidents if kind == "foul"] == ["missed_uno"] * caught, (option, between)


def test_the_windows_of_the_table_are_those_of_its_profile() -> None:
    assert load_profile("classic-108").uno.window_closes == "next_draws_or_lifts_card"
