"""An archive judged again: what changed, what is not done twice, what is broken and stops nothing."""

from __future__ import annotations

import csv
import errno
import os
import shutil
import signal
from collections import namedtuple
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from referee.archive import keys, pool, working
from referee.archive.keys import tasks_of
from referee.archive.shelves import FolderShelf, open_shelf
from referee.archive.tasks import Outcome, Task
from referee.cards import Card
from referee.cli.main import app
from referee.faults import InputFault
from referee.session.corrections import Correction, add_correction
from referee.session.folder import log_of
from referee.session.log import LOG_FILE, SessionLog
from tests.archive.evenings import P1, P2, alter_log, evening, here, judge, left_by, make_newer, season
from tests.session.drawn_log import landed
from tests.session.recorded_evening import record


def rows(out: Path, table: str = "sessions") -> list[dict[str, str]]:
    with (out / f"{table}.csv").open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def refuse(tasks: Sequence[Task]) -> Any:
    raise AssertionError(f"{len(tasks)} tasks were done again")


def correct(session: Path, correction: Correction) -> None:
    lines = log_of(session)
    log = SessionLog(session / LOG_FILE)
    add_correction(log, lines, correction, 99.0)
    log.close()


def test_judged_as_at_the_table_nothing_changes(tmp_path: Path) -> None:
    run = judge(season(tmp_path / "club", 2), tmp_path / "out")
    assert run.states == {"done": 2}
    assert [(row["plays"], row["fouls"], row["added"], row["withdrawn"]) for row in rows(tmp_path / "out")] == [
        ("3", "0", "0", "0"),  # a card where two were owed is asked about, and what was laid on it, too
        ("3", "2", "0", "0"),
    ]
    assert rows(tmp_path / "out", "changes") == []


def test_by_rules_that_let_a_draw_two_answer_one(tmp_path: Path) -> None:
    """As tests/session/test_rejudging.py: `party` allows it, so that ruling goes; four are owed, so the next is asked
    about.
    """
    evening(tmp_path / "club" / "friday")
    judge(tmp_path / "club", tmp_path / "out", profile="party")
    changed = [(line["change"], line["then"].split(" ")[:2]) for line in rows(tmp_path / "out", "changes")]
    assert [line for line in changed if line[0] == "withdrawn"] == [
        ("withdrawn", ["foul", "stacked_not_allowed"]),
        ("withdrawn", ["foul", "illegal_play"]),
    ]
    assert int(rows(tmp_path / "out")[0]["withdrawn"]) == 2


def test_a_correction_withdraws_a_ruling(tmp_path: Path) -> None:
    session = record(tmp_path / "club" / "friday", [landed("v1", 2.0, "G9", P1), landed("v2", 5.0, "G6", P2)])
    judge(tmp_path / "club", tmp_path / "out")
    assert rows(tmp_path / "out", "changes") == []
    correct(session, Correction("card", about=("v1",), card=Card.parse("R6")))
    judge(tmp_path / "club", tmp_path / "out")
    assert [row["kinds"] for row in rows(tmp_path / "out")] == ["withdrawn foul illegal_play 1"]


def test_what_is_finished_is_not_done_again(tmp_path: Path) -> None:
    club = season(tmp_path / "club", 3)
    judge(club, tmp_path / "out")
    first = left_by(tmp_path / "out")
    run = judge(club, tmp_path / "out", refuse)
    assert run.before == 3
    assert left_by(tmp_path / "out") == first


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    club = season(tmp_path / "club", 3)

    def stopped(tasks: Sequence[Task]) -> Any:
        yield next(here(tasks))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge(club, tmp_path / "out", stopped)
    assert len(rows(tmp_path / "out")) == 1
    assert judge(club, tmp_path / "out").before == 1
    judge(club, tmp_path / "whole")
    assert left_by(tmp_path / "out") == left_by(tmp_path / "whole")


