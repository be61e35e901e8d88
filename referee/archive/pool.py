"""Judges tasks on this machine, a process for each core; one that dies costs the others nothing."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from referee.archive.tasks import Outcome, Task, not_done
from referee.archive.working import ONE_THREAD, do


def cores() -> int:
    """How many sessions this machine judges side by side."""
    return os.cpu_count() or 1


def run_in_pool(tasks: Sequence[Task], workers: int) -> Iterator[Outcome]:
    """Each task's outcome as it is known.

    When a worker is killed, nobody knows which session it was at: those that were out are tried once more at the end,
    alone in a fresh pool, and one that kills its worker again is left.
    """
    suspects: list[Task] = []
    waiting = deque(tasks)
    while waiting:
        yield from _until_broken(waiting, suspects, workers)
    for task in suspects:
        again: list[Task] = []
        yield from _until_broken(deque([task]), again, 1)
        if again:
            yield not_done(task, "left", "the worker that judged it died, twice")


def _until_broken(waiting: deque[Task], suspects: list[Task], workers: int) -> Iterator[Outcome]:
    """Work in one pool, until nothing waits or a worker dies; what was out then goes to `suspects`."""
    pool = ProcessPoolExecutor(
        min(workers, len(waiting)), mp_context=multiprocessing.get_context("spawn"), initializer=_begin
    )
    out: dict[Future[Outcome], Task] = {}
    try:
        while waiting or out:
            while waiting and len(out) < 2 * workers:
                out[pool.submit(do, waiting[0])] = waiting[0]
                waiting.popleft()
            finished, _ = wait(out, return_when=FIRST_COMPLETED)
            yield from _collected(finished, out)
    except BrokenProcessPool:
        yield from _collected([f for f in out if f.done() and f.exception() is None], out)
        suspects += out.values()
    finally:
        pool.shutdown(cancel_futures=True)


def _collected(finished: Iterable[Future[Outcome]], out: dict[Future[Outcome], Task]) -> Iterator[Outcome]:
    for future in list(finished):
        outcome = future.result()
        del out[future]
        yield outcome


def _begin() -> None:
    """In each worker, before anything heavy is imported. Ctrl-C is the parent's: it lets them finish."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(ONE_THREAD)
