"""Voices that were learnt: kept by name on this machine alone, deleted when asked, never in a session."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from referee.cards import Seat
from referee.cli.main import app
from referee.faults import InputFault
from referee.session.folder import create_session
from referee.session.voiceprints import FILE_VARIABLE, forget_voices, known_voices, remember_voices
from tests.session.drawn_log import PLAN

PRINT = np.asarray(np.eye(256)[3], np.float32)
PLAYERS = {Seat.P1: "Bruno", Seat.P2: "Ana", Seat.P3: "Zoë"}


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "own" / "voiceprints.json"
    monkeypatch.setenv(FILE_VARIABLE, str(path))
    return path


def test_a_voice_goes_with_its_player_to_another_seat(file: Path) -> None:
    assert known_voices(PLAYERS) == {}
    assert remember_voices({"Ana": PRINT, "Zoë": PRINT}) == file
    known = known_voices(PLAYERS)
    assert set(known) == {Seat.P2, Seat.P3}
    assert np.allclose(known[Seat.P2], PRINT)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("names", "gone", "left"), [({"Ana"}, ["Ana"], {Seat.P3}), (None, ["Ana", "Zoë"], set()), ({"Eva"}, [], None)]
)
def test_voices_are_forgotten(file: Path, names: set[str] | None, gone: list[str], left: set[Seat] | None) -> None:
    remember_voices({"Ana": PRINT, "Zoë": PRINT})
    assert forget_voices(names) == gone
    assert set(known_voices(PLAYERS)) == ({Seat.P2, Seat.P3} if left is None else left)
    assert file.exists() is bool(known_voices(PLAYERS))


@pytest.mark.parametrize(
    "text", ["", "{}", '{"format": 1, "voices": {"Ana": [1, 2]}}', '{"format": 2, "voices": {}}']
)
def test_a_broken_file_is_said_to_be_one_and_can_be_forgotten(file: Path, text: str) -> None:
    file.parent.mkdir()
    file.write_text(text)
    with pytest.raises(InputFault, match="is no file of voiceprints"):
        known_voices(PLAYERS)
    forget_voices({"Ana"})
    assert not file.exists()


def test_referee_forget_voices(file: Path) -> None:
    remember_voices({"Ana": PRINT})
    result = CliRunner().invoke(app, ["forget", "--voices", "--yes"])
    assert (result.exit_code, "Ana" in result.stdout) == (0, True)
    assert not file.exists()


def test_forget_wants_a_session_or_voices(tmp_path: Path) -> None:
    for arguments in (["forget"], ["forget", str(tmp_path), "--voices"]):
        assert isinstance(CliRunner().invoke(app, arguments).exception, InputFault)


def test_a_session_holds_nobodys_voice(tmp_path: Path) -> None:
    remember_voices({"Ana": PRINT, "Bruno": PRINT})
    create_session(tmp_path / "evening", replace(PLAN, players={Seat.P1: "Ana", Seat.P2: "Bruno"}), calibration=None)
    texts = [path.read_text() for path in (tmp_path / "evening").rglob("*") if path.is_file()]
    assert texts
    assert not any("voice" in text for text in texts)
