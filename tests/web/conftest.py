"""Pages over a made-up table, without a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from referee.cards import Seat
from referee.session.plan import SessionPlan
from referee.web.app import Pages
from referee.web.guard import COOKIE, Keys
from referee.web.recorded_table import RecordedTable
from tests.session.drawn_log import PLAN, drew, landed, said
from tests.session.recorded_evening import record

HOST = "127.0.0.1:8400"


@pytest.fixture
def plan() -> SessionPlan:
    return PLAN


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """P1's red 6 was read as a green 9; then a Draw Two, and two cards drawn."""
    seen = [
        landed("v1", 2.0, "G9", Seat.P1),
        landed("v2", 5.0, "R9", Seat.P2),
        said("a1", 6.0, "uno"),
        landed("v3", 8.0, "RD", Seat.P1),
        drew("v4", 11.0, Seat.P2, 2),
    ]
    return record(tmp_path / "evening", seen)


@pytest.fixture
def table(folder: Path, plan: SessionPlan) -> RecordedTable:
    return RecordedTable(folder, plan)


@pytest.fixture
def keys() -> Keys:
    return Keys(referee="referee-key", viewer="viewer-key", local=False)


@pytest.fixture
def anyone(table: RecordedTable, keys: Keys) -> Iterator[TestClient]:
    """A browser in the network without a key."""
    app = Pages(table, keys, f"http://{HOST}").app(["127.0.0.1"])
    with TestClient(app, base_url=f"http://{HOST}", follow_redirects=False) as client:
        yield client


@pytest.fixture
def viewer(anyone: TestClient, keys: Keys) -> TestClient:
    anyone.cookies.set(COOKIE, keys.viewer)
    return anyone


@pytest.fixture
def referee(anyone: TestClient, keys: Keys) -> TestClient:
    anyone.cookies.set(COOKIE, keys.referee)
    return anyone
