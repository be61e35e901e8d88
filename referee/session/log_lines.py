"""One line of a session's log: JSON with its number, its kind, and the SHA-256 that chains it to the line before.

The hash is taken over the bytes of the line as they stand, up to `,"hash":`, so that a check needs no JSON at all
(docs/session-folder.md shows one in ten lines).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.faults import InputFault

FIRST_PREV = "0" * 64
"""What the first line names as the line before it."""

KINDS = frozenset(
    {
        "observation",
        "entry",
        "ruling",
        "score",
        "correction",
        "gap",
        "clock",
        "segment",
        "announcement",
        "mark",
        "state",
    }
)
RESERVED = frozenset({"n", "type", "prev", "hash"})
_TAIL_BYTES = len(b',"hash":""}') + 64


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line that was read. payload: everything but `n`, `id`, `type`, `t_s`, `prev` and `hash`."""

    n: int
    id: str
    type: str
    t_s: float
    payload: Mapping[str, Any]
    hash: str


@dataclass(frozen=True, slots=True)
class LogProblem:
    """Something wrong with a log: `line` counts from 1."""

    line: int
    what: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}"


@dataclass(frozen=True, slots=True)
class LogRead:
    """A log as far as it can be read. tail_bytes: how many bytes at its end are no whole line."""

    lines: list[LogLine]
    problems: list[LogProblem]
    tail_bytes: int = 0


def pack_line(
    n: int, line_id: str, kind: str, t_s: float, payload: Mapping[str, Any], prev: str
) -> tuple[bytes, str]:
    """The bytes of a line with its newline, and its hash."""
    fields = {"n": n, "id": line_id, "type": kind, "t_s": round(t_s, 3), **payload, "prev": prev}
    body = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)[:-1].encode()
    digest = hashlib.sha256(body).hexdigest()
    return body + b',"hash":"' + digest.encode() + b'"}\n', digest


def read_log(path: Path) -> LogRead:
    """Every line of `path` that is one, and what is wrong: changed, missing, foreign and half-written lines.

    Raises InputFault only when there is no such file or it cannot be opened.
    """
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise InputFault("is not there", where=str(path), mend="name a recorded session folder") from None
    except OSError as fault:
        raise InputFault(f"cannot be read: {fault.strerror}", where=str(path), mend="check its rights") from None
    lines: list[LogLine] = []
    problems: list[LogProblem] = []
    prev, expected = FIRST_PREV, 1
    rows = data.split(b"\n")
    end = rows.pop()
    tail_bytes = len(end)
    while rows and b"\0" in rows[-1]:  # a power cut may leave a run of zeros: that is the tail as well
        tail_bytes += len(rows.pop()) + 1
    for number, row in enumerate(rows, start=1):
        line = _unpack(row)
        if line is None:
            problems.append(LogProblem(number, "is no line of a session's log"))
            prev, expected = "", 0
            continue
        fields, digest = line
        if digest != hashlib.sha256(row[:-_TAIL_BYTES]).hexdigest():
            problems.append(LogProblem(number, "was changed after it was written"))
        elif prev and fields["prev"] != prev:
            problems.append(LogProblem(number, "does not follow the line before it: one was changed or is missing"))
        elif expected and fields["n"] != expected:
            problems.append(LogProblem(number, f"carries number {fields['n']} instead of {expected}"))
        expected = fields["n"] + 1
        prev = digest
        payload = {k: v for k, v in fields.items() if k not in RESERVED and k not in ("id", "t_s")}
        lines.append(LogLine(fields["n"], fields["id"], fields["type"], fields["t_s"], payload, digest))
    if tail_bytes:
        problems.append(LogProblem(len(rows) + 1, f"is not whole ({tail_bytes} bytes): its writing was cut off"))
    return LogRead(lines, problems, tail_bytes)


def _unpack(row: bytes) -> tuple[dict[str, Any], str] | None:
    """The fields and the stated hash of a row; None if it does not have the form of a line."""
    if row[-_TAIL_BYTES:][:9] != b',"hash":"' or not row.endswith(b'"}'):
        return None
    try:
        fields = json.loads(row)
    except (ValueError, RecursionError):
        return None
    sound = (
        isinstance(fields, dict)
        and isinstance(fields.get("n"), int)
        and isinstance(fields.get("id"), str)
        and isinstance(fields.get("type"), str)
        and isinstance(fields.get("t_s"), int | float)
        and isinstance(fields.get("prev"), str)
        and isinstance(fields.get("hash"), str)
    )
    return (fields, fields["hash"]) if sound else None
