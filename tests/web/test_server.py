"""The server of the pages: begun again when it fails, ended with the game, and never in its way."""

from __future__ import annotations

import http.client
import threading
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from referee.faults import InputFault
from referee.web.recorded_table import RecordedTable
from referee.web.server import RESTARTS, PageServer, bound
from tests.web.scripted_table import wait_until

pytestmark = pytest.mark.enable_socket


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.web.server.RETRY_S", 0.01)


def status(server: PageServer) -> int:
    host = server.address.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=5)
    connection.request("GET", "/board.json")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def test_it_is_begun_again_at_the_same_address(table: RecordedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, failures = uvicorn.Server.run, [OSError("too many open files"), SystemExit(1)]

    def run(self: uvicorn.Server, sockets: Any = None) -> None:
        if failures:
            raise failures.pop()
        whole(self, sockets)

    monkeypatch.setattr(uvicorn.Server, "run", run)
    states: list[tuple[str, str]] = []
    server = PageServer(table, port=0)
    serving = server.start(lambda state, why: states.append((state, why)))
    wait_until(lambda: len(states) == 5)
    assert status(server) == 200
    server.stop()
    serving.join(5.0)
    assert [state for state, _ in states] == ["running", "lost", "running", "lost", "running", "stopped"]
    assert states[1][1] == "SystemExit: 1"
    assert not serving.is_alive()


def test_one_that_never_works_is_given_up(table: RecordedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(self: uvicorn.Server, sockets: Any = None) -> None:
        raise OSError("no")

    monkeypatch.setattr("referee.web.server.RETRY_S", 0.0)
    monkeypatch.setattr(uvicorn.Server, "run", run)
    states: list[str] = []
    serving = PageServer(table, port=0).start(lambda state, _why: states.append(state))
    serving.join(10.0)
    assert states == ["running", "lost"] * (1 + RESTARTS) + ["stopped"]


def test_a_port_in_use_is_told_before_anything_is_opened() -> None:
    taken = bound("127.0.0.1", 0)
    try:
        with pytest.raises(InputFault, match="cannot be used"):
            bound("127.0.0.1", taken.getsockname()[1])
    finally:
        taken.close()


def test_many_ask_for_a_clip_and_one_is_cut(table: RecordedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cutting takes a processor for a second: who asks meanwhile is asked to wait."""
    begun, go_on = threading.Event(), threading.Event()

    def slow(_number: int, into: Path) -> Path:
        begun.set()
        go_on.wait(5.0)
        (into / "clip.mp4").write_bytes(b"clip")
        return into / "clip.mp4"

    monkeypatch.setattr(table, "clip", slow)
    server = PageServer(table, port=0)
    serving = server.start()
    answers: list[int] = []

    def ask() -> None:
        connection = http.client.HTTPConnection(server.address.removeprefix("http://"), timeout=5)
        connection.request("GET", "/incidents/1/clip.mp4")
        answers.append(connection.getresponse().status)
        connection.close()

    first = threading.Thread(target=ask)
    first.start()
    assert begun.wait(5.0)
    ask()
    go_on.set()
    first.join(5.0)
    server.stop()
    serving.join(5.0)
    assert answers == [429, 200]
