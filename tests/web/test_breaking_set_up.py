"""What no request to the set-up page can do: break it, name a file, or write what is no setting."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from referee.web.guard import Rate
from tests.web.test_breaking_requests import ANY, QUICK
from tests.web.test_set_up import devices, ear, page, table  # noqa: F401  (fixtures of the set-up page)

PARTS = st.sampled_from(
    ["table", "camera", "microphone", "speech", "voice", "pages", "recording", "format", "x", "__class__"]
)
KEYS = st.sampled_from(
    ["title", "players", "dealer", "profile", "language", "calibration", "deck", "folder", "model", "width_px"]
)
CHANGES = st.dictionaries(PARTS, st.dictionaries(KEYS | st.text(max_size=4), ANY, max_size=3), max_size=2)


@pytest.fixture(autouse=True)
def no_ration(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many changes as there are examples; the ration has a test of its own."""
    monkeypatch.setattr(Rate, "take", lambda _self: True)


@QUICK
@given(changes=CHANGES)
def test_any_change_of_the_settings_is_taken_or_refused(
    page: TestClient,  # noqa: F811
    tmp_path: Path,
    changes: dict[str, Any],
) -> None:
    answer = page.post("/settings", json=changes)
    assert answer.status_code in (200, 422), answer.text
    assert page.get("/state.json").status_code == 200
    assert {path.name for path in tmp_path.iterdir()} <= {"table.toml", "evening"}


@QUICK
@given(path=st.sampled_from(["/calibration/solve", "/calibration/place", "/uno/P1", "/uno/P77", "/voices"]), body=ANY)
def test_any_tap_is_taken_or_refused(page: TestClient, path: str, body: Any) -> None:  # noqa: F811
    wrapped = (
        body
        if isinstance(body, dict)
        else {"corners": body, "discard": body, "draw": body, "seats": body, "learn": body}
    )
    answer = page.post(path, content=json.dumps(wrapped))
    assert answer.status_code in (200, 422), answer.text


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("table", "calibration", "/etc/passwd"),
        ("table", "deck", "/etc/passwd"),
        ("table", "profile", "/etc/passwd"),
        ("table", "profile", "pyproject.toml"),
        ("speech", "model", "/etc"),
        ("recording", "folder", "/etc"),
        ("hall", "password_file", "/etc/passwd"),
        ("hall", "broker", "mqtt://elsewhere"),
    ],
)
def test_no_page_names_a_file(page: TestClient, tmp_path: Path, part: str, key: str, value: str) -> None:  # noqa: F811
    assert page.post("/settings", json={part: {key: value}}).status_code == 422
    assert "hall" not in page.get("/state.json").json()["settings"]  # it may hold a password
    assert not (tmp_path / "table.toml").exists()


@pytest.mark.parametrize("name", ["pyproject.toml", "..%2fpyproject.toml", "%2fetc%2fpasswd", "nothing"])
def test_rules_are_those_of_the_list(page: TestClient, name: str) -> None:  # noqa: F811
    answer = page.get(f"/rules/{name}")
    assert answer.status_code in (404, 422)
    assert "import" not in answer.text
