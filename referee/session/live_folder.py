"""A session folder at work: locked, its log open, its clocks anchored; begun anew, or taken up after a crash."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.faults import InputFault
from referee.session.clock import anchor
from referee.session.continuity import gap
from referee.session.folder import close_session, create_session, segments_of
from referee.session.lock import Holder, SessionLock
from referee.session.log import LOG_FILE, LogLine, SessionLog, read_log
from referee.session.media_repair import mend_media
from referee.session.plan import SessionPlan, open_plan
from referee.session.rejudging import LogJudging


class LiveFolder:
    """Use `begin` or `resume`; then `tell`, and `close` at the end.

    before: the lines that were there already. run: 1 for a new session, 2 when it was resumed once, and so on.
    recorded_s: where log and media end, and where the sitting goes on. away_s: how long nobody watched before that.
    remarks: what was set aside or mended, a line each.
    """

    def __init__(self, folder: Path, plan: SessionPlan, lock: SessionLock) -> None:
        self.folder = folder
        self.plan = plan
        self._lock = lock
        path = folder / LOG_FILE
        try:
            self.log = SessionLog(path)
        except InputFault:
            lock.release()
            raise
        self.before: list[LogLine] = read_log(path).lines
        self.remarks: list[str] = [f"{LOG_FILE} {problem}" for problem in self.log.problems]
        self.recorded_s = max((line.t_s for line in self.before), default=0.0)
        self.away_s = 0.0
        self.run = 1 + sum(_begins(line) for line in self.before)
        self._told_s = self.recorded_s
        self._telling = threading.Lock()

    @classmethod
    def begin(cls, folder: Path, plan: SessionPlan, *, calibration: Path | None = None) -> LiveFolder:
        """A new session in `folder`. Raises InputFault when it holds one already or cannot be written."""
        create_session(folder, plan, calibration=calibration)
        live = cls(folder, open_plan(folder), SessionLock(folder))
        live.tell("state", 0.0, {"what": "opened"})
        live.tell("clock", 0.0, anchor())
        return live

    @classmethod
    def resume(cls, folder: Path, *, film: bool = False) -> LiveFolder:
        """The session in `folder` taken up where it ended, by a crash or in order; its broken pieces are mended.

        film: what is watched waited (a recording), so the session clock goes on where it stood; else it has gone on
        meanwhile. Raises InputFault when there is no session or another referee works on it.
        """
        plan = open_plan(folder)
        if not plan.recorded:
            raise InputFault("is no session that was recorded by `watch`", where=str(folder), mend="use --record")
        live = cls(folder, plan, SessionLock(folder))
        mended = mend_media(folder, live.before)
        for told in mended.lines:
            live.log.append(*told)
        live.remarks += mended.remarks
        ended_s = max(live.recorded_s, mended.until_s)
        live.recorded_s = ended_s if film else max(ended_s, _now_on(live.before) or ended_s)
        live.away_s = live.recorded_s - ended_s
        live.tell("state", live.recorded_s, {"what": "resumed", "run": live.run, **_by(live._lock.crashed)})
        live.tell("clock", live.recorded_s, anchor())
        if mended.until_s < live.recorded_s:
            live.tell(
                "gap", mended.until_s, gap("stopped", mended.until_s, live.recorded_s, "no referee was running")
            )
        return live

    def tell(self, kind: str, t_s: float, payload: Mapping[str, Any]) -> str:
        """Write a log line; from any thread."""
        with self._telling:
            self._told_s = max(self._told_s, t_s)
            return self.log.append(kind, t_s, payload)

    def free_id(self, wanted: str) -> str:
        """`wanted`, or the first of `wanted.2`, `wanted.3` … that no line has."""
        name, again = wanted, 2
        while self.log.has(name):
            name, again = f"{wanted}.{again}", again + 1
        return name

    @property
    def next_piece(self) -> int:
        """The number that the next piece of media gets."""
        pieces = segments_of(self.folder, empty=True)
        return pieces[-1].number + 1 if pieces else 1

    def close(self, t_s: float) -> LogJudging:
        """The session ends at `t_s`: the log is closed, game and score are written, the lock is released."""
        try:
            self.tell("state", max(t_s, self._told_s), {"what": "closed"})
            self.log.close()
            return close_session(self.folder, self.plan, read_log(self.log.path).lines)
        finally:
            self._lock.release()


class Written:
    """What a log already says. A session that is taken up judges its last seconds again: that is written once."""

    def __init__(self, lines: Sequence[LogLine]) -> None:
        self._known = {_key(line.type, line.t_s, line.payload) for line in lines}

    def lacks(self, record: Mapping[str, Any]) -> bool:
        """Whether the log does not have this entry, ruling or score yet."""
        return _key(str(record["type"]), float(record.get("t_s", 0.0)), record) not in self._known


def _key(kind: str, t_s: float, fields: Mapping[str, Any]) -> tuple[object, ...]:
    return (kind, round(t_s, 3), *(str(fields.get(name)) for name in ("ugn", "incident", "seat", "text", "round")))


def _begins(line: LogLine) -> bool:
    return line.type == "state" and line.payload.get("what") in ("opened", "resumed")


def _by(crashed: Holder | None) -> dict[str, Any]:
    if crashed is None:
        return {"after": "a clean end"}
    return {"after": "a crash", "pid": crashed.pid, "same_boot": crashed.boot == anchor()["boot_id"]}


def _now_on(lines: Sequence[LogLine]) -> float | None:
    """The session clock's time now, by the wall clock: the machine's own clock may have begun anew."""
    for line in reversed(lines):
        if line.type == "clock" and "wall" in line.payload:
            try:
                then = dt.datetime.fromisoformat(str(line.payload["wall"]))
                return line.t_s + (dt.datetime.now(dt.UTC) - then).total_seconds()
            except (ValueError, TypeError):
                return None
    return None
