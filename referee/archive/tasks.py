"""What is handed to a worker and what comes back: plain values, so that any pool or cluster can carry them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

Action: TypeAlias = Literal["replay", "rejudge", "accuracy"]
"""rejudge: judge what the log says was seen and heard. replay: look and listen again. accuracy: hold what is judged
against what is known to have happened."""

State: TypeAlias = Literal["done", "broken", "refused", "left"]
"""broken: the session is damaged. refused: it is sound, but not for this action or this version. left: it is sound,
and the machine could not do it (a full disk, a worker that died)."""

ACTIONS: tuple[Action, ...] = get_args(Action)


@dataclass(frozen=True, slots=True)
class Task:
    """One session to be judged. root: the archive's folder or URL; name: of the session in it.

    profile: a preset's name or a file, None for each session's own rules. weights: a folder of models with its
    manifest, or a detector's `.pt`; None for the models that ship. version, models: what the worker must run, as the
    keys count them. key: of this very judging (`referee.archive.keys`).
    """

    root: str
    name: str
    action: Action
    profile: str | None
    profile_hash: str
    weights: str | None
    version: str
    models: str
    key: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a task. row: the session's line of the table; changes: a line for each changed ruling.

    Neither holds a time of day, a duration or a path, so that any worker gives the same. cost: what it took (`cpu_s`,
    `wall_s`, `table_s` of the session, `rss_mb`) and where.
    """

    name: str
    key: str
    state: State
    row: dict[str, Any]
    changes: tuple[dict[str, Any], ...] = ()
    cost: dict[str, Any] = field(default_factory=dict)


class NotDone(Exception):
    """Why a session was not judged."""

    def __init__(self, state: State, reason: str) -> None:
        self.state: State = state
        self.reason = reason
        super().__init__(reason)


def not_done(task: Task, state: State, reason: str) -> Outcome:
    """The outcome of a task that was not done."""
    row = {"session": task.name, "state": state, "reason": " ".join(reason.split()), "key": task.key}
    return Outcome(task.name, task.key, state, row)
