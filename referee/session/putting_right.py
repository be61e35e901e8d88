"""Puts a recorded evening right: one line into its log, everything judged again, record and score written anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
                _log_what_is_new(log, lines, judging, name)
                lines = log_of(folder)
            close_session(folder, plan, lines)
        finally:
            log.close()
    old = {case.line.id: case for case in incidents_of(before, plan)}
    cases = incidents_of(lines, plan, judging)
    gone = [c for c in cases if c.state is State.GONE and c.line.id in old and old[c.line.id].state is not State.GONE]
    return PutRight(name, new, tuple(gone), tuple(c for c in cases if c.line.id not in old), judging)


def _log_what_is_new(log: SessionLog, lines: Sequence[LogLine], judging: LogJudging, since: str) -> None:
    known = {ruling_key(line.payload) for line in lines if line.type == "ruling"}
    for record in judging.ruling_records():
        if record["kind"] in DISPUTABLE and ruling_key(record) not in known:
            log.append("ruling", float(record["t_s"]), _payload(record, since))
    last = {line.payload.get("round"): _payload(dict(line.payload), "") for line in lines if line.type == "score"}
    for row in judging.sheet:
        record = row.to_json()
        if _payload(record, "") != last.get(row.number):
            said_s = max(line.t_s for line in lines)
            log.append("score", said_s, _payload(record, since))


def _payload(record: dict[str, Any], since: str) -> dict[str, Any]:
    """A record as the payload of a line: without what the line says itself, and what a picture's place is worth."""
    kept = {name: value for name, value in record.items() if name not in ("type", "t_s", "picture", "since")}
    return {**kept, "since": since} if since else kept
