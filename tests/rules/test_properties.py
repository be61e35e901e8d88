"""What holds for every game, however it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cards import Card, Seat
from referee.rules import entries as e
from referee.rules.judge.bench import deck_of
from referee.rules.profiles import load_profile, preset_names
from referee.rules.random_games import RandomGame, play_round
from referee.rules.record import Record
from referee.rules.table import Table
from referee.rules.ugn import format_items, read_items
from tests.rules.strategies import ENTRIES, ITEMS, RESULTS

PROFILES = st.sampled_from(preset_names())


def made_up(seed: int, *, foul_rate: float = 0.0) -> RandomGame:
    rng = Random(seed)
    profile = load_profile(rng.choice(preset_names()))
    seats = rng.randint(profile.players.min, min(profile.players.max, 6))
    return play_round(rng, profile, seats, foul_rate=foul_rate)


def judged(game: RandomGame) -> Table:
    table = Table(game.profile, len(game.seats), dealer=game.dealer)
    for item in game.items:
        table.push(item)
    return table


@settings(max_examples=60, deadline=None)
@given(st.lists(ITEMS, max_size=6))
def test_reading_what_was_written_gives_the_same_record(items: list[e.Item]) -> None:
    reading = read_items(format_items(items))
    assert not reading.faults
    assert reading.items == tuple(items)


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from('P123: RYGB57W4+-=!?()[]{}"#;\n<>^|~@.*sayhowUNO'), max_size=80))
def test_no_text_breaks_the_reader(text: str) -> None:
    record = Record.read(text)
    assert all(fault.line >= 1 and fault.column >= 1 for fault in record.errors)
    assert Record.read(record.text()).items == record.items


@settings(max_examples=60, deadline=None)
@given(PROFILES, st.lists(st.one_of(ENTRIES, ENTRIES, ENTRIES, RESULTS), max_size=14))
def test_no_entry_breaks_the_judge_and_pop_undoes_push(profile: str, items: list[e.Entry | e.Result]) -> None:
    table = Table(profile, max(load_profile(profile).players.min, 2))
    states = []
    for item in items:
        states.append((table.state.copy(), table.pos()))
        ruling = table.push(item)
        assert all(incident.say(language) for incident in ruling.incidents for language in ("en", "pt", "es", "ro"))
    for item, (state, position) in zip(reversed(items), reversed(states), strict=True):
        assert table.pop() == item
        assert table.state == state
        assert table.pos() == position


@settings(max_examples=25, deadline=None)
@given(PROFILES, PROFILES, st.lists(ITEMS, max_size=14))
def test_a_replay_is_always_the_same(profile: str, other: str, items: list[e.Item]) -> None:
    record = Record(tuple(items))
    seats = len(record.seats)
    for name in (profile, other):
        players = load_profile(name).players
        if players.min <= seats <= players.max:
            assert record.replay(name) == record.replay(name)


@pytest.mark.parametrize("seed", range(40))
def test_a_legal_round_raises_nothing(seed: int) -> None:
    table = judged(made_up(seed))
    assert [(i.entry, i.say()) for i in table.incidents] == []


@pytest.mark.parametrize("seed", range(40))
def test_each_foul_is_found_where_it_was_made_and_nothing_else(seed: int) -> None:
    game = made_up(seed, foul_rate=0.15)
    assert [(i.entry, i.code) for i in judged(game).incidents] == list(game.fouls)


@pytest.mark.parametrize("seed", range(20))
def test_the_ledger_holds_the_truth_and_no_card_is_lost(seed: int) -> None:
    rng = Random(1000 + seed)
    profile = load_profile(rng.choice(preset_names()))
    seats = rng.randint(profile.players.min, min(profile.players.max, 6))

    def watch(table: Table, hands: Mapping[Seat, list[Card]]) -> None:
        for seat, hand in hands.items():
            assert table.hands[seat].least <= len(hand) <= table.hands[seat].most

    game = play_round(rng, profile, seats, foul_rate=0.1 * (seed % 2), watch=watch)
    dealt = Counter(card for hand in game.deal.values() for card in hand)
    drawn = Counter(card for cards in game.drawn.values() for card in cards)
    assert dealt <= Counter(deck_of(profile))
    assert sum(drawn.values()) == sum(len(cards) for cards in game.drawn.values())
    if game.finished:
        result = game.items[-1]
        assert isinstance(result, e.Result)
        held = Counter(card for hand in result.hands for card in hand.cards or ())
        laid = Counter(play.card for item in game.items if isinstance(item, e.Entry) for play in e.plays_of(item))
        back = Counter(
            event.card
            for item in game.items
            if isinstance(item, e.Entry)
            for event in item.events
            if isinstance(event, e.TakeBack)
        )
        assert dealt + drawn == held + laid - back


@pytest.mark.parametrize("seed", range(20))
def test_a_round_written_down_and_read_again_is_judged_the_same(seed: int) -> None:
    game = made_up(seed, foul_rate=0.1)
    record = Record((e.Tag("Dealer", str(game.dealer)), *game.items))
    again = Record.read(record.text())
    assert again.items == record.items
    replays = [one.replay(game.profile) for one in (record, again)]
    assert [(i.entry, i.code) for i in replays[0].incidents] == [(i.entry, i.code) for i in replays[1].incidents]


@pytest.mark.parametrize("seed", range(20))
def test_a_position_says_what_it_can_of_a_round(seed: int) -> None:
    game = made_up(seed)
    table = Table(game.profile, len(game.seats), dealer=game.dealer)
    for item in game.items[:25]:
        table.push(item)
    if table.over or not all(hand.least for hand in table.hands.values()):
        return
    again = Table.from_pos(table.pos(), game.profile)
    assert again.pos() == table.pos()
    assert again.hands == {seat: table.hands[seat] for seat in table.state.active}
