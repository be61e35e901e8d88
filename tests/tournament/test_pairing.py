"""Pairings: everybody at one table, of a fit size, with as few repeat meetings as can be found."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.faults import InputFault
from referee.tournament.book import LARGEST, SMALLEST, Tournament, checked_round
from referee.tournament.pairing import meetings, pair, repeats, table_sizes
from referee.tournament.standings import standings
from tests.tournament.nights import at_random, begun, nights, played, with_points


@pytest.mark.parametrize(
    ("players", "wanted", "sizes"),
    [
        (3, 4, [3]),
        (4, 4, [4]),
        (5, 4, [5]),
        (6, 4, [3, 3]),
        (7, 4, [4, 3]),
        (9, 4, [5, 4]),
        (13, 4, [5, 4, 4]),
        (20, 4, [4] * 5),
        (22, 5, [6, 6, 5, 5]),
        (23, 6, [6, 6, 6, 5]),
        (11, 3, [4, 4, 3]),
    ],
)
def test_sizes_lie_near_what_is_wanted(players: int, wanted: int, sizes: list[int]) -> None:
    assert table_sizes(players, wanted) == sizes


@given(st.integers(3, 400), st.integers(3, 6))
def test_sizes_hold_everybody_within_limits(players: int, wanted: int) -> None:
    sizes = table_sizes(players, wanted)
    assert sum(sizes) == players
    assert all(SMALLEST <= size <= LARGEST for size in sizes)
    assert max(sizes) - min(sizes) <= 1


@settings(max_examples=30, deadline=None)
@given(nights)
def test_everybody_sits_at_exactly_one_table(book: Tournament) -> None:
    tables = pair(book)
    checked_round(tables, book.playing())
    assert sorted(name for table in tables for name in table.players) == sorted(book.names)
    assert pair(book) == tables  # the same book, the same pairing


@settings(max_examples=20, deadline=None)
@given(nights, st.randoms(use_true_random=False))
def test_the_order_in_which_players_were_entered_does_not_matter(book: Tournament, lots: random.Random) -> None:
    shuffled = replace(book, players=tuple(lots.sample(book.players, len(book.players))))
    assert pair(shuffled) == pair(book)


@settings(max_examples=20, deadline=None)
@given(nights)
def test_never_more_repeats_than_the_best_of_many_random_pairings(book: Tournament) -> None:
    met, lots = meetings(book), random.Random(5)
    found = repeats([table.players for table in pair(book)], met)
    best = min(repeats([table.players for table in at_random(book, lots)], met) for _ in range(40))
    assert found <= best


def test_six_players_at_two_tables_meet_again_as_rarely_as_is_possible() -> None:
    """All ten ways to seat six at two tables of three are tried."""
    book = begun(6)
    for _ in range(4):
        met, names = meetings(book), book.names
        ways = [(three, tuple(set(names) - set(three))) for three in combinations(names, 3)]
        least = min(repeats(way, met) for way in ways)
        tables = pair(book)
        assert repeats([table.players for table in tables], met) == least
        book = with_points(book.with_round(tables), random.Random(1))


def test_sixteen_players_play_three_rounds_without_meeting_again() -> None:
    book = played(begun(16), 3)
    assert max(meetings(book).values()) == 1


def test_four_rounds_of_twenty_four_have_far_fewer_repeats_than_lots_would_give() -> None:
    book, by_lot, lots = played(begun(24), 4), begun(24), random.Random(9)
    for _ in range(4):
        by_lot = with_points(by_lot.with_round(at_random(by_lot, lots)), lots)
    again = [sum(count - 1 for count in meetings(one).values()) for one in (book, by_lot)]
    assert again[0] == 0
    assert again[1] > 10


def test_those_who_lead_come_to_meet() -> None:
    """Where repeats leave the choice, table 1 has better standings than the last table."""
    book = played(begun(24), 1)
    place = {line.name: line.place for line in standings(book)}
    means = [sum(place[name] for name in table.players) / len(table.players) for table in pair(book)]
    assert means == sorted(means)
    assert means[0] < 8
    assert means[-1] > 17


def test_who_has_left_is_not_paired_and_who_came_late_is() -> None:
    book = played(begun(8), 1).without("Bruno").with_players(["Zé"])
    seated = {name for table in pair(book) for name in table.players}
    assert "Bruno" not in seated
    assert "Zé" in seated


def test_two_players_fill_no_table() -> None:
    with pytest.raises(InputFault, match="2 players fill no table"):
        pair(begun(2))
