"""Judges a whole archive: what is not done yet goes to the workers, what is finished is put away at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from referee.archive.results import Results
from referee.archive.tasks import Action, Outcome, Task, not_done

Runner: TypeAlias = Callable[[Sequence[Task]], Iterator[Outcome]]
"""Does tasks, in any order, and gives each one's outcome once: a pool, a cluster, or this process."""


@dataclass
class ArchiveRun:
    """One run over an archive. before: sessions that were finished by an earlier run."""

    action: Action
    outcomes: list[Outcome] = field(default_factory=list)
    before: int = 0

    @property
    def states(self) -> Counter[str]:
        """How many sessions came to each state."""
        return Counter(outcome.state for outcome in self.outcomes)

    @property
    def problems(self) -> list[Outcome]:
        """The sessions that were not done, in the order of their names."""
        return sorted((o for o in self.outcomes if o.state != "done"), key=lambda o: o.name)


def run_archive(
    action: Action,
    tasks: Sequence[Task],
    unreadable: Sequence[Task],
    runner: Runner,
    results: Results,
    on_outcome: Callable[[Outcome, bool], object] = lambda _outcome, _before: None,
) -> ArchiveRun:
    """Do what is not done, and write the tables: also when it is stopped, then of what is known so far.

    on_outcome: told of each session, and whether it was finished before. Raises InputFault when results cannot be
    written.
    """
    run = ArchiveRun(action)

    def note(outcome: Outcome, before: bool = False) -> None:
        run.outcomes.append(outcome)
        run.before += before
        on_outcome(outcome, before)

    waiting = []
    for task in tasks:
        if (kept := results.finished(task)) is not None:
            note(kept, True)
        else:
            waiting.append(task)
    for task in unreadable:
        note(not_done(task, "broken", "its files cannot be read"))
    try:
        for outcome in runner(waiting) if waiting else ():
            results.keep(outcome)
            note(outcome)
    finally:
        results.write_tables(action, run.outcomes)
    return run
