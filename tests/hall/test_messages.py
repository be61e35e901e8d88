"""Messages between tables and hall: as documented, and unreadable ones told apart."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from referee.hall.messages import KINDS, MESSAGE_BYTES, Presence, TableState, WrongMessage, decode, encode, schema
from referee.hall.topics import Topic, all_tables, read_topic
from tests.hall.states import ILLEGAL, state

DOCS = Path(__file__).parents[2] / "docs" / "hall"
AT = dt.datetime(2026, 11, 30, 19, 4, 5, tzinfo=dt.UTC)
SAID = TableState.of(state(2, 73, rulings=[ILLEGAL]), "Table 3", "0c9ae7b1d2f34455", AT)


@pytest.mark.parametrize("kind", KINDS)
def test_the_documented_schema_is_the_schema(kind: str) -> None:
    assert json.loads((DOCS / f"{kind}.schema.json").read_text(encoding="utf-8")) == schema(kind)


def test_what_is_sent_is_as_documented() -> None:
    away = Presence(table="Table 3", instance=SAID.instance, at=AT, online=False)
    for kind, message in (("state", SAID), ("presence", away)):
        documented = json.loads((DOCS / f"{kind}.schema.json").read_text(encoding="utf-8"))
        Draft202012Validator(documented).validate(json.loads(encode(message)))
        assert decode(kind, encode(message)) == message


def changed(**keys: Any) -> bytes:
    return json.dumps({**json.loads(encode(SAID)), **keys}).encode()


@pytest.mark.parametrize(
    ("payload", "kind", "why"),
    [
        (b"", "malformed", "is no JSON"),
        (b"\xff\xfe", "malformed", "is no JSON"),
        (b"[" * 30_000, "malformed", "is no JSON"),
        (b"[1]", "malformed", "names no format"),
        (b'{"format": true}', "malformed", "names no format"),
        (b'{"format": "1"}', "malformed", "names no format"),
        (b" " * (MESSAGE_BYTES + 1), "malformed", "too long"),
        (b'{"format": 2, "anything": {}}', "newer", "format 2, this hall reads 1"),
        (b'{"format": 0}', "older", "format 0, this hall reads 1"),
        (changed(round=0), "malformed", "round"),
        (changed(phase="dreaming"), "malformed", "phase"),
        (changed(hand=["R5"]), "malformed", "hand"),
        (changed(table=""), "malformed", "table"),
        (changed(at="yesterday"), "malformed", "at"),
        (changed(players=[{"seat": "P11", "name": "Ana", "points": 0}]), "malformed", "players.0.seat"),
        (changed(instance="../../etc"), "malformed", "instance"),
    ],
)
def test_what_cannot_be_used_says_why(payload: bytes, kind: str, why: str) -> None:
    with pytest.raises(WrongMessage, match=why) as refused:
        decode("state", payload)
    assert refused.value.kind == kind


@given(
    st.binary(max_size=200)
    | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps).map(str.encode)
)
def test_whatever_comes_is_read_or_refused(payload: bytes) -> None:
    for kind in KINDS:
        with pytest.raises(WrongMessage):
            decode(kind, payload)


@given(st.text(min_size=1, max_size=80))
def test_any_name_is_one_level_of_a_topic(name: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:  # half a character: no JSON holds it either
        return
    topic = Topic(name, "0c9ae7b1d2f34455", "state").under("club/referee")
    assert read_topic("club/referee", topic) == Topic(name, "0c9ae7b1d2f34455", "state")
    assert topic.count("/") == all_tables("club/referee").count("/")
    assert not set("+#\0") & set(topic)


@pytest.mark.parametrize(
    "topic", ["referee", "referee/tables/a/b", "referee/tables/a/b/c/d", "other/tables/a/b/c", "referee/tables//b/c"]
)
def test_other_topics_are_refused(topic: str) -> None:
    with pytest.raises(ValueError, match=topic):
        read_topic("referee", topic)
