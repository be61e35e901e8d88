"""What the judge answers to an entry: what was wrong, how sure, what to do, and the line of the rules it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from referee.cards import Card, Colour, Seat
from referee.rules.entries import Cause, Entry, Result, Tag
from referee.rules.messages import Fact, render, sentence

Kind: TypeAlias = Literal["foul", "note", "question"]
Certainty: TypeAlias = Literal["sure", "heard", "likely", "hidden"]


@dataclass(frozen=True, slots=True)
class Incident:
    """One thing that was wrong (foul), that is to be told (note), or that must be asked (question).

    code, variant: which row of the list of incidents, and which wording of it. seat: who did it, or who owes.
    facts: what the sentence is made of. remedy: what to do, as a code of the messages, "" if nothing.
    option, value, sources: the profile's option that decides it, its value, and the lines that value rests on.
    entry: index of the entry it belongs to, which may be an earlier one. line: that entry's line in the file.
    """

    code: str
    kind: Kind
    certainty: Certainty
    seat: Seat | None
    entry: int
    line: int | None = None
    variant: str = ""
    facts: Mapping[str, Fact] = field(default_factory=dict, hash=False)
    remedy: str = ""
    option: str = ""
    value: object = None
    sources: tuple[str, ...] = ()

    def say(self, language: str = "en") -> str:
        """What was wrong and what to do, in a sentence or two: `P2: yellow 1 does not fit blue 6. …`."""
        return sentence(self._message, self.remedy, language, **self.facts)

    def say_fault(self, language: str = "en") -> str:
        """What was wrong, without what to do about it."""
        return render(self._message, language, **self.facts)

    def say_remedy(self, language: str = "en") -> str:
        """What to do, as a sentence; empty when there is nothing to do."""
        return render(f"remedy.{self.remedy}", language, **self.facts) if self.remedy else ""

    @property
    def rule(self) -> str:
        """The option that decides it, its value and its sources: `turn.draw = one (seed-001 1:38)`."""
        if not self.option:
            return ""
        sources = f"({', '.join(self.sources)})"
        if not isinstance(self.value, (bool, int, str)):
            return f"{self.option} {sources}"
        value = str(self.value).lower() if isinstance(self.value, bool) else self.value
        return f"{self.option} = {value} {sources}"

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """The ruling as one JSON object, as `--json` prints it."""
        return {
            "type": "ruling",
            "line": self.line,
            "seat": str(self.seat) if self.seat else None,
            "incident": self.code,
            "kind": self.kind,
            "certainty": self.certainty,
            "remedy": self.remedy or None,
            "rule": self.rule or None,
            "text": self.say(language),
            "entry": self.entry,
            "facts": {name: _plain(fact) for name, fact in self.facts.items() if fact is not None},
        }

    @property
    def _message(self) -> str:
        return f"{self.code}.{self.variant}" if self.variant else self.code


@dataclass(frozen=True, slots=True)
class Remark:
    """Something worth keeping in the log that nobody has to act on: a missed call that escaped, a needless one."""

    code: str
    seat: Seat
    entry: int
    line: int | None = None
    variant: str = ""

    def say(self, language: str = "en") -> str:
        """The remark as a sentence."""
        return render(f"{self.code}.{self.variant}" if self.variant else self.code, language, player=self.seat)


@dataclass(frozen=True, slots=True)
class Debt:
    """Cards that a seat still has to draw, and why. `loses_turn`: the draw is all of that seat's turn."""

    seat: Seat
    left: int
    cause: Cause
    total: int
    loses_turn: bool = False
    told: bool = False


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """An incident that a later entry mended or overtook: it no longer stands."""

    entry: int
    code: str


class Ruling(NamedTuple):
    """The judge's answer to one entry; a tuple, because there is one for every entry.

    incidents: all that was found now, each naming the entry it belongs to. withdrawn: earlier ones that no longer
    stand. owes: draws still due after it. next: who is to move, None once the round is over. entry: what was judged.
    causes: why each of its draws was made, as the judge understood it.
    """

    entry: Entry | Result | Tag
    incidents: tuple[Incident, ...]
    owes: tuple[Debt, ...]
    next: Seat | None
    remarks: tuple[Remark, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()
    causes: tuple[Cause, ...] = ()

    @property
    def legal(self) -> bool:
        """True if the entry broke no rule for sure: questions and notes leave it legal."""
        return not any(incident.kind == "foul" for incident in self.incidents)


class IllegalPlay(ValueError):
    """An entry that the rules forbid, from `Table.push_legal`. `ruling` says all that is wrong with it."""

    def __init__(self, ruling: Ruling) -> None:
        self.ruling = ruling
        super().__init__("; ".join(f"{i.say()} [{i.rule}]" for i in ruling.incidents))


def _plain(fact: Fact) -> str | int:
    if isinstance(fact, (Card, Seat)):
        return str(fact)
    return fact.value if isinstance(fact, Colour) else "" if fact is None else fact
