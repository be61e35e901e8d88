"""Incidents with their states, and corrections in people's words: the log grows, record and score follow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.cards import Card, Colour, Seat, Symbol
from referee.faults import InputFault
from referee.observations import Observation
from referee.session.corrections import Correction
from referee.session.folder import log_of
from referee.session.incidents import State, incidents_of
from referee.session.lock import SessionLock
from referee.session.log import LOG_FILE, verify
from referee.session.putting_right import PutRight, put_right
from referee.session.spoken_corrections import Moment, card_of, correction_of
from tests.session.drawn_log import PLAN, drew, landed, said
from tests.session.recorded_evening import record

P1, P2 = Seat.P1, Seat.P2

NINE_FOR_SIX: list[Observation] = [landed("v1", 2.0, "G9", P1), landed("v2", 5.0, "G6", P2)]
"""The red 6 that P1 laid was read as a green 9: a foul that was none."""


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    return record(tmp_path / "evening", NINE_FOR_SIX)


def say(folder: Path, words: str, at_s: float | None = None) -> PutRight:
    return put_right(folder, PLAN, correction_of(words, Moment(log_of(folder), PLAN, at_s)))


def states(folder: Path) -> list[tuple[str, str]]:
    return [(str(c.line.payload["incident"]), c.state.value) for c in incidents_of(log_of(folder), PLAN)]


def test_an_incident_is_open_until_the_table_answers(evening: Path) -> None:
    assert states(evening) == [("illegal_play", "open")]


@pytest.mark.parametrize("word", ["upheld", "overturned"])
def test_the_table_upholds_or_overturns(evening: Path, word: str) -> None:
    case = incidents_of(log_of(evening), PLAN)[0]
    put_right(evening, PLAN, Correction(word, about=(case.line.id,)))
    assert states(evening) == [("illegal_play", word)]


def test_the_last_answer_counts(evening: Path) -> None:
    case = incidents_of(log_of(evening), PLAN)[0]
    for word in ("upheld", "overturned", "upheld"):
        put_right(evening, PLAN, Correction(word, about=(case.line.id,)))
    assert states(evening) == [("illegal_play", "upheld")]


def test_that_was_a_red_6_and_the_foul_is_gone(evening: Path) -> None:
    done = say(evening, "that was a red 6", at_s=3.0)
    assert [case.state for case in done.gone] == [State.GONE]
    assert states(evening) == [("illegal_play", "gone")]
    assert "R6" in (evening / "game.ugn").read_text()
    assert verify(evening / LOG_FILE) == []


def test_a_correction_can_bring_a_foul_that_gets_the_next_number(evening: Path) -> None:
    done = say(evening, "that was a yellow 1", at_s=6.0)
    added = [(c.number, c.line.payload["incident"], c.line.payload["since"]) for c in done.added]
    assert added == [(2, "illegal_play", done.id)]
    assert [case.number for case in incidents_of(log_of(evening), PLAN)] == [1, 2]


def test_g5_said_twice_it_counts_once(evening: Path) -> None:
    first = say(evening, "that was a red 6", at_s=3.0)
    lines = len(log_of(evening))
    again = say(evening, "that was a red 6", at_s=3.0)
    assert (first.new, again.new, again.id) == (True, False, first.id)
    assert len(log_of(evening)) == lines


def test_the_score_is_sealed_anew(evening: Path) -> None:
    say(evening, "that was a red 6", at_s=3.0)
    seal = json.loads((evening / "score.json").read_text())["log"]
    assert verify(evening / LOG_FILE, lines=seal["lines"], last_hash=seal["hash"]) == []


def test_a_session_in_use_is_left_alone(evening: Path) -> None:
    before = (evening / LOG_FILE).read_bytes()
    with SessionLock(evening), pytest.raises(InputFault, match="in use"):
        say(evening, "that was a red 6", at_s=3.0)
    assert (evening / LOG_FILE).read_bytes() == before


ROUND: list[Observation] = [
    landed("v1", 2.0, "RD", P1),
    drew("v2", 4.0, P2, 1),
    landed("v3", 8.0, "R1", P1),
    said("a1", 9.0, "colour:B"),
]


@pytest.mark.parametrize(
    ("words", "at_s", "content"),
    [
        ("that was a 6", None, {"what": "card", "about": ["v3"], "card": "R6"}),
        ("That was a blue 6!", 3.0, {"what": "card", "about": ["v1"], "card": "B6"}),
        ("that was blue", None, {"what": "card", "about": ["v3"], "card": "B1"}),
        ("it was a wild draw four", None, {"what": "card", "about": ["v3"], "card": "W4"}),
        ("no, a skip", None, {"what": "card", "about": ["v3"], "card": "RS"}),
        ("G7", None, {"what": "card", "about": ["v3"], "card": "G7"}),
        ("it was P2", None, {"what": "seat", "about": ["v3"], "seat": "P2"}),
        ("that was Bruno.", 5.0, {"what": "seat", "about": ["v2"], "seat": "P2"}),
        ("P2 drew two", None, {"what": "drew", "about": ["v2"], "seat": "P2", "count": 2}),
        ("Bruno drew nothing", 4.5, {"what": "drew", "about": ["v2"], "seat": "P2", "count": 0}),
        ("Ana drew 3", 6.0, {"what": "drew", "at_s": 6.0, "seat": "P1", "count": 3}),
        ("the call was made", None, {"what": "call", "at_s": 8.05, "call": "uno", "seat": "P1"}),
        ("Ana said uno", 2.5, {"what": "call", "at_s": 2.5, "call": "uno", "seat": "P1"}),
        ("Bruno said blue", 9.5, {"what": "call", "at_s": 9.5, "call": "colour:B", "seat": "P2"}),
        ("undo", None, {"what": "never", "about": ["a1"]}),
        ("undo", 8.5, {"what": "never", "about": ["v3"]}),
    ],
)
def test_people_say_it_in_their_words(tmp_path: Path, words: str, at_s: float | None, content: object) -> None:
    folder = record(tmp_path / "evening", ROUND)
    assert correction_of(words, Moment(log_of(folder), PLAN, at_s)).content() == content


def test_words_about_a_ruling_mean_what_it_rests_on(evening: Path) -> None:
    case = incidents_of(log_of(evening), PLAN)[0]
    about = tuple(case.line.payload["evidence"])
    spoken = correction_of("that was a red 6", Moment(log_of(evening), PLAN, case.t_s, about))
    assert spoken.about == ("v1",)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("make it so", "was not understood"),
        ("P7 drew two", "P7 does not play"),
        ("", "was not understood"),
    ],
)
def test_what_is_not_understood_is_said_so_with_examples(evening: Path, words: str, says: str) -> None:
    with pytest.raises(InputFault, match=says):
        correction_of(words, Moment(log_of(evening), PLAN))


def test_a_number_on_a_wild_needs_its_colour() -> None:
    with pytest.raises(InputFault, match="which colour"):
        card_of("a 6", Card(Symbol.WILD))
    assert card_of("a red 6", Card(Symbol.WILD)) is Card(Symbol.SIX, Colour.RED)
