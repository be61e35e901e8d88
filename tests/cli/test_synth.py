"""`referee synth film`: a film folder from a written game, or one clear fault."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.capture.media import probe
from referee.cli.main import app
from referee.faults import InputFault
from referee.rules.profiles import load_profile
from referee.session.plan import open_plan

GAME = '[UGN "1"] [P1 "Ana"] [P2 "Bruno"] [Dealer "P2"]\ndealer: start R7\nP1: R5\n'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.ugn"
    path.write_text(GAME, encoding="utf-8")
    return path


def test_a_film_folder_is_a_whole_session(game: Path, tmp_path: Path) -> None:
    pytest.importorskip("py_nanotts")
    out = tmp_path / "film"
    done = CliRunner().invoke(
        app, ["synth", "film", str(game), "--out", str(out), "--seed", "4", "--title", 'A "quiet" round']
    )
    assert done.exit_code == 0, done.output
    facts = probe(out / "media" / "table.mkv")
    assert facts.has_video
    assert facts.has_audio
    session = tomllib.loads((out / "session.toml").read_text(encoding="utf-8"))
    assert session["title"] == 'A "quiet" round'
    assert session["players"] == {"P1": "Ana", "P2": "Bruno"}
    source = tomllib.loads((out / "SOURCE.toml").read_text(encoding="utf-8"))
    assert source["synthetic"] is True
    assert source["seed"] == 4
    assert "P1: R5" in (out / "truth.ugn").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "options", "fault"),
    [
        (GAME, ["--surface", "marble"], "no table top is called 'marble'"),
        (GAME, ["--faces", "velvet"], "not a printing"),
        (GAME + "P1: ???\n", [], "game.ugn:4"),
        (GAME + "P2: R5\nP1: R5\n", [], "does not hold so many of R5"),
        ("P1: R5\n", [], "names no seats"),
        (GAME.replace("[UGN", '[Profile "no-such"] [UGN'), [], "no-such"),
    ],
)
def test_what_cannot_be_filmed_is_one_fault_and_leaves_nothing(
    text: str, options: list[str], fault: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.ugn"
    path.write_text(text, encoding="utf-8")
    out = tmp_path / "film"
    done = CliRunner().invoke(app, ["synth", "film", str(path), "--out", str(out), *options])
    assert isinstance(done.exception, InputFault)
    assert fault in str(done.exception)
    assert not out.exists()


def test_a_missing_game_is_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["synth", "film", str(tmp_path / "none.ugn"), "--out", str(tmp_path / "film")])
    assert isinstance(done.exception, InputFault)
    assert "none.ugn" in str(done.exception)


def test_a_made_up_game_is_a_whole_session_with_its_own_rules(tmp_path: Path) -> None:
    pytest.importorskip("py_nanotts")
    out = tmp_path / "film"
    script = ["--random", "3", "--seats", "2", "--hand", "2", "--plays", "8", "--rounds", "2"]
    look = ["--size", "320x240", "--rate", "5", "--fast", "--manners", "toss=1"]
    done = CliRunner().invoke(app, ["synth", "film", *script, *look, "--out", str(out)])
    assert done.exit_code == 0, done.output
    plan = open_plan(out)
    assert load_profile(plan.profile).setup.hand_size == 2
    truth = json.loads((out / "truth.json").read_text(encoding="utf-8"))
    assert {gesture["kind"] for gesture in truth["gestures"]} == {"tossed"}
    kinds = [event["kind"] for event in truth["events"] if event["kind"] in ("start", "dealt", "shown")]
    assert kinds == ["start", "shown", "dealt", "start", "shown"]
    source = tomllib.loads((out / "SOURCE.toml").read_text(encoding="utf-8"))
    assert "--random 3" in source["how_made"]
    assert str(tmp_path) not in source["how_made"]
    assert "table.toml" in source["sha256"]


def test_a_written_game_brings_its_own_rules_along(tmp_path: Path) -> None:
    pytest.importorskip("py_nanotts")
    (tmp_path / "table.toml").write_text('extends = "classic-108"\n\n[setup]\nhand_size = 3\n', encoding="utf-8")
    path = tmp_path / "game.ugn"
    path.write_text(GAME.replace("[UGN", '[Profile "table.toml"] [UGN'), encoding="utf-8")
    out = tmp_path / "film"
    words = [str(path), "--size", "320x240", "--rate", "5", "--fast", "--out", str(out)]
    done = CliRunner().invoke(app, ["synth", "film", *words])
    assert done.exit_code == 0, done.output
    assert load_profile(open_plan(out).profile).setup.hand_size == 3


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ([], "needs one game"),
        (["game.ugn", "--random", "1"], "needs one game"),
        (["--random", "1", "--size", "12"], "no size of a picture"),
        (["--random", "1", "--manners", "juggle=1"], "'juggle' is no habit"),
        (["--random", "1", "--seats", "6", "--hand", "20"], "too small to deal 20 to each of 6"),
    ],
)
def test_options_that_make_no_film_are_one_fault(words: list[str], fault: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["synth", "film", *words, "--out", str(tmp_path / "film")])
    assert isinstance(done.exception, InputFault)
    assert fault in str(done.exception)
    assert not (tmp_path / "film").exists()
