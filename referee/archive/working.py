"""What a worker does with a task: the one function that a process pool and a cluster both run."""

from __future__ import annotations

import errno
import os
import platform
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from referee import __version__
from referee.archive.judging import judge_session
from referee.archive.keys import models_hash, profile_hash
from referee.archive.shelves import open_shelf
from referee.archive.tasks import NotDone, Outcome, Task, not_done
from referee.faults import InputFault
from referee.rules.profiles import load_profile

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"}
"""Sessions are judged side by side, a core each: threads inside one would only stand in the others' way. Read by the
libraries when they are imported."""


def do(task: Task) -> Outcome:
    """Judge the session of `task`. Never raises for what is wrong with the session, the disk or the installation."""
    wall_s, cpu_s = time.perf_counter(), time.process_time()
    table_s = 0.0
    try:
        _require_the_same_referee(task)
        shelf = open_shelf(task.root)
        with tempfile.TemporaryDirectory(prefix="referee-") as name:
            room = Path(name)
            folder = shelf.at_hand(task.name, room, media=task.action != "rejudge")
            try:
                row, changed, table_s = judge_session(folder, task, room / "out")
            except InputFault as fault:
                raise NotDone("broken", _without(folder, str(fault))) from None
            row["reason"] = _without(folder, row["reason"])
        outcome = Outcome(task.name, task.key, "done", row, changed)
    except NotDone as why:
        outcome = not_done(task, why.state, why.reason)
    except InputFault as fault:
        outcome = not_done(task, "broken", str(fault))
    except OSError as fault:
        outcome = not_done(task, *_why(fault))
    except MemoryError:
        outcome = not_done(task, "left", "the worker had no memory left")
    except Exception as fault:  # one session never costs the others
        outcome = not_done(task, "broken", f"the referee failed on it: {type(fault).__name__}: {fault}")
    outcome.cost.update(
        cpu_s=round(time.process_time() - cpu_s, 3),
        wall_s=round(time.perf_counter() - wall_s, 3),
        table_s=round(table_s, 1),
        **where_and_memory(),
    )
    return outcome


def where_and_memory() -> dict[str, Any]:
    """The worker's machine and process, and how much memory it holds now (at most so far, where unknown)."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        held = pages * resource.getpagesize()
    except OSError:
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {"rss_mb": round(held / 1e6, 1), "host": platform.node(), "pid": os.getpid()}


def _require_the_same_referee(task: Task) -> None:
    """A worker with other code, models or rules would file its result under a key that is not its own."""
    if task.version != __version__:
        raise NotDone(
            "left", f"the worker runs referee {__version__}, not {task.version}: install the same everywhere"
        )
    try:
        models = models_hash(task.weights)
        rules = profile_hash(load_profile(task.profile)) if task.profile else ""
    except InputFault as fault:
        raise NotDone("left", f"on the worker: {fault}") from None
    if models != task.models:
        raise NotDone("left", "the worker has other models: install the same everywhere")
    if rules != task.profile_hash:
        raise NotDone("left", f"the worker has other rules under {task.profile}")


def _why(fault: OSError) -> tuple[Any, str]:
    if fault.errno in (errno.ENOSPC, errno.EDQUOT):
        return "left", "the worker's disk is full"
    return "broken", f"cannot be read: {fault.strerror or fault}"


def _without(folder: Path, text: str) -> str:
    """The text without the place where this worker has the session: all workers say the same."""
    return text.replace(f"{folder}/", "").replace(str(folder), "the session")