def test_a_half_written_result_counts_for_nothing(tmp_path: Path) -> None:
    club = season(tmp_path / "club", 1)
    judge(club, tmp_path / "out")
    (kept,) = (tmp_path / "out" / "done").iterdir()
    kept.write_bytes(kept.read_bytes()[:40])
    assert judge(club, tmp_path / "out").before == 0


def test_the_key_is_of_what_bears_on_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = season(tmp_path / "club", 1)

    def key(profile: str | None = None) -> str:
        return tasks_of(open_shelf(str(club)), "rejudge", profile=profile)[0][0].key

    seen = [key(), key("party"), key("seed-003")]
    assert key() == seen[0]
    own = tmp_path / "own.toml"
    own.write_text('extends = "classic-108"\n[uno]\npenalty = 2\n', encoding="utf-8")
    seen.append(key(str(own)))
    own.write_text('extends = "classic-108"\n[uno]\npenalty = 4\n', encoding="utf-8")
    seen.append(key(str(own)))
    with monkeypatch.context() as other:
        other.setattr(keys, "models_hash", lambda _weights: "another model")
        seen.append(key())
    with monkeypatch.context() as other:
        other.setattr(keys, "__version__", "9.9")
        seen.append(key())
    seen.append(tasks_of(open_shelf(str(club)), "replay")[0][0].key)
    correct(club / "night-000", Correction("never", about=("v3",)))
    seen.append(key())
    assert len(set(seen)) == len(seen)


def test_broken_sessions_stop_nothing(tmp_path: Path) -> None:
    club = season(tmp_path / "club", 2)
    alter_log(evening(club / "altered"))
    make_newer(evening(club / "newer"))
    (club / "empty").mkdir()
    (club / "empty" / "session.toml").write_text("format = ", encoding="utf-8")
    cut = evening(club / "cut") / LOG_FILE
    cut.write_bytes(cut.read_bytes() + b'{"n":9')
    short = evening(club / "short") / LOG_FILE
    short.write_bytes(b"".join(short.read_bytes().splitlines(keepends=True)[:2]))
    judge(club, tmp_path / "out")
    told = {row["session"]: (row["state"], row["reason"]) for row in rows(tmp_path / "out")}
    assert told["altered"] == ("broken", "log.jsonl: line 2: was changed after it was written (and 2 more)")
    assert told["newer"] == ("refused", "it is of format 2, this referee reads up to 1: update it")
    assert told["empty"][0] == "refused"
    assert "referee repair" in told["cut"][1]
    assert "are missing" in told["short"][1]
    assert told["night-000"] == told["night-001"] == ("done", "")


def test_accuracy_holds_the_judge_against_what_people_put_right(tmp_path: Path) -> None:
    session = evening(tmp_path / "club" / "friday", "Y1")
    evening(tmp_path / "club" / "nobody-knows")
    correct(session, Correction("card", about=("v2",), card=Card.parse("R1")))
    judge(tmp_path / "club", tmp_path / "out", action="accuracy")
    known, unknown = rows(tmp_path / "out")
    assert (known["truth"], known["judged_from"]) == ("corrections", "log")
    assert (known["plays_true"], known["plays_right"], known["plays_false"]) == ("3", "2", "1")
    assert (unknown["state"], unknown["session"]) == ("refused", "nobody-knows")


