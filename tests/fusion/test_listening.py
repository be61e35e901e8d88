"""Calls in their situations -> verdicts: a penalty needs a clear channel and a confident catch (issue: meaning)."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.cards import Seat
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import CallHeard, Observation
from referee.rules.profiles import load_profile
from tests.fusion.scripted import laid, lifted, said
from tests.fusion.test_scribe import CLASSIC, scribe, write

POSITION = "R3 R > P1 P1:2 P2:4 P3:4"
LAST_BUT_ONE = laid("P1", "R9", 10)
FOUL, ASKED = [("foul", "missed_uno", "P1")], [("question", "missed_uno", "P1")]
FALSE = [("note", "false_catch", "None")]


def unheard(channel: str, from_s: float, until_s: float) -> CallHeard:
    """A stretch of sound in which an UNO may have been said and nobody could hear it."""
    doubt = said("uno", from_s, certainty="maybe", channel=channel)
    return replace(doubt, end_s=until_s, seen_s=until_s, heard_by="", confidence=0.0)


def catch(t_s: float = 12.0, channel: str = "clear", certainty: str = "sure") -> CallHeard:
    return said("catch", t_s, channel=channel, certainty=certainty)


Verdicts = list[tuple[str, str, str]]
SITUATIONS: list[tuple[str, list[Observation], Verdicts, list[str]]] = [
    ("nothing was said, and a clear catch", [LAST_BUT_ONE, catch()], FOUL, []),
    ("a clear UNO, then a catch", [LAST_BUT_ONE, said("uno", 10.5), catch()], FALSE, []),
    (
        "an UNO half heard in the window counts",
        [LAST_BUT_ONE, said("uno", 10.5, certainty="likely"), catch()],
        FALSE,
        [],
    ),
    ("and before the card lies", [said("uno", 9.5, certainty="likely"), LAST_BUT_ONE, catch()], FALSE, []),
    (
        "an UNO half heard that hardly stands out of the room",
        [LAST_BUT_ONE, said("uno", 10.5, certainty="likely", channel="noisy"), catch()],
        ASKED,
        [],
    ),
    ("what was perhaps an UNO", [LAST_BUT_ONE, said("uno", 10.5, certainty="maybe"), catch()], ASKED, []),
    ("an UNO over other talk counts", [LAST_BUT_ONE, said("uno", 10.5, channel="overlapped"), catch()], FALSE, []),
    ("a clipped UNO counts", [LAST_BUT_ONE, said("uno", 10.5, channel="clipped"), catch()], FALSE, []),
    *(
        (f"a catch through a channel that is {channel}", [LAST_BUT_ONE, catch(channel=channel)], ASKED, [])
        for channel in ("overlapped", "clipped", "noisy", "lost")
    ),
    *(
        (f"the window was {channel}", [LAST_BUT_ONE, unheard(channel, 10.2, 11.5), catch()], ASKED, [])
        for channel in ("overlapped", "clipped", "lost")
    ),
    ("a word that means nothing now may be an UNO misheard", [LAST_BUT_ONE, said("guilty", 11), catch()], ASKED, []),
    ("talk while the card was laid", [unheard("overlapped", 7.0, 10.3), LAST_BUT_ONE, catch()], ASKED, []),
    (
        "talk that ended before the player could call",
        [unheard("overlapped", 5.0, 8.0), LAST_BUT_ONE, catch()],
        FOUL,
        [],
    ),
    ("talk after the catch", [LAST_BUT_ONE, catch(), unheard("overlapped", 12.5, 14.0)], FOUL, []),
    (
        "a catch half heard is asked about",
        [LAST_BUT_ONE, catch(certainty="likely")],
        [],
        ["Did anyone say that P1 did not call UNO?"],
    ),
    ("a catch half heard of one who called", [LAST_BUT_ONE, said("uno", 10.5), catch(certainty="likely")], [], []),
    ("a catch half heard of nobody", [catch(certainty="likely")], [], []),
]


@pytest.mark.parametrize(
    ("observations", "incidents", "questions"),
    [situation[1:] for situation in SITUATIONS],
    ids=[situation[0] for situation in SITUATIONS],
)
def test_in_an_uno_window(observations: Sequence[Observation], incidents: Verdicts, questions: list[str]) -> None:
    found = write(scribe(POSITION), observations)
    told = [i for i in found[1] if i[1] in ("missed_uno", "false_catch", "catch_late")]
    assert (told, found[2]) == (incidents, questions)


def test_talk_in_one_players_window_is_no_excuse_for_the_next() -> None:
    said_and_done = [laid("P1", "R9", 2), said("uno", 2.5), unheard("overlapped", 3.0, 5.0), laid("P2", "R8", 12)]
    found = write(scribe("R3 R > P1 P1:2 P2:2 P3:4"), [*said_and_done, catch(13.0)])
    assert ("foul", "missed_uno", "P2") in found[1]


WILD = laid("P1", "W", 1)
FOUR = laid("P1", "W4", 1)


@pytest.mark.parametrize(
    ("situation", "observations", "entries", "fouls", "questions"),
    [
        (
            "a colour that was heard binds the next player, once the table agrees that it was that one",
            [WILD, said("colour:B", 2), laid("P2", "R8", 4), lifted("P2", "R8", 6)],
            ["P1: W>?", "P1: >B", "P2: R8", "P2: <R8"],
            ["illegal_play"],
            [
                "Did I mishear the colour? By my record: P2: red 8 does not fit; the colour is blue. "
                "Which was named?",
            ],
        ),
        (
            "one half heard accuses nobody",
            [WILD, said("colour:B", 2, certainty="likely"), laid("P2", "R8", 4)],
            ["P1: W>?", "P2: R8"],
            [],
            [],
        ),
        (
            "a challenge half heard is asked about",
            [FOUR, said("colour:B", 2), said("challenge", 3, certainty="likely")],
            ["P1: W4>?", "P1: >B"],
            [],
            ["Did P2 challenge the Wild Draw Four?"],
        ),
        ("a challenge half heard of nothing", [said("challenge", 3, certainty="likely")], [], [], []),
        ("an UNO half heard where nobody has few cards", [said("uno", 3, certainty="likely")], [], [], []),
        (
            "a verdict half heard is left to what is drawn",
            [FOUR, said("colour:B", 2), said("challenge", 3), said("guilty", 5, certainty="likely")],
            ["P1: W4>?", "P1: >B", "P2: W4?"],
            [],
            [],
        ),
    ],
)
def test_what_is_likely_counts_by_the_state_of_the_game(
    situation: str, observations: Sequence[Observation], entries: list[str], fouls: list[str], questions: list[str]
) -> None:
    found = write(scribe("R3 R > P1 P1:5 P2:4 P3:4"), observations)
    told = [code for kind, code, _ in found[1] if kind == "foul"]
    assert (found[0], told, found[2]) == (entries, fouls, questions), situation


@pytest.mark.parametrize(
    ("hidden", "told"), [([], ["foul"]), ([unheard("overlapped", 10.2, 11.5)], [])], ids=["clear", "talk"]
)
def test_where_the_referee_itself_catches_it_needs_a_clear_window(hidden: list[Observation], told: list[str]) -> None:
    profile = replace(CLASSIC, uno=replace(CLASSIC.uno, referee_catches=True))
    table = Scribe(profile, TableStart(Seat.first(3), position=POSITION))
    _, incidents, _ = write(table, [LAST_BUT_ONE, *hidden, laid("P2", "R8", 14)])
    assert [found[0] for found in incidents if found[1] == "missed_uno"] == told


def test_out_of_step_a_likely_call_accuses_nobody() -> None:
    table = Scribe(load_profile("classic-108"), TableStart(Seat.first(3)))
    observations = [laid("P1", "R9", 1), said("uno", 2, certainty="likely"), catch(3, certainty="likely")]
    assert [incident for incident in write(table, observations)[1] if incident[0] == "foul"] == []
