"""How two judgings of one session differ: the rulings given at the table, and those of a replay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.session.log import LogLine

SAME_S = 3.0
"""Rulings of one kind about one player and so near in time are the same ruling."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A ruling that only one of the two judgings gave. side: `table` or `replay`."""

    side: str
    ruling: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """One JSON object."""
        kept = ("t_s", "seat", "incident", "kind", "certainty", "text", "rule")
        return {"type": "difference", "only": self.side, **{name: self.ruling.get(name) for name in kept}}


def table_rulings(lines: Iterable[LogLine]) -> list[dict[str, Any]]:
    """The rulings that a log holds, as JSON objects."""
    return [{"type": "ruling", "t_s": line.t_s, **line.payload} for line in lines if line.type == "ruling"]


def differences(table: Sequence[Mapping[str, Any]], replay: Sequence[Mapping[str, Any]]) -> list[Difference]:
    """The rulings that only one side gave, in the order of their times."""
    return matched(table, replay)[1]


def matched(
    table: Sequence[Mapping[str, Any]], replay: Sequence[Mapping[str, Any]]
) -> tuple[list[tuple[Mapping[str, Any], Mapping[str, Any]]], list[Difference]]:
    """The rulings that both sides gave, as pairs, and those of one side alone, in the order of their times."""
    left = list(replay)
    pairs: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = []
    found: list[Difference] = []
    for ruling in table:
        same = [r for r in left if _key(r) == _key(ruling) and abs(r["t_s"] - ruling["t_s"]) <= SAME_S]
        if same:
            nearest = min(same, key=lambda r: abs(r["t_s"] - ruling["t_s"]))
            left.remove(nearest)
            pairs.append((ruling, nearest))
        else:
            found.append(Difference("table", ruling))
    found += [Difference("replay", ruling) for ruling in left]
    return pairs, sorted(found, key=lambda d: (d.ruling["t_s"], d.side))


def _key(ruling: Mapping[str, Any]) -> tuple[object, ...]:
    unsure = ruling.get("text") if ruling.get("incident") == "cannot_tell" else None
    return (ruling.get("incident"), ruling.get("kind"), ruling.get("seat"), unsure)
