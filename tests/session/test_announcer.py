"""Manners: what is said aloud at a table, and what is left unsaid."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Sequence

import pytest

from referee.capture.monotonic import MonotonicClock
from referee.cards import Seat
from referee.faults import InputFault
from referee.fusion.desk import Question
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import CallHeard, Observation
from referee.rules.profiles import load_profile
from referee.session.announcer import Announcement, Announcer
from referee.session.settings import Strictness
from referee.session.telling import Teller
from referee.session.voice import Voice
from tests.session.drawn_log import PLAN, drew, landed, said

P1, P2 = Seat.P1, Seat.P2


def spoken(*seen: Observation, strictness: Strictness = "friendly", language: str = "en") -> list[Announcement]:
    profile = load_profile("classic-108")
    scribe = Scribe(profile, TableStart((P1, P2), position=PLAN.position))
    teller, announcer = Teller(PLAN, profile, scribe), Announcer(PLAN, language, strictness)
    found = []
    for observation in seen:
        for step in (observation, *scribe.take(observation)):
            for told in teller.tell(step):
                if (said := announcer.of(told, scribe.desk)) is not None:
                    found.append(said)
    return found


LEGAL = [landed("v1", 2.0, "R9", P1), landed("v2", 4.0, "G9", P2)]
FOUL = landed("v1", 2.0, "G9", P1)


def test_a_legal_play_is_silent() -> None:
    assert spoken(*LEGAL, strictness="strict") == []


def test_a_sure_foul_is_told_at_once_by_the_player_s_name_with_what_to_do() -> None:
    (told,) = spoken(FOUL)
    assert told == Announcement("Ana: green 9 does not fit red 5. Take it back, draw 2, next player.", 2.0, "foul")


def test_strict_names_the_rule() -> None:
    (told,) = spoken(FOUL, strictness="strict")
    assert told.text.endswith("[A Skip on a Skip of another colour]")
    (told,) = spoken(FOUL, strictness="strict", language="pt")
    assert told.text.endswith("[Um Pular sobre um Pular de outra cor]")


def test_a_question_is_asked_in_the_table_s_language() -> None:
    announcer = Announcer(PLAN, "es")
    asked = announcer.of(Question("Did P1 draw a card and pass? I did not see it.", 3.0), None)  # type: ignore[arg-type]
    assert asked is not None
    assert asked.text == "¿Robó Ana una carta y pasó? No lo vi."


@pytest.mark.parametrize(("language", "word"), [("pt", "não combina"), ("es", "verde"), ("ro", "verde")])
def test_in_the_table_s_language(language: str, word: str) -> None:
    assert word in spoken(FOUL, language=language)[0].text


def ask(name: str, t_s: float, call: str) -> CallHeard:
    return said(name, t_s, call)


@pytest.mark.parametrize(
    ("seen", "call", "answer"),
    [
        (LEGAL, "whose_turn", "Ana plays; the colour is green."),
        (LEGAL, "last_play", "Bruno laid green 9."),
        ([*LEGAL, drew("v3", 6.0, P1, 1)], "last_play", "Ana drew 1."),
        ([], "last_play", "I have not seen a play yet."),
    ],
)
def test_questions_are_answered(seen: list[Observation], call: str, answer: str) -> None:
    (told,) = spoken(*seen, ask("a1", 8.0, call))
    assert (told.text, told.why) == (answer, "answer")


def test_a_foul_that_was_known_before_a_correction_is_not_said_again() -> None:
    profile = load_profile("classic-108")

    def told_of(announcer: Announcer) -> list[Announcement]:
        scribe = Scribe(profile, TableStart((P1, P2), position=PLAN.position))
        teller = Teller(PLAN, profile, scribe)
        told = [t for step in (FOUL, *scribe.take(FOUL)) for t in teller.tell(step)]
        found = [a for t in told if (a := announcer.of(t, scribe.desk)) is not None]
        announcer.skip(told)
        return found

    announcer = Announcer(PLAN, "en")
    assert [len(told_of(announcer)), len(told_of(announcer))] == [1, 0]


class Runs:
    """Stands in for the engine."""

    def __init__(self, seconds: float = 0.0, fault: Exception | None = None) -> None:
        self.said: list[str] = []
        self.begun = threading.Event()
        self._seconds, self._fault = seconds, fault

    def __call__(self, command: Sequence[str], timeout_s: float) -> None:
        self.said.append(command[-1])
        self.begun.set()
        time.sleep(self._seconds)
        if self._fault:
            raise self._fault


def until(condition: object, within_s: float = 3.0) -> None:
    end = time.monotonic() + within_s
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a9_every_announcement_is_told_with_its_span() -> None:
    runs, spans = Runs(0.05), []
    voice = Voice("en", MonotonicClock(), on_end=lambda a, b: spans.append(b - a), run=runs)
    voice.say("Ana: take it back.")
    until(lambda: spans)
    voice.stop()
    assert runs.said == ["Ana: take it back."]
    assert spans[0] >= 0.05


def test_only_the_newest_wait() -> None:
    runs = Runs(0.1)
    voice = Voice("en", MonotonicClock(), run=runs)
    voice.say("0")
    assert runs.begun.wait(3)
    for n in range(1, 8):
        voice.say(str(n))
    until(lambda: len(runs.said) == 3)
    voice.stop()
    assert runs.said == ["0", "6", "7"]


def test_muted_by_a_tap() -> None:
    runs = Runs()
    voice = Voice("en", MonotonicClock(), run=runs)
    voice.mute(True)
    voice.say("never")
    voice.mute(False)
    voice.say("now")
    until(lambda: runs.said)
    voice.stop()
    assert runs.said == ["now"]


@pytest.mark.parametrize("fault", [subprocess.TimeoutExpired("espeak-ng", 12), OSError("gone")])
def test_a_voice_that_fails_goes_on(fault: Exception) -> None:
    voice = Voice("en", MonotonicClock(), run=Runs(fault=fault))
    voice.say("one")
    until(lambda: voice.failures == 1)
    voice.say("two")
    until(lambda: voice.failures == 2)
    voice.stop()


def test_no_engine_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _name: None)
    with pytest.raises(InputFault, match=r"espeak-ng is not installed \(apt install espeak-ng, or let a phone speak"):
        Voice("en", MonotonicClock())
