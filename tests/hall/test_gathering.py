"""What the hall knows of its tables: situation -> what the board says."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from referee.hall.gathering import MOST_TABLES, STALE_S, Gathering, TableView
from referee.hall.messages import Presence, TableState, encode
from referee.hall.needs import needs_of
from referee.hall.topics import Topic
from tests.hall.states import state

A, B = "a" * 16, "b" * 16
WALL_S = dt.datetime(2026, 11, 30, 19, tzinfo=dt.UTC).timestamp()


class Hall:
    """A gathering with the time in one's hand."""

    def __init__(self) -> None:
        self.gathering = Gathering("referee")
        self.now_s = 0.0

    def say(self, table: str, instance: str = A, *, retained: bool = False, off_s: float = 0.0, **said: Any) -> None:
        message = TableState.of(state(**said), table, instance, self._at(off_s))
        self.raw(Topic(table, instance, "state"), encode(message), retained=retained)

    def presence(self, table: str, instance: str = A, *, online: bool, retained: bool = False, **said: Any) -> None:
        off_s = said.pop("off_s", 0.0)
        message = Presence(table=table, instance=instance, at=self._at(off_s), online=online, **said)
        self.raw(Topic(table, instance, "presence"), encode(message), retained=retained)

    def there(self, table: str, instance: str = A, **said: Any) -> None:
        self.say(table, instance, **said)
        self.presence(table, instance, online=True)

    def raw(self, topic: Topic, payload: bytes, *, retained: bool = False) -> None:
        self.gathering.receive(
            topic.under("referee"), payload, retained=retained, now_s=self.now_s, wall_s=WALL_S + self.now_s
        )

    def views(self) -> list[TableView]:
        return self.gathering.tables(self.now_s)

    def one(self) -> TableView:
        (view,) = self.views()
        return view

    def _at(self, off_s: float) -> dt.datetime:
        return dt.datetime.fromtimestamp(WALL_S + self.now_s + off_s, dt.UTC)


@pytest.fixture
def hall() -> Hall:
    return Hall()


@pytest.mark.parametrize(
    ("said", "needs"),
    [
        ({}, ()),
        ({"phase": "out_of_step"}, ("out_of_step",)),
        ({"phase": "asking", "asks": True}, ("asks",)),
        ({"view": "lost"}, ("view_lost",)),
        ({"health": {"camera": "lost", "microphone": "running"}}, ("part_lost:camera",)),
        ({"health": {"camera": "running", "microphone": "off"}, "hears": False}, ()),
        ({"health": {"microphone": "running"}, "hears": False}, ("deaf",)),
        ({"health": {"voice": "muted", "recorder": "restarting"}}, ("part_lost:recorder",)),
        ({"phase": "out_of_step", "asks": True, "view": "lost"}, ("out_of_step", "asks", "view_lost")),
        ({"phase": "ended", "view": "lost", "health": {"camera": "stopped"}}, ()),
    ],
)
def test_what_a_table_needs_somebody_for(said: dict[str, Any], needs: tuple[str, ...]) -> None:
    at = dt.datetime.fromtimestamp(WALL_S, dt.UTC)
    assert needs_of(TableState.of(state(**said), "Table 1", A, at)) == needs


def test_who_needs_the_referee_comes_first_then_who_is_away_then_by_name(hall: Hall) -> None:
    for name in ("Table 10", "Table 9", "Table 2"):
        hall.there(name)
    hall.there("Table 7")
    hall.presence("Table 7", online=False)
    hall.there("Table 5", view="lost")
    hall.now_s = 3.0
    hall.there("Table 4", asks=True, phase="asking")
    hall.there("Table 8", phase="out_of_step")
    hall.there("Table 6", phase="ended")
    hall.presence("Table 6", online=False, ended=True)
    order = ["Table 8", "Table 4", "Table 5", "Table 7", "Table 2", "Table 9", "Table 10", "Table 6"]
    assert [view.name for view in hall.views()] == order


def test_a_need_is_counted_from_when_it_first_showed(hall: Hall) -> None:
    hall.there("Table 1", asks=True)
    hall.now_s = 20.0
    hall.say("Table 1", asks=True, points=9)
    assert hall.one().needs == (("asks", 0.0),)
    hall.say("Table 1")
    assert hall.one().needs == ()
    hall.now_s = 30.0
    hall.say("Table 1", asks=True)
    assert hall.one().needs == (("asks", 30.0),)


