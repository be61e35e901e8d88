"""Who may look and who may change: nobody without a key, no other site, nothing too long, no path to the disk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from referee.session.folder import log_of
from referee.testing.manual_clock import ManualClock
from referee.web.app import PAGES, Pages
from referee.web.guard import BODY_BYTES, COOKIE, Keys, Rate
from referee.web.recorded_table import RecordedTable
from tests.web.conftest import HOST

READS = [*PAGES, "/board.json", "/incidents.json", "/moves.json", "/marks.json", "/picture.jpg", "/events"]
UNDO = {"what": "never", "about": ["v3"]}


@pytest.mark.parametrize("path", READS)
def test_in_the_network_nothing_is_shown_without_a_key(anyone: TestClient, path: str) -> None:
    assert anyone.get(path).status_code == 403


def test_the_code_gives_a_key_that_scripts_cannot_read(anyone: TestClient, keys: Keys) -> None:
    answer = anyone.get(f"/enter?key={keys.viewer}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


@pytest.mark.parametrize("key", ["", "wrong", "viewer-key2", "é"])
def test_a_wrong_key_opens_nothing(anyone: TestClient, key: str) -> None:
    assert anyone.get("/enter", params={"key": key}).status_code == 403


def test_a_viewer_changes_nothing(viewer: TestClient, folder: Path) -> None:
    before = log_of(folder)
    assert viewer.post("/corrections", json=UNDO).status_code == 403
    assert viewer.post("/incidents/1/upheld").status_code == 403
    assert log_of(folder) == before


def test_on_this_machine_alone_reading_needs_no_key_and_changing_does(table: RecordedTable) -> None:
    app = Pages(table, Keys(local=True), f"http://{HOST}").app(["127.0.0.1"])
    with TestClient(app, base_url=f"http://{HOST}") as client:
        assert client.get("/board.json").status_code == 200
        assert client.post("/corrections", json=UNDO).status_code == 403


@pytest.mark.parametrize("host", ["elsewhere.example", "127.0.0.1.elsewhere.example", "", "127.0.0.2:8400"])
def test_another_host_s_name_is_refused(referee: TestClient, host: str) -> None:
    """A page elsewhere whose name was made to lead here must not read the board (DNS rebinding)."""
    assert referee.get("/board.json", headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://elsewhere.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}],
)
def test_another_site_s_request_is_refused(referee: TestClient, folder: Path, headers: dict[str, str]) -> None:
    before = log_of(folder)
    assert referee.post("/corrections", json=UNDO, headers=headers).status_code == 403
    assert log_of(folder) == before


def test_the_own_page_s_request_is_taken(referee: TestClient) -> None:
    headers = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
    assert referee.post("/corrections", json=UNDO, headers=headers).status_code == 200


def test_a_long_body_is_refused_whatever_its_header_says(referee: TestClient) -> None:
    body = json.dumps({**UNDO, "said": "x" * BODY_BYTES})
    assert referee.post("/corrections", content=body).status_code == 413

    def pieces() -> Iterator[bytes]:  # a body in chunks has no length in its header
        yield body[:5000].encode()
        yield body[5000:].encode()

    assert referee.post("/corrections", content=pieces()).status_code == 422


def test_every_answer_keeps_the_page_to_itself(viewer: TestClient) -> None:
    for path in ("/", "/static/style.css", "/board.json", "/nothing", "/static/../app.py"):
        headers = viewer.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


def test_no_page_has_a_script_or_style_of_its_own_or_from_elsewhere(viewer: TestClient) -> None:
    for path in PAGES:
        page = viewer.get(path).text
        assert "<style" not in page
        assert "style=" not in page
        assert all('src="/static/' in part for part in page.split("<script")[1:] if "application/json" not in part)


def test_changes_are_rationed() -> None:
    clock = ManualClock()
    rate = Rate(rate_hz=2.0, burst=3.0, now_s=clock.now_s)
    assert [rate.take() for _ in range(5)] == [True, True, True, False, False]
    clock.sleep(1.0)
    assert [rate.take() for _ in range(3)] == [True, True, False]


PARTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
TRAPS = st.sampled_from(
    ["..", "%2e%2e", "etc", "passwd", "session.toml", "log.jsonl", "clip.mp4", "1", "-1", "99999999999"]
)
ROOTS = st.sampled_from(["static", "incidents", "language", "enter", "picture.jpg", "corrections", "media", ""])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    root=ROOTS,
    parts=st.lists(PARTS | TRAPS, max_size=4),
    body=st.binary(max_size=60),
    role=st.sampled_from(["", "viewer", "referee"]),
)
def test_no_request_breaks_the_server_or_leaves_the_folder(
    anyone: TestClient, keys: Keys, folder: Path, root: str, parts: list[str], body: bytes, role: str
) -> None:
    anyone.cookies.clear()
    if role:
        anyone.cookies.set(COOKIE, getattr(keys, role))
    before = (folder / "log.jsonl").read_bytes()
    path = f"http://{HOST}/" + "/".join([root, *(quote(part, safe="%") for part in parts)])
    for method in ("GET", "POST", "PUT", "DELETE"):
        answer = anyone.request(method, path, content=body if method != "GET" else None)
        assert answer.status_code < 500, (method, path)
        assert b"[players]" not in answer.content
        assert b'"prev":' not in answer.content
    if role != "referee":
        assert (folder / "log.jsonl").read_bytes() == before
