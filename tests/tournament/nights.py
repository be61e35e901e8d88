"""Made-up tournaments that were played."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import strategies as st

from referee.tournament.book import TableOfRound, Tournament
from referee.tournament.pairing import pair, table_sizes

# fmt: off
NAMES = (
    "Ana", "Bruno", "Carla", "Dinis", "Elena", "Filipe", "Gabriela", "Horia", "Inês", "João", "Katia", "Luca",
    "Mihai", "Nuno", "Olga", "Pedro", "Raluca", "Sofía", "Tiago", "Úrsula", "Vera", "Waldo", "Xenia", "Yara",
)
# fmt: on


def begun(players: int, seed: int = 1, table_size: int = 4) -> Tournament:
    return Tournament("Club night", seed, table_size).with_players(NAMES[:players])


def with_points(book: Tournament, lots: random.Random) -> Tournament:
    """Every open table of the current round gets a result, ties among them."""
    for table in book.open_tables():
        book = book.with_result(table.name, {name: 10 * lots.randrange(8) for name in table.players})
    return book


def played(book: Tournament, rounds: int, lots_seed: int = 3) -> Tournament:
    lots = random.Random(lots_seed)
    for _ in range(rounds):
        book = with_points(book.with_round(pair(book)), lots)
    return book


def at_random(book: Tournament, lots: random.Random) -> tuple[TableOfRound, ...]:
    """The pairing without any method: names drawn into tables of the same sizes."""
    names: Sequence[str] = lots.sample(book.playing(), len(book.playing()))
    tables, begin = [], 0
    for number, size in enumerate(table_sizes(len(names), book.table_size), 1):
        tables.append(TableOfRound(str(number), tuple(names[begin : begin + size])))
        begin += size
    return tuple(tables)


nights = st.builds(
    lambda players, seed, size, rounds: played(begun(players, seed, size), rounds, seed + 1),
    st.integers(3, 20),
    st.integers(0, 1000),
    st.integers(3, 6),
    st.integers(0, 4),
)
