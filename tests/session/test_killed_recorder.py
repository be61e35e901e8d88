"""A recorder killed at any instant: the log verifies, replay works, at most two seconds of media are lost.

Eight instants here; `REFEREE_KILLS=50` makes it fifty.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.faults import InputFault
from referee.observations import CardsDrawn
from referee.session.folder import seal_of
from referee.session.live_folder import LiveFolder
from referee.session.lock import was_cut_off
from referee.session.log import read_log, verify
from referee.session.plan import open_plan
from referee.session.recording import recorded_frames, recorded_sound
from referee.session.rejudging import judge_log
from referee.session.repairing import repair_session

KILLS = int(os.environ.get("REFEREE_KILLS", "8"))
LOST_S = 2.0


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Session folders of recorders that were killed after log and lock were there."""
    folder = tmp_path_factory.mktemp("killed")
    nursery = Path(__file__).with_name("kill_nursery.py")
    command = [sys.executable, str(nursery), str(folder), str(KILLS), "7"]
    environment = {**os.environ, "PYTHONPATH": str(nursery.parents[2]), "OMP_NUM_THREADS": "1"}
    subprocess.run(command, check=True, timeout=60 + 10 * KILLS, env=environment)
    sessions = [path.with_suffix("") for path in sorted(folder.glob("*.given")) if path.stat().st_size]
    assert len(sessions) >= KILLS // 2  # the others died before their first frame
    return sessions


def given(session: Path) -> tuple[float, int]:
    t_s, lines = session.with_name(f"{session.name}.given").read_text().split()
    return float(t_s), int(lines)


def media_end_s(session: Path) -> tuple[float, float]:
    """Up to where there is picture, and sound; 0 where there is none."""
    plan = open_plan(session)
    picture_s = max((f.t_s for f in recorded_frames(plan, None, if_any=True)), default=0.0)
    sound_s = max((c.t_s + c.duration_s for c in recorded_sound(plan)), default=0.0)
    return picture_s, sound_s


def test_no_line_and_at_most_two_seconds_are_lost(killed: list[Path]) -> None:
    for session in killed:
        t_s, lines = given(session)
        log = session / "log.jsonl"
        assert was_cut_off(session)
        read = read_log(log)
        assert len(read.lines) >= lines
        assert [p for p in verify(log) if "cut off" not in p.what] == []
        picture_s, sound_s = media_end_s(session)
        assert t_s - picture_s <= LOST_S, session
        assert t_s - sound_s <= LOST_S, session


def test_it_is_judged_and_goes_on_where_it_ended(killed: list[Path]) -> None:
    """Half of them are resumed, half repaired; a second repair finds nothing to do."""
    for number, session in enumerate(killed):
        t_s, lines = given(session)
        before_s = media_end_s(session)
        if number % 2:
            live = LiveFolder.resume(session, film=True)
            assert live.recorded_s >= t_s
            assert live.run == 2
            live.tell("observation", live.recorded_s + 1, {"id": "r2v1", "kind": "arm_seen"})
            live.close(live.recorded_s + 2)
        else:
            assert repair_session(session).problems == []
            assert repair_session(session).done == []
        assert not was_cut_off(session)
        sealed, last_hash = seal_of(session)
        assert sealed > lines
        assert verify(session / "log.jsonl", lines=sealed, last_hash=last_hash) == []
        after_s = media_end_s(session)
        assert after_s == pytest.approx(before_s, abs=0.002)  # mending costs nothing
        kept = read_log(session / "log.jsonl").lines
        judged = judge_log(kept, open_plan(session))
        drawn = [line.id for line in kept if line.payload.get("kind") == "cards_drawn"]
        assert drawn
        assert [told.id for told in judged.told if isinstance(told, CardsDrawn)] == drawn
        assert (session / "game.ugn").exists()


def test_a_folder_that_is_no_session_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match=r"has no session\.toml"):
        LiveFolder.resume(tmp_path)
