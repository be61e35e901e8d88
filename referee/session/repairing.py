"""Puts a session folder right after a crash: media made whole, the log's end cleaned, game and score written anew."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from referee.faults import InputFault
from referee.session.folder import close_session, seal_of
from referee.session.lock import SessionLock
from referee.session.log import LOG_FILE, SessionLog, read_log, verify
from referee.session.media_repair import mend_media
from referee.session.plan import open_plan
from referee.session.rejudging import LogJudging


@dataclass(frozen=True, slots=True)
class Repair:
    """What was found and done, a line each. problems: what cannot be put right, the log's own faults above all."""

    done: list[str]
    problems: list[str]
    judging: LogJudging


def repair_session(folder: Path) -> Repair:
    """Repair the session in `folder`; a second time finds nothing to do.

    Raises InputFault when it is no recorded session, when another referee works on it, or when the disk is full.
    """
    plan = open_plan(folder)
    path = folder / LOG_FILE
    if not plan.recorded or not path.exists():
        raise InputFault(
            "is no session that was recorded", where=str(folder), mend="name a folder that `watch` wrote"
        )
    with SessionLock(folder) as lock:
        sealed, last_hash = seal_of(folder)
        problems = [str(problem) for problem in verify(path, lines=sealed, last_hash=last_hash)]
        done = [f"process {lock.crashed.pid} did not close the session: now it is closed"] if lock.crashed else []
        log = SessionLog(path)
        try:
            if log.set_aside:
                cut = problems.pop(next(i for i, p in enumerate(problems) if p == str(log.problems[-1])))
                done.append(f"{LOG_FILE} {cut}; it is set aside as {log.set_aside}")
            lines = read_log(path).lines
            mended = mend_media(folder, lines)
            for kind, t_s, payload in mended.lines:
                log.append(kind, t_s, payload)
            done += mended.remarks
            if done or problems:
                t_s = max((line.t_s for line in lines), default=0.0)
                log.append("state", t_s, {"what": "repaired", "done": done, "problems": problems})
        finally:
            log.close()
        judging = close_session(folder, plan, read_log(path).lines)
    return Repair(done, [f"{LOG_FILE} {problem}" for problem in problems], judging)
