"""The ear on its own thread: what it costs when listening is slow, stuck or failing."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from referee.capture.media import SoundChunk
from referee.observations import CallHeard
from referee.session.ear_thread import HANGS_AFTER_S, EarThread
from tests.session.drawn_log import said

RATE_HZ = 100


def chunk(t_s: float, level: int = 1) -> SoundChunk:
    return SoundChunk(t_s, np.full(10, level, np.int16), RATE_HZ)


class Told:
    """What was told of the ear."""

    def __init__(self) -> None:
        self.all: list[tuple[object, ...]] = []

    def lost(self, sense: str, t_s: float, why: str) -> None:
        self.all.append(("lost", sense, round(t_s, 2), why))

    def regained(self, sense: str, t_s: float, away_s: float) -> None:
        self.all.append(("running", sense, round(t_s, 2), round(away_s, 2)))

    def deaf(self, from_s: float, until_s: float, why: str) -> None:
        self.all.append(("deaf", round(from_s, 2), round(until_s, 2), why))


class Ear:
    """Hears a call in each chunk of the loudness 2; `before` is done before each chunk."""

    def __init__(self, before: Callable[[SoundChunk], object] = lambda _chunk: None) -> None:
        self.heard: list[SoundChunk] = []
        self.settled_s = float("-inf")
        self._before = before

    def hear(self, chunk: SoundChunk) -> list[CallHeard]:
        self._before(chunk)
        self.heard.append(chunk)
        self.settled_s = chunk.t_s
        return [said(f"a{len(self.heard)}", chunk.t_s, "uno")] if chunk.samples.max() == 2 else []

    def close(self) -> list[CallHeard]:
        return [said("last", 99.0, "catch")]


@pytest.fixture
def told() -> Told:
    return Told()


def test_calls_come_with_how_far_it_has_come(told: Told) -> None:
    ear = Ear()
    thread = EarThread(ear, told, told.deaf)
    found = [call for n in range(20) for call in thread.hear(chunk(n / 10, 2 if n == 5 else 1))]
    found += thread.close()
    assert [(call.call, call.t_s) for call in found] == [("uno", 0.5), ("catch", 99.0)]
    assert thread.settled_s == ear.settled_s == 1.9
    assert (told.all, thread.dropped) == ([], 0)


def test_a_call_is_never_settled_before_it_is_handed_over(told: Told) -> None:
    """Else what was seen after it would be judged before it."""
    heard = threading.Event()
    ear = Ear()
    ear_hear = ear.hear

    def hear(one: SoundChunk) -> list[CallHeard]:
        found = ear_hear(one)
        threading.Timer(0.02, heard.set).start()
        return found

    ear.hear = hear  # type: ignore[assignment,method-assign]
    thread = EarThread(ear, told, told.deaf)
    first = thread.hear(chunk(1.0, 2))
    heard.wait(5.0)
    if not first:
        assert thread.settled_s < 1.0
        first = thread.heard()
    assert [call.t_s for call in first] == [1.0]
    assert thread.settled_s == 1.0


def test_c16_a_stuck_ear_holds_nobody_up_and_its_queue_stays_short(told: Told) -> None:
    stuck, begun = threading.Event(), threading.Event()

    def hang(one: SoundChunk) -> None:
        if one.t_s == 0.0:
            begun.set()
            stuck.wait(30.0)

    ear = Ear(hang)
    thread = EarThread(ear, told, told.deaf, room=10)
    thread.hear(chunk(0.0))
    begun.wait(5.0)
    last_s = HANGS_AFTER_S + 2.0
    for n in range(1, round(last_s * 10) + 1):
        assert thread.hear(chunk(n / 10)) == []
        assert thread.working_at_s == 0.0
    assert told.all == [("lost", "ear", 0.0, "it hangs")]
    stuck.set()
    assert [call.call for call in thread.close()] == ["catch"]
    assert 60 <= thread.dropped < 80
    waited = 80 - thread.dropped
    assert told.all[1:] == [
        ("running", "ear", last_s, last_s),
        ("deaf", 0.1, round(last_s + 0.1 - waited / 10, 2), "the ear fell behind"),
    ]
    # what was left out is silence to it: an utterance under way ends there
    assert [len(one.samples) for one in ear.heard[:3]] == [10, 2 * RATE_HZ, 10]


def test_one_that_fails_is_tried_again_after_a_pause(told: Told) -> None:
    def fail(one: SoundChunk) -> None:
        if 0.5 <= one.t_s < 1.0 and one.samples.any():
            raise RuntimeError("the model fell over")

    thread = EarThread(Ear(fail), told, told.deaf)
    for n in range(30):
        thread.hear(chunk(n / 10))
    thread.close()
    assert told.all == [
        ("lost", "ear", 0.5, "RuntimeError: the model fell over"),
        ("running", "ear", 1.5, 1.0),
    ]
