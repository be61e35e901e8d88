"""Topics: `PREFIX/tables/TABLE/INSTANCE/KIND`, the table's name percent-encoded so that it is one level."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote

PREFIX = "referee"


@dataclass(frozen=True, slots=True)
class Topic:
    """Where a message came from, or goes to. kind: `state` or `presence`."""

    table: str
    instance: str
    kind: str

    def under(self, prefix: str) -> str:
        """The whole topic."""
        return f"{prefix}/tables/{quote(self.table, safe='')}/{self.instance}/{self.kind}"


def read_topic(prefix: str, topic: str) -> Topic:
    """The topic's parts. Raises ValueError for one of another shape."""
    parts = topic.removeprefix(f"{prefix}/tables/").split("/")
    if not topic.startswith(f"{prefix}/tables/") or len(parts) != 3 or not all(parts):
        raise ValueError(topic)
    return Topic(unquote(parts[0]), parts[1], parts[2])


def all_tables(prefix: str) -> str:
    """What a hall subscribes to."""
    return f"{prefix}/tables/+/+/+"


def namesakes(prefix: str, table: str) -> str:
    """What a table subscribes to, to learn of another one with its name."""
    return f"{prefix}/tables/{quote(table, safe='')}/+/presence"
