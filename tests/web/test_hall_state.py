"""What of a table reaches the hall: enough for a board, and no card, picture, path or free text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from referee.cards import Card, Seat
from referee.cli.hall_settings import broker_of, told_to_hall
from referee.hall.messages import PublicState
from referee.hall.mqtt import Connection
from referee.session.settings import HallPart, Settings
from referee.web.board import Board, Health, View
from referee.web.hall_state import public_state
from referee.web.recorded_table import RecordedTable
from tests.hall.mosquitto import Mosquitto
from tests.session.drawn_log import PLAN, drew, landed
from tests.web.scripted_table import ScriptedTable, wait_until

CODES = re.compile(r"\b([RYGB][0-9SRD]|W4|WX|WM|WC)\b")
COLOURS = re.compile(r"\b(red|yellow|green|blue|wild)\b", re.IGNORECASE)
PATHS = re.compile(r"[/\\]|\.(jpg|png|mkv|ugn|toml|jsonl)\b")
BASE64 = re.compile(r"[A-Za-z0-9+/=]{64,}")
SCRIPT = [
    replace(landed("v1", 0.2, "R9", Seat.P1), seen_s=0.25),
    replace(landed("v2", 0.3, "G6", Seat.P2), seen_s=0.35),
    replace(drew("v3", 0.4, Seat.P1, 1), seen_s=0.45),
    replace(landed("v4", 0.5, "W4", Seat.P1), seen_s=0.55),
]
"""Bruno's green 6 does not fit Ana's red 9: a foul whose own words name both cards."""


def private(payload: str) -> list[str]:
    """Whatever of a payload should not be in it."""
    found = [match[0] for wanted in (CODES, COLOURS, BASE64) for match in wanted.finditer(payload)]
    return found + [match[0] for match in PATHS.finditer(payload)]


@pytest.mark.enable_socket
def test_nothing_private_of_a_whole_sitting_reaches_the_broker(tmp_path: Path) -> None:
    """A real sitting, with the real broker: all that it ever published is looked through."""
    came: list[tuple[str, str]] = []
    with Mosquitto(tmp_path) as mosquitto, ScriptedTable(tmp_path / "evening", PLAN, SCRIPT) as table:
        reader = Connection(mosquitto.broker, on_message=lambda one: came.append((one.topic, one.payload.decode())))
        reader.open()
        reader.subscribe("#")
        broker = broker_of(Settings(hall=HallPart(broker=mosquitto.address)), None)
        shown = Console(file=(tmp_path / "told").open("w"))
        with told_to_hall(broker, "Table 3", table, table._parts, shown):
            wait_until(lambda: any('"illegal_play"' in payload for _, payload in came))
            assert table._parts.states["hall"] == "running"
        wait_until(lambda: any('"ended":true' in payload for _, payload in came))
        reader.close()
        shown.file.close()
    assert [CODES.findall(text) for text in ("P2: G6 does not fit", "a Table 3")] == [["G6"], []]  # it would be found
    assert {word for _, payload in came for word in private(payload)} == set()
    assert {key for _, payload in came for key in json.loads(payload)} == {
        *PublicState.model_fields, "format", "table", "instance", "at", "online", "ended",
    }  # fmt: skip


def test_the_state_of_a_recorded_evening(folder: Path) -> None:
    told = public_state(RecordedTable(folder, PLAN).board()[1])
    assert [(one.seat, one.name) for one in told.players] == [("P1", "Ana"), ("P2", "Bruno")]
    assert [(one.incident, one.seat, one.kind) for one in told.rulings] == [("illegal_play", "P1", "foul")]
    assert (told.round, told.health.get("hall")) == (1, None)
    assert private(told.model_dump_json()) == []


@pytest.mark.parametrize(
    ("board", "facts"),
    [
        (Board(PLAN), {"phase": "starting", "hears": False, "view": "ready"}),
        (Board(PLAN, view=View("lost", "the lens is covered by /home/ana")), {"view": "lost"}),
        (Board(PLAN, view=View("odd")), {"view": "ready"}),
        (Board(PLAN, ended=True), {"phase": "ended", "asks": False}),
        (
            Board(PLAN, health=Health({"microphone": "running", "hall": "lost"})),
            {"hears": True, "health": {"microphone": "running"}},
        ),
    ],
)
def test_each_board_has_its_state(board: Board, facts: dict[str, object]) -> None:
    told = public_state(board).model_dump()
    assert {key: told[key] for key in facts} == facts
    assert private(json.dumps(told)) == []


def test_cards_would_be_found_in_words_too() -> None:
    for code in ("R5", "GS", "W4"):
        assert private(f"{Card.parse(code).code} was laid") == [code]
    assert private("blue 6") == ["blue"]
