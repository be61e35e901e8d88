"""`referee tournament`, from the first name to the standings, as people use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app
from referee.faults import InputFault
from referee.tournament.store import read_book
from tests.session.drawn_log import PLAN, landed
from tests.session.recorded_evening import record

NAMES = "Ana\nBruno\nCarla\nDinis\nElena\nFilipe\nGabi\n"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["tournament", *map(str, arguments)], env={"COLUMNS": "200"})


def refused(*arguments: object) -> str:
    done = run(*arguments)
    assert isinstance(done.exception, InputFault), done.output
    return str(done.exception)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "names.csv").write_text(NAMES)
    made = tmp_path / "night.toml"
    assert run("new", made, "--title", "Club night", "--players", tmp_path / "names.csv", "--seed", 5).exit_code == 0
    return made


def test_a_night_of_two_rounds(file: Path, tmp_path: Path) -> None:
    assert "Repeat meetings: 0." in run("pair", file, "--csv", tmp_path / "round.csv").stdout
    (tmp_path / "results.csv").write_text(_filled((tmp_path / "round.csv").read_text()))
    assert run("result", file, "--import", tmp_path / "results.csv").exit_code == 0
    assert run("players", file, "--leave", "Gabi", "--add", "Zé").exit_code == 0
    assert run("pair", file).exit_code == 0
    first = read_book(file).rounds[1][0]
    points = ",".join(f"{name}={10 * number}" for number, name in enumerate(first.players))
    assert run("result", file, "--table", first.name, "--points", points).exit_code == 0
    assert "has a result already" in refused("result", file, "--table", first.name, "--points", points)
    assert run("result", file, "--table", first.name, "--points", points, "--correct").exit_code == 0
    page, sheet = tmp_path / "page.html", tmp_path / "standings.csv"
    told = run("standings", file, "--html", page, "--csv", sheet)
    assert "match points" in told.stdout
    assert "Club night" in page.read_text(encoding="utf-8")
    rows = [json.loads(line) for line in run("standings", file, "--json").stdout.splitlines()]
    assert [row["place"] for row in rows] == list(range(1, 9))
    assert sheet.read_text(encoding="utf-8").splitlines()[1].startswith(f"1,{rows[0]['player']},")


def _filled(pairing: str) -> str:
    head, *rows = pairing.splitlines()
    return "\n".join([head, *(f"{row}{10 * number}" for number, row in enumerate(rows))]) + "\n"


def test_a_pairing_of_ones_own(file: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.csv"
    own.write_text("table,player\nA,Ana\nA,Bruno\nA,Carla\nB,Dinis\nB,Elena\nB,Filipe\nB,Gabi\n")
    assert run("pair", file, "--import", own).exit_code == 0
    assert [table.name for table in read_book(file).rounds[0]] == ["A", "B"]
    assert "Dinis, Elena, Filipe, Gabi" in run("show", file).stdout


def test_a_file_of_results_is_taken_whole_or_not_at_all(file: Path, tmp_path: Path) -> None:
    run("pair", file, "--csv", tmp_path / "round.csv")
    before = file.read_bytes()
    results = tmp_path / "results.csv"
    results.write_text(_filled((tmp_path / "round.csv").read_text()) + "1,9,Ana,5\n")
    assert "round 1 has no table '9'" in refused("result", file, "--import", results)
    results.write_text(_filled((tmp_path / "round.csv").read_text()).replace("\n1,", "\n2,"))
    assert "results.csv:2: is of round 2, not 1" in refused("result", file, "--import", results)
    assert file.read_bytes() == before


def test_results_come_out_of_recorded_sessions_whose_hands_were_counted(tmp_path: Path) -> None:
    """Ana and Bruno alone at a table: too few for a tournament, so a third is entered and the session is refused."""
    evening = record(tmp_path / "evenings" / "friday", [landed("v1", 2.0, "R9", next(iter(PLAN.players)))])
    (tmp_path / "names.csv").write_text("Ana\nBruno\nCarla\n")
    made = tmp_path / "night.toml"
    run("new", made, "--players", tmp_path / "names.csv")
    run("pair", made)
    assert "no round was finished" in refused("result", made, "--session", evening)
    for folder, says in ((tmp_path / "nowhere", "is no folder"), (tmp_path, "holds no session")):
        assert says in refused("result", made, "--session", folder)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("new", "{file}"), "is there already"),
        (("pair", "nowhere.toml"), "is not there"),
        (("show", "{file}"), "has no round 1"),
        (("result", "{file}"), "which result?"),
        (("result", "{file}", "--table", "1"), "which result?"),
        (("result", "{file}", "--table", "1", "--points", "Ana"), "'Ana' is no result"),
        (("result", "{file}", "--table", "1", "--points", "Ana=5,Ana=6"), "Ana is told twice"),
        (("players", "{file}", "--leave", "Nobody"), "'Nobody' does not play"),
        (("players", "{file}", "--import", "nowhere.csv"), "cannot be read"),
        (("standings", "{file}", "--csv", "/nowhere/at/all.csv"), "cannot be written"),
    ],
)
def test_one_clear_line_for_bad_input(file: Path, arguments: tuple[str, ...], says: str) -> None:
    before = file.read_bytes()
    told = refused(*(one.format(file=file) for one in arguments))
    assert says in told
    assert "\n" not in told
    assert file.read_bytes() == before
