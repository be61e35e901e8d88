"""Who sits with whom: as few repeat meetings as can be found, and among such pairings players of like standing.

Swiss-like, because a club night has four rounds for twenty players: everybody plays every round, nobody is put out,
and those who lead come to meet. Repeats weigh more than any difference in standing, since at tables of four one
evening can pass without most of them. The players are dealt to tables as they stand, then players of different tables
change places as long as that is better, from several beginnings; the best is kept. All lots come from the book's seed
and the round's number, and names are sorted before: the same book gives the same pairing everywhere.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from referee.faults import InputFault
from referee.tournament.book import LARGEST, SMALLEST, TableOfRound, Tournament
from referee.tournament.standings import standings

_BEGINNINGS = 30
_LARGE = 48
"""With more players than this, fewer beginnings: there is more room to avoid repeats, and a step takes longer."""


def pair(book: Tournament) -> tuple[TableOfRound, ...]:
    """Tables 1, 2, … of the next round, the leaders at table 1; who sits where is drawn. Raises InputFault."""
    playing = sorted(book.playing())
    sizes = table_sizes(len(playing), book.table_size)
    lots = random.Random(f"{book.seed} {len(book.rounds) + 1}")
    if book.rounds:
        place = {line.name: line.place for line in standings(book)}
        order = sorted(playing, key=lambda name: place[name])
    else:
        order = lots.sample(playing, len(playing))
    tables = _improved(order, sizes, meetings(book), lots)
    return tuple(
        TableOfRound(str(number), tuple(lots.sample(table, len(table)))) for number, table in enumerate(tables, 1)
    )


def table_sizes(players: int, wanted: int) -> list[int]:
    """Sizes that differ by one at most and lie as near `wanted` as can be, the larger first. Raises InputFault."""
    if players < SMALLEST:
        raise InputFault(f"{players} players fill no table", mend=f"{SMALLEST} to {LARGEST} sit at a table")
    if not SMALLEST <= wanted <= LARGEST:
        raise InputFault(f"tables of {wanted}", mend=f"choose {SMALLEST} to {LARGEST}")
    counts = range(-(-players // LARGEST), players // SMALLEST + 1)
    count = min(counts, key=lambda n: (abs(players / n - wanted), -n))
    return [players // count + (number < players % count) for number in range(count)]


def meetings(book: Tournament) -> Counter[frozenset[str]]:
    """How often each pair of players has sat at one table."""
    rounds = (table.players for tables in book.rounds for table in tables)
    return Counter(frozenset(two) for players in rounds for two in combinations(players, 2))


def repeats(tables: Iterable[Sequence[str]], met: Mapping[frozenset[str], int]) -> int:
    """How often the pairs of these tables have met before."""
    return sum(met.get(frozenset(two), 0) for table in tables for two in combinations(table, 2))


def _improved(
    order: Sequence[str], sizes: Sequence[int], met: Mapping[frozenset[str], int], lots: random.Random
) -> list[list[str]]:
    place = {name: number for number, name in enumerate(order)} if met else dict.fromkeys(order, 0)
    heavy = 3 * len(order) ** 3  # one repeat outweighs all differences of standing together
    cost = {
        (one, other): heavy * met.get(frozenset((one, other)), 0) + (place[one] - place[other]) ** 2
        for one in order
        for other in order
        if one != other
    }
    best: tuple[int, list[list[str]]] | None = None
    for beginning in range(_BEGINNINGS if len(order) <= _LARGE else 2):
        begun = list(order) if beginning == 0 else lots.sample(order, len(order))
        tables = _descended(_dealt(begun, sizes), cost)
        total = sum(cost[two] for table in tables for two in combinations(table, 2))
        if best is None or total < best[0]:
            best = (total, tables)
    tables = best[1] if best else []
    return sorted(
        tables, key=lambda table: (-len(table) if not met else 0, sum(place[n] for n in table) / len(table))
    )


def _dealt(order: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    names = iter(order)
    return [[next(names) for _ in range(size)] for size in sizes]


def _descended(tables: list[list[str]], cost: Mapping[tuple[str, str], int]) -> list[list[str]]:
    """Let pairs of players of different tables change places until no change makes it better."""
    better = True
    while better:
        better = False
        for left, right in combinations(tables, 2):
            for i in range(len(left)):
                for j in range(len(right)):
                    one, other = left[i], right[j]
                    rest, others = left[:i] + left[i + 1 :], right[:j] + right[j + 1 :]
                    now = sum(cost[one, n] for n in rest) + sum(cost[other, n] for n in others)
                    then = sum(cost[other, n] for n in rest) + sum(cost[one, n] for n in others)
                    if then < now:
                        left[i], right[j] = other, one
                        better = True
    return tables
