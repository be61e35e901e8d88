"""Readings of the same cards over several frames, joined into one honest reading each.

A card's probabilities are averaged over the frames that show it, each weighted by how sure it is; outlines that are
two views of one card (a corner glyph taken for a card, G1) are merged by their size. What is hardly like a card in
any frame is none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from referee.cards import Card
from referee.observations import BACK, CardReading
from referee.vision.quads import Quad, area_px, inside, length_px, overlap, shared_px

_SAME_CARD = 0.5
_PART_OF = 0.75
_LENGTHS = (0.6, 1.6)
_LEAST_LIKENESS = 0.15
_HARDLY = 0.3
_SURE = 0.85
_MOSTLY_ON = 0.35


def quad_of(reading: CardReading) -> Quad:
    """The reading's outline, float32 (4, 2)."""
    return np.array(reading.quad_px, np.float32)


def moved_by(reading: CardReading, dx: float, dy: float) -> CardReading:
    """The same reading with its outline moved: from a crop's pixels to the frame's."""
    quad = tuple((x + dx, y + dy) for x, y in reading.quad_px)
    return CardReading(reading.card, reading.confidence, quad, reading.alternatives)


def single_cards(
    readings: Sequence[CardReading], card_px: float | None, same_outline: float = 0.55
) -> list[CardReading]:
    """The readings without doubles (G1), surest first; with `card_px` known, only those of a card's size.

    same_outline: overlap from which two outlines are one card; higher where cards lie on one another.
    """
    kept: list[CardReading] = []
    fit = [r for r in readings if _card_sized(quad_of(r), card_px)]
    for reading in sorted(fit, key=lambda r: -r.confidence):
        quad = quad_of(reading)
        if not any(_same_object(quad, quad_of(other), same_outline) for other in kept):
            kept.append(reading)
    return kept


def without_ghosts(faces: Sequence[CardReading]) -> list[CardReading]:
    """The faces without those that can hardly be read and lie on one that is sure.

    Such a one is a second outline of the sure card, or what shows of a card under it.
    """
    sure = [quad_of(c) for c in faces if c.confidence >= _SURE]
    return [
        c
        for c in faces
        if c.confidence >= _HARDLY
        or not any(shared_px(quad_of(c), quad) > _MOSTLY_ON * area_px(quad_of(c)) for quad in sure)
    ]


@dataclass(slots=True)
class Joined:
    """One card over the frames that were read."""

    seen: list[CardReading] = field(default_factory=list)

    @property
    def quad(self) -> Quad:
        """Its outline in the surest frame."""
        return quad_of(max(self.seen, key=lambda r: r.confidence))

    def reading(self) -> CardReading:
        """The joined reading: weighted mean probability of each face, times how sure the outlines are a card."""
        weights = [reading.confidence + 1e-3 for reading in self.seen]
        totals: dict[str, float] = {}
        for reading, weight in zip(self.seen, weights, strict=True):
            for code, p in _faces(reading):
                totals[code] = totals.get(code, 0.0) + p * weight / sum(weights)
        ranked = sorted(totals.items(), key=lambda item: -item[1])
        code, p = ranked[0]
        outline = sum(_outline(r) * weight for r, weight in zip(self.seen, weights, strict=True)) / sum(weights)
        return CardReading(
            card=None if code == BACK else Card.parse(code),
            confidence=p * min(1.0, outline),
            quad_px=max(self.seen, key=lambda r: r.confidence).quad_px,
            alternatives=tuple(ranked),
        )

    @property
    def card_likeness(self) -> float:
        """How much the best frame's outline is like any card, 0…1: its sureness without the choice of a face."""
        return max(_outline(r) * sum(p for _, p in _faces(r)) for r in self.seen)

    @property
    def agreed(self) -> bool:
        """True when every frame named the same face."""
        return len({r.code for r in self.seen}) == 1


class ReadingJoiner:
    """Collects the readings of successive frames of one resting scene."""

    def __init__(self) -> None:
        self.frames = 0
        self._cards: list[Joined] = []

    def add(self, readings: Sequence[CardReading]) -> None:
        """The readings of one more frame, already without doubles."""
        self.frames += 1
        pairs = [
            (shared, i, j)
            for i, reading in enumerate(readings)
            for j, card in enumerate(self._cards)
            if (shared := overlap(card.quad, quad_of(reading))) >= _SAME_CARD
        ]
        # The closest pairs first: two cards that lie on one another must not be joined to one.
        placed: set[int] = set()
        taken: set[int] = set()
        for _, i, j in sorted(pairs, reverse=True):
            if i not in placed and j not in taken:
                self._cards[j].seen.append(readings[i])
                placed.add(i)
                taken.add(j)
        self._cards += [Joined([r]) for i, r in enumerate(readings) if i not in placed]

    def cards(self) -> list[Joined]:
        """The cards seen in a third of the frames and more than once (if there was more than one), in no order."""
        least = max(min(2, self.frames), self.frames / 3)
        return [c for c in self._cards if len(c.seen) >= least and c.card_likeness >= _LEAST_LIKENESS]

    def firm(self, card: Joined, sure: float) -> bool:
        """True when every frame showed the card and named the same face, with at least `sure`."""
        return len(card.seen) == self.frames and card.agreed and card.reading().alternatives[0][1] >= sure

    def agreed(self, least: int, sure: float, known: Collection[str] = (), *, ghosts: bool = True) -> bool:
        """True when `least` frames were read, and all of them name the same cards with at least `sure`.

        Cards of a `known` face may flicker, as half-hidden ones do; without `ghosts` so may what is none anyway.
        """
        if self.frames < least or not self._cards:
            return False
        readings = [card.reading() for card in self._cards]
        count = readings if ghosts else without_ghosts(readings)
        return all(
            self.firm(card, sure) or reading.code in known
            for card, reading in zip(self._cards, readings, strict=True)
            if reading in count
        )


def _faces(reading: CardReading) -> tuple[tuple[str, float], ...]:
    return reading.alternatives or ((reading.code, reading.confidence),)


def _outline(reading: CardReading) -> float:
    """How sure the outline is a card, whatever its face."""
    return reading.confidence / max(_faces(reading)[0][1], 1e-6)


def _card_sized(quad: Quad, card_px: float | None) -> bool:
    return card_px is None or _LENGTHS[0] <= length_px(quad) / card_px <= _LENGTHS[1]


def _same_object(a: Quad, b: Quad, same_outline: float) -> bool:
    small, large = (a, b) if area_px(a) <= area_px(b) else (b, a)
    part = inside(small, large) >= _PART_OF and area_px(small) < 0.6 * area_px(large)
    return part or overlap(a, b) >= same_outline
