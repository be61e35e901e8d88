"""The line from picture to rulings: what a gap between looked-at frames means."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from referee.capture.media import Frame
from referee.cards import Seat
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import CardLanded, Observation, ViewChanged, ViewState
from referee.rules.profiles import load_profile
from referee.session.frame_memory import FrameMemory, Image
from referee.session.pipeline import Pipeline
from tests.session.drawn_log import landed

SEATS = Seat.first(3)


class ScriptedEye:
    """Reports each observation with the first frame at or after the time it was known."""

    def __init__(self, script: Iterable[Observation]) -> None:
        self._script = sorted(script, key=lambda o: o.seen_s)

    def see(self, image_bgr: Image, t_s: float) -> list[Observation]:
        found = [o for o in self._script if o.seen_s <= t_s]
        self._script = [o for o in self._script if o.seen_s > t_s]
        return found

    def close(self, t_s: float) -> list[Observation]:
        return self.see(np.zeros((2, 2, 3), np.uint8), float("inf"))


def judged(script: Iterable[CardLanded], times_s: Iterable[float]) -> tuple[Scribe, list[object]]:
    scribe = Scribe(load_profile("classic-108"), TableStart(SEATS, dealer=Seat.P3))
    pipeline = Pipeline(scribe, ScriptedEye(script), None, FrameMemory())
    image = np.zeros((8, 8, 3), np.uint8)
    frames = (Frame(t_s, n, image) for n, t_s in enumerate(times_s))
    return scribe, list(pipeline.run(frames))


def steadily(until_s: float, *, but: tuple[float, float] = (0.0, 0.0)) -> list[float]:
    times = [n * 0.08 for n in range(round(until_s / 0.08))]
    return [t for t in times if not but[0] < t < but[1]]


PLAYS = [landed("v0", 1.0, "R5", None), landed("v1", 4.0, "R7", Seat.P1), landed("v2", 7.0, "R2", Seat.P2)]


def fouls(steps: list[object]) -> list[str]:
    return [i.code for step in steps for i in getattr(getattr(step, "ruling", None), "incidents", ())]


def test_steady_frames_are_no_gap() -> None:
    scribe, steps = judged(PLAYS, steadily(10.0))
    assert not any(isinstance(step, ViewChanged) for step in steps)
    assert scribe.desk.in_step


def test_c16_frames_that_nobody_looked_at_are_a_gap_in_view() -> None:
    _, steps = judged(PLAYS, steadily(12.0, but=(8.0, 10.0)))
    gaps = [step for step in steps if isinstance(step, ViewChanged)]
    assert [(gap.state, round(gap.t_s, 1), round(gap.seen_s, 1)) for gap in gaps] == [(ViewState.LOST, 8.0, 10.0)]


def test_a_card_first_seen_after_a_gap_is_not_taken_for_the_first_card() -> None:
    """A referee short of time missed a minute, took a Wild for the start card, and then accused everybody."""
    late = [landed("v9", 60.0, "W", None), landed("v10", 63.0, "B5", Seat.P3), landed("v11", 66.0, "B6", Seat.P2)]
    scribe, steps = judged(late, [0.0, 0.08, *(58.0 + t for t in steadily(12.0))])
    assert fouls(steps) == []
    assert not scribe.desk.in_step


def test_a_card_is_not_held_against_one_that_lay_there_before_a_gap() -> None:
    """A referee that kept falling behind saw red 1 land, and held it against the yellow 3 of half a minute before."""
    seen = [landed("v0", 1.0, "R5", None), landed("v1", 4.0, "R7", Seat.P1), landed("v2", 31.0, "Y3", Seat.P2)]
    late = landed("v3", 62.0, "R1", Seat.P3)
    times = [*steadily(6.0), *(30.0 + t for t in steadily(3.0)), *(61.0 + t for t in steadily(6.0))]
    scribe, steps = judged([*seen, late], times)
    assert fouls(steps) == []
    assert not scribe.desk.in_step
