"""The scorer's desk: keeps the record, pushes each entry to the judge, remembers on what an entry rests."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.cards import Seat
from referee.rules.entries import Draw, Entry, Event, Pass, Play, Result, Subject
from referee.rules.ruling import Ruling
from referee.rules.state import State
from referee.rules.table import Table


@dataclass(frozen=True, slots=True)
class Judged:
    """One entry of the game with the judge's answer. evidence: ids of the observations that the entry rests on."""

    entry: Entry | Result
    ruling: Ruling
    t_s: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Something that eye and ear could not settle. Asked, never judged. evidence: as in `Judged`."""

    text: str
    t_s: float
    evidence: tuple[str, ...] = field(default=())


class Desk:
    """One round at one table. `table` judges; entries go in through `write`, in the order of their times."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.judged: list[Judged] = []

    @property
    def state(self) -> State:
        """What the judge knows at this moment."""
        return self.table.state

    def write(self, subject: Subject, *events: Event, t_s: float, evidence: tuple[str, ...]) -> list[Judged]:
        """Record what `subject` did and have it judged; a turn that ended in silence before it is closed first."""
        moves = any(isinstance(event, (Play, Draw)) for event in events)
        ended = self._silent_pass(subject, t_s, evidence) if moves else []
        return [*ended, self._push(Entry(subject, events, time_s=round(t_s, 2)), t_s, evidence)]

    def write_result(self, result: Result, *, t_s: float, evidence: tuple[str, ...]) -> Judged:
        """Record the end of the round."""
        return self._push(result, t_s, evidence)

    def _silent_pass(self, subject: Subject, t_s: float, evidence: tuple[str, ...]) -> list[Judged]:
        # Nobody says "I pass" after drawing: the next player's move is what shows it.
        drawn = self.state.drawn
        if drawn is None or not isinstance(subject, Seat) or subject is drawn.seat:
            return []
        if self.state.to_act is not drawn.seat:
            return []
        return [self._push(Entry(drawn.seat, (Pass(),), time_s=round(t_s, 2)), t_s, evidence)]

    def _push(self, entry: Entry | Result, t_s: float, evidence: tuple[str, ...]) -> Judged:
        judged = Judged(entry, self.table.push(entry), t_s, evidence)
        self.judged.append(judged)
        return judged
