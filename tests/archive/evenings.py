"""Small archives for tests: sessions as a live table leaves them, one or two of them spoilt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from referee.archive.keys import tasks_of
from referee.archive.results import Results
from referee.archive.running import ArchiveRun, Runner, run_archive
from referee.archive.shelves import open_shelf
from referee.archive.tasks import Action, Outcome, Task
from referee.archive.working import do
from referee.cards import Seat
from referee.session.log import LOG_FILE
from referee.session.plan import SESSION_FILE
from tests.session.drawn_log import landed
from tests.session.recorded_evening import record

P1, P2 = Seat.P1, Seat.P2


def evening(folder: Path, answer: str = "GD") -> Path:
    """P2 answers a red draw two with `answer`, then P1 lays a blue 5."""
    return record(folder, [landed("v1", 2.0, "RD", P1), landed("v2", 5.0, answer, P2), landed("v3", 9.0, "B5", P1)])


def season(root: Path, nights: int) -> Path:
    """An archive of so many evenings, every other one with another foul."""
    for number in range(nights):
        evening(root / f"night-{number:03}", "GD" if number % 2 else "Y1")
    return root


def alter_log(session: Path) -> None:
    log = session / LOG_FILE
    log.write_bytes(log.read_bytes().replace(b'"GD"', b'"RD"'))


def make_newer(session: Path) -> None:
    facts = session / SESSION_FILE
    facts.write_text(facts.read_text(encoding="utf-8").replace("format = 1", "format = 2"), encoding="utf-8")


def here(tasks: Sequence[Task]) -> Iterator[Outcome]:
    """Does the tasks in this process, one after the other."""
    return map(do, tasks)


def judge(
    root: Path | str, out: Path, runner: Runner = here, action: Action = "rejudge", profile: str | None = None
) -> ArchiveRun:
    sound, unreadable = tasks_of(open_shelf(str(root)), action, profile=profile)
    return run_archive(action, sound, unreadable, runner, Results(out))


def left_by(out: Path) -> dict[str, bytes]:
    """Every file that a run left, but for what it cost."""
    files = (path for path in sorted(out.rglob("*")) if path.is_file() and path.name != "timings.jsonl")
    return {str(path.relative_to(out)): path.read_bytes() for path in files}
