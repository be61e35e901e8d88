"""The ear is told what may be said as the game stands, and only if that is wanted."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from referee.capture.media import Frame, SoundChunk
from referee.cards import Seat
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import CallHeard
from referee.rules.profiles import load_profile
from referee.session.frame_memory import FrameMemory
from referee.session.pipeline import Pipeline
from tests.session.drawn_log import landed
from tests.session.test_pipeline import ScriptedEye


class NotingEar:
    """Hears nothing, and remembers what it was told to expect."""

    def __init__(self) -> None:
        self.told: list[frozenset[str] | None] = []

    def set_expected(self, calls: Iterable[str] | None) -> None:
        self.told.append(None if calls is None else frozenset(calls))

    def hear(self, chunk: SoundChunk) -> list[CallHeard]:
        return []

    def close(self) -> list[CallHeard]:
        return []


@pytest.mark.parametrize("expecting", [True, False])
def test_a_wild_draw_four_makes_a_challenge_expected(expecting: bool) -> None:
    script = [landed("v1", 1.0, "R7", Seat.P1), landed("v2", 4.0, "W4", Seat.P2)]
    scribe = Scribe(load_profile("classic-108"), TableStart(Seat.first(3), position="R5 R > P1 P1:5 P2:5 P3:5"))
    ear, image = NotingEar(), np.zeros((8, 8, 3), np.uint8)
    pipeline = Pipeline(scribe, ScriptedEye(script), ear, FrameMemory(), expecting=expecting)
    list(pipeline.run(Frame(n / 4, n, image) for n in range(48)))
    challenged = [calls is not None and "challenge" in calls for calls in ear.told]
    assert challenged == ([False, True] if expecting else [])
