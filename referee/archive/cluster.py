"""The only door to Dask: judges tasks on the workers of a scheduler that somebody started."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from referee import __version__
from referee.archive.keys import models_hash
from referee.archive.tasks import Outcome, Task, not_done
from referee.archive.working import do
from referee.faults import InputFault

CONNECT_WITHIN_S = 10.0
NO_WORKER_FOR_S = 60.0
"""So long a cluster may be without any worker before the rest is left."""

_LOOK_EVERY_S = 2.0
_one_at_a_time = threading.Lock()


class Cluster:
    """A Dask scheduler and its workers; closed after `with`.

    Raises InputFault when Dask is not installed, nothing answers at `address`, there is no worker, or a worker runs
    another referee.
    """

    def __init__(self, address: str, *, connect_within_s: float = CONNECT_WITHIN_S) -> None:
        self.address = address
        try:
            import distributed
        except ImportError:
            raise InputFault(
                "Dask is not installed", where="--scheduler", mend="pip install 'uno-table-referee[cluster]'"
            ) from None
        self._distributed: Any = distributed
        # Lost connections are told here in one line: the library's own lines say the same with tracebacks.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        if "://" not in address or address.rpartition(":")[2].strip("/0123456789"):
            raise InputFault("is no scheduler's address", where=address, mend="write it as tcp://HOST:8786")
        try:
            self._client: Any = self._distributed.Client(address, timeout=connect_within_s, set_as_default=False)
        except (OSError, ValueError, TypeError, RuntimeError, ImportError) as fault:
            said = str(fault).split(" after ")[0].splitlines()[0] if str(fault) else type(fault).__name__
            raise InputFault(
                f"no scheduler answers: {said}", where=address, mend="start one with `dask scheduler`"
            ) from None
        try:
            self._require_workers(connect_within_s)
        except InputFault:
            self.close()
            raise

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; its workers go on."""
        self._client.close(timeout=2)

    @property
    def workers(self) -> int:
        """How many workers there are now."""
        return len(self._addresses())

    def run(self, tasks: Sequence[Task]) -> Iterator[Outcome]:
        """Each task's outcome as it is known. A task whose worker has no room is tried once on another."""
        full: list[tuple[Task, str]] = []
        futures = {self._submit(task): task for task in tasks}
        yield from self._gathered(futures, full)
        again = {}
        for task, address in full:
            others = [other for other in self._addresses() if other != address]
            if others:
                again[self._submit(task, workers=others, allow_other_workers=False)] = task
            else:
                yield not_done(task, "left", "the worker's disk is full, and there is no other worker")
        yield from self._gathered(again, None)

    def _submit(self, task: Task, **where: Any) -> Any:
        return self._client.submit(on_worker, task, key=f"{task.name}-{task.key}-{time.monotonic_ns()}", **where)

    def _gathered(self, futures: dict[Any, Task], full: list[tuple[Task, str]] | None) -> Iterator[Outcome]:
        seen_s = time.monotonic()
        try:
            while futures:
                done = self._done(futures)
                if self._addresses():
                    seen_s = time.monotonic()
                elif self._client.status != "running" or time.monotonic() - seen_s > NO_WORKER_FOR_S:
                    why = (
                        "the cluster has no worker left"
                        if self._client.status == "running"
                        else "the scheduler is gone"
                    )
                    yield from (not_done(task, "left", why) for task in futures.values())
                    return
                for future in done:
                    task = futures.pop(future)
                    outcome, address = self._outcome(future, task)
                    if full is not None and outcome.state == "left" and "disk" in outcome.row["reason"]:
                        full.append((task, address))
                    else:
                        yield outcome
        finally:
            if futures and self._client.status == "running":
                self._client.cancel(list(futures))

    def _done(self, futures: dict[Any, Task]) -> list[Any]:
        try:
            with self._client.as_current():
                self._distributed.wait(list(futures), timeout=_LOOK_EVERY_S, return_when="FIRST_COMPLETED")
        except TimeoutError:
            return []
        except self._distributed.CancelledError:
            pass
        return [future for future in futures if future.done()]

    def _outcome(self, future: Any, task: Task) -> tuple[Outcome, str]:
        try:
            outcome, address = future.result(timeout=CONNECT_WITHIN_S)
        except self._distributed.KilledWorker:
            return not_done(task, "left", "the workers that judged it died, one after the other"), ""
        except self._distributed.CancelledError:
            return not_done(task, "left", "the scheduler lost it"), ""
        except Exception as fault:  # a worker's own faults come as whatever they are there
            return not_done(task, "left", f"the worker could not: {type(fault).__name__}: {fault}"), ""
        return outcome, address

    def _addresses(self) -> list[str]:
        return sorted(self._client.scheduler_info(n_workers=-1)["workers"])

    def _require_workers(self, within_s: float) -> None:
        try:
            self._client.wait_for_workers(1, timeout=within_s)
        except TimeoutError:
            raise InputFault(
                "has no worker", where=self.address, mend=f"start some with `dask worker {self.address} --nthreads 1`"
            ) from None
        try:
            facts = self._client.run(referee_here, on_error="return")
        except Exception as fault:
            raise InputFault(
                f"its workers do not answer: {fault}", where=self.address, mend="start them anew"
            ) from None
        wanted = (__version__, models_hash())
        for worker, has in sorted(facts.items()):
            if isinstance(has, Exception):
                said = f"cannot run the referee: {type(has).__name__}: {has}"
            elif has[0] != wanted[0]:
                said = f"runs referee {has[0]}, not {wanted[0]}"
            elif has[1] != wanted[1]:
                said = "has other models"
            else:
                continue
            raise InputFault(said, where=f"worker {worker}", mend="install the same version on every worker")


def referee_here() -> tuple[str, str]:
    """On a worker: its version of the referee and the hash of its models."""
    return __version__, models_hash()


def on_worker(task: Task) -> tuple[Outcome, str]:
    """On a worker: one session at a time, whatever number of threads it was given; and the worker's address."""
    import distributed

    with _one_at_a_time:
        return do(task), distributed.get_worker().address
