"""What no request can do: break the server, leave the folder, change a score without the key. By made-up requests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from referee.session.folder import log_of
from referee.session.log import verify
from referee.web.guard import Keys, Rate

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
NUMBERS = (
    st.sampled_from([0, -1, 1.5, 1e308, 10**30])
    | st.integers(-3, 200)
    | st.floats(allow_nan=False, allow_infinity=False)
)
WORDS = st.sampled_from(["", "P1", "P99", "R5", "W4", "uno", "../../etc/passwd", "\u0000", "\n[x]", "v3", "é"])
PLAIN = st.none() | st.booleans() | NUMBERS | WORDS | st.text(max_size=8)
ANY = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3))
CORRECTIONS = st.fixed_dictionaries(
    {"what": st.sampled_from(["card", "seat", "drew", "played", "call", "never", "upheld", "retract", "nothing"])},
    optional=dict.fromkeys(("about", "at_s", "seat", "card", "count", "call", "said"), ANY),
)


@pytest.fixture(autouse=True)
def no_ration(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many changes as there are examples; the ration has a test of its own."""
    monkeypatch.setattr(Rate, "take", lambda _self: True)


@QUICK
@given(correction=CORRECTIONS)
def test_any_correction_is_taken_or_refused(referee: TestClient, folder: Path, correction: dict[str, Any]) -> None:
    answer = referee.post("/corrections", json=correction)
    assert answer.status_code in (200, 422), answer.text
    assert verify(folder / "log.jsonl") == []


@pytest.mark.parametrize(
    "body",
    [
        b'{"what": "played", "at_s": NaN, "card": "R5", "seat": "P1"}',
        b'{"what": "played", "at_s": Infinity, "card": "R5", "seat": "P1"}',
        b'{"what": "never", "about": ["v3"], "said": "\\ud800"}',
        b'{"what": "drew", "about": ["v4"], "count": 1e999}',
        b"[" * 5000,
        b"\xff\xfe",
    ],
    ids=["no number", "no time", "half a character", "no count", "too deep", "no text"],
)
def test_what_no_log_can_hold_is_refused(referee: TestClient, folder: Path, body: bytes) -> None:
    before = log_of(folder)
    assert referee.post("/corrections", content=body).status_code == 422
    assert log_of(folder) == before


def test_what_was_not_seen_is_added_at_the_time_it_is_told(referee: TestClient, folder: Path) -> None:
    assert referee.post("/corrections", json={"what": "played", "card": "R1", "seat": "P1"}).status_code == 200
    (line,) = [line.payload for line in log_of(folder) if line.type == "correction"]
    assert line["at_s"] >= 11.0


def test_the_keys_of_two_tables_differ() -> None:
    assert len({Keys().referee, Keys().referee, Keys().viewer, Keys().viewer}) == 4
