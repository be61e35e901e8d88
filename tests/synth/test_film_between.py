"""Films of more than one round: all is gathered and dealt anew. Nothing of it changes a film of one round."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from referee.cards import Seat
from referee.rules.entries import Entry, Opening, Result
from referee.rules.profiles import load_profile
from referee.synth.film import Film, film
from referee.synth.film_folder import session_toml
from referee.synth.film_plan import BACK, NEVER_S
from referee.synth.film_random import random_script
from referee.synth.film_style import hard_style
from referee.synth.film_truth import truth_json
from tests.synth.film_scripts import items

ROUND = "dealer: start R7\nP1: R5\nP2: R8\nP3: R9\nP1: R1\nP2: R2\nP3: R3\n"
TWO_ROUNDS = f"{ROUND}wins P3 P1=1(B1) P2=2(B2)\n" + (
    "dealer: start G7\nP2: G5\nP3: G8\nP1: G9\nP2: +1\nP2: --\nP3: G2\nP1: G3\nP2: G4\nP3: G1\n"
    "wins P3 P1=4(B4) P2=12(B5 B7)\n"
)


def _game(hand_size: int = 3) -> Film:
    base = load_profile("classic-108")
    profile = replace(base, setup=replace(base.setup, hand_size=hand_size))
    return film(items(TWO_ROUNDS), seed=5, profile=profile)


@pytest.fixture(scope="module")
def game() -> Film:
    return _game()


def _times(made: Film) -> tuple[float, float, float]:
    """When the first round was counted, and when the cards were gathered and the next first card turned up."""
    events = truth_json(made)["events"]
    result = next(item for item in made.truth() if isinstance(item, Result))
    gathered = next(event["t_s"] for event in events if event["kind"] == "dealt")
    turned = [event["t_s"] for event in events if event["kind"] == "start"]
    assert turned[0] == 0.0
    return result.time_s or 0.0, gathered, turned[1]


def test_the_next_round_comes_after_the_hands_were_counted(game: Film) -> None:
    counted_s, gathered_s, turned_s = _times(game)
    assert counted_s < gathered_s < turned_s
    openings = [i for i in game.truth() if isinstance(i, Entry) and isinstance(i.events[0], Opening)]
    assert openings[1].time_s == pytest.approx(turned_s, abs=0.06)


def test_nothing_of_the_first_round_is_left_when_the_next_begins(game: Film) -> None:
    _, gathered_s, turned_s = _times(game)
    plan = game.directed.plan
    assert not [p for p in plan.placed if p.from_s < turned_s and p.until_s > turned_s]
    assert all(p.until_s < turned_s for p in plan.placed if p.from_s < gathered_s)


def test_every_player_is_dealt_a_hand_and_takes_it_up(game: Film) -> None:
    _, gathered_s, turned_s = _times(game)
    plan, layout = game.directed.plan, game.layout
    dealt = [
        p
        for p in plan.placed
        if p.code == BACK and gathered_s < p.from_s < turned_s and math.dist(p.centre_px, layout.discard_px) > 100
    ]
    for place in layout.seats:
        mine = [p for p in dealt if math.dist(p.centre_px, place.middle_px) < layout.card_px[1]]
        assert len(mine) == 3, place.seat
        assert len({p.until_s for p in mine}) == 1
    dealer = {r.seat for r in plan.reaches if len(r.carries) >= 9}
    assert dealer == {Seat.P1}  # the seat after the first dealer, P3


def test_the_draw_pile_is_gone_while_it_is_shuffled_and_shrinks_as_it_is_dealt(game: Film) -> None:
    _, gathered_s, turned_s = _times(game)
    plan, first = game.directed.plan, 108 - 3 * 3 - 1
    assert plan.stock_at(gathered_s, first) == first
    (gone_s, none), (laid_s, whole) = plan.stocks
    assert (none, whole) == (0, 108)
    assert plan.stock_at((gone_s + laid_s) / 2, first) == 0
    assert plan.stock_at(turned_s, first) == 108 - 3 * 3 - 1
    assert plan.stock_at(NEVER_S, first) == 108 - 3 * 3 - 1 - 1


def test_a_dealer_whom_the_record_names_deals(game: Film) -> None:
    rest = "P3: G5\nP1: G9\nP2: G8\nP3: G2\nP1: G3\nP2: G4\nP3: G1\nwins P3 P1=4(B4) P2=5(B5)\n"
    named = TWO_ROUNDS.rpartition("dealer: start")[0] + '[Dealer "P2"]\ndealer: start G7\n' + rest
    made = film(items(named), seed=5, profile=game.profile)
    assert [event["seat"] for event in truth_json(made)["events"] if event["kind"] == "dealt"] == ["P2"]
    assert "wrong_first_player" not in [foul["code"] for foul in truth_json(made)["fouls"]]
    assert 'dealer = "P3"' in session_toml(made, "two rounds")


def test_at_most_two_arms_are_over_the_table(game: Film) -> None:
    reaches = game.directed.plan.reaches
    for reach in reaches:
        at_once = [r for r in reaches if r.begin_s <= reach.begin_s < r.end_s]
        assert len(at_once) <= 2


def test_a_game_made_up_by_chance_has_its_first_round_in_common_with_the_round_of_that_number() -> None:
    """Films of one round stay as they were: what comes after must not shift what chance drew before."""
    options = {"foul_rate": 0.3, "hand_size": 3, "moves": (8, 20)}
    one = random_script(11, 3, **options)  # type: ignore[arg-type]
    two = random_script(11, 3, rounds=2, **options)  # type: ignore[arg-type]
    assert two.items[: len(one.items)] == one.items
    assert sum(isinstance(item, Result) for item in two.items) == 2
    films = [film(script.items, hard_style(11), 11, profile=script.profile) for script in (one, two)]
    plans = [made.directed.plan for made in films]
    until_s = _times(films[1])[1]
    assert plans[1].reaches[: len(plans[0].reaches)] == plans[0].reaches
    assert [p.from_s for p in plans[1].placed if p.from_s < until_s] == [p.from_s for p in plans[0].placed]
    assert films[0].truth()[:-1] == films[1].truth()[: len(one.items) - 1]
