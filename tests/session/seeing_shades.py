"""Stand-ins for eye and ear in tests: cards are shades of grey, calls are loud. Pixels and samples all the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from referee.capture.media import MediaFacts, MediaWriter, SoundChunk
from referee.cards import Card, Seat
from referee.observations import CallHeard, CardLanded, CardReading, Observation
from referee.session.senses import Senses
from referee.vision.zones import TableZones

SIZE_PX = (64, 48)
RATE_HZ = 16_000
CARDS = ["R9", "R2", "G2", "Y7", "B1", "B3", "G3"]
"""The cards that a film shows, two seconds each, P1 and P2 in turn; Y7 does not fit G2."""

LEVEL_STEP = 30


class ShadeEye:
    """Sees a card in every change of the frame's mean grey."""

    def __init__(self) -> None:
        self._level: int | None = None
        self._seen = 0
        self.settled_s = 0.0

    def see(self, image_bgr: np.ndarray, t_s: float) -> list[Observation]:
        level = round(float(image_bgr.mean()) / LEVEL_STEP)
        before, self._level = self._level, level
        self.settled_s = t_s
        if level == before or not 1 <= level <= len(CARDS):
            return []
        self._seen += 1
        card = CARDS[level - 1]
        reading = CardReading(Card.parse(card), 0.99, ((0.0, 0.0),) * 4, ((card, 0.99),))
        seat = None if before is None else (Seat.P1, Seat.P2)[(level - 1) % 2]
        return [CardLanded(id=f"v{self._seen}", t_s=t_s, seen_s=t_s, reading=reading, seat=seat)]

    def close(self, t_s: float) -> list[Observation]:
        return []


class LoudEar:
    """Hears "uno" where a loud stretch begins."""

    def __init__(self) -> None:
        self._loud = False
        self._heard = 0
        self.settled_s = 0.0
        self.refused: tuple[str, ...] = ()

    def hear(self, chunk: SoundChunk) -> list[CallHeard]:
        loud = bool(np.abs(chunk.samples).max() > 8000)
        began, self._loud = loud and not self._loud, loud
        self.settled_s = chunk.t_s
        if not began:
            return []
        self._heard += 1
        end_s = chunk.t_s + chunk.duration_s
        return [CallHeard(id=f"a{self._heard}", t_s=chunk.t_s, seen_s=end_s, end_s=end_s, call="uno")]

    def close(self) -> list[CallHeard]:
        return []


def senses() -> Senses:
    """Fresh stand-ins."""
    zones = TableZones.whole_frame_guess(*SIZE_PX, 2)
    facts = MediaFacts(0.0, True, True, *SIZE_PX, 10.0, RATE_HZ)
    return Senses(ShadeEye(), LoudEar(), zones, facts, ())  # type: ignore[arg-type]


def film(path: Path, cards: int = len(CARDS)) -> Path:
    """Two seconds a card, a call after the third."""
    with MediaWriter(path, width_px=SIZE_PX[0], height_px=SIZE_PX[1], frame_rate_hz=10) as writer:
        for sound, tenth in zip(_sound(cards), range(cards * 20), strict=True):
            shade = LEVEL_STEP * (1 + tenth // 20)
            writer.picture(np.full((SIZE_PX[1], SIZE_PX[0], 3), shade, np.uint8))
            writer.sound(sound)
    return path


def _sound(cards: int) -> Iterator[np.ndarray]:
    t = np.arange(RATE_HZ // 10) / RATE_HZ
    for tenth in range(cards * 20):
        loud = 20_000 if 50 <= tenth < 54 else 100
        yield (loud * np.sin(2 * np.pi * 440 * t)).astype(np.int16)
