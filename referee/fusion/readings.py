"""What a card reading may say in the record: sure readings as they are, doubtful ones with their alternatives."""

from __future__ import annotations

from collections.abc import Iterable

from referee.cards import Card
from referee.observations import BACK, CardReading
from referee.rules.entries import Play

SURE = 0.85
"""From here on a reading is written without a doubt. Below it, the record keeps the alternatives (`R6|R9~0.58`)."""

PLAUSIBLE = 0.08
MOST_ALTERNATIVES = 4


def play_of(reading: CardReading) -> Play | None:
    """The play that a landed card is, None for a face-down card. Never drops a doubt, never invents one."""
    if reading.card is None:
        return None
    if reading.confidence >= SURE:
        return Play((reading.card,))
    others = [
        Card.parse(code)
        for code, probability in reading.alternatives
        if code not in (BACK, reading.card.code) and probability >= PLAUSIBLE
    ]
    return Play((reading.card, *others[: MOST_ALTERNATIVES - 1]), round(reading.confidence, 2))


def may_be(reading: CardReading, cards: Iterable[Card]) -> bool:
    """Whether a reading, or one of its alternatives, is one of these cards."""
    play = play_of(reading)
    return play is not None and any(card in play.readings for card in cards)


def numbers_of_one_colour(play: Play) -> bool:
    """Whether all that a doubtful card may be is numbers of one colour: six or nine."""
    return len({card.colour for card in play.readings}) == 1 and not any(card.is_action for card in play.readings)


def readable(reading: CardReading) -> float:
    """How much of the belief lies in what the record would keep of a reading, 0…1."""
    if reading.confidence >= SURE or not reading.alternatives:
        return reading.confidence
    kept = sorted((p for code, p in reading.alternatives if code != BACK and p >= PLAUSIBLE), reverse=True)
    best = reading.alternatives[0][1] or 1.0
    return min(1.0, sum(kept[:MOST_ALTERNATIVES]) * reading.confidence / best)


def sure_cards(readings: Iterable[CardReading]) -> tuple[tuple[Card, ...], bool]:
    """The faces that are sure among cards laid open, and whether that is all of them."""
    shown = [reading for reading in readings if reading.card is not None]
    sure = tuple(r.card for r in shown if r.card is not None and r.confidence >= SURE)
    return sure, len(sure) == len(shown)
