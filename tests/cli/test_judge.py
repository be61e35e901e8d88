"""`referee judge`: what a player reads, what a program reads, and what happens to bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app
from tests.cli.conftest import Referee

NIGHT = """\
[UGN "1"] [Profile "classic-108"] [P1 "Ana"] [P2 "Bruno"] [P3 "Carla"]
[Pos "R7 R > P1 P1:4 P2:2 P3:4"]
P1: R2
P2: B9 !illegal_play[a claim]
P2: <B9 +2:foul
P3: R6! nonsense
P3: R1
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "night.ugn"
    path.write_text(NIGHT, encoding="utf-8")
    return path


def judge(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["judge", *arguments])


def first_ruling(result: Result) -> dict[str, object]:
    record: dict[str, object] = json.loads(result.stdout.splitlines()[0])
    return record


def test_json_lines_are_the_contract(game: Path) -> None:
    result = judge(str(game), "--json")
    [record] = [json.loads(line) for line in result.stdout.splitlines()]
    wanted = {
        "type": "ruling",
        "line": 4,
        "seat": "P2",
        "incident": "illegal_play",
        "kind": "foul",
        "certainty": "sure",
        "remedy": "take_back_draw_two_lose_turn",
    }
    assert {name: record[name] for name in wanted} == wanted
    assert record["rule"].startswith("match.symbol = true")
    assert record["text"] == "P2: blue 9 does not fit red 2. Take it back, draw 2, next player."


def test_a_bad_line_is_named_on_stderr_the_rest_is_judged_and_the_status_is_2(game: Path) -> None:
    result = judge(str(game))
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"referee: {game}:6:7: cannot read '!' here (an entry reads like `P1: R5`, `P2: +1 --` or `P3: UNO?P1`)"
    ]
    assert "Bruno" in result.stdout


def test_the_score_table(tmp_path: Path) -> None:
    path = tmp_path / "night.ugn"
    path.write_text('[Pos "R5 R > P1 P1:R6! P2:R1,B2 P3:YS"]\nP1: R6\nwins P1 P2=3(R1 B2) P3=20(YS)\n')
    result = judge(str(path))
    assert result.exit_code == 0
    assert "No fouls, no questions." in result.stdout
    assert "23 (+23)" in result.stdout
    [score] = [json.loads(line) for line in judge(str(path), "--json").stdout.splitlines()]
    assert (score["type"], score["points"]) == ("score", {"P1": 23})


def test_another_tables_rules_and_language(game: Path) -> None:
    spanish = first_ruling(judge(str(game), "--profile", "seed-004", "--json"))
    assert spanish["remedy"] == "take_back"
    assert "azul" in str(spanish["text"])
    english = first_ruling(judge(str(game), "--profile", "seed-004", "--language", "en", "--json"))
    assert english["text"] == "P2: blue 9 does not fit red 2. Take it back."


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (None, [], "cannot be read"),
        (b"\xff\xfe\x00", [], "is not a text file"),
        (b'[Profile "nobody"]\nP1: R5\n', [], "there is no profile 'nobody'"),
        (b"P1: R5\n", ["--language", "la"], "'la' is no language of the referee"),
        (b"P1: R5\nP2: B5\nP3: G5\n", ["--profile", "partners"], "4 to 4 players, not 3"),
    ],
)
def test_input_that_cannot_be_used_ends_with_one_line(
    referee: Referee, tmp_path: Path, content: bytes | None, arguments: list[str], message: str
) -> None:
    path = tmp_path / "night.ugn"
    if content is not None:
        path.write_bytes(content)
    run = referee("judge", str(path), *arguments)
    assert run.returncode == 2
    assert message in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert run.stdout == ""
