"""A table watched live: its folder, its replay, and what goes on after it was cut off."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.capture.media import Frame, SoundChunk
from referee.cards import Card, Seat
from referee.faults import InputFault
from referee.fusion.desk import Judged, Question
from referee.observations import CardLanded, Observation, ViewChanged, ViewState
from referee.rules.profiles import load_profile
from referee.session import senses as session_senses
from referee.session.clock import SessionClock
from referee.session.comparing import differences, table_rulings
from referee.session.corrected import CorrectedScribe
from referee.session.folder import log_of, seal_of, segments_of
from referee.session.live_folder import LiveFolder
from referee.session.log import verify
from referee.session.plan import open_plan
from referee.session.recorder import Recorder
from referee.session.rejudging import judge_log, table_start
from referee.session.replaying import Replaying
from referee.session.resuming import ResumedEye
from referee.session.source import FilmCamera, FilmMicrophone, InStep
from referee.session.telling import json_records
from referee.session.watching import Watching
from tests.session.drawn_log import PLAN, landed
from tests.session.seeing_shades import CARDS, ShadeEye, film, senses

START = replace(PLAN, position="? ? > P1 P1:7 P2:7", dealer=None)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film(tmp_path_factory.mktemp("film") / "table.mkv")


def watch(shown: Path, live: LiveFolder, *, real_time: bool = False) -> tuple[Watching, list[dict[str, Any]]]:
    clock = SessionClock(live.recorded_s)
    pacing = clock if real_time else InStep()
    camera = FilmCamera(shown, pacing, live.recorded_s)
    microphone = FilmMicrophone(shown, pacing, live.recorded_s)
    recorder = Recorder(
        live.folder,
        live.tell,
        size_px=(camera.width_px, camera.height_px),
        rate_hz=microphone.rate_hz,
        segment_s=4.0,
        first_number=live.next_piece,
        patient=not real_time,
    )
    watching = Watching(
        live.plan, camera, microphone, senses(), clock=clock, live=live, recorder=recorder, patient=not real_time
    )
    return watching, [record for told in watching.run() for record in json_records(told)]


@pytest.fixture(scope="module")
def session(shown: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evening") / "friday"
    watch(shown, LiveFolder.begin(folder, START))
    return folder


def replayed(folder: Path, out: Path) -> list[dict[str, Any]]:
    run = Replaying(open_plan(folder), senses(), out)
    return [record for told in run.run() for record in json_records(told)]


def test_the_folder_holds_what_its_format_promises(session: Path) -> None:
    assert {p.name for p in session.iterdir()} == {
        "game.ugn",
        "log.jsonl",
        "media",
        "pictures",
        "score.json",
        "session.toml",
    }
    lines, last_hash = seal_of(session)
    assert verify(session / "log.jsonl", lines=lines, last_hash=last_hash) == []
    kinds = [line.type for line in log_of(session)]
    assert (kinds[0], kinds[-1]) == ("state", "state")
    assert kinds.count("segment") == len(segments_of(session)) == 4
    assert kinds.count("observation") == len(CARDS) + 1
    assert [line.id for line in log_of(session) if line.type == "ruling"] != []


def test_a_replay_of_the_recording_rules_as_the_table_did(session: Path, tmp_path: Path) -> None:
    given = table_rulings(log_of(session))
    again = [r for r in replayed(session, tmp_path) if r["type"] == "ruling"]
    assert [r["text"] for r in again] == [r["text"] for r in given]
    assert "Y7" in str(given) or "yellow 7" in str(given)
    assert differences(given, again) == []


def test_what_is_noticed_in_the_recording_is_what_was_noticed_live(session: Path, tmp_path: Path) -> None:
    live = [(line.id, line.t_s) for line in log_of(session) if line.type == "observation"]
    again = [(r["id"], r["t_s"]) for r in replayed(session, tmp_path) if r["type"] == "observation"]
    assert again == [(name, pytest.approx(t_s, abs=0.002)) for name, t_s in live]


def test_twice_the_same(session: Path, tmp_path: Path) -> None:
    assert replayed(session, tmp_path / "a") == [
        {**record, "picture": str(record["picture"]).replace("/b/", "/a/")} if record.get("picture") else record
        for record in replayed(session, tmp_path / "b")
    ]


def test_the_log_alone_says_the_same(session: Path) -> None:
    judged = judge_log(log_of(session), open_plan(session))
    live = [line.payload["ugn"] for line in log_of(session) if line.type == "entry"]
    told = [record for t in judged.told for record in json_records(t)]
    assert [record["ugn"] for record in told if record["type"] == "entry"] == live
    assert [r["text"] for r in judged.ruling_records()] == [r["text"] for r in table_rulings(log_of(session))]


def test_a_session_goes_on_as_if_it_had_never_stopped(session: Path, shown: Path, tmp_path: Path) -> None:
    """Cut off after eight seconds of film: no card is noticed twice or missed, and the rulings are the same."""
    first = film(tmp_path / "first.mkv", cards=4)
    folder = tmp_path / "friday"
    watch(first, LiveFolder.begin(folder, START))
    live = LiveFolder.resume(folder, film=True)
    assert live.recorded_s == pytest.approx(8.0, abs=0.15)
    watch(shown, live)
    lines = log_of(folder)
    assert verify(folder / "log.jsonl") == []
    landed = [line.payload["reading"]["card"] for line in lines if line.payload.get("kind") == "card_landed"]
    assert landed == CARDS
    whole = [line.payload["ugn"] for line in log_of(session) if line.type == "entry"]
    assert [line.payload["ugn"] for line in lines if line.type == "entry"] == whole
    assert len({line.id for line in lines}) == len(lines)
    # and the whole of it replays
    assert len([r for r in replayed(folder, tmp_path / "out") if r["type"] == "entry"]) == len(whole)


def test_after_minutes_without_a_referee_nobody_is_accused() -> None:
    """A live table plays on while the machine starts anew: what was played then is not known."""
    eye = ResumedEye(ShadeEye(), "r2", [], Card.parse("G2"), (6.0, 306.0))
    first, *_ = eye.see(np.full((48, 64, 3), 90, np.uint8), 306.1)
    assert isinstance(first, ViewChanged)
    assert (first.state, first.t_s) == (ViewState.LOST, 6.0)
    scribe = CorrectedScribe(load_profile("classic-108"), table_start(START))
    scribe.take(landed("v1", 1.0, "R9", Seat.P1))
    before = scribe.desk.in_step
    scribe.take(first)
    told = scribe.take(landed("r2v2", 308.0, "Y1", Seat.P1))
    assert (before, scribe.desk.in_step) == (True, False)
    assert any(isinstance(step, Question) for step in told)
    assert [i for step in told if isinstance(step, Judged) for i in step.ruling.incidents if i.kind == "foul"] == []


@pytest.mark.parametrize(
    ("what", "seen", "is_told"),
    [
        ("came to rest just before the cut, known only after it", landed("v9", 8.5, "B1", Seat.P1), True),
        ("logged before the cut", landed("v9", 6.1, "Y7", Seat.P2), False),
        ("known long before the cut, so it was logged or is no more", landed("v9", 3.0, "R2", Seat.P2), False),
        ("the pile as it lies when the eye begins to look", landed("v9", 9.0, "Y7", None), False),
    ],
)
def test_what_a_resumed_eye_tells(what: str, seen: CardLanded, is_told: bool) -> None:
    """The log goes on for up to two seconds longer than the media: its last line says what was known."""

    class Scripted(ShadeEye):
        def see(self, image_bgr: np.ndarray, t_s: float) -> list[Observation]:
            return [replace(seen, seen_s=t_s)]

    known = [landed("v3", 6.0, "Y7", Seat.P2), ViewChanged(id="v4", t_s=9.1, seen_s=9.1, state=ViewState.READY)]
    eye = ResumedEye(Scripted(), "r2", known, Card.parse("Y7"))
    told = eye.see(np.zeros((48, 64, 3), np.uint8), 3.4 if seen.t_s < 5 else 9.2)
    assert [o.id for o in told] == (["r2v9"] if is_told else []), what


def test_picture_and_sound_of_a_film_are_played_in_step(shown: Path) -> None:
    """Whoever is pulled harder waits for the other: a crash at full speed leaves both up to the same moment."""
    pacing = InStep()
    camera, microphone = FilmCamera(shown, pacing), FilmMicrophone(shown, pacing)
    reached = {"picture": 0.0, "sound": 0.0}
    apart: list[float] = []

    def pull(what: str, items: Iterable[Frame] | Iterable[SoundChunk]) -> None:
        for item in items:
            reached[what] = item.t_s
            apart.append(abs(reached["picture"] - reached["sound"]))

    threads = [
        threading.Thread(target=pull, args=("picture", camera.frames())),
        threading.Thread(target=pull, args=("sound", microphone.chunks())),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert min(reached.values()) > 13.5
    assert max(apart) < 0.8


def test_in_real_time_and_ended_by_hand(shown: Path, tmp_path: Path) -> None:
    live = LiveFolder.begin(tmp_path / "friday", START)
    clock = SessionClock()
    camera, microphone = FilmCamera(shown, clock), FilmMicrophone(shown, clock)
    watching = Watching(live.plan, camera, microphone, senses(), clock=clock, live=live)
    told = []
    for step in watching.run():
        told.append(step)
        watching.stop()
    assert clock.now_s() < 5.0
    assert not (tmp_path / "friday" / "session.lock").exists()
    assert log_of(tmp_path / "friday")[-1].payload["what"] == "closed"


def test_s1_the_drift_of_the_sound_card_is_in_the_log(shown: Path, tmp_path: Path) -> None:
    class Drifting(FilmMicrophone):
        drift_ppm = -83.04

    live = LiveFolder.begin(tmp_path / "friday", START)
    pacing, clock = InStep(), SessionClock()
    live.recorded_s = -60.0  # the first clock line is due at once
    ear = Drifting(shown, pacing)
    watching = Watching(live.plan, FilmCamera(shown, pacing), ear, senses(), clock=clock, live=live, patient=True)
    list(watching.run())
    told = [line.payload.get("drift_ppm") for line in log_of(tmp_path / "friday") if line.type == "clock"]
    assert told[0] is None
    assert -83.0 in told


def test_a_camera_that_fails_ends_the_session_in_order(shown: Path, tmp_path: Path) -> None:
    class Failing(FilmCamera):
        def frames(self) -> Any:
            yield from list(super().frames())[:30]
            raise InputFault("was unplugged", where="camera")

    live = LiveFolder.begin(tmp_path / "friday", START)
    clock = SessionClock()
    watching = Watching(live.plan, Failing(shown, None), None, senses(), clock=clock, live=live, patient=True)
    with pytest.raises(InputFault, match="was unplugged"):
        list(watching.run())
    assert log_of(tmp_path / "friday")[-1].payload["what"] == "closed"
    assert verify(tmp_path / "friday" / "log.jsonl") == []


def test_a_new_session_does_not_overwrite_an_old_one(session: Path) -> None:
    with pytest.raises(InputFault, match=r"already holds a session .*--resume"):
        LiveFolder.begin(session, START)


def test_two_referees_on_one_session(tmp_path: Path) -> None:
    live = LiveFolder.begin(tmp_path / "friday", START)
    with pytest.raises(InputFault, match="is in use by process"):
        LiveFolder.resume(tmp_path / "friday")
    live.close(1.0)


def test_media_that_were_deleted_are_named(session: Path, tmp_path: Path) -> None:
    plan = replace(open_plan(session), media=())
    with pytest.raises(InputFault, match="--from-log"):
        session_senses.open_senses(plan)
