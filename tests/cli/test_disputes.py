"""`review`, `correct`, `export`, `verify`, `forget` and `score`, as people use them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app
from referee.faults import InputFault
from referee.session.lock import SessionLock
from tests.session.recorded_evening import record
from tests.session.test_putting_right import NINE_FOR_SIX


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """The red 6 that P1 laid was read as a green 9."""
    return record(tmp_path / "friday", NINE_FOR_SIX)


def run(*arguments: object, answer: str = "") -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments], input=answer, env={"COLUMNS": "200"})


def records(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_review_lists_incidents_with_moments_and_states(evening: Path) -> None:
    shown = run("review", evening).stdout
    assert "0:02.0" in shown
    assert "P1: green 9 does not fit red 5" in shown
    assert "open" in shown
    (case,) = records(run("review", evening, "--json"))
    assert {name: case[name] for name in ("type", "number", "state", "incident", "seat")} == {
        "type": "incident", "number": 1, "state": "open", "incident": "illegal_play", "seat": "P1",
    }  # fmt: skip


def test_an_incident_is_upheld_then_overturned(evening: Path) -> None:
    for option, state in (("--uphold", "upheld"), ("--overturn", "overturned")):
        (case,) = records(run("review", evening, option, "1", "--json"))
        assert case["state"] == state


def test_a_correction_in_plain_words(evening: Path) -> None:
    said = run("correct", evening, "that was a red 6", "--incident", "1")
    assert said.exit_code == 0
    assert "no longer stands: 0:02.0 P1: green 9 does not fit red 5" in said.stdout
    assert "said before and stands" in run("correct", evening, "that was a red 6", "--at", "0:03").stdout
    assert "gone after a correction" in run("review", evening).stdout


def test_a_correction_in_json(evening: Path) -> None:
    done, gone = records(run("correct", evening, "that was a red 6", "--at", "0:03", "--json"))
    assert (done["type"], done["new"], gone["change"], gone["state"]) == ("correction", True, "gone", "gone")


def test_a_case_is_handed_on_and_checked(evening: Path, tmp_path: Path) -> None:
    out = tmp_path / "case.zip"
    assert run("export", evening, "--incident", "1", "--out", out).exit_code == 0
    assert "index.html" in zipfile.ZipFile(out).namelist()
    assert "is as it was written" in run("verify", out).stdout
    assert run("verify", evening).exit_code == 0


def test_a_changed_log_is_named_with_its_line(evening: Path) -> None:
    log = evening / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"G9"', b'"G6"', 1))
    found = run("verify", evening)
    assert found.exit_code == 2
    assert "log.jsonl: line 1: was changed after it was written" in found.stderr


def test_forgetting_asks_first(evening: Path) -> None:
    assert run("forget", evening, answer="n\n").exit_code == 1
    assert run("forget", evening, "--yes").exit_code == 0
    assert run("forget", evening, "--all", answer="y\n").exit_code == 0
    assert not evening.exists()


def test_the_score_of_an_evening(evening: Path, tmp_path: Path) -> None:
    page, rows = tmp_path / "score.html", tmp_path / "score.csv"
    shown = run("score", evening.parent, "--html", page, "--csv", rows)
    assert shown.exit_code == 0
    assert "Two at a table" in shown.stdout
    assert page.read_text().startswith("<!doctype html>")
    assert rows.read_text().startswith("session,started,profile,round,player")
    kinds = [record["type"] for record in records(run("score", evening.parent, "--json"))]
    assert kinds == ["evening", "player", "player"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("review", "{}", "--uphold", "7"), "has 1 incident, not one with number 7 (see `referee review`)"),
        (("export", "{}", "--incident", "0"), "not one with number 0"),
        (("correct", "{}", "make it so"), "'make it so' was not understood"),
        (("correct", "{}", "undo", "--at", "noon"), "'noon' is no time (write minutes and seconds: 12:31)"),
        (("forget", "{}/media", "--yes"), "is no recorded session"),
        (("score", "{}/nowhere"), "is no folder"),
        (("verify", "{}/session.toml"), "cannot be read"),
    ],
)
def test_bad_input_is_one_clear_line(evening: Path, arguments: tuple[str, ...], says: str) -> None:
    done = run(*(argument.format(evening) for argument in arguments))
    assert isinstance(done.exception, InputFault)
    assert says in str(done.exception)


def test_a_session_in_use_is_left_alone(evening: Path) -> None:
    with SessionLock(evening):
        done = run("correct", evening, "undo")
    assert "in use" in str(done.exception)
