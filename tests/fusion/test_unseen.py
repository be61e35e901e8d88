"""Whole rounds of rough play: seen whole, every foul is told; half seen, nobody is told off who did nothing wrong.

This is the promise of the whole referee. `benchmarks/unseen.py` runs the same over thousands of rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from referee.observations import Observation
from referee.rules.random_games import RandomGame
from tests.fusion.rough_rounds import (
    Foul,
    blurred,
    in_a_blind_spot,
    in_a_push,
    in_the_dark,
    innocent,
    observed,
    on_purpose,
    plain,
    rough_round,
    told,
    watched,
)

Rounds = list[tuple[list[list[Observation]], RandomGame, set[Foul]]]


@pytest.fixture(scope="module")
def rough() -> Rounds:
    return [_round(number, 0.3) for number in range(24)]


@pytest.fixture(scope="module")
def lawful() -> Rounds:
    return [_round(number, 0.0) for number in range(24)]


def _round(number: int, foul_rate: float) -> tuple[list[list[Observation]], RandomGame, set[Foul]]:
    game = rough_round(number, foul_rate)
    return observed(game), game, on_purpose(game)


def test_what_is_seen_whole_is_ruled_whole(rough: Rounds) -> None:
    """All but what shows only once it is known that a player who drew had silently passed."""
    wanted = found = 0
    for entries, game, true in rough:
        ruled = told(game, watched(entries))
        assert not innocent(ruled, true)
        wanted += len(true)
        found += sum(any((code, seat, n) in ruled for n in (at, at + 1)) for code, seat, at in true)
    assert found >= 0.97 * wanted > 100


LeftBy = Callable[[list[list[Observation]], list[int]], list[Observation]]


@pytest.mark.parametrize("share", [0.03, 0.15])
@pytest.mark.parametrize("left_by", [watched, plain, in_the_dark, in_a_push], ids=lambda one: one.__name__)
def test_moves_that_nobody_saw_make_nobody_a_culprit(
    rough: Rounds, lawful: Rounds, left_by: LeftBy, share: float
) -> None:
    """A head before the lens, a hand that stays, the lights off: a play or a draw, its arm and all, is not seen."""
    assert _accused([*rough, *lawful], left_by, share) == []


@pytest.mark.parametrize("left_by", [watched, plain, in_the_dark, in_a_push], ids=lambda one: one.__name__)
def test_moves_half_seen_make_nobody_a_culprit(rough: Rounds, lawful: Rounds, left_by: LeftBy) -> None:
    """Cards that cannot be read, nobody's arm, counts as bounds, words perhaps said; and some not seen at all."""
    assert _accused([*rough, *lawful], left_by, 0.06, blur=0.2) == []


def test_a_move_in_a_blind_spot_makes_nobody_a_culprit(lawful: Rounds) -> None:
    """One play or draw of a round leaves no trace at all: the next ones seem to be out of turn, or not to fit."""
    for first in range(6):
        assert _accused(lawful, in_a_blind_spot, 0.1 + 0.02 * first) == []


def _accused(rounds: Rounds, left_by: LeftBy, share: float, blur: float = 0.0) -> list[tuple[int, set[Foul]]]:
    found = []
    for number, (entries, game, true) in enumerate(rounds):
        rng = Random(number)
        unseen = [n for n, of_entry in enumerate(entries) if n and of_entry and rng.random() < share]
        if more := innocent(told(game, blurred(left_by(entries, unseen), rng, blur)), true):
            found.append((number, more))
    return found
