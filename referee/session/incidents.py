"""The incidents of a recorded evening, numbered as they were ruled, and what has become of each."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.faults import InputFault
from referee.session.corrections import Standing, standing_corrections
from referee.session.log import LogLine
from referee.session.plan import SessionPlan
from referee.session.rejudging import LogJudging, judge_log

DISPUTABLE = ("foul", "question")


class State(enum.Enum):
    """What the table has made of a ruling; the value is the word that people read."""

    OPEN = "open"
    UPHELD = "upheld"
    OVERTURNED = "overturned"
    GONE = "gone"
    """What it rested on was put right since: judged again, it no longer stands."""


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A ruling with its number in the log's order (from 1) and its state. answer: the correction that settled it."""

    number: int
    line: LogLine
    state: State
    answer: str | None = None

    @property
    def t_s(self) -> float:
        """When it was ruled, on the session clock."""
        return self.line.t_s

    @property
    def text(self) -> str:
        """The ruling as it was said."""
        return str(self.line.payload.get("text", ""))

    def to_json(self) -> dict[str, Any]:
        """The incident as one JSON object."""
        said = self.line.payload
        kept = ("incident", "kind", "certainty", "seat", "text", "remedy", "rule", "evidence")
        return {
            "type": "incident",
            "number": self.number,
            "id": self.line.id,
            "t_s": round(self.t_s, 3),
            "state": self.state.value,
            "answer": self.answer,
            **{name: said.get(name) for name in kept},
        }


def ruling_key(payload: Mapping[str, Any]) -> tuple[object, ...]:
    """What makes two rulings the same: the incident, whom it is about, and what it rests on."""
    return payload.get("incident"), payload.get("seat"), tuple(payload.get("evidence") or ())


def incidents_of(lines: Sequence[LogLine], plan: SessionPlan, judged: LogJudging | None = None) -> list[CaseLine]:
    """The fouls and questions of a log, in the order in which they were ruled.

    judged: the log judged again with its corrections, where that was done already.
    """
    corrections = standing_corrections(lines)
    answers = _answers(corrections)
    standing: set[tuple[object, ...]] | None = None
    if len(answers) < len(corrections):  # something else was put right: does each ruling still come out?
        judged = judged or judge_log(lines, plan)
        standing = {ruling_key(record) for record in judged.ruling_records()}
    rulings = [line for line in lines if line.type == "ruling" and line.payload.get("kind") in DISPUTABLE]
    return [_case(n, line, answers.get(line.id), standing) for n, line in enumerate(rulings, 1)]


def numbered(cases: Sequence[CaseLine], number: int, folder: Path) -> CaseLine:
    """The case with that number. Raises InputFault when there is none."""
    if not 1 <= number <= len(cases):
        has = f"has {len(cases)} incident{'' if len(cases) == 1 else 's'}" if cases else "has no incident"
        raise InputFault(f"{has}, not one with number {number}", where=str(folder), mend="see `referee review`")
    return cases[number - 1]


def _answers(corrections: Sequence[Standing]) -> dict[str, Standing]:
    return {
        target.id: answer
        for answer in corrections
        if answer.correction.what in ("upheld", "overturned")
        for target in answer.targets
    }


def _case(number: int, line: LogLine, answer: Standing | None, standing: set[tuple[object, ...]] | None) -> CaseLine:
    if answer is not None:
        return CaseLine(number, line, State(answer.correction.what), answer.id)
    if standing is not None and ruling_key(line.payload) not in standing:
        return CaseLine(number, line, State.GONE)
    return CaseLine(number, line, State.OPEN)
