"""What an archive's judging leaves in its folder: a file for each finished session, the tables, and what it took."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from referee.archive import changes
from referee.archive.judging import COLUMNS
from referee.archive.tasks import Action, Outcome, Task
from referee.faults import InputFault
from referee.session.folder import write_whole

FORMAT = 1
DONE_FOLDER = "done"
TIMINGS_FILE = "timings.jsonl"


class Results:
    """The folder `out`. Raises InputFault when it cannot be written."""

    def __init__(self, out: Path) -> None:
        self.out = out
        try:
            (out / DONE_FOLDER).mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise _unwritable(out, fault) from None

    def finished(self, task: Task) -> Outcome | None:
        """The outcome of a task that was done before; a file that is not whole counts for nothing."""
        try:
            kept = json.loads(self._file(task.key).read_text(encoding="utf-8"))
            if (kept["format"], kept["row"]["key"]) != (FORMAT, task.key):
                return None
            return Outcome(task.name, task.key, "done", kept["row"], tuple(kept["changes"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, outcome: Outcome) -> None:
        """Put a session's outcome away, if it was done, and note what it took."""
        try:
            if outcome.state == "done":
                kept = {"format": FORMAT, "row": outcome.row, "changes": list(outcome.changes)}
                write_whole(self._file(outcome.key), _json(kept) + "\n")
            with (self.out / TIMINGS_FILE).open("a", encoding="utf-8") as timings:
                timings.write(_json({"session": outcome.name, "state": outcome.state, **outcome.cost}) + "\n")
        except OSError as fault:
            raise _unwritable(self.out, fault) from None

    def write_tables(self, action: Action, outcomes: Sequence[Outcome]) -> None:
        """`sessions` and `changes`, each as CSV and as JSON lines, in the order of the sessions' names."""
        ordered = sorted(outcomes, key=lambda outcome: outcome.name)
        rows = [outcome.row for outcome in ordered]
        changed = [line for outcome in ordered for line in outcome.changes]
        try:
            self._table("sessions", COLUMNS[action], rows)
            self._table("changes", changes.COLUMNS, changed)
        except OSError as fault:
            raise _unwritable(self.out, fault) from None

    def _table(self, name: str, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
        text = StringIO()
        sheet = csv.writer(text, lineterminator="\n")
        sheet.writerow(columns)
        lines = []
        for row in rows:
            sheet.writerow([_cell(row.get(column)) for column in columns])
            lines.append(_json(row) + "\n")
        write_whole(self.out / f"{name}.csv", text.getvalue())
        write_whole(self.out / f"{name}.jsonl", "".join(lines))

    def _file(self, key: str) -> Path:
        return self.out / DONE_FOLDER / f"{key}.json"


def _cell(value: Any) -> Any:
    """A cell of a spreadsheet: a mapping as `P1 55, P3 31`; nothing that a spreadsheet takes for a formula."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {count}" for name, count in value.items())
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _unwritable(out: Path, fault: OSError) -> InputFault:
    return InputFault(
        f"cannot be written: {fault.strerror}",
        where=str(out),
        mend="make room or name another folder with --out; what is finished stays finished",
    )
