"""Counting copies: no deck holds a third red 5 (row B3), so one that turns up is first of all a doubtful reading."""

from __future__ import annotations

from referee.cards import Card, Seat
from referee.rules.entries import Play
from referee.rules.judge.bench import Bench, deck_of
from referee.rules.state import State


def check(b: Bench, seat: Seat, play: Play) -> None:
    """Ask about a card of which the deck has no copy left in this epoch (since the last reshuffle)."""
    s, copies = b.state, deck_of(b.profile)
    for card in play.readings:
        free = copies.get(card, 0) - s.seen.get(card, 0) - 1
        if free >= 0 and (not s.some_known or free >= _known_elsewhere(s, card, seat)):
            return
    b.flag("impossible_card", seat, card=play.card)


def _known_elsewhere(s: State, card: Card, seat: Seat) -> int:
    """Copies certain to be in hands, beside the one that `seat` lays now."""
    held = sum([hand.known.count(card) for hand in s.hands.values()])
    return held - (card in s.hands[seat].known)


def count(s: State, card: Card, by: int = 1) -> None:
    """A copy went to the discard pile, or came back from it (by = -1)."""
    seen = s.seen.copy()
    seen[card] = seen.get(card, 0) + by
    s.seen = seen
