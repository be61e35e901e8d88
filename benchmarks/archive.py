"""What judging an archive again costs, and how it grows with cores: `python benchmarks/archive.py`.

The bundled film is judged once from picture and sound; what eye and ear noticed becomes the log of a session, and
many copies of it an archive. That archive is judged again in this process, by a pool of one and of two workers, and
on Dask with two, all in one run; what they leave must be equal byte for byte. The pool of one is watched for memory.

    --sessions N   copies of the session (200)      --no-dask   without Dask (needs the extra `cluster`)
    --replays      also replay two copies of the film side by side in a pool of two

Rates are by the clock, from a runner's first finished session on, so that starting workers does not count: on a busy
machine they mean little. Costs are processor seconds for an hour of table and hold on a busy machine too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table as Sheet

from referee.archive.cluster import Cluster
from referee.archive.keys import tasks_of
from referee.archive.pool import run_in_pool
from referee.archive.results import TIMINGS_FILE, Results
from referee.archive.running import Runner, run_archive
from referee.archive.shelves import open_shelf
from referee.archive.tasks import Action, Outcome, Task
from referee.archive.working import ONE_THREAD, do
from referee.bundled import bundled
from referee.session.folder import close_session, create_session, log_of
from referee.session.log import LOG_FILE, SessionLog
from referee.session.plan import open_plan
from referee.session.rejudging import judge_log

FILM = "fixtures/first-light"
STILL_WARMING = 20
"""Sessions of a worker before its memory is looked at: libraries and rules are being loaded."""


@dataclass(frozen=True, slots=True)
class Measured:
    """An archive judged in one way. wall_s: from the first finished session to the last, `after_first` of them."""

    name: str
    after_first: int
    wall_s: float
    cpu_s: float
    table_s: float
    left: dict[str, bytes]
    rss_mb: list[float]

    @property
    def per_hour(self) -> float:
        return 3600 * self.after_first / self.wall_s

    @property
    def cpu_s_per_table_hour(self) -> float:
        return self.cpu_s / self.table_s * 3600


def replayed_cost(root: Path) -> tuple[float, float]:
    """Processor seconds and seconds of table of the film judged from picture and sound; leaves `root/log-of-it`."""
    from referee.session.replaying import Replaying
    from referee.session.senses import open_senses

    plan = open_plan(bundled(FILM))
    begun_s = time.process_time()
    run = Replaying(plan, open_senses(plan), root / "findings")
    reached_s = [0.0]
    for _ in run.run(reached_s.append):
        pass
    cpu_s = time.process_time() - begun_s
    folder = root / "log-of-it"
    create_session(folder, plan, calibration=None)
    log = SessionLog(folder / LOG_FILE)
    for line in run.noticed:
        log.append("observation", line.t_s, line.payload, line_id=line.id)
    log.append("state", max(reached_s), {"what": "closed"})
    for record in judge_log(log_of(folder), plan).ruling_records():
        log.append("ruling", float(record["t_s"]), {k: v for k, v in record.items() if k not in ("type", "t_s")})
    log.close()
    close_session(folder, plan, log_of(folder))
    return cpu_s, max(reached_s)


def measured(name: str, runner: Runner, root: Path, out: Path, action: Action = "rejudge") -> Measured:
    tasks, _ = tasks_of(open_shelf(str(root)), action)
    at_s: list[float] = []
    outcomes: list[Outcome] = []

    def note(outcome: Outcome, _before: bool) -> None:
        at_s.append(time.perf_counter())
        outcomes.append(outcome)

    run = run_archive(action, tasks, [], runner, Results(out), note)
    if run.problems:
        raise SystemExit(f"{name}: {run.problems[0].name}: {run.problems[0].row['reason']}")
    files = (path for path in sorted(out.rglob("*")) if path.is_file() and path.name != TIMINGS_FILE)
    left = {str(path.relative_to(out)): path.read_bytes() for path in files}
    cpu_s, table_s = (sum(o.cost[what] for o in outcomes) for what in ("cpu_s", "table_s"))
    rss_mb = [float(o.cost["rss_mb"]) for o in outcomes]
    return Measured(name, len(tasks) - 1, max(at_s[-1] - at_s[0], 1e-9), cpu_s, table_s, left, rss_mb)


def here(tasks: Sequence[Task]) -> Iterator[Outcome]:
    return map(do, tasks)


def on_dask(root: Path, out: Path) -> Measured:
    import distributed

    local_cluster: Any = distributed.LocalCluster

    with (
        local_cluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
        ) as local,
        Cluster(local.scheduler_address) as cluster,
    ):
        return measured("Dask, two workers", cluster.run, root, out)


def pool_of(workers: int) -> Callable[[Sequence[Task]], Iterator[Outcome]]:
    return partial(run_in_pool, workers=workers)


def report(ways: Sequence[Measured]) -> Sheet:
    sheet = Sheet(title="The same archive judged again from its logs")
    for heading in ("", "sessions an hour", "beside one process", "CPU-s a table-hour", "results"):
        sheet.add_column(heading, justify="left" if not sheet.columns else "right")
    first = ways[0]
    for way in ways:
        same = "equal" if way.left == first.left else "DIFFER"
        ratio = f"{way.per_hour / first.per_hour:.2f}"
        sheet.add_row(way.name, f"{way.per_hour:,.0f}", ratio, f"{way.cpu_s_per_table_hour:.2f}", same)
    return sheet


def slope_kb(rss_mb: Sequence[float]) -> float:
    """Growth of a worker's memory in KB a session, once it is warm."""
    warm = rss_mb[min(STILL_WARMING, len(rss_mb) // 2) :]
    return float(np.polyfit(range(len(warm)), warm, 1)[0]) * 1000 if len(warm) > 2 else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--no-dask", action="store_true")
    parser.add_argument("--replays", action="store_true")
    args = parser.parse_args()
    os.environ.update(ONE_THREAD)
    console = Console(width=130, highlight=False)
    with tempfile.TemporaryDirectory(prefix="referee-") as name:
        room = Path(name)
        cpu_s, table_s = replayed_cost(room)
        costs = f"{cpu_s:.1f} CPU-s for {table_s:.0f} s of table, {cpu_s / table_s * 3600:,.0f} a table-hour"
        console.print(f"looked and listened again, at 12.5 pictures a second: {costs}")
        log_bytes = (room / "log-of-it" / LOG_FILE).stat().st_size
        console.print(f"its log: {log_bytes / 1000:.0f} kB, {log_bytes * 3600 / table_s / 1e6:.1f} MB a table-hour")
        root = room / "archive"
        for number in range(args.sessions):
            shutil.copytree(room / "log-of-it", root / f"session-{number:04}")
        ways = [measured("this process", here, root, room / "here")]
        one = measured("pool of one", pool_of(1), root, room / "one")
        ways += [one, measured("pool of two", pool_of(2), root, room / "two")]
        if not args.no_dask:
            ways.append(on_dask(root, room / "dask"))
        console.print(report(ways))
        grown = f"{one.rss_mb[0]:.0f} MB after one session, {one.rss_mb[-1]:.0f} MB after {len(one.rss_mb)}"
        console.print(f"memory of the pool of one: {grown}; {slope_kb(one.rss_mb):+.2f} KB a session once warm")
        if args.replays:
            for number in range(2):
                shutil.copytree(bundled(FILM), room / "films" / f"film-{number}")
            begun_s = time.perf_counter()
            both = measured("two films", pool_of(2), room / "films", room / "watched", "replay")
            wall_s = time.perf_counter() - begun_s
            costs = f"{both.cpu_s_per_table_hour:,.0f} CPU-s a table-hour, {max(both.rss_mb):.0f} MB a worker"
            console.print(f"two films replayed in a pool of two, workers started: {wall_s:.0f} s; {costs}")
    return 0 if all(way.left == ways[0].left for way in ways) else 1


if __name__ == "__main__":
    sys.exit(main())
