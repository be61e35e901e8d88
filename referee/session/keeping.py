"""Marks the recording of a moment to be kept when the disk budget deletes the oldest media."""

from __future__ import annotations

from pathlib import Path

from referee.faults import InputFault
from referee.session.folder import log_of
from referee.session.incidents import CaseLine
from referee.session.lock import SessionLock
from referee.session.log import LOG_FILE, SessionLog

AROUND_S = 15.0


def keep_moment(folder: Path, case: CaseLine) -> bool:
    """Write a `mark` for the media around `case` into the log, unless one is there; False if it cannot be now.

    A running referee holds its own log: the mark then waits for another time.
    """
    from_s, until_s = max(0.0, round(case.t_s - AROUND_S, 3)), round(case.t_s + AROUND_S, 3)
    lines = log_of(folder)
    if any(line.type == "mark" and line.payload.get("about") == case.line.id for line in lines):
        return True
    try:
        with SessionLock(folder):
            log = SessionLog(folder / LOG_FILE)
            payload = {"from_s": from_s, "until_s": until_s, "why": "case exported", "about": case.line.id}
            log.append("mark", max(line.t_s for line in lines), payload)
            log.close()
    except InputFault:
        return False
    return True
