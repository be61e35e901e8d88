"""Puts a recorded evening right: one line into its log, everything judged again, record and score written anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.rules.scoring import SheetLine
from referee.session.corrections import Correction, add_correction
from referee.session.folder import close_session, log_of
from referee.session.incidents import DISPUTABLE, CaseLine, State, incidents_of, ruling_key
from referee.session.lock import SessionLock
from referee.session.log import LOG_FILE, LogLine, SessionLog
from referee.session.plan import SessionPlan
from referee.session.rejudging import LogJudging, judge_log


@dataclass(frozen=True, slots=True)
class PutRight:
    """What a correction changed. new: False where just that had been said before. gone, added: incidents."""

    id: str
    new: bool
    gone: tuple[CaseLine, ...]
    added: tuple[CaseLine, ...]
    judging: LogJudging


def put_right(folder: Path, plan: SessionPlan, correction: Correction, t_s: float | None = None) -> PutRight:
    """Write `correction` into the log of `folder` and judge everything again.

    t_s: when it was said, on the session clock; the end of the log if nobody says. What the judging now rules besides
    goes into the log too, each line with `since`, the correction's id. Raises InputFault while another process holds
    the session, and when the correction is about a line that is not there.
    """
    with SessionLock(folder):
        log = SessionLog(folder / LOG_FILE)
        try:
            before = log_of(folder)
            said_s = t_s if t_s is not None else max((line.t_s for line in before), default=0.0)
            name, new = add_correction(log, before, correction, said_s)
            lines = log_of(folder)
            judging = judge_log(lines, plan)
            if new:
                for added in lines_of_what_is_new(lines, judging.ruling_records(), judging.sheet, name):
                    log.append(*added)
                lines = log_of(folder)
            close_session(folder, plan, lines)
        finally:
            log.close()
    old = {case.line.id: case for case in incidents_of(before, plan)}
    cases = incidents_of(lines, plan, judging)
    gone = [c for c in cases if c.state is State.GONE and c.line.id in old and old[c.line.id].state is not State.GONE]
    return PutRight(name, new, tuple(gone), tuple(c for c in cases if c.line.id not in old), judging)


def lines_of_what_is_new(
    lines: Sequence[LogLine], records: Iterable[Mapping[str, Any]], sheet: Iterable[SheetLine], since: str
) -> list[tuple[str, float, dict[str, Any]]]:
    """The rulings among `records`, and the rounds of `sheet`, that `lines` do not have: kind, time and payload."""
    known = {ruling_key(line.payload) for line in lines if line.type == "ruling"}
    found = [
        ("ruling", float(record["t_s"]), _payload(record, since))
        for record in records
        if record["type"] == "ruling" and record["kind"] in DISPUTABLE and ruling_key(record) not in known
    ]
    last = {line.payload.get("round"): _payload(line.payload, "") for line in lines if line.type == "score"}
    said_s = max((line.t_s for line in lines), default=0.0)
    rows = [row.to_json() for row in sheet]
    found += [("score", said_s, _payload(row, since)) for row in rows if _payload(row, "") != last.get(row["round"])]
    return found


def _payload(record: Mapping[str, Any], since: str) -> dict[str, Any]:
    """A record as the payload of a line: without what the line says itself, and what a picture's place is worth."""
    kept = {name: value for name, value in record.items() if name not in ("type", "t_s", "picture", "since")}
    return {**kept, "since": since} if since else kept
