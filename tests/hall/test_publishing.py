"""Tables and hall with the real broker between them, on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from referee.faults import InputFault
from referee.hall.broker import Broker
from referee.hall.gathering import TableView
from referee.hall.listening import Listening
from referee.hall.mqtt import Connection
from referee.hall.publishing import NewestState, Publisher, table_name
from referee.hall.topics import Topic
from referee.session.clock import SessionClock
from tests.hall.mosquitto import Mosquitto, free_port, wait_until
from tests.hall.states import state

pytestmark = pytest.mark.enable_socket
ROOT = Path(__file__).parents[2]


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path) as running:
        yield running


@contextmanager
def published(broker: Broker, name: str, source: NewestState, told: list[str] | None = None) -> Iterator[Publisher]:
    heard: list[str] = told if told is not None else []
    publisher = Publisher(broker, name, source, clock=SessionClock(), on_state=lambda one, _why: heard.append(one))
    publisher.start()
    try:
        yield publisher
    finally:
        publisher.stop()


@contextmanager
def listened(broker: Broker) -> Iterator[Listening]:
    listening = Listening(broker, clock=SessionClock())
    listening.start()
    try:
        yield listening
    finally:
        listening.stop()


def points(listening: Listening) -> dict[str, int]:
    """What stands for the first player of each table that is online."""
    views = listening.overview().tables
    return {view.name: view.state.players[0].points for view in views if view.state and view.status == "online"}


def shows(listening: Listening, name: str, wanted: int) -> bool:
    return points(listening).get(name) == wanted


def view_of(listening: Listening, name: str) -> TableView | None:
    return next((view for view in listening.overview().tables if view.name == name), None)


def is_status(listening: Listening, name: str, status: str) -> bool:
    view = view_of(listening, name)
    return view is not None and view.status == status


def test_a_broker_that_is_killed_and_started_again_is_told_the_state_again(mosquitto: Mosquitto) -> None:
    source, told = NewestState(state(1, 10)), list[str]()
    with published(mosquitto.broker, "Table 1", source, told), listened(mosquitto.broker) as hall:
        wait_until(lambda: points(hall) == {"Table 1": 10})
        mosquitto.kill()
        wait_until(lambda: told[-1:] == ["lost"] and hall.overview().broker == "lost")
        source.put(state(2, 30))
        source.put(state(2, 55))
        assert points(hall) == {"Table 1": 10}  # shown as it was
        mosquitto.start()
        wait_until(lambda: points(hall) == {"Table 1": 55})
        assert (told, hall.overview().broker) == (["running", "lost", "running"], "running")


def test_a_broker_that_was_never_there_is_waited_for(tmp_path: Path) -> None:
    port = free_port()
    source, told = NewestState(state(1, 10)), list[str]()
    broker = Broker("127.0.0.1", port)
    with listened(broker) as hall, published(broker, "Table 1", source, told):
        wait_until(lambda: told == ["lost"] and "Connection refused" in hall.overview().why)
        assert hall.overview().broker == "lost"
        with Mosquitto(tmp_path, port=port):
            wait_until(lambda: points(hall) == {"Table 1": 10})


def test_fifty_tables_at_ten_events_each_and_nothing_is_lost(mosquitto: Mosquitto) -> None:
    """Fifty tables, an event a second each for ten seconds, played in two: twelve times a real hall's rate."""
    sources = [NewestState(state(1, 0)) for _ in range(50)]
    publishers = [
        Publisher(mosquitto.broker, f"Table {number}", source, clock=SessionClock())
        for number, source in enumerate(sources, 1)
    ]
    with listened(mosquitto.broker) as hall, ThreadPoolExecutor(50) as at_once:
        for publisher in publishers:
            publisher.start()
        wait_until(lambda: len(points(hall)) == 50)
        clock, late_s = SessionClock(), list[float]()
        for event in range(1, 11):
            for number, source in enumerate(sources):
                source.put(state(1, 1000 * number + event))
            clock.sleep(0.2 * event - clock.now_s())
        wanted = {f"Table {number + 1}": 1000 * number + 10 for number in range(50)}
        wait_until(lambda: points(hall) == wanted)
        for number, source in enumerate(sources[:10]):  # latency: one event, until the hall's board has it
            began_s = time.perf_counter()
            source.put(state(2, 1000 * number + 11))
            wait_until(partial(shows, hall, f"Table {number + 1}", 1000 * number + 11))
            late_s.append(time.perf_counter() - began_s)
        print("latency of the hall's board in ms:", [round(1000 * one) for one in sorted(late_s)])
        assert sorted(late_s)[5] < 1.0
        assert hall.overview().faults == ()
        list(at_once.map(lambda publisher: publisher.stop(), publishers))
        wait_until(lambda: {view.status for view in hall.overview().tables} == {"ended"})


