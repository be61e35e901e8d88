"""A microphone that was away: silence of the microphone is not silence of the player."""

from __future__ import annotations

import numpy as np
import pytest

from referee.capture.media import Frame
from referee.cards import Seat
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import CallHeard, Observation
from referee.rules.profiles import load_profile
from referee.session.frame_memory import FrameMemory
from referee.session.pipeline import Pipeline
from tests.session.drawn_log import landed, said
from tests.session.test_pipeline import ScriptedEye, steadily

P1, P2 = Seat.P1, Seat.P2


def incidents(script: list[Observation], hints: list[CallHeard]) -> list[tuple[str, str]]:
    start = TableStart((P1, P2), position="R5 R > P1 P1:2 P2:4")
    scribe = Scribe(load_profile("classic-108"), start)
    pipeline = Pipeline(scribe, ScriptedEye(script), None, FrameMemory())
    for hint in hints:
        pipeline.hint(hint)
    image = np.zeros((8, 8, 3), np.uint8)
    steps = pipeline.run(Frame(t_s, n, image) for n, t_s in enumerate(steadily(12.0)))
    found = [i for step in steps for i in getattr(getattr(step, "ruling", None), "incidents", ())]
    return [(i.code, i.kind) for i in found]


def deaf(t_s: float) -> CallHeard:
    return CallHeard(id=f"deaf-{t_s}", t_s=t_s, seen_s=t_s, end_s=t_s, call="uno", confidence=0.0, certainty="maybe")


LAST_BUT_ONE = [landed("v1", 3.0, "R7", P1), said("a1", 5.0, "catch")]


def test_nobody_heard_a_call_and_all_could_have() -> None:
    assert incidents(LAST_BUT_ONE, []) == [("missed_uno", "foul")]


@pytest.mark.parametrize(
    "gap_s", [(1.0, 4.0), (3.2, 4.5), (2.0, 3.5)], ids=["around", "after the card", "just before"]
)
def test_a1_while_nobody_listened_nobody_is_accused_of_silence(gap_s: tuple[float, float]) -> None:
    found = incidents(LAST_BUT_ONE, [deaf(t_s) for t_s in gap_s])
    assert ("missed_uno", "foul") not in found
    assert found == [("missed_uno", "question")]
