"""`referee rules`: what a player reads, and what a program reads."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app
from referee.faults import InputFault


@pytest.fixture
def referee(monkeypatch: pytest.MonkeyPatch) -> "Referee":
    monkeypatch.setenv("COLUMNS", "80")
    return Referee()


class Referee:
    """Runs `referee rules …` and gives its lines."""

    def lines(self, *arguments: str) -> list[str]:
        return self.run(*arguments).output.splitlines()

    def records(self, *arguments: str) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.run(*arguments, "--json").output.splitlines()]

    def run(self, *arguments: str) -> Result:
        result = CliRunner().invoke(app, ["rules", *arguments], catch_exceptions=False)
        assert result.exit_code == 0
        return result


def test_diff_reads_like_a_quarrel(referee: Referee) -> None:
    lines = [line.rstrip() for line in referee.lines("diff", "seed-003", "seed-004")]
    at = lines.index("  When you can't play:")
    assert lines[at + 1].split() == ["seed-003", "draws", "one", "card", "3:31"]
    assert lines[at + 2].split()[-3:] == ["fits", "4:14,", "4:15"]
    assert lines.index("A turn") < at < lines.index("Calling UNO")
    assert any("line 1 of 003_b63de3a210e9baaa.txt" in line for line in lines)


def test_diff_of_equal_tables(referee: Referee) -> None:
    assert referee.lines("diff", "seed-001", "seed-001")[-1] == "These two tables play by the same rules."


def test_show_leads_from_an_option_to_the_line(referee: Referee) -> None:
    lines = [line.rstrip() for line in referee.lines("show", "seed-001")]
    at = lines.index("""    turn.draw = "one\"""")
    assert lines[at - 1].split() == ["When", "you", "can't", "play:", "draws", "one", "card", "1:38,", "1:120"]
    assert any("001_4c358c5e47fc249e.txt" in line for line in lines)
    assert any("assumed G06" in line and "who plays after a guilty +4" in line for line in lines)


@pytest.mark.parametrize(
    "arguments", [["list"], ["show", "seed-000"], ["show", "party"], ["diff", "seed-000", "four-card-penalty"]]
)
def test_nothing_is_wider_than_eighty_columns(referee: Referee, arguments: list[str]) -> None:
    assert max(len(line) for line in referee.lines(*arguments)) <= 80


def test_list_names_every_profile_with_its_parent(referee: Referee) -> None:
    records = {record["name"]: record for record in referee.records("list")}
    assert len(records) == 19
    assert records["mattel-2022"] == {
        "type": "profile",
        "name": "mattel-2022",
        "title": "Mattel 2022 (reported)",
        "kind": "official",
        "parent": "112-card",
        "file": None,
    }
    assert {str(name) for name in records} <= {line.split()[0] for line in referee.lines("list") if line.strip()}


def test_show_json_has_every_option_with_its_sources(referee: Referee) -> None:
    head, *options = referee.records("show", "seed-004")
    assert head["file"] == "004_830679e8d033263f.txt"
    assert len(options) == 78
    draw = next(option for option in options if option["option"] == "turn.draw")
    assert draw["value"] == "until_playable"
    assert draw["sources"] == [
        {"source": f"seed-004 4:{line}", "file": "004_830679e8d033263f.txt", "line": line,
         "words": f"line {line} of 004_830679e8d033263f.txt"}
        for line in (14, 15)
    ]  # fmt: skip


def test_diff_json_tells_both_sides(referee: Referee) -> None:
    records = referee.records("diff", "seed-003", "seed-004")
    draw = next(record for record in records if record["option"] == "turn.draw")
    assert draw["sentence"] == "When you can't play: seed-003 draws one card; seed-004 keeps drawing until one fits."
    assert {record["type"] for record in records} == {"difference"}


def test_a_tables_own_file_can_be_shown_and_compared(referee: Referee, tmp_path: Path) -> None:
    ours = tmp_path / "ours.toml"
    ours.write_text("extends = 'seed-003'\n[score.values]\nskip = 30\n[[deck.custom_rules]]\n", encoding="utf-8")
    (only,) = referee.records("diff", str(ours), "seed-003")
    assert only["option"] == "score.values"
    assert "counts 30 for a Skip" in str(only["sentence"])
    assert referee.lines("show", str(ours))[1] == "extends: seed-003"


def test_an_unknown_profile_is_a_fault_of_the_input() -> None:
    with pytest.raises(InputFault, match="did you mean 'seed-003'"):
        CliRunner().invoke(app, ["rules", "show", "seed-03"], catch_exceptions=False)