def test_a_killed_table_is_offline_by_its_last_will(mosquitto: Mosquitto) -> None:
    with listened(mosquitto.broker) as hall:
        arguments = [sys.executable, "-m", "tests.hall.leaving", str(mosquitto.port)]
        with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True) as table:
            assert table.stdout is not None
            assert table.stdout.readline() == "running\n"
            wait_until(lambda: is_status(hall, "Table 9", "online"))
            table.kill()
        wait_until(lambda: is_status(hall, "Table 9", "offline"))
        with published(mosquitto.broker, "Table 9", NewestState(state(5, 7))) as again:
            wait_until(lambda: points(hall) == {"Table 9": 7})
            wait_until(lambda: len(kept(mosquitto.broker, "Table 9")) == 2)  # what the killed one left is cleared
            assert again.instance in kept(mosquitto.broker, "Table 9")[0]
        wait_until(lambda: is_status(hall, "Table 9", "ended"))


def kept(broker: Broker, name: str) -> list[str]:
    """Topics that the broker keeps of a table."""
    found: list[str] = []
    connection = Connection(broker, on_message=lambda came: found.append(came.topic))
    connection.open()
    connection.subscribe(Topic(name, "+", "+").under(broker.prefix))
    time.sleep(0.1)
    connection.close()
    return sorted(found)


def test_two_tables_of_one_name_each_say_so_and_the_board_shows_neither(mosquitto: Mosquitto) -> None:
    first, second = list[str](), list[str]()
    with listened(mosquitto.broker) as hall, published(mosquitto.broker, "Table 1", NewestState(state()), first):
        wait_until(lambda: is_status(hall, "Table 1", "online"))
        with published(mosquitto.broker, "Table  1", NewestState(state()), second):
            wait_until(lambda: "same_name" in first and "same_name" in second)
            wait_until(lambda: is_status(hall, "Table 1", "same_name"))
        wait_until(lambda: first[-1] == "running")
        wait_until(lambda: is_status(hall, "Table 1", "online"))
        assert second.count("same_name") == 1


def test_a_refused_password_ends_the_hall_and_not_the_table(tmp_path: Path) -> None:
    passwords = tmp_path / "passwords"
    made = ["mosquitto_passwd", "-b", "-c", str(passwords), "ana", "right"]
    with Mosquitto(tmp_path, f"password_file {passwords}", make_first=made) as mosquitto:
        right = Broker("127.0.0.1", mosquitto.port, username="ana", password="right")
        wrong = Broker("127.0.0.1", mosquitto.port, username="ana", password="wrong")
        with pytest.raises(InputFault, match="refuses the user's name or the password") as fault:
            Listening(wrong, clock=SessionClock()).start()
        assert "\n" not in str(fault.value)
        told = list[str]()
        with published(wrong, "Table 1", NewestState(state()), told), listened(right) as hall:
            wait_until(lambda: told == ["refused"])
            with published(right, "Table 2", NewestState(state(1, 5))):
                wait_until(lambda: points(hall) == {"Table 2": 5})


def test_other_formats_and_nonsense_are_counted_and_the_rest_goes_on(mosquitto: Mosquitto) -> None:
    with listened(mosquitto.broker) as hall, published(mosquitto.broker, "Table 1", NewestState(state(1, 5))):
        connection = Connection(mosquitto.broker)
        connection.open()
        for name, payload in (("Old", b'{"format": 0}'), ("New", b'{"format": 2}'), ("Odd", b"\x00\xff")):
            connection.publish(Topic(name, "0" * 16, "state").under("referee"), payload)
        connection.close()
        wait_until(lambda: len(hall.overview().faults) == 3 and points(hall) == {"Table 1": 5})
        found = {(one.table, one.kind) for one in hall.overview().faults}
        assert found == {("Old", "older"), ("New", "newer"), ("Odd", "malformed")}


def test_a_published_state_is_seen_by_any_reader_as_documented(mosquitto: Mosquitto) -> None:
    found: dict[str, Any] = {}
    reader = Connection(
        mosquitto.broker, on_message=lambda came: found.update({came.topic: json.loads(came.payload)})
    )
    reader.open()
    reader.subscribe("#")
    with published(mosquitto.broker, " Table\n 3 ", NewestState(state())) as table:
        wait_until(lambda: len(found) == 2)
        assert set(found) == {f"referee/tables/Table%203/{table.instance}/{kind}" for kind in ("state", "presence")}
    reader.close()


@pytest.mark.parametrize(("given", "name"), [("", "table"), ("  A \t B ", "A B"), ("x" * 200, "x" * 80)])
def test_a_name_is_made_fit(given: str, name: str) -> None:
    assert table_name(given) == name
