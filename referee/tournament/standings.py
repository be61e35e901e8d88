"""Who leads: match points, then stated tie-breaks, in a total order however it was entered."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from referee.tournament.book import TableOfRound, Tournament

WHOLE = 60
"""Match points of a table's sole winner, whatever its size: 60 gives whole numbers at tables of 3, 4, 5 and 6."""

TIE_BREAKS = (
    "match points: 60 for a table's winner, 0 for its last, evenly between, whatever the table's size; "
    "who is level shares",
    "card points: over all rounds",
    "direct encounters: tables at which those who are still level met, ahead 1, behind -1",
    "strength of those met: their match points, the mean of all meetings",
    "tables won, a shared win counting its share",
    "lot: drawn from the tournament's seed and the name",
)
"""In this order. Card points come early because players can see and check them; strength comes late because at a
table of four it says little of who beat whom."""


@dataclass(frozen=True, slots=True)
class Line:
    """A player in the standings. broken_by: index in TIE_BREAKS of what put it below the line above, 0 for none."""

    place: int
    name: str
    match_points: Fraction
    card_points: int
    direct: int
    strength: Fraction
    won: Fraction
    rounds: int
    broken_by: int = 0


def match_points(table: TableOfRound, counting: str = "most") -> dict[str, Fraction]:
    """Match points of a table's players; nothing before its result."""
    points = table.points or {}
    share = Fraction(WHOLE, max(1, len(points) - 1))
    return {
        name: share
        * sum(
            Fraction(1) if _better(own, other, counting) else Fraction(1, 2) if own == other else Fraction(0)
            for rival, other in points.items()
            if rival != name
        )
        for name, own in points.items()
    }


def standings(book: Tournament) -> list[Line]:
    """Everybody, the first place first; two players never share a place: the lot comes last."""
    tables = [table for tables in book.rounds for table in tables if table.points is not None]
    matches, cards, won = (
        defaultdict[str, Fraction](Fraction),
        defaultdict[str, int](int),
        defaultdict[str, Fraction](Fraction),
    )
    played, met = defaultdict[str, int](int), defaultdict[str, list[str]](list)
    for table in tables:
        points = table.points or {}
        best = [
            name
            for name in points
            if all(not _better(other, points[name], book.counting) for other in points.values())
        ]
        for name, gained in match_points(table, book.counting).items():
            matches[name] += gained
            cards[name] += points[name]
            played[name] += 1
            met[name] += [other for other in points if other != name]
            if name in best:
                won[name] += Fraction(1, len(best))
    sign = -1 if book.counting == "most" else 1
    strength = {
        name: sum((matches[other] for other in met[name]), Fraction(0)) / len(met[name]) if met[name] else Fraction(0)
        for name in book.names
    }
    ahead = _groups(book.names, lambda name: (-matches[name], sign * cards[name]))
    found: list[Line] = []
    for level in ahead:
        direct = _direct(level, tables, book.counting)
        keys = {n: (-direct[n], -strength[n], -won[n], _lot(book.seed, n)) for n in level}
        for name in sorted(level, key=lambda n: keys[n]):
            line = Line(
                len(found) + 1,
                name,
                matches[name],
                cards[name],
                direct[name],
                strength[name],
                won[name],
                played[name],
            )
            found.append(line if not found else _compared(found[-1], line))
    return found


def _compared(above: Line, line: Line) -> Line:
    pairs = (
        (above.match_points, line.match_points),
        (above.card_points, line.card_points),
        (above.direct, line.direct),
        (above.strength, line.strength),
        (above.won, line.won),
    )
    by = next((index for index, (one, other) in enumerate(pairs) if one != other), len(pairs))
    return Line(
        line.place,
        line.name,
        line.match_points,
        line.card_points,
        line.direct,
        line.strength,
        line.won,
        line.rounds,
        by,
    )


def _direct(level: Sequence[str], tables: Iterable[TableOfRound], counting: str) -> dict[str, int]:
    """Of those who are level: at how many meetings each was ahead, less those at which it was behind."""
    found = dict.fromkeys(level, 0)
    for table in tables if len(level) > 1 else ():
        points: Mapping[str, int] = {name: p for name, p in (table.points or {}).items() if name in found}
        for name, own in points.items():
            found[name] += sum(
                _better(own, other, counting) - _better(other, own, counting)
                for rival, other in points.items()
                if rival != name
            )
    return found


def _groups(names: Iterable[str], key: Callable[[str], tuple[Fraction, int]]) -> list[list[str]]:
    """Names of one key together, the least key first."""
    by_key: dict[tuple[Fraction, int], list[str]] = {}
    for name in names:
        by_key.setdefault(key(name), []).append(name)
    return [by_key[k] for k in sorted(by_key)]


def _better(own: int, other: int, counting: str) -> bool:
    return own > other if counting == "most" else own < other


def _lot(seed: int, name: str) -> str:
    return hashlib.sha256(f"{seed}\0{name}".encode()).hexdigest()
