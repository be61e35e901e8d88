"""A call that the referee was unsure of, or did not hear, is put right by the table: "the call was made"."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.cards import Seat
from referee.fusion.desk import Judged, Question
from referee.observations import CallHeard, Observation
from referee.rules.entries import Entry
from referee.rules.profiles import load_profile
from referee.session.corrected import CorrectedScribe
from referee.session.corrections import Correction, standing_corrections
from referee.session.folder import log_of
from referee.session.incidents import incidents_of
from referee.session.plan import SessionPlan, open_plan
from referee.session.putting_right import put_right
from referee.session.rejudging import judge_log, table_start
from referee.session.spoken_corrections import Moment, correction_of
from tests.session.drawn_log import PLAN, landed, said
from tests.session.recorded_evening import record

P1, P2 = Seat.P1, Seat.P2
WITH_TWO = replace(PLAN, position="R5 R > P1 P1:2 P2:4")
CARD = landed("v1", 2.0, "R9", P1)
CATCH = said("a2", 4.0, "catch")
PERHAPS = replace(said("a1", 2.6, "uno"), certainty="maybe", confidence=0.2, channel="noisy")


def told(folder: Path) -> list[tuple[str, str]]:
    judged = judge_log(log_of(folder), open_plan(folder))
    return [(str(r["kind"]), str(r["incident"])) for r in judged.ruling_records()]


@pytest.mark.parametrize(
    ("heard", "before"),
    [
        ([CARD, CATCH], [("foul", "missed_uno")]),
        ([CARD, PERHAPS, CATCH], [("question", "missed_uno")]),
    ],
    ids=["not heard: accused", "half heard: asked"],
)
def test_the_call_was_made(tmp_path: Path, heard: list[Observation], before: list[tuple[str, str]]) -> None:
    folder = record(tmp_path / "evening", heard, plan=WITH_TWO)
    assert told(folder) == before
    plan = open_plan(folder)
    done = put_right(folder, plan, correction_of("the call was made", Moment(log_of(folder), plan)))
    assert [case.line.payload["incident"] for case in done.gone] == ["missed_uno"]
    assert told(folder) == [("note", "false_catch")]


def test_an_unsure_call_that_is_named_by_the_table_counts(tmp_path: Path) -> None:
    """Symptom: a corrected call kept its doubt, and was asked about all the same."""
    folder = record(tmp_path / "evening", [CARD, PERHAPS, CATCH], plan=WITH_TWO)
    put_right(folder, open_plan(folder), Correction("call", about=("a1",), at_s=2.6, call="uno", seat=P1))
    assert told(folder) == [("note", "false_catch")]


def test_who_said_uno_is_answered_by_the_call_was_made(tmp_path: Path) -> None:
    """Where UNO itself catches, the one who had to call made it; the same question is not asked again."""
    classic = load_profile("classic-108")
    by_uno = replace(classic, uno=replace(classic.uno, catch_words="uno"))
    heard: list[Observation] = [CARD, said("a1", 2.6, "uno")]
    folder = record(tmp_path / "evening", heard, plan=WITH_TWO)

    def judged(plan: SessionPlan) -> tuple[list[str], list[str]]:
        lines = log_of(folder)
        scribe = CorrectedScribe(by_uno, table_start(plan), standing_corrections(lines), by_id=True)
        written = [one for seen in heard for one in scribe.take(seen)]
        entries = [one.entry for one in written if isinstance(one, Judged)]
        events = [type(event).__name__ for entry in entries if isinstance(entry, Entry) for event in entry.events]
        return events, [one.text for one in written if isinstance(one, Question)]

    plan = open_plan(folder)
    assert judged(plan)[1] == ["Who said UNO: P1, or somebody who catches P1?"]
    put_right(folder, plan, correction_of("the call was made", Moment(log_of(folder), plan)))
    entries, asked = judged(plan)
    assert entries[:2] == ["Play", "SayUno"]
    assert asked == []


def test_what_was_perhaps_said_is_no_move_to_undo(tmp_path: Path) -> None:
    hidden = CallHeard(
        id="a3", t_s=5.0, seen_s=6.0, end_s=6.0, call="uno", certainty="maybe", heard_by="", channel="overlapped"
    )
    folder = record(tmp_path / "evening", [CARD, CATCH, hidden], plan=WITH_TWO)
    assert correction_of("undo", Moment(log_of(folder), open_plan(folder))).about == ("a2",)
    assert len(incidents_of(log_of(folder), open_plan(folder))) == 1
