"""What the eye truly reported of a drawn film between two rounds: hands thrown in, cards taken up, dealt, turned up.

The observations are real ones, with their errors: an arm for a card that glides, a hand's card read while it flew.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path

import pytest

from referee.cards import Seat
from referee.fusion.desk import Judged, Question
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import ArmSeen, CardLanded, CardsDrawn, Observation, ViewChanged, from_json
from referee.rules.entries import Entry, Result
from referee.rules.record import Record
from referee.rules.ugn import format_item
from tests.fusion.scripted import laid
from tests.fusion.test_scribe import CLASSIC

FOLDER = Path(__file__).parents[2] / "fixtures" / "between-rounds"
DEALT_THREE = CLASSIC.changed({"setup.hand_size": 3})
BEFORE = "R9 R > P5 P1:3 P2:2 P3:3 P4:3 P5:1!"
"""Where the first round stood before its last card."""


@pytest.fixture(scope="module")
def seen() -> list[Observation]:
    lines = (FOLDER / "observations.jsonl").read_text(encoding="utf-8").splitlines()
    observed = [from_json(json.loads(line)) for line in lines]
    return sorted([laid("P5", "R2", 16.2), *observed], key=lambda o: o.t_s)


def _told(observed: list[Observation]) -> tuple[Scribe, list[str], list[str]]:
    """The scribe, the entries without times, and all that was ruled or asked."""
    table = Scribe(DEALT_THREE, TableStart(Seat.first(5), dealer=Seat.P4, position=BEFORE))
    written = [w for o in observed for w in table.take(o)]
    entries = [format_item(w.entry).partition(" ")[2] for w in written if isinstance(w, Judged)]
    said = [w.text for w in written if isinstance(w, Question)]
    said += [i.code for w in written if isinstance(w, Judged) for i in w.ruling.incidents]
    return table, entries, said


def test_the_film_holds_what_makes_it_hard(seen: list[Observation]) -> None:
    thrown_in = [o for o in seen if isinstance(o, CardLanded) and 30 < o.t_s < 50]
    assert len(thrown_in) == 4
    assert sum(isinstance(o, CardsDrawn) for o in seen) >= 8
    assert sum(isinstance(o, ArmSeen) for o in seen) >= 30


def test_the_next_round_is_followed_as_it_was(seen: list[Observation]) -> None:
    truth = Record.read(FOLDER / "truth.ugn")
    [first, _] = [e for e in truth.entries if isinstance(e, Result)]
    opening = next(e for e in truth.entries if isinstance(e, Entry) and (e.time_s or 0) > (first.time_s or 0))
    table, entries, said = _told(seen)
    assert said == []
    result = next(w.entry for w in table.desk.judged if isinstance(w.entry, Result))
    assert {(h.seat, h.points) for h in result.hands} == {(h.seat, h.points) for h in first.hands}
    assert [e for e in entries if e.startswith("dealer")] == [f"dealer: start {opening.events[0].card}"]  # type: ignore[union-attr]
    assert entries[-1] == "P1: RS"
    assert (table.desk.in_step, table.desk.state.to_act) == (True, Seat.P3)
    assert table.desk.counts() == {seat: (2, 2) if seat is Seat.P1 else (3, 3) for seat in Seat.first(5)}


def test_it_is_followed_where_nobody_saw_the_pile_cleared(seen: list[Observation]) -> None:
    """A heap with a back on top looks like no card at all, and that it is taken up is not told."""
    _, entries, said = _told([o for o in seen if not (isinstance(o, ViewChanged) and o.reason)])
    assert said == []
    assert entries[-2:] == ["dealer: start R2", "P1: RS"]


def test_it_is_what_its_source_note_says() -> None:
    source = tomllib.loads((FOLDER / "SOURCE.toml").read_text(encoding="utf-8"))
    assert source["synthetic"] is True
    for file, sha256 in source["sha256"].items():
        assert hashlib.sha256((FOLDER / file).read_bytes()).hexdigest() == sha256, file
