"""The hall's page: in words and languages, within its guard, and in a real browser."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from referee.hall.gathering import MessageFault, Overview, TableView
from referee.hall.messages import PublicRuling, TableState
from referee.web.guard import COOKIE, Keys
from referee.web.hall_board import HallBoard, HallLink, Place
from referee.web.hall_pages import HallPages
from referee.web.server import PageServer
from tests.hall.states import ILLEGAL, state
from tests.web.test_browser import CHROMIUM, browser, device, shot

__all__ = ["browser"]
HOST = "127.0.0.1:8400"
AT = dt.datetime(2026, 11, 30, 19, tzinfo=dt.UTC)
UNKNOWN = PublicRuling(t_s=3.0, incident="not_yet_invented", kind="foul", certainty="sure", seat="P1")


def told(name: str, *facts: int, **said: Any) -> TableState:
    return TableState.of(state(*facts, **said), name, "0" * 16, AT)


TABLES = (
    TableView("Table 4", "online", None, told("Table 4", 3, phase="out_of_step"), (("out_of_step", 40.0),)),
    TableView("Table 5", "online", None, told("Table 5", health={"camera": "lost"}), (("part_lost:camera", 95.0),)),
    TableView("Table 8", "same_name", 90.0, None, instances=2),
    TableView("Table 9", "offline", 70.0, told("Table 9", points=120)),
    TableView("Table 1", "online", None, told("Table 1", 2, 73, rulings=[ILLEGAL]), clock_off_s=42.0),
    TableView("Table 2", "online", None, told("Table 2", rulings=[UNKNOWN])),
    TableView("<b>Table 3", "ended", None, told("<b>Table 3", phase="ended", winners=["P1"])),
)
BOARD = HallBoard(
    Overview(
        100.0, "running", 10.0, "", TABLES, (MessageFault("Table 20", "newer", "format 2, this hall reads 1", 4),)
    ),
    "mqtt://hall:1883",
    "Club night",
    (Place(1, "Ana", "120", 340, 2), Place(2, "Bruno", "52.5", 90, 2)),
)


@pytest.fixture
def client() -> Iterator[TestClient]:
    pages = HallPages(HallLink(lambda: BOARD), Keys(viewer="viewer-key", local=False), f"http://{HOST}")
    with TestClient(pages.app(["127.0.0.1"]), base_url=f"http://{HOST}", follow_redirects=False) as opened:
        yield opened


def test_only_who_has_the_code_may_look(client: TestClient) -> None:
    assert [client.get(path).status_code for path in ("/", "/board.json", "/events")] == [403, 403, 403]
    client.cookies.set(COOKIE, "viewer-key")
    page = client.get("/")
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "style=" not in page.text
    assert "Club night" in page.text
    assert client.post("/").status_code in (403, 405)
    assert "QR" in client.get("/join").text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Bruno: that card does not fit. Take it back."),
        ("pt", "Bruno"),
        ("es", "Bruno"),
        ("ro", "Bruno"),
    ],
)
def test_rulings_are_put_into_words_in_the_language_of_the_device(language: str, text: str) -> None:
    tables = {table["name"]: table for table in BOARD.to_json(language)["tables"]}
    said = tables["Table 1"]["rulings"][0]["text"]
    assert said.startswith(text)
    assert tables["Table 2"]["rulings"][0]["text"] == "Ana: not_yet_invented"  # a table of a newer referee
    assert len({BOARD.to_json(one)["tables"][4]["rulings"][0]["text"] for one in ("en", "pt", "es", "ro")}) == 4


def test_the_board_says_how_long_ago_by_the_halls_own_clock() -> None:
    tables = {table["name"]: table for table in BOARD.to_json()["tables"]}
    assert tables["Table 4"]["needs"] == [{"code": "out_of_step", "part": "", "ago_s": 60.0}]
    assert tables["Table 5"]["needs"] == [{"code": "part_lost", "part": "camera", "ago_s": 5.0}]
    assert (tables["Table 9"]["ago_s"], tables["Table 1"]["clock_off_s"]) == (30.0, 42)


def test_a_board_is_numbered_anew_only_when_it_says_something_new() -> None:
    now = [BOARD]
    link = HallLink(lambda: now[0], beat_s=0.01)
    link.start()
    later = HallBoard(Overview(101.0, "running", 10.0, "", TABLES, BOARD.overview.faults), *_rest())
    now[0] = later
    assert not link.changed(0, 0.1)  # time alone has passed
    now[0] = HallBoard(Overview(102.0, "lost", 101.5, "it has gone", TABLES), *_rest())
    assert link.changed(0, 2.0)
    link.stop()
    assert link.board()[1].overview.broker == "lost"


def _rest() -> tuple[str, str, tuple[Place, ...]]:
    return BOARD.address, BOARD.title, BOARD.standings


@pytest.mark.browser
@pytest.mark.enable_socket
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_the_page_in_a_browser_light_and_dark_on_a_phone_and_on_the_wall(browser: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    link = HallLink(lambda: BOARD)
    server = PageServer(link, port=0)
    serving = server.start()
    for scheme in ("light", "dark"):
        page = device(browser, server.address, color_scheme=scheme)
        page.wait_for_selector("#needs li.table")
        assert page.locator("#needs h3").all_inner_texts() == ["Table 4", "Table 5", "Table 8"]
        assert page.locator("#away h3").all_inner_texts() == ["Table 9"]
        assert page.locator("#playing h3").all_inner_texts() == ["Table 1", "Table 2"]
        assert page.locator("#ended h3").all_inner_texts() == ["<b>Table 3"]
        assert "that card does not fit" in page.inner_text("#playing")
        assert "42 s ahead" in page.inner_text("#playing")
        assert "newer format" in page.inner_text("#notes")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        found = axe.run(page).response["violations"]
        assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == []
        shot(page, f"hall-phone-{scheme}")
        page.set_viewport_size({"width": 1440, "height": 900})
        shot(page, f"hall-wall-{scheme}")
        page.context.close()
    server.stop()
    serving.join(5.0)
