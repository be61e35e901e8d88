"""The same archive on a real Dask cluster on loopback: two worker processes, one of them killed in the middle."""

from __future__ import annotations

import os
import shutil
import signal
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee.archive import cluster as clusters
from referee.archive.cluster import Cluster
from referee.archive.tasks import Outcome, Task
from referee.faults import InputFault
from tests.archive.evenings import judge, left_by, season

distributed: Any = pytest.importorskip("distributed")
pytestmark = [pytest.mark.enable_socket, pytest.mark.filterwarnings("default")]


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as running:
        yield running


def test_a_worker_is_killed_and_the_results_are_those_of_one_process(local: Any, tmp_path: Path) -> None:
    club = season(tmp_path / "club", 24)
    judge(club, tmp_path / "one")
    killed: list[int] = []
    where: set[object] = set()
    with Cluster(local.scheduler_address) as cluster:

        def killing(tasks: Sequence[Task]) -> Iterator[Outcome]:
            for outcome in cluster.run(tasks):
                where.add(outcome.cost.get("pid"))
                if not killed:
                    victim = next(w for w in local.workers.values() if w.pid != outcome.cost["pid"])
                    killed.append(victim.pid)
                    os.kill(victim.pid, signal.SIGKILL)
                yield outcome

        run = judge(club, tmp_path / "dask", killing)
    assert run.problems == []
    assert killed
    assert os.getpid() not in where
    assert left_by(tmp_path / "dask") == left_by(tmp_path / "one")


def test_a_full_disk_on_one_worker_costs_no_session(local: Any, tmp_path: Path) -> None:
    club = season(tmp_path / "club", 6)
    judge(club, tmp_path / "one")
    url = f"file://{club}"  # sessions are copied, so that room is needed

    def fill() -> None:
        shutil.room = shutil.disk_usage  # type: ignore[attr-defined]
        shutil.disk_usage = lambda _room: SimpleNamespace(free=12_000_000)  # type: ignore[assignment, return-value]

    def empty() -> None:
        shutil.disk_usage = shutil.room  # type: ignore[attr-defined]

    with Cluster(local.scheduler_address) as cluster, distributed.Client(local.scheduler_address) as client:
        client.wait_for_workers(2, timeout=20)
        full = sorted(client.scheduler_info()["workers"])[:1]
        client.run(fill, workers=full)
        tried: list[Outcome] = []
        gathered = cluster._outcome

        def noting(future: Any, task: Task) -> tuple[Outcome, str]:
            outcome, address = gathered(future, task)
            tried.append(outcome)
            return outcome, address

        cluster._outcome = noting  # type: ignore[method-assign]
        try:
            run = judge(url, tmp_path / "dask", cluster.run)
        finally:
            client.run(empty, workers=full)
    assert "left" in {outcome.state for outcome in tried}  # the full worker was given some
    assert run.states == {"done": 6}
    assert left_by(tmp_path / "dask") == left_by(tmp_path / "one")


def test_workers_of_another_version_are_named(local: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "__version__", "9.9")
    with pytest.raises(InputFault, match=r"worker tcp://127.* runs referee .*, not 9\.9"):
        Cluster(local.scheduler_address)


def test_nothing_answers_at_the_address() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(InputFault, match="no scheduler answers"):
        Cluster(f"tcp://127.0.0.1:{port}", connect_within_s=1)


@pytest.mark.parametrize("address", ["here", "quic9://127.0.0.1:1", "tcp://127.0.0.1:port"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(InputFault, match=r"no scheduler"):
        Cluster(address, connect_within_s=1)
