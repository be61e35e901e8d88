"""`watch`, `repair` and what `replay` does with a recorded session, from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.main import app
from referee.session.lock import SessionLock
from tests.cli.conftest import Referee
from tests.cli.test_replay import grey_film


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a film in it and the session that was recorded from it, `friday`."""
    folder = tmp_path_factory.mktemp("evening")
    grey_film(folder / "table.mkv", sound=False)
    arguments = ("--players", "Ana,Bruno", "--dealer", "Bruno", "--record", "friday", "--speed", "max", "--no-pages")
    with chdir(folder):
        done = CliRunner().invoke(app, ["watch", "--camera", "table.mkv", *arguments])
    assert done.exit_code == 0, done.output
    notice = " ".join(done.stdout.split())
    assert "Recording picture and sound of everyone at this table into friday. Tell them so." in notice
    assert "The session lies in friday" in notice
    return folder


def test_replay_prints_the_same_bytes_twice(evening: Path) -> None:
    """Two processes: each orders its sets in a way of its own."""
    command = [sys.executable, "-m", "referee.cli.main", "replay", "friday", "--json", "--out", "out"]
    first, second = (
        subprocess.run(command, cwd=evening, capture_output=True, text=True, check=True) for _ in range(2)
    )
    assert first.stdout == second.stdout
    assert [json.loads(line)["type"] for line in first.stdout.splitlines()] != []


def test_replay_from_the_log(referee: Referee, evening: Path) -> None:
    done = referee("replay", "friday", "--from-log", cwd=evening)
    assert done.returncode == 0
    assert "At the table and in this replay: the same rulings." in done.stdout
    other = referee("replay", "friday", "--from-log", "--profile", "party", cwd=evening)
    assert "By classic-108 and by party: the same rulings." in other.stdout


def test_one_moment(referee: Referee, evening: Path) -> None:
    done = referee("replay", "friday", "--at", "0:01", "--json", "--out", "moment", cwd=evening)
    first, *lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert (first["type"], first["t_s"]) == ("moment", 1.0)
    assert (evening / first["picture"]).stat().st_size > 5000
    assert {line["type"] for line in lines} >= {"state", "observation"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("replay", "friday", "--at", "noon"), "'noon' is no time"),
        (("replay", "friday", "--at", "59:00"), "has nothing at 3540.0 s"),
        (("replay", "friday", "--from-log", "--profile", "nowhere"), "no profile 'nowhere'"),
        (("watch", "--camera", "table.mkv", "--record", "friday", "--no-pages"), "already holds a session"),
        (("watch", "--camera", "table.mkv", "--resume", "nothing", "--no-pages"), "is no session"),
        (("watch", "--camera", "nothing.mkv", "--record", "monday", "--no-pages"), "nothing.mkv: is not there"),
        (("watch", "--camera", "Nothing 9", "--record", "monday", "--no-pages"), "camera"),
        (("repair", "nothing"), "is no session"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    referee: Referee, evening: Path, arguments: tuple[str, ...], says: str
) -> None:
    done = referee(*arguments, cwd=evening)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert says in done.stderr
    assert not (evening / "monday").exists()


def test_two_processes_on_one_session(referee: Referee, evening: Path) -> None:
    with SessionLock(evening / "friday"):
        done = referee("watch", "--camera", "table.mkv", "--resume", "friday", "--no-pages", cwd=evening)
        mended = referee("repair", "friday", cwd=evening)
    for refused in (done, mended):
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr
        assert "friday: is in use by process" in refused.stderr


def test_repair(referee: Referee, evening: Path) -> None:
    whole = referee("repair", "friday", cwd=evening)
    assert (whole.returncode, whole.stdout.splitlines()[0]) == (0, "Nothing is broken.")
    log = evening / "friday" / "log.jsonl"
    log.write_bytes(log.read_bytes()[:-20])
    piece = next((evening / "friday" / "media").glob("*.mkv"))
    piece.write_bytes(piece.read_bytes()[:-300])
    done = referee("repair", "friday", "--json", cwd=evening)
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert any("log.jsonl" in line and "log.tail-1" in line for line in found["done"])
    assert any(piece.name in line for line in found["done"])
    assert piece.with_name(piece.name + ".broken").exists()