def test_a_table_that_goes_without_a_word_is_offline_since_then(hall: Hall) -> None:
    hall.there("Table 1", points=40)
    hall.now_s = 12.0
    hall.presence("Table 1", online=False, off_s=-12.0)
    view = hall.one()
    assert (view.status, view.since_s, view.state and view.state.players[0].points) == ("offline", 12.0, 40)


def test_a_table_found_offline_has_been_so_for_nobody_knows_how_long(hall: Hall) -> None:
    hall.say("Table 1", retained=True)
    hall.presence("Table 1", online=False, retained=True)
    assert (hall.one().status, hall.one().since_s) == ("offline", None)


def test_a_silent_table_hangs_unless_the_broker_was_away(hall: Hall) -> None:
    hall.there("Table 1")
    hall.now_s = STALE_S + 1
    assert (hall.one().status, hall.one().since_s, hall.one().needs) == ("stale", 0.0, ())
    hall.gathering.connected(hall.now_s)
    assert hall.one().status == "online"


def test_two_tables_of_one_name_are_named_and_neither_is_shown(hall: Hall) -> None:
    hall.there("Table 1", A, points=10)
    hall.there("table  1", B, points=20)
    view = hall.one()
    assert (view.status, view.instances, view.state) == ("same_name", 2, None)
    hall.presence("table  1", B, online=False)
    assert (hall.one().status, hall.one().state is not None) == ("online", True)


def test_a_table_that_starts_anew_takes_the_place_of_what_it_was(hall: Hall) -> None:
    hall.there("Table 1", A, points=10)
    hall.presence("Table 1", A, online=False)
    hall.there("Table 1", B, points=20)
    assert hall.one().status == "online"
    hall.raw(Topic("Table 1", A, "state"), b"")
    hall.raw(Topic("Table 1", A, "presence"), b"")
    view = hall.one()
    assert view.state is not None
    assert (view.status, view.state.players[0].points) == ("online", 20)


@pytest.mark.parametrize(("offs_s", "told"), [((42, 42, 42), 42), ((-9,), -9), ((-60, 0.1, -60), None), ((4,), None)])
def test_a_clock_that_is_off_is_told_one_late_message_is_not(
    hall: Hall, offs_s: tuple[float, ...], told: int | None
) -> None:
    hall.presence("Table 1", online=True)
    for off_s in offs_s:
        hall.say("Table 1", off_s=off_s)
    off = hall.one().clock_off_s
    assert (None if off is None else round(off)) == told


def test_retained_messages_say_nothing_of_clocks_and_yesterday_is_forgotten(hall: Hall) -> None:
    hall.say("Table 1", retained=True, off_s=-600.0)
    hall.presence("Table 1", online=True, retained=True, off_s=-600.0)
    assert hall.one().clock_off_s is None
    hall.say("Table 2", retained=True, off_s=-80_000.0)
    hall.presence("Table 2", online=False, retained=True, off_s=-80_000.0)
    assert [view.name for view in hall.views()] == ["Table 1"]


def test_messages_that_cannot_be_used_are_counted_by_table_and_kind(hall: Hall) -> None:
    for payload in (b'{"format": 2}', b'{"format": 3}', b'{"format": 0}', b"nonsense"):
        hall.raw(Topic("Table 1", A, "state"), payload)
    counted = [(one.table, one.kind, one.count) for one in hall.gathering.faults()]
    assert counted == [("Table 1", "malformed", 1), ("Table 1", "newer", 2), ("Table 1", "older", 1)]
    assert hall.views() == []
    hall.there("Table 1")
    assert hall.gathering.faults() == []  # it was mended


def test_a_message_on_the_topic_of_another_table_is_not_taken(hall: Hall) -> None:
    said = encode(Presence(table="Table 2", instance=A, at=dt.datetime.now(dt.UTC), online=False))
    hall.there("Table 1")
    hall.raw(Topic("Table 1", A, "presence"), said)
    assert hall.one().status == "online"
    assert [one.why for one in hall.gathering.faults()] == ["it is of another table than its topic"]


def test_a_flood_of_names_is_left_out_and_counted(hall: Hall) -> None:
    for number in range(MOST_TABLES + 5):
        hall.presence(f"Table {number}", online=True)
    for number in range(200):
        hall.raw(Topic(f"Nonsense {number}", A, "state"), b"nonsense")
    assert (len(hall.views()), len(hall.gathering.faults())) == (MOST_TABLES, 50)
    assert hall.gathering.left_out == 5 + 150
