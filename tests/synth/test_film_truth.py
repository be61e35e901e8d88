"""The truth of the first-light film keeps to the rules, but for the fouls that its flags name."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.cards import Card, Seat, deck_counts
from referee.rules.entries import Entry, Item, Play, Result, SayUno, Tag
from referee.rules.profiles import load_profile
from referee.rules.ruling import Incident
from referee.rules.table import Table
from referee.synth.film_beats import beats_of
from referee.synth.film_deal import deal_for, hands_after
from tests.synth.film_scripts import FIRST_LIGHT, items


@pytest.fixture(scope="module")
def truth() -> tuple[Item, ...]:
    return items((FIRST_LIGHT / "truth.ugn").read_text(encoding="utf-8"), tags="")


def _judged(truth: tuple[Item, ...]) -> list[tuple[Entry | Result, tuple[Incident, ...]]]:
    table = Table("classic-108", seats=3, dealer=Seat.P3)
    return [(item, table.push(item).incidents) for item in truth if not isinstance(item, Tag)]


def test_the_judge_finds_exactly_the_fouls_that_the_truth_flags(truth: tuple[Item, ...]) -> None:
    found = [(item.time_s, incident.code, incident.seat) for item, found in _judged(truth) for incident in found]
    flagged = [(item.time_s, f.code) for item in truth if isinstance(item, Entry) for f in item.flags]
    assert [(time_s, code) for time_s, code, _ in found] == flagged
    assert [(code, seat) for _, code, seat in found] == [
        ("illegal_play", Seat.P3),
        ("missed_uno", Seat.P1),
        ("wd4_with_matching_colour", Seat.P1),
    ]


def test_the_round_holds_what_a_first_film_must(truth: tuple[Item, ...]) -> None:
    plays = [e for item in truth if isinstance(item, Entry) for e in item.events if isinstance(e, Play)]
    assert len(plays) >= 10
    codes = {play.card.code for play in plays}
    assert {"W", "W4"} <= codes
    for symbol in "SRD":
        assert any(code[1:] == symbol for code in codes), symbol
    in_time = [item for item in truth if isinstance(item, Entry) and any(isinstance(e, SayUno) for e in item.events)]
    assert [entry.subject for entry in in_time] == [Seat.P2]


def test_times_run_forward(truth: tuple[Item, ...]) -> None:
    times = [item.time_s for item in truth if not isinstance(item, Tag)]
    assert None not in times
    assert times == sorted(times, key=lambda t: t or 0.0)


def test_a_deal_of_one_deck_explains_every_card_and_the_hands_left_over(truth: tuple[Item, ...]) -> None:
    beats = beats_of(truth)
    deal = deal_for(beats, Seat.first(3), 7, deck_counts(), seed=1)
    result = next(item for item in truth if isinstance(item, Result))
    left = hands_after(deal, beats)
    assert left[Seat.P2] == Counter()
    for hand in result.hands:
        assert hand.cards is not None
        assert left[hand.seat] == Counter(hand.cards)


def test_the_hands_are_counted_as_the_profile_counts_them(truth: tuple[Item, ...]) -> None:
    values = load_profile("classic-108").score.values
    result = next(item for item in truth if isinstance(item, Result))
    assert result.winner is Seat.P2
    for hand in result.hands:
        assert hand.cards is not None
        assert hand.points == sum(_points(card, values) for card in hand.cards)


def _points(card: Card, values: object) -> int:
    if card.symbol.is_number:
        return int(card.symbol.value)
    return int(getattr(values, card.symbol.name.lower()))
