"""Scripts that a deal explains, and scripts that none does."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.cards import Card, Seat, deck_counts
from referee.synth.film_beats import beats_of
from referee.synth.film_deal import Deal, deal_for, hands_after
from referee.synth.film_script import Beat
from tests.synth.film_scripts import items

SEATS = Seat.first(3)

SEVEN_OTHERS = "dealer: start R7\nP1: R1\nP2: R2\nP3: R3\nP1: R4\nP2: R5\nP3: R6\n"


def _deal(text: str, hand_size: int = 7, seed: int = 1) -> tuple[Deal, tuple[Beat, ...]]:
    beats = beats_of(items(text))
    return deal_for(beats, SEATS, hand_size, deck_counts(), seed), beats


def test_a_deal_holds_the_whole_deck_once() -> None:
    deal, _ = _deal(SEVEN_OTHERS + "P1: +2:foul\n")
    cards = Counter(deal.stock) + Counter([deal.start])
    for hand in deal.hands.values():
        cards += Counter(hand)
    assert cards == deck_counts("classic_108")


def test_every_card_is_in_hand_when_it_is_laid() -> None:
    deal, beats = _deal(SEVEN_OTHERS + "P1: +1\nP1: RS\nP3: +2\nP3: BS <BS\nP3: BS\n")
    hands = hands_after(deal, beats)
    assert {seat: sum(hand.values()) for seat, hand in hands.items()} == {Seat.P1: 5, Seat.P2: 5, Seat.P3: 6}


def test_a_hand_shown_in_a_challenge_is_the_hand_held() -> None:
    text = (
        "dealer: start G1\nP1: W4>B\nP2: W4? show(G3 R8 G4 G5 G6 G7) =guilty\nP1: +4:bluff\nP2: B1\nP3: B2\nP1: G3\n"
    )
    deal, beats = _deal(text)
    assert set(deal.hands[Seat.P1]) == {Card.parse(c) for c in ("W4", "G3", "R8", "G4", "G5", "G6", "G7")}
    assert Card.parse("G3") not in hands_after(deal, beats)[Seat.P1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("P1: R1\n", "no first card up"),
        ("dealer: start R7\nP1: R0\nP2: R0\n", "deck does not hold so many of R0"),
        ("dealer: start R7\nP1: <R1\n", "not laid"),
        ("dealer: start R7\nP1: W4>B\nP2: W4? show(R1) =guilty\n", "shows 1 cards but holds 6"),
        (
            "dealer: start R7\n" + "".join(f"P1: {c}\n" for c in ("R1", "R2", "R3", "R4", "R5", "R6", "R8", "R9")),
            "P1 cannot hold R9",
        ),
    ],
)
def test_what_no_deal_explains_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        _deal(text)
