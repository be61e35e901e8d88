"""Whose hand a card came from, told by the pile's recent past."""

from __future__ import annotations

import numpy as np
import pytest

from referee.cards import Seat
from referee.vision.pile_history import PileFilm

P1, P2, P3 = Seat.first(3)


def film(*hands_at: tuple[float, dict[Seat | None, float]]) -> PileFilm:
    past = PileFilm()
    for t_s, hands in hands_at:
        past.add(t_s, np.zeros((8, 8, 3), np.uint8), hands)
    return past


@pytest.mark.parametrize(
    ("hands_at", "rest_s", "seats"),
    [
        ([(5.0, {P1: 0.8}), (5.4, {})], 5.1, [P1]),
        ([(5.0, {P1: 0.8, P2: 0.5}), (5.4, {})], 5.1, [P1, P2]),  # nearly as much a hand of P2's
        ([(5.0, {P1: 0.02}), (5.6, {}), (6.0, {})], 5.6, [P1]),  # thrown from some way off
        # P1 had thrown it from far off, unseen; P3's hand came when it lay already, and P3 was accused.
        ([(5.2, {}), (5.4, {}), (6.8, {P3: 0.02})], 5.4, []),
        ([(5.0, {P1: 0.02}), (5.4, {}), (6.8, {P3: 0.9})], 5.4, [P1]),
    ],
)
def test_seats(hands_at: list[tuple[float, dict[Seat | None, float]]], rest_s: float, seats: list[Seat]) -> None:
    assert film(*hands_at).seats_at(rest_s) == seats
