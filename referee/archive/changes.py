"""What changed against the rulings given at the table: rulings added, withdrawn, and changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from referee.session.comparing import SAME_S, Difference, matched

COLUMNS = ("session", "t_s", "change", "seat", "then", "now", "text_then", "text_now")
_DECIDES = ("certainty", "remedy", "facts")
"""What makes a ruling of one kind about one player another ruling."""


def changes(table: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A line for each ruling that changed, in the order of their times.

    A ruling that went and one that came about the same player at the same moment are one change.
    """
    pairs, alone = matched(table, now)
    found = [_line("changed", old, new) for old, new in pairs if any(_differ(old, new, what) for what in _DECIDES)]
    gone = [d for d in alone if d.side == "table"]
    come = [d for d in alone if d.side == "replay"]
    for old in gone:
        near = [new for new in come if _about_the_same(old, new)]
        new = min(near, key=lambda d: abs(d.ruling["t_s"] - old.ruling["t_s"])) if near else None
        if new:
            come.remove(new)
        found.append(_line("changed" if new else "withdrawn", old.ruling, new.ruling if new else None))
    found += [_line("added", None, new.ruling) for new in come]
    return sorted(found, key=lambda line: (line["t_s"], line["change"], str(line["seat"]), line["then"], line["now"]))


def kinds_of(lines: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How often each change was made: `withdrawn foul missed_uno` 2."""
    counts = Counter(" ".join(filter(None, (line["change"], *_steps(line)))) for line in lines)
    return dict(sorted(counts.items()))


def _steps(line: Mapping[str, Any]) -> list[str]:
    then, now = (" ".join(str(line[side]).split()[:2]) for side in ("then", "now"))
    return [then, "to", now] if then and now and then != now else [then or now]


def _differ(old: Mapping[str, Any], new: Mapping[str, Any], what: str) -> bool:
    return what in old and what in new and old[what] != new[what]


def _about_the_same(old: Difference, new: Difference) -> bool:
    near = abs(old.ruling["t_s"] - new.ruling["t_s"]) <= SAME_S
    return near and old.ruling.get("seat") == new.ruling.get("seat")


def _line(change: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> dict[str, Any]:
    about = new or old or {}
    return {
        "t_s": about["t_s"],
        "change": change,
        "seat": about.get("seat"),
        "then": _named(old),
        "now": _named(new),
        "text_then": (old or {}).get("text") or "",
        "text_now": (new or {}).get("text") or "",
    }


def _named(ruling: Mapping[str, Any] | None) -> str:
    """`foul illegal_play sure take_back`."""
    if ruling is None:
        return ""
    return " ".join(str(ruling[what]) for what in ("kind", "incident", "certainty", "remedy") if ruling.get(what))
