"""What people put right: corrections as lines of the log, and how they change what eye and ear reported.

A correction never edits a line: it names the lines that it is about, and everything is judged again with it. The
words are those of docs/session-folder.md.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from referee.cards import Card, Seat
from referee.faults import InputFault
from referee.session.log import LogLine, SessionLog

NEEDS: dict[str, tuple[str, ...]] = {
    "card": ("about", "card"),
    "seat": ("about", "seat"),
    "drew": ("count",),
    "played": ("at_s", "card", "seat"),
    "call": ("at_s", "call"),
    "never": ("about",),
    "upheld": ("about",),
    "overturned": ("about",),
    "retract": ("about",),
}
"""The words a correction can be, and the fields that each needs."""

INSERTS = frozenset({"drew", "played", "call"})
"""Words that add something nobody noticed, where they carry `at_s` and are about no line."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One thing put right. Raises InputFault when a field that its word needs is missing or makes no sense.

    about: ids of the lines it is about; at_s: when the unnoticed happened, on the session clock. said: the words
    used; by: where they came from. `said` and `by` are no part of what it says.
    """

    what: str
    about: tuple[str, ...] = ()
    at_s: float | None = None
    seat: Seat | None = None
    card: Card | None = None
    count: int | None = None
    call: str | None = None
    said: str = ""
    by: str = "command"

    def __post_init__(self) -> None:
        if self.what not in NEEDS:
            raise InputFault(f"unknown correction {self.what!r}", mend=f"use one of {', '.join(NEEDS)}")
        for need in NEEDS[self.what]:
            if getattr(self, need) in (None, ()):
                raise InputFault(f"the correction {self.what!r} lacks {need!r}", mend="see docs/session-folder.md")
        if self.what == "drew" and not self.about and (self.at_s is None or self.seat is None):
            raise InputFault(
                "the correction 'drew' lacks a line, or a time and a seat", mend="name who drew and when"
            )
        if self.count is not None and not 0 <= self.count <= 108:
            raise InputFault(f"nobody draws {self.count} cards", mend="give a number from 0 to 108")

    def content(self) -> dict[str, Any]:
        """All that it says, as JSON; fields that are not set are left out."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("said", "by")}
        plain = {
            "about": list(self.about),
            "seat": str(self.seat) if self.seat else None,
            "card": self.card.code if self.card else None,
            "at_s": None if self.at_s is None else round(self.at_s, 3),
        }
        return {name: value for name, value in (values | plain).items() if value not in (None, [])}

    def to_json(self) -> dict[str, Any]:
        """The payload of its line."""
        return {**self.content(), "said": self.said, "by": self.by}

    @property
    def content_id(self) -> str:
        """`c-` and twelve hex digits: the same content has the same id."""
        text = json.dumps(self.content(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return "c-" + hashlib.sha256(text.encode()).hexdigest()[:12]


def read_correction(payload: Mapping[str, Any]) -> Correction:
    """The correction that a line's payload holds. Raises InputFault for one that makes no sense."""
    known = {f.name for f in fields(Correction)}
    values = {name: value for name, value in payload.items() if name in known}
    try:
        if "about" in values:
            values["about"] = tuple(str(name) for name in values["about"])
        if values.get("seat") is not None:
            values["seat"] = Seat.parse(values["seat"])
        if values.get("card") is not None:
            values["card"] = Card.parse(values["card"])
        if values.get("at_s") is not None:
            values["at_s"] = float(values["at_s"])
        if values.get("count") is not None:
            values["count"] = int(values["count"])
        for name in ("call", "said", "by"):
            if values.get(name) is not None:
                values[name] = str(values[name])
        if not math.isfinite(values.get("at_s") or 0.0):
            raise ValueError("at_s is no time")
        return Correction(**values)
    except (TypeError, ValueError, AttributeError, OverflowError) as fault:
        raise InputFault(f"no correction: {fault}") from None


@dataclass(frozen=True, slots=True)
class Standing:
    """A correction that was not taken back, with its line's id and the lines it is about in full."""

    id: str
    correction: Correction
    targets: tuple[LogLine, ...]


def standing_corrections(lines: Iterable[LogLine]) -> list[Standing]:
    """The corrections that stand, in the order in which they were said, each once.

    What is about an entry or a ruling is about the observations that it rests on (`upheld` and `overturned` are
    about the ruling itself). Lines that make no sense are passed over.
    """
    by_id: dict[str, LogLine] = {}
    found: dict[str, Standing] = {}
    for line in lines:
        by_id[line.id] = line
        if line.type != "correction":
            continue
        try:
            correction = read_correction(line.payload)
        except InputFault:
            continue
        if correction.what == "retract":
            for gone in correction.about:
                found.pop(gone, None)
            continue
        judges = correction.what in ("upheld", "overturned")
        targets = [t for name in correction.about for t in _targets(by_id, name, whole=judges)]
        for old in [s for s in found.values() if s.correction.content() == correction.content()]:
            del found[old.id]  # said again: it counts once, as the later one
        found[line.id] = Standing(line.id, correction, tuple(targets))
    return list(found.values())


def _targets(by_id: Mapping[str, LogLine], name: str, *, whole: bool) -> Sequence[LogLine]:
    line = by_id.get(name)
    if line is None:
        return ()
    if whole or line.type == "observation":
        return (line,)
    return [by_id[e] for e in line.payload.get("evidence") or () if e in by_id]


def add_correction(log: SessionLog, lines: Iterable[LogLine], correction: Correction, t_s: float) -> tuple[str, bool]:
    """Write `correction` into the log, said at `t_s`, unless just that already stands: (its id, whether it is new).

    lines: the log so far. Raises InputFault when it is about a line that the log does not have.
    """
    lines = list(lines)
    known = {line.id for line in lines}
    for name in correction.about:
        if name not in known:
            raise InputFault(f"the log has no line {name!r}", where=str(log.path), mend="see `referee review`")
    same_target = [s for s in standing_corrections(lines) if _competes(s.correction, correction)]
    if same_target and same_target[-1].correction.content() == correction.content():
        return same_target[-1].id, False
    line_id, again = correction.content_id, 2
    while log.has(line_id):
        line_id, again = f"{correction.content_id}.{again}", again + 1
    return log.append("correction", t_s, correction.to_json(), line_id=line_id), True


def _competes(old: Correction, new: Correction) -> bool:
    """Whether the later of two replaces the earlier: about the same lines, or just the same."""
    return replace(old, said="", by="") == replace(new, said="", by="") or bool(set(old.about) & set(new.about))
