"""A session's log, `log.jsonl`: lines are only ever added, each chained to the one before, none ever lost.

A line is in the system's hands when `append` returns, so that a killed referee loses none. A full disk costs no line
either: the log gives up its own reserve, and what still finds no room waits in memory for the next try (S4).
"""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.faults import InputFault
from referee.session.log_lines import FIRST_PREV, KINDS, RESERVED, LogLine, LogProblem, LogRead, pack_line, read_log

__all__ = ["LOG_FILE", "LogLine", "LogProblem", "LogRead", "SessionLog", "read_log", "verify"]

LOG_FILE = "log.jsonl"
RESERVE_FILE = "log.reserve"
RESERVE_BYTES = 2_000_000
"""Room for some ten thousand lines: an evening."""

SYNC_EVERY_S = 1.0
_AT_ONCE = frozenset({"ruling", "score", "correction", "mark"})


class SessionLog:
    """The log at `path`, opened for adding, by several threads if need be. Only who holds the session's lock may.

    A half-written last line is set aside into a file of its own beside the log (`set_aside`), and a `state` line
    names it. problems: what was found wrong with the lines already there; the log is continued all the same.
    """

    def __init__(self, path: Path, *, reserve_bytes: int = RESERVE_BYTES) -> None:
        self.path = path
        self.problems: list[LogProblem] = []
        self._waiting: list[bytes] = []
        self._one_at_a_time = threading.Lock()
        self._synced_s = time.monotonic()
        self._n, self._hash, self._last_t_s = 0, FIRST_PREV, 0.0
        self._ids: set[str] = set()
        self.set_aside = self._take_up(path) if path.exists() else None
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as fault:
            raise InputFault(
                f"cannot be written: {fault.strerror}", where=str(path), mend="check its rights"
            ) from None
        self._size = os.fstat(self._file).st_size
        self._reserve = path.with_name(RESERVE_FILE)
        self._keep_reserve(reserve_bytes)
        if self.set_aside is not None:
            self.append("state", self._last_t_s, {"what": "half line set aside", "file": self.set_aside})

    @property
    def lines(self) -> int:
        """How many lines the log has, those that wait for room on the disk among them."""
        return self._n

    @property
    def waiting(self) -> int:
        """How many lines found no room on the disk yet."""
        return len(self._waiting)

    @property
    def last_hash(self) -> str:
        """The hash of the last line: it vouches for all before it."""
        return self._hash

    def append(self, kind: str, t_s: float, payload: Mapping[str, Any], *, line_id: str | None = None) -> str:
        """Add one line at `t_s` on the session clock and return its id.

        The id is `line_id`, else the payload's own `id`, else `L` with the line's number. Raises ValueError for an
        unknown kind, for a key of the log's own in the payload, and for an id that the log already has.
        """
        fields = dict(payload)
        if kind not in KINDS:
            raise ValueError(f"unknown kind of log line {kind!r}: expected one of {', '.join(sorted(KINDS))}")
        if taken := RESERVED & set(fields):
            raise ValueError(f"{min(taken)!r} is the log's own key")
        own_id = fields.pop("id", None)
        fields.pop("t_s", None)
        with self._one_at_a_time:
            return self._append(kind, t_s, fields, str(line_id or own_id or ""))

    def _append(self, kind: str, t_s: float, fields: Mapping[str, Any], line_id: str) -> str:
        n = self._n + 1
        line_id = line_id or f"L{n}"
        if line_id in self._ids:
            raise ValueError(f"the log already has a line {line_id!r}")
        line, digest = pack_line(n, line_id, kind, t_s, fields, self._hash)
        self._n, self._hash = n, digest
        self._ids.add(line_id)
        self._waiting.append(line)
        self._write_out()
        if not self._waiting and (kind in _AT_ONCE or time.monotonic() - self._synced_s >= SYNC_EVERY_S):
            self.sync()
        return line_id

    def has(self, line_id: str) -> bool:
        """Whether a line with this id is in the log."""
        return line_id in self._ids

    def sync(self) -> None:
        """Put all lines onto the disk itself: a power cut then spares them too."""
        try:
            os.fsync(self._file)
        except OSError as fault:
            if fault.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EINVAL):
                raise
        self._synced_s = time.monotonic()

    def close(self) -> None:
        """Write what waits, sync, and give the reserve back. Raises InputFault if lines found no room to the last."""
        self._write_out()
        self.sync()
        os.close(self._file)
        if self._waiting:
            raise InputFault(
                f"the disk is full: {len(self._waiting)} lines could not be written",
                where=str(self.path),
                mend="make room, then run the session again with --resume",
            )
        self._reserve.unlink(missing_ok=True)

    def _take_up(self, path: Path) -> str | None:
        read = read_log(path)
        self.problems = read.problems
        self._ids = {line.id for line in read.lines}
        if read.lines:
            last = read.lines[-1]
            self._n, self._hash = last.n, last.hash
            self._last_t_s = max(line.t_s for line in read.lines)
        return set_tail_aside(path, read) if read.tail_bytes else None

    def _write_out(self) -> None:
        while self._waiting:
            line = self._waiting[0]
            if not self._written(line) and not (self._give_up_reserve() and self._written(line)):
                return
            del self._waiting[0]

    def _written(self, line: bytes) -> bool:
        """Whether the whole line went out; of a line that did not, nothing is left in the file."""
        try:
            wrote = os.write(self._file, line)
        except OSError as fault:
            if fault.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
                raise
            wrote = 0
        if wrote < len(line):
            os.ftruncate(self._file, self._size)
            return False
        self._size += wrote
        return True

    def _keep_reserve(self, size: int) -> None:
        try:
            with self._reserve.open("wb") as reserve:
                reserve.write(bytes(size))
        except OSError:  # no room for a reserve is no reason not to keep a log
            self._reserve.unlink(missing_ok=True)

    def _give_up_reserve(self) -> bool:
        had = self._reserve.exists()
        self._reserve.unlink(missing_ok=True)
        return had


def set_tail_aside(path: Path, read: LogRead) -> str:
    """Moves the bytes after the last whole line of the log into `log.tail-N`, and returns that file's name."""
    data = path.read_bytes()
    keep = len(data) - read.tail_bytes
    number = 1
    while (aside := path.with_name(f"log.tail-{number}")).exists():
        number += 1
    aside.write_bytes(data[keep:])
    with path.open("r+b") as log:
        log.truncate(keep)
    return aside.name


def verify(path: Path, *, lines: int = 0, last_hash: str = "") -> list[LogProblem]:
    """What is wrong with the log at `path`, an empty list if nothing.

    lines, last_hash: the seal of an earlier moment (`score.json`, a case bundle): the log must still have that many
    lines, and the last of them that hash. Raises InputFault when there is no log.
    """
    read = read_log(path)
    problems = list(read.problems)
    if lines > len(read.lines):
        problems.append(LogProblem(len(read.lines) + 1, f"lines from here to {lines} are missing"))
    elif lines and last_hash and read.lines[lines - 1].hash != last_hash:
        problems.append(LogProblem(lines, "is not the line that was sealed: the log was written anew"))
    return problems
