"""What a call is worth is weighed by the game as it stood: the same at a table, in its replay and from its log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.capture.media import Frame, SoundChunk
from referee.cards import Seat
from referee.observations import CallHeard
from referee.rules.profiles import load_profile
from referee.session.corrected import CorrectedScribe
from referee.session.folder import log_of
from referee.session.frame_memory import FrameMemory
from referee.session.pipeline import Pipeline
from referee.session.plan import open_plan
from referee.session.rejudging import judge_log, table_start
from referee.session.telling import Teller, json_records
from tests.session.drawn_log import PLAN, landed, said
from tests.session.test_losing_parts import ScriptedEar, Table
from tests.session.test_pipeline import ScriptedEye

WITH_TWO = replace(PLAN, position="R5 R > P1 P1:2 P2:4")
PLAYS = [landed("v1", 3.0, "R9", Seat.P1), landed("v2", 9.0, "R3", Seat.P2)]
CATCH = said("a9", 6.0, "catch")
UNO = said("a1", 4.0, "uno")
HIDDEN = replace(
    said("a2", 3.5, "uno"),
    end_s=5.2,
    seen_s=5.2,
    certainty="maybe",
    heard_by="",
    channel="overlapped",
    confidence=0.0,
)

SITUATIONS: dict[str, tuple[list[CallHeard], list[tuple[str, str]], list[str]]] = {
    "nothing was said": ([CATCH], [("foul", "missed_uno")], []),
    "an UNO that counts where P1 is to call": (
        [replace(UNO, certainty="likely"), CATCH],
        [("note", "false_catch")],
        [],
    ),
    "perhaps an UNO": ([replace(UNO, certainty="maybe"), CATCH], [("question", "missed_uno")], []),
    "others talked": ([HIDDEN, CATCH], [("question", "missed_uno")], []),
    "a catch half heard": (
        [replace(CATCH, certainty="likely")],
        [],
        ["Did anyone say that P1 did not call UNO?"],
    ),
}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge's own look at the clock is in real time: here it looks often."""
    monkeypatch.setattr("referee.session.watching._LOOK_S", 0.005)


def told(records: Iterable[Mapping[str, Any]]) -> tuple[list[tuple[str, str]], list[str]]:
    """Rulings, and questions that are none, in their order."""
    rulings = [r for r in records if r["type"] == "ruling"]
    about_uno = [r for r in rulings if r["incident"] in ("missed_uno", "false_catch")]
    asked = [r["text"] for r in rulings if r not in about_uno and "call UNO?" in r["text"]]
    return [(r["kind"], r["incident"]) for r in about_uno], asked


def replayed(calls: list[CallHeard]) -> list[dict[str, Any]]:
    profile = load_profile(WITH_TWO.profile)
    scribe = CorrectedScribe(profile, table_start(WITH_TWO), [])
    teller = Teller(WITH_TWO, profile, scribe)
    pipeline = Pipeline(scribe, ScriptedEye(PLAYS), ScriptedEar(calls), FrameMemory())
    frames = (Frame(n / 4, n, np.zeros((8, 8, 3), np.uint8)) for n in range(60))
    sound = (SoundChunk(n / 10, np.ones(1600, np.int16), 16_000) for n in range(150))
    return [r for step in pipeline.run(frames, sound) for one in teller.tell(step) for r in json_records(one)]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_live_replayed_and_from_the_log(tmp_path: Path, situation: str) -> None:
    calls, rulings, questions = SITUATIONS[situation]
    assert told(replayed(calls)) == (rulings, questions)
    live = Table(tmp_path / "evening", PLAYS, calls, WITH_TWO).play(15.0)
    assert told(live) == (rulings, questions)
    judged = judge_log(log_of(tmp_path / "evening"), open_plan(tmp_path / "evening"))
    assert told(judged.ruling_records()) == (rulings, questions)
