"""Who said UNO: by the voice where it is sure, by a question where it matters and nobody can tell (rows J1, J2)."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.cards import Seat
from referee.fusion.desk import Judged, Question
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import CallHeard, Observation
from referee.rules.profiles import load_profile
from referee.rules.ugn import format_item
from tests.fusion.scripted import laid, said

BY_NAME = load_profile("classic-108")
BY_UNO = replace(BY_NAME, uno=replace(BY_NAME.uno, catch_words="uno"))
POSITION = "R3 R > P1 P1:2 P2:4 P3:4"


def by(call: CallHeard, *shares: tuple[str, float]) -> CallHeard:
    return replace(call, speakers=tuple((Seat.parse(seat), share) for seat, share in shares))


def in_voice_of(call: CallHeard, seat: str) -> CallHeard:
    return replace(call, voice=Seat.parse(seat))


SITUATIONS: list[tuple[str, bool, str, list[Observation], list[str], list[tuple[str, str, str]], list[str]]] = [
    (
        "UNO catches here, and the voice is the player's own: called in time",
        True,
        POSITION,
        [laid("P1", "R9", 1), by(said("uno", 1.5), ("P1", 0.99))],
        ["P1: R9", "P1: UNO!"],
        [],
        [],
    ),
    (
        "the same word in another's voice: caught",
        True,
        POSITION,
        [laid("P1", "R9", 1), by(said("uno", 1.5), ("P3", 0.98), ("P1", 0.01))],
        ["P1: R9", "P3: UNO?P1"],
        [("foul", "missed_uno", "P1")],
        [],
    ),
    (
        "one microphone: the referee asks, and accuses nobody",
        True,
        POSITION,
        [laid("P1", "R9", 1), said("uno", 1.5), laid("P2", "R8", 4)],
        ["P1: R9", "P2: R8"],
        [],
        ["Who said UNO: P1, or somebody who catches P1?"],
    ),
    (
        "two seats sound alike to the microphones: asked as well",
        True,
        POSITION,
        [laid("P1", "R9", 1), by(said("uno", 1.5), ("P3", 0.55), ("P1", 0.44))],
        ["P1: R9"],
        [],
        ["Who said UNO: P1, or somebody who catches P1?"],
    ),
    (
        "after the question a catch in words is a question too: P1 may have called",
        True,
        POSITION,
        [laid("P1", "R9", 1), said("uno", 1.5), said("catch", 2.5)],
        ["P1: R9", "table: UNO?P1"],
        [("question", "missed_uno", "P1")],
        ["Who said UNO: P1, or somebody who catches P1?"],
    ),
    (
        "the catcher is to move and has two cards: it may be the own call",
        True,
        "R3 R > P1 P1:2 P2:2 P3:4",
        [laid("P1", "R9", 1), by(said("uno", 1.5), ("P2", 0.99))],
        ["P1: R9"],
        [],
        ["Did P2 say UNO to catch P1, or for the own last card?"],
    ),
    (
        "a catcher who has called with one card still catches",
        True,
        "R3 R > P1 P1:2 P2:4 P3:2",
        [
            laid("P1", "R9", 1),
            by(said("uno", 1.3), ("P1", 0.99)),
            laid("P2", "R8", 4),
            by(said("uno", 5), ("P3", 0.99)),
            laid("P3", "R7", 6),
            laid("P1", "R6", 9),
        ],
        ["P1: R9", "P1: UNO!", "P2: R8", "P3: UNO!", "P3: R7", "P1: R6"],
        [],
        [],
    ),
    (
        "nobody can be caught: an UNO before the card lands is the mover's, whoever could be meant",
        True,
        POSITION,
        [said("uno", 0.5), laid("P1", "R9", 1)],
        ["P1: UNO!", "P1: R9"],
        [],
        [],
    ),
    (
        "other words catch: the state of the game tells whose UNO it is",
        False,
        POSITION,
        [laid("P1", "R9", 1), said("uno", 1.5), said("catch", 2.5)],
        ["P1: R9", "P1: UNO!", "table: UNO?P1"],
        [("note", "false_catch", "None")],
        [],
    ),
    (
        "other words catch, and the voice is another's: doubt, no penalty",
        False,
        POSITION,
        [laid("P1", "R9", 1), by(said("uno", 1.5), ("P2", 0.99)), said("catch", 2.5)],
        ["P1: R9", "table: UNO?P1"],
        [("question", "missed_uno", "P1")],
        ["Who said UNO? It seemed to be P2."],
    ),
    (
        "one microphone, and it is the player's own voice: believed",
        True,
        POSITION,
        [laid("P1", "R9", 1), in_voice_of(said("uno", 1.5), "P1"), laid("P2", "R8", 4)],
        ["P1: R9", "P1: UNO!", "P2: R8"],
        [],
        [],
    ),
    (
        "another's voice is a hint and no verdict: asked",
        True,
        POSITION,
        [laid("P1", "R9", 1), in_voice_of(said("uno", 1.5), "P3")],
        ["P1: R9"],
        [],
        ["Who said UNO: P1, or somebody who catches P1?"],
    ),
    (
        "the direction says another, the voice says the player: asked",
        True,
        POSITION,
        [laid("P1", "R9", 1), in_voice_of(by(said("uno", 1.5), ("P3", 0.98)), "P1")],
        ["P1: R9"],
        [],
        ["Who said UNO: P1, or somebody who catches P1?"],
    ),
    (
        "other words catch, and the direction errs: the voice speaks for the player",
        False,
        POSITION,
        [laid("P1", "R9", 1), in_voice_of(by(said("uno", 1.5), ("P2", 0.99)), "P1")],
        ["P1: R9", "P1: UNO!"],
        [],
        [],
    ),
    (
        "two have one card: the voice tells whose call it is",
        False,
        "R3 R > P1 P1:2 P2:2 P3:4",
        [laid("P1", "R9", 1), by(said("uno", 1.5), ("P1", 0.99))],
        ["P1: R9", "P1: UNO!"],
        [],
        [],
    ),
]


@pytest.mark.parametrize(
    ("uno_catches", "position", "observations", "entries", "incidents", "questions"),
    [situation[1:] for situation in SITUATIONS],
    ids=[situation[0] for situation in SITUATIONS],
)
def test_who_said_uno(
    uno_catches: bool,
    position: str,
    observations: Sequence[Observation],
    entries: list[str],
    incidents: list[tuple[str, str, str]],
    questions: list[str],
) -> None:
    scribe = Scribe(BY_UNO if uno_catches else BY_NAME, TableStart(Seat.first(3), position=position))
    written = [w for o in observations for w in scribe.take(o)]
    judged = [w for w in written if isinstance(w, Judged)]
    assert [format_item(w.entry).partition(" ")[2] for w in judged] == entries
    assert [(i.kind, i.code, str(i.seat)) for w in judged for i in w.ruling.incidents] == incidents
    assert [w.text for w in written if isinstance(w, Question)] == questions
