"""`config` and `doctor`, as people use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments], env={"COLUMNS": "200"})


def test_what_is_shown_is_a_file_to_begin_from(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(run("config", "show").stdout)
    checked = run("config", "check", file)
    assert (checked.exit_code, "is well" in checked.stdout) == (0, True)


def test_without_settings_the_defaults_hold() -> None:
    assert "the defaults hold" in run("config", "check").stdout
    assert run("config", "path").stdout.strip().endswith("table.toml")


def test_every_fault_is_a_line_with_file_line_and_key(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("[camera]\nnmae = 'x'\n[pages]\nport = -1\n")
    checked = run("config", "check", file)
    assert checked.exit_code == 2
    first, second = checked.stderr.splitlines()
    assert first == f"referee: {file}:2: camera.nmae: there is no such key (did you mean name?)"
    assert second.startswith(f"referee: {file}:4: pages.port = -1: ")


@pytest.mark.enable_socket  # it tries whether the pages' port is free
def test_the_doctor_tells_each_finding_with_its_remedy() -> None:
    told = run("doctor", "--no-devices", "--json")
    findings = [json.loads(line) for line in told.stdout.splitlines()]
    assert {"models", "disk", "pages", "versions", "offline", "speech"} <= {one["area"] for one in findings}
    assert all(one["remedy"] for one in findings if one["state"] == "bad")
    assert told.exit_code == (2 if any(one["state"] == "bad" for one in findings) else 0)
