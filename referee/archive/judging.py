"""Judges one session of an archive, in a folder of this machine: its line of the table, and what changed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.archive.changes import changes, kinds_of
from referee.archive.keys import weights_manifest
from referee.archive.tasks import NotDone, Task
from referee.archive.truth import fouls_in, held_against, truth_of
from referee.rules.entries import Entry, Item, Play
from referee.rules.scoring import SheetLine
from referee.session.comparing import table_rulings
from referee.session.corrections import Standing, standing_corrections
from referee.session.folder import log_of, seal_of
from referee.session.log import LOG_FILE, LogLine, LogProblem, verify
from referee.session.plan import SESSION_FILE, SessionPlan, open_plan
from referee.session.rejudging import judge_log

if TYPE_CHECKING:
    from referee.session.replaying import Replaying

FORMAT = 1
"""The newest session format that this version reads (docs/session-folder.md)."""

JUDGED = ("rounds", "plays", "rulings", "fouls", "doubts")
CHANGED = ("added", "withdrawn", "changed", "kinds", "scores_then", "scores_now")
HELD = (
    *("judged_from", "truth", "plays_true", "plays_right", "plays_false", "draws_true", "draws_right"),
    *("fouls_true", "fouls_right", "fouls_false"),
)
COLUMNS = {
    "rejudge": ("session", "state", "reason", *JUDGED, *CHANGED, "key"),
    "replay": ("session", "state", "reason", *JUDGED, *CHANGED, "key"),
    "accuracy": ("session", "state", "reason", *JUDGED, *HELD, "key"),
}
"""The columns of the table of each action."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A session judged again. remarks: what could not be read or heard on the way. table_s: how long it was."""

    items: Sequence[Item]
    rulings: list[dict[str, Any]]
    sheet: Sequence[SheetLine]
    remarks: tuple[str, ...]
    table_s: float


def judge_session(folder: Path, task: Task, out: Path) -> tuple[dict[str, Any], tuple[dict[str, Any], ...], float]:
    """The row of the session in `folder`, its changes, and its length in s.

    out: a folder for what a replay leaves. Raises NotDone when it cannot be judged, InputFault when it
    cannot be read.
    """
    _require_known_format(folder)
    lines = _sound_lines(folder)
    if task.action == "rejudge" and not lines:
        raise NotDone("refused", f"it has no {LOG_FILE}: nothing to judge again without looking (use replay)")
    plan = open_plan(folder)
    if task.action == "accuracy":
        truth = truth_of(folder, plan, lines)
        judged = _watched(plan, task, (), out) if plan.media else _from_log(lines, plan, task, ())
        held = held_against(truth, judged.items, fouls_in(judged.rulings))
        source = "media" if plan.media else "log"
        return _row(task, judged, {"judged_from": source, **held}), (), judged.table_s
    corrections = standing_corrections(lines)
    if task.action == "rejudge":
        judged = _from_log(lines, plan, task, corrections)
    else:
        _require_whole_recording(folder, plan, lines)
        judged = _watched(plan, task, corrections, out)
    changed = changes(table_rulings(lines), judged.rulings) if lines else []
    sums = {change: sum(line["change"] == change for line in changed) for change in ("added", "withdrawn", "changed")}
    scores = {"scores_then": _scores_at_the_table(lines), "scores_now": _scores(s.to_json() for s in judged.sheet)}
    row = _row(task, judged, {**sums, "kinds": kinds_of(changed), **scores})
    return row, tuple({"session": task.name, **line} for line in changed), judged.table_s


def _require_known_format(folder: Path) -> None:
    try:
        said = tomllib.loads((folder / SESSION_FILE).read_text(encoding="utf-8")).get("format")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return  # told by whoever reads the plan
    if isinstance(said, int) and said > FORMAT:
        raise NotDone("refused", f"it is of format {said}, this referee reads up to {FORMAT}: update it")


def _sound_lines(folder: Path) -> list[LogLine]:
    """The lines of the log, none if there is no log. Raises NotDone for a log that is not as it was written."""
    if not (folder / LOG_FILE).exists():
        return []
    count, last = seal_of(folder)
    problems = verify(folder / LOG_FILE, lines=count, last_hash=last)
    if problems:
        raise NotDone("broken", f"{LOG_FILE}: {_first_of(problems)}")
    return log_of(folder)


def _first_of(problems: Sequence[LogProblem]) -> str:
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    mend = ": run `referee repair` on it" if len(problems) == 1 and "cut off" in problems[0].what else ""
    return f"{problems[0]}{more}{mend}"


def _require_whole_recording(folder: Path, plan: SessionPlan, lines: Sequence[LogLine]) -> None:
    """What was not recorded or was deleted would count as rulings withdrawn."""
    if not plan.media:
        raise NotDone("refused", "its picture and sound are not there: use rejudge")
    written = {Path(str(line.payload.get("file", ""))).name for line in lines if line.type == "segment"}
    missing = sorted(written - {path.name for path in plan.media})
    if missing:
        raise NotDone("broken", f"{len(missing)} of {len(written)} pieces of its recording are missing: {missing[0]}")
    if lines:
        from referee.session.checking import check_session

        for problem in check_session(folder):
            raise NotDone("broken", problem)


def _from_log(lines: Sequence[LogLine], plan: SessionPlan, task: Task, corrections: Sequence[Standing]) -> Judged:
    judged = judge_log(lines, plan, task.profile, corrections=corrections)
    table_s = max((line.t_s for line in lines), default=0.0)
    return Judged(judged.items, judged.ruling_records(), judged.sheet, (), table_s)


def _watched(plan: SessionPlan, task: Task, corrections: Sequence[Standing], out: Path) -> Judged:
    """Judged from picture and sound, as `referee replay` does."""
    from referee.session.replaying import Replaying
    from referee.session.senses import open_senses
    from referee.session.telling import json_records
    from referee.vision.reader import open_reader

    manifest = weights_manifest(task.weights)
    own = Path(task.weights) if task.weights and manifest is None else None
    senses = open_senses(plan, reader=open_reader(own, manifest, plan.deck))
    run: Replaying = Replaying(
        replace(plan, profile=task.profile or plan.profile), senses, out, corrections=corrections
    )
    reached_s: list[float] = [0.0]
    records = [r for told in run.run(reached_s.append) for r in json_records(told)]
    rulings = [record for record in records if record["type"] == "ruling"]
    return Judged(run.record(), rulings, run.sheet, (*senses.remarks, *run.remarks), max(reached_s))


def _row(task: Task, judged: Judged, more: Mapping[str, Any]) -> dict[str, Any]:
    plays = sum(isinstance(event, Play) for item in judged.items if isinstance(item, Entry) for event in item.events)
    kinds = [ruling["kind"] for ruling in judged.rulings]
    return {
        "session": task.name,
        "state": "done",
        "reason": "; ".join(judged.remarks),
        "rounds": len(judged.sheet),
        "plays": plays,
        "rulings": len(kinds),
        "fouls": kinds.count("foul"),
        "doubts": kinds.count("question"),
        **more,
        "key": task.key,
    }


def _scores_at_the_table(lines: Iterable[LogLine]) -> dict[str, int]:
    return _scores(line.payload for line in lines if line.type == "score")


def _scores(rounds: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The totals after the last round, empty before the first."""
    totals: dict[str, int] = {}
    for line in rounds:
        totals = dict(line.get("totals") or {})
    return dict(sorted(totals.items()))
