"""Players say UNO at set-up: what is learnt of whom, and that no voice is kept that was not agreed to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.capture.media import SoundChunk
from referee.cards import Seat
from referee.faults import InputFault
from referee.hearing.voiceprint import VoicePrint
from referee.observations import CallHeard
from referee.session.voiceprints import FILE_VARIABLE, known_voices, remember_voices
from referee.web.saying_uno import SayingUno

PRINT: VoicePrint = np.full(256, 1 / 16, np.float32)


class Encoder:
    """All voices are alike to it."""

    def print_of(self, _samples: object) -> VoicePrint | None:
        return PRINT


@dataclass
class Table:
    """Two players before one microphone, ten chunks a second."""

    encoder: Encoder | None = field(default_factory=Encoder)
    names: dict[Seat, str] = field(default_factory=lambda: {Seat.P1: "Ana", Seat.P2: "Bo"})
    written: list[Mapping[str, Any]] = field(default_factory=list)
    found: list[CallHeard] = field(default_factory=list)
    chunk: int = 0

    def __post_init__(self) -> None:
        self.saying = SayingUno(lambda: self.names, self.written.append, self.encoder)

    def hears(self, call: str = "", certainty: str = "sure", chunks: int = 1) -> None:
        for _ in range(chunks):
            t_s = self.chunk / 10
            said = CallHeard(id="a", t_s=t_s, seen_s=t_s, end_s=t_s + 0.1, call=call, certainty=certainty)
            self.found = [said] if call else []
            self.saying.hear(SoundChunk(t_s, np.ones(1600, np.int16), 16_000), lambda _chunk: self.found)
            self.chunk += 1

    def says_uno(self, seat: Seat, times: int = 2) -> None:
        self.saying.ask(seat)
        for _ in range(times):
            self.hears("uno")
            self.hears(chunks=20)


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FILE_VARIABLE, str(tmp_path / "voices.json"))
    return tmp_path / "voices.json"


def test_without_their_word_no_voice_is_learnt(file: Path) -> None:
    table = Table()
    table.says_uno(Seat.P1, 3)
    state = table.saying.state()
    assert (state["uno"], state["known"]) == ({"P1": "heard"}, {})
    assert state["voices"] == {"can": True, "learn": False}
    assert not file.exists()


def test_who_agreed_is_known_by_the_second_uno_and_forgotten_when_unticked(file: Path) -> None:
    table = Table()
    table.saying.learn_voices(True)
    table.says_uno(Seat.P1, 1)
    assert not file.exists()
    table.says_uno(Seat.P1, 1)
    assert table.saying.state()["known"] == {"P1": ["voice"]}
    assert list(known_voices(table.names)) == [Seat.P1]
    table.saying.learn_voices(False)
    assert table.saying.state()["known"] == {}
    assert not file.exists()


def test_a_voice_waits_for_its_players_name() -> None:
    """A voice of `P1` would be taken for whoever sits there next time."""
    table = Table(names={Seat.P2: "Bo"})
    table.saying.learn_voices(True)
    table.says_uno(Seat.P1)
    assert known_voices({seat: str(seat) for seat in Seat}) == {}
    table.names[Seat.P1] = "Ana"
    table.saying.store_voices()
    assert list(known_voices(table.names)) == [Seat.P1]


def test_voices_of_an_earlier_evening_are_known_and_may_be_deleted(file: Path) -> None:
    remember_voices({"Bo": PRINT, "Cleo": PRINT})
    table = Table()
    assert table.saying.state()["known"] == {"P2": ["voice"]}
    assert table.saying.state()["voices"]["learn"]
    table.saying.learn_voices(False)
    assert list(known_voices({Seat.P1: "Bo", Seat.P2: "Cleo"})) == [Seat.P2]  # no player of this table


@pytest.mark.parametrize(
    ("encoder", "content", "says"),
    [(None, "", "tells voices apart"), (Encoder(), "{", "no file of voiceprints")],
)
def test_why_voices_cannot_be_learnt_is_said_when_it_is_asked_for(
    file: Path, encoder: Encoder | None, content: str, says: str
) -> None:
    if content:
        file.write_text(content)
    table = Table(encoder)
    with pytest.raises(InputFault, match=says):
        table.saying.learn_voices(True)
    assert not table.saying.state()["voices"]["learn"]


@pytest.mark.parametrize(
    ("call", "certainty", "result"),
    [("uno", "sure", "heard"), ("uno", "maybe", "perhaps"), ("colour:R", "sure", "not_heard")],
)
def test_what_was_heard_of_who_was_asked(call: str, certainty: str, result: str) -> None:
    table = Table()
    table.saying.ask(Seat.P2)
    assert table.saying.state()["uno"] == {"P2": "listening"}
    table.hears(call, certainty)
    table.hears(chunks=60)
    assert table.saying.state()["uno"] == {"P2": result}


def test_an_uno_belongs_to_who_was_asked_last_and_soon() -> None:
    table = Table()
    table.saying.learn_voices(True)
    for seat in (Seat.P1, Seat.P2):
        table.says_uno(seat)
    assert table.saying.state()["known"] == {"P1": ["voice"], "P2": ["voice"]}


def test_an_uno_long_after_somebody_was_asked_is_anybodys() -> None:
    table = Table()
    table.saying.learn_voices(True)
    table.saying.ask(Seat.P1)
    table.hears(chunks=80)
    table.hears("uno", chunks=3)
    assert table.saying.state()["known"] == {}
