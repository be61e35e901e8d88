"""A9: what the referee says itself is no call, at the table and when its recording is judged again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.capture.media import MediaFacts, MediaWriter
from referee.hearing.listener import Listener
from referee.hearing.phrases import parse_pack
from referee.session.clock import SessionClock
from referee.session.folder import log_of
from referee.session.live_folder import LiveFolder
from referee.session.parts import Parts
from referee.session.plan import open_plan
from referee.session.recorder import Recorder
from referee.session.replaying import Replaying
from referee.session.senses import Senses
from referee.session.settings import Settings
from referee.session.source import FilmCamera, FilmMicrophone, InStep
from referee.session.speaking import Speaking
from referee.session.telling import json_records
from referee.session.voice import Voice
from referee.session.watching import Watching
from referee.vision.zones import TableZones
from tests.hearing.scripted import ScriptedRecogniser, silence, voice, word
from tests.session.drawn_log import PLAN
from tests.session.seeing_shades import LEVEL_STEP, RATE_HZ, SIZE_PX, ShadeEye

PACK = parse_pack('format = 1\n[calls]\nuno = ["uno"]\n', "x")
SAID_S, ENDS_S = 5.0, 9.0
START = replace(PLAN, position="? ? > P1 P1:7 P2:7", dealer=None)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine seconds of a table at which somebody, or the referee, says UNO."""
    path = tmp_path_factory.mktemp("film") / "table.mkv"
    sound = np.concatenate([silence(SAID_S), voice(0.5), silence(ENDS_S - SAID_S - 0.5)])
    with MediaWriter(path, width_px=SIZE_PX[0], height_px=SIZE_PX[1], frame_rate_hz=10) as writer:
        for tenth in range(round(ENDS_S * 10)):
            writer.picture(np.full((SIZE_PX[1], SIZE_PX[0], 3), LEVEL_STEP, np.uint8))
            writer.sound(sound[tenth * 1600 : (tenth + 1) * 1600])
    return path


def senses() -> Senses:
    ear = Listener(ScriptedRecogniser([[word("uno", 0.3, 0.7)]]), PACK)
    facts = MediaFacts(0.0, True, True, *SIZE_PX, 10.0, RATE_HZ)
    return Senses(ShadeEye(), ear, TableZones.whole_frame_guess(*SIZE_PX, 2), facts, ())  # type: ignore[arg-type]


class Sitting:
    """What `Speaking` wants of one."""

    def __init__(self, watching: Watching, live: LiveFolder, opened: Senses) -> None:
        self.watching, self.live, self.senses, self.plan = watching, live, opened, START
        self.devices = self
        self.events = self
        self.parts = Parts()


def watched(film: Path, folder: Path, *, speaks: bool) -> list[dict[str, Any]]:
    live, pacing, opened = LiveFolder.begin(folder, START), InStep(), senses()
    camera, microphone = FilmCamera(film, pacing), FilmMicrophone(film, pacing)
    size_px = (camera.width_px, camera.height_px)
    recorder = Recorder(folder, live.tell, size_px=size_px, rate_hz=microphone.rate_hz, patient=True)
    watching = Watching(
        START, camera, microphone, opened, clock=SessionClock(0.0), live=live, recorder=recorder, patient=True
    )
    sitting: Any = Sitting(watching, live, opened)
    clock = SessionClock(0.0)
    speaking = Speaking(sitting, Settings(), clock, Voice("en", clock, run=lambda _command, _limit_s: None))
    if speaks:
        speaking.begins(SAID_S - 0.1, "P1 has one card and said UNO.")
        speaking.ended(SAID_S - 0.1, SAID_S + 0.6)
    return [record for told in watching.run() for record in json_records(told)]


def phases(records: list[dict[str, Any]]) -> list[tuple[str, str]]:
    heard = [r for r in records if r.get("kind") == "call_heard" and r["heard_by"]]
    return [(r["call"], r["phase"]) for r in heard]


@pytest.mark.parametrize(("speaks", "phase"), [(True, "ignored"), (False, "confirmed")], ids=["referee", "a player"])
def test_a9_the_referees_own_uno_live_and_replayed(film: Path, tmp_path: Path, speaks: bool, phase: str) -> None:
    folder = tmp_path / "evening"
    assert phases(watched(film, folder, speaks=speaks)) == [("uno", phase)]
    spans = [(line.t_s, line.payload["until_s"]) for line in log_of(folder) if line.type == "announcement"]
    assert spans == ([(SAID_S - 0.1, SAID_S + 0.6)] if speaks else [])
    again = Replaying(open_plan(folder), senses(), tmp_path / "again")
    assert phases([r for told in again.run() for r in json_records(told)]) == [("uno", phase)]
    entries = [line for line in log_of(folder) if line.type == "entry"]
    assert not any("UNO" in line.payload["ugn"] for line in entries)  # nobody there has few cards