class TestOtherPlaces:
    def test_over_fsspec_the_same_comes_out(self, tmp_path: Path) -> None:
        club = season(tmp_path / "club", 2)
        judge(club, tmp_path / "folder")
        judge(f"file://{club}", tmp_path / "url")
        assert left_by(tmp_path / "url") == left_by(tmp_path / "folder")

    def test_a_full_disk_leaves_the_session_and_names_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        usage = namedtuple("usage", "total used free")
        club = season(tmp_path / "club", 2)
        tasks = tasks_of(open_shelf(f"file://{club}"), "rejudge")[0]
        with monkeypatch.context() as full:
            full.setattr(shutil, "disk_usage", lambda _room: usage(10**9, 10**9, 12_000_000))
            outcome = working.do(tasks[0])
        assert outcome.state == "left"
        assert "no room for it on this worker's disk" in outcome.row["reason"]
        assert working.do(tasks[1]).state == "done"

    def test_a_disk_that_fills_under_way(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: object, **__: object) -> Path:
            raise OSError(errno.ENOSPC, "No space left on device")

        (task,) = tasks_of(open_shelf(str(season(tmp_path / "club", 1))), "rejudge")[0]
        monkeypatch.setattr(FolderShelf, "at_hand", full)
        assert working.do(task).row["reason"] == "the worker's disk is full"

    @pytest.mark.parametrize(
        ("root", "says"),
        [("nosuch://x/y", "cannot be reached"), ("file:///no/such", "no folder"), ("/no/such", "no folder")],
    )
    def test_a_place_that_is_not_there(self, root: str, says: str) -> None:
        with pytest.raises(InputFault, match=says):
            open_shelf(root).sessions()

    def test_a_worker_of_another_version_is_told(self, tmp_path: Path) -> None:
        (task,) = tasks_of(open_shelf(str(season(tmp_path / "club", 1))), "rejudge")[0]
        others = ((replace(task, version="0.0.9"), "not 0.0.9"), (replace(task, models="x"), "other models"))
        for other, says in others:
            outcome = working.do(other)
            assert outcome.state == "left"
            assert says in outcome.row["reason"]


def killing(task: Task, flag: Path, *, again: bool) -> Outcome:
    """`do`, in a worker that is killed at `night-001`: once, or each time."""
    if task.name == "night-001" and (again or not flag.exists()):
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return working.do(task)


@pytest.mark.parametrize("again", [False, True])
def test_a_killed_worker_costs_no_other_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: bool) -> None:
    club = season(tmp_path / "club", 4)
    judge(club, tmp_path / "one")
    monkeypatch.setattr(pool, "do", partial(killing, flag=tmp_path / "killed", again=again))
    run = judge(club, tmp_path / "pool", lambda tasks: pool.run_in_pool(tasks, 2))
    if again:
        assert [(o.name, o.state) for o in run.problems] == [("night-001", "left")]
        assert run.states["done"] == 3
    else:
        assert left_by(tmp_path / "pool") == left_by(tmp_path / "one")


class TestCommand:
    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (["guess"], "unknown action 'guess'"),
            (["rejudge", "--profile", "clasic-108"], "there is no profile"),
            (["rejudge", "--weights", "x.pt"], "looks at no picture"),
            (["replay", "--weights", "/no/such"], "are no weights"),
            (["rejudge", "--scheduler", "here"], "is no scheduler's address"),
        ],
    )
    def test_what_cannot_be_used(self, tmp_path: Path, arguments: list[str], says: str) -> None:
        club = season(tmp_path / "club", 1)
        result = CliRunner().invoke(app, ["archive", str(club), *arguments, "--out", str(tmp_path / "out")])
        assert isinstance(result.exception, InputFault)
        assert says in str(result.exception)

    def test_a_folder_without_a_session(self, tmp_path: Path) -> None:
        result = CliRunner().invoke(app, ["archive", str(tmp_path), "rejudge", "--out", str(tmp_path / "out")])
        assert "holds no session" in str(result.exception)

    def test_a_whole_run_and_its_exit_status(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        club = season(tmp_path / "club", 2)
        monkeypatch.setattr(pool, "run_in_pool", lambda tasks, _workers: here(tasks))
        command = ["archive", str(club), "rejudge", "--out", str(tmp_path / "out")]
        assert CliRunner().invoke(app, command).exit_code == 0
        assert "2 done, 2 of them by an earlier run" in CliRunner().invoke(app, command).stdout
        alter_log(club / "night-001")
        result = CliRunner().invoke(app, command)
        assert (result.exit_code, "night-001: broken" in result.stderr) == (2, True)
        shutil.rmtree(club / "night-001")
        assert '"before": 1' in CliRunner().invoke(app, [*command, "--json"]).stdout.splitlines()[-1]
