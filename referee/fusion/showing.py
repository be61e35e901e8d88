"""Hands laid open: the proof of a challenge, and the count at the end of a round."""

from __future__ import annotations

from dataclasses import dataclass

from referee.cards import Card, Seat
from referee.fusion.readings import sure_cards
from referee.observations import CardsShown
from referee.rules.entries import HandCount, Result
from referee.rules.profiles import Profile
from referee.rules.state import State


@dataclass(frozen=True, slots=True)
class OpenHand:
    """What was seen of a hand. whole: every card of it is there and sure."""

    cards: tuple[Card, ...]
    whole: bool
    t_s: float
    evidence: str


def open_hand(shown: CardsShown, state: State) -> OpenHand:
    """The hand at a seat, measured against the ledger: whole only if as many cards lie there as the seat may hold.

    Where the ledger knows the count, cards that lie on one another hide none if they are as many.
    """
    cards, all_sure = sure_cards(shown.readings)
    held = state.hands[shown.seat]
    none_hidden = shown.complete or held.count == len(cards)
    whole = all_sure and none_hidden and held.least <= len(cards) <= held.most
    return OpenHand(cards, whole, shown.t_s, shown.id)


def proves_guilt(hand: OpenHand, state: State) -> bool:
    """True if a card already seen decides the challenge, whatever else the hand holds (row H6, colour only)."""
    doubt = state.draw_four
    return doubt is not None and any(card.colour is doubt.colour for card in hand.cards if card.colour is not None)


def result_of(winner: Seat, hands: dict[Seat, OpenHand], profile: Profile, t_s: float) -> Result:
    """The end of the round with every hand counted by the profile's card values (rows L1-L4)."""
    counted = [
        HandCount(seat, sum(profile.score.values.of(card) for card in hand.cards), hand.cards)
        for seat, hand in sorted(hands.items())
    ]
    return Result(winner, tuple(counted), time_s=round(t_s, 2))
