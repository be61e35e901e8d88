"""Guided measuring: ten cards shown to the camera one after another, and which pictures show which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2

from referee.faults import InputFault
from referee.vision.quads import Image
from referee.vision.reader import CardReader

TEN_CARDS = ("R6", "Y9", "B6", "G9", "R1", "Y7", "GS", "BR", "W", "W4")
"""All colours, 6 and 9, and what else is easily confused."""

_SEEN = 0.25
_LEAST_FRAMES = 2
"""A card that is seen in fewer frames than this was carried past."""


def showings(frames: Iterable[Image], reader: CardReader) -> list[Image]:
    """The sharpest frame of each card that is shown: between two of them no card is in the picture."""
    found: list[Image] = []
    now: list[Image] = []
    for frame in frames:
        if any(reading.confidence >= _SEEN for reading in reader.read(frame)):
            now.append(frame)
            continue
        if len(now) >= _LEAST_FRAMES:
            found.append(max(now, key=_sharpness))
        now = []
    if len(now) >= _LEAST_FRAMES:
        found.append(max(now, key=_sharpness))
    return found


def require_all(found: Sequence[Image], where: str, cards: Sequence[str] = TEN_CARDS) -> None:
    """InputFault unless there is one picture for each of `cards`."""
    if len(found) != len(cards):
        mend = "show each card for two seconds, and take it out of the picture before the next"
        raise InputFault(f"shows {len(found)} cards, not {len(cards)}", where=where, mend=mend)


def _sharpness(image: Image) -> float:
    return float(cv2.Laplacian(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var())
