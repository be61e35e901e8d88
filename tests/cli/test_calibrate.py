"""`referee calibrate`: sheet, solve and verify as a user runs them, and one line for input that cannot be used."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from typer.testing import CliRunner

from referee.cli.calibrate import app
from referee.faults import InputFault
from referee.vision.zones import TableZones
from tests.calibration.drawn_sheets import bare_table, sheet, table_with, view


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    cv2.imwrite(str(folder / "sheet.png"), view(table_with(sheet()), 60))
    cv2.imwrite(str(folder / "bare.png"), view(bare_table(), 60))
    cv2.imwrite(str(folder / "tiny.png"), view(bare_table(), 60)[:100, :150])
    return folder


@pytest.mark.parametrize("name", ["sheet.pdf", "sheet.svg", "sheet.png"])
def test_the_sheet_is_written(name: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["sheet", "--out", str(tmp_path / name), "--paper", "letter"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / name).stat().st_size > 1000


def test_a_table_is_solved_shown_stored_and_verified(pictures: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    solve = ["solve", str(pictures / "sheet.png"), "--out", str(table), "--seats", "5"]
    with pytest.raises(InputFault, match="nothing was stored"):
        CliRunner().invoke(app, solve, catch_exceptions=False)
    assert not table.exists()
    assert (tmp_path / "table-preview.png").exists(), "the picture to accept is there before anything is stored"
    done = CliRunner().invoke(app, [*solve, "--accept"])
    assert done.exit_code == 0, done.output
    zones = TableZones.from_toml(table)
    assert zones.plane is not None
    assert len(zones.seats) == 5
    checked = CliRunner().invoke(app, ["verify", str(table), str(pictures / "sheet.png"), "--json"])
    assert checked.exit_code == 0, checked.output
    assert '"stands": true' in checked.output


def test_clicked_points_are_taken(pictures: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    points = ["--point", "discard=0.52,0.5", "--seat", "P1=0.5,0.85", "--seat", "P2=0.5,0.2"]
    done = CliRunner().invoke(app, ["solve", str(pictures / "sheet.png"), "--out", str(table), "--accept", *points])
    assert done.exit_code == 0, done.output
    assert [s.edge.value for s in TableZones.from_toml(table).seats] == ["bottom", "top"]


def test_nothing_at_all_is_a_guess_that_says_so(pictures: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    solve = ["solve", str(pictures / "bare.png"), "--guess", "--out", str(table), "--accept"]
    done = CliRunner().invoke(app, solve)
    assert "guess" in done.output
    assert TableZones.from_toml(table).guessed


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["bare.png"], "no marker is found"),
        (["tiny.png"], "picture is too small: 150x100"),
        (["gone.png"], "is not there"),
        (["sheet.png", "--point", "discard=0.5,1.2"], "outside the picture"),
        (["sheet.png", "--point", "heap=0.5,0.5"], "no pile is called 'heap'"),
        (["sheet.png", "--point", "discard"], "names no point"),
        (["sheet.png", "--seat", "P1=middle"], "is no point"),
        (["sheet.png", "--seat", "P0=0.5,0.5"], "P0"),
        (["sheet.png", "--seat", "P1=0.5,0.85", "--seat", "P2=0.52,0.85"], "P1 and P2 lie on one another"),
        (["sheet.png", "--seat", "P1=0.5,0.85", "--seats", "3"], "1 seats are placed, not 3"),
        (["sheet.png", "--table-mm", "big"], "is no size"),
        (["sheet.png", "--board", "big"], "is no board"),
        (["bare.png", "--corners", "0.1,0.1 0.9,0.1"], "2 corners"),
        (["sheet.png", "--learn"], "no hand was seen"),
    ],
)
def test_what_cannot_be_solved_is_one_fault_and_stores_nothing(
    pictures: Path, tmp_path: Path, arguments: list[str], fault: str
) -> None:
    table = tmp_path / "table.toml"
    options = ["--out", str(table), "--accept"]
    if "--corners" in arguments:
        options += ["--table-mm", "800x500"]
    with pytest.raises(InputFault, match=fault) as caught:
        CliRunner().invoke(
            app, ["solve", str(pictures / arguments[0]), *arguments[1:], *options], catch_exceptions=False
        )
    assert caught.value.mend
    assert not table.exists()
