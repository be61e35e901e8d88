"""Photographs each face of a deck with the table's camera: asks for one, waits until it lies still, keeps the best.

The photographs land in a folder, named by their cards, as `enrol` wants them: what is there already is not asked for,
so a person may stop and carry on another day, or delete a photograph and take it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from referee.cards import deck_counts
from referee.observations import CardReading
from referee.vision.pictures import SUFFIXES, save_picture
from referee.vision.quads import Image, Quad, area_px, overlap
from referee.vision.reader import CardReader

SEEN = 0.25
"""So much confidence, in whatever face, tells a card from a bare table; an unknown deck may be hard to read."""

OTHER_FACE = 0.97
"""From this confidence in another face than the one asked for the person is told, and the card is not taken."""

RESTS = 4
"""Looks in a row in which the card must lie at one place."""

_SAME_PLACE = 0.88
_SAME_CARD = 0.6
LOOK_EVERY_S = 0.3


class Wish(Enum):
    """What a person may want while a face is asked for."""

    SKIP = auto()
    REDO = auto()
    STOP = auto()


class Told(Enum):
    """What is told while a face is looked for."""

    SHOW = auto()
    OTHER = auto()
    SEVERAL = auto()
    TAKEN = auto()


class Shot(Protocol):
    """A frame: when it was taken and what it shows."""

    @property
    def t_s(self) -> float:
        """Seconds on the session clock."""
        ...

    @property
    def image_bgr(self) -> Image:
        """uint8 (h, w, 3)."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """A line for the person: which face, what about it, and how many of how many are done."""

    told: Told
    code: str
    seen: str
    done: int
    total: int


class RestingCard:
    """Watches one card come to rest. A card that lies where the last one was taken is that one still."""

    def __init__(self) -> None:
        self._looks: list[tuple[float, Image, CardReading]] = []
        self._taken: CardReading | None = None

    def forget(self) -> None:
        """Begin anew: the next card may lie where the last one lies."""
        self._looks, self._taken = [], None

    def see(self, image: Image, reading: CardReading | None) -> tuple[Image, CardReading] | None:
        """The sharpest picture of a new card that has come to rest, and how it is read in it; else None."""
        if reading is None:
            self.forget()
            return None
        if self._taken is not None:
            if reading.code == self._taken.code or overlap(_quad(reading), _quad(self._taken)) >= _SAME_PLACE:
                return None
            self._taken = None
        if self._looks and overlap(_quad(reading), _quad(self._looks[-1][2])) < _SAME_PLACE:
            self._looks = []
        self._looks.append((_sharpness(image, reading), image, reading))
        if len(self._looks) < RESTS:
            return None
        _, best, shown = max(self._looks, key=lambda look: look[0])
        self._looks, self._taken = [], reading
        return best, shown


def photograph_deck(
    frames: Iterable[Shot],
    folder: Path,
    reader: CardReader,
    wishes: Callable[[], list[Wish]],
    tell: Callable[[Asked], None],
) -> list[str]:
    """Take the photographs that `folder` lacks of the 54 faces; returns the faces that are still missing.

    wishes: what the person has asked for since the last look; tell: gets what to say. Ends when every face is there
    or skipped, when the person stops, or when the frames end.
    """
    folder.mkdir(parents=True, exist_ok=True)
    faces = [card.code for card in deck_counts()]
    have = {file.stem for file in folder.iterdir() if file.suffix.lower() in SUFFIXES}
    left = [code for code in faces if code not in have]
    taken: list[str] = []
    card = RestingCard()
    told: tuple[Told, str, str] | None = None

    def say(kind: Told, code: str, seen: str = "") -> None:
        nonlocal told
        if told != (kind, code, seen):
            told = (kind, code, seen)
            tell(Asked(kind, code, seen, len(faces) - len(left) - len(skipped), len(faces)))

    skipped: list[str] = []
    for image in _looks(frames):
        for wish in wishes():
            if wish is Wish.STOP:
                return [*skipped, *left]
            if wish is Wish.SKIP and left:
                skipped.append(left.pop(0))
            if wish is Wish.REDO and taken:
                left.insert(0, taken.pop())
                (folder / f"{left[0]}.png").unlink(missing_ok=True)
            card.forget()
            told = None
        if not left:
            return skipped
        code = left[0]
        readings = [r for r in reader.read(image) if r.card and r.confidence >= SEEN]
        if len(readings) > 1 and not _one_card(readings):
            say(Told.SEVERAL, code)
            continue
        shown = max(readings, key=lambda r: area_px(_quad(r))) if readings else None
        rested = card.see(image, shown)
        if rested is None:
            if told is None or told[1] != code:
                say(Told.SHOW, code)
            continue
        best, seen = rested
        if seen.code != code and seen.confidence >= OTHER_FACE:
            say(Told.OTHER, code, seen.code)
            continue
        save_picture(folder / f"{code}.png", best)
        taken.append(left.pop(0))
        say(Told.TAKEN, code)
    return [*skipped, *left]


def _looks(frames: Iterable[Shot]) -> Iterator[Image]:
    """Some frames a second are enough, and reading them all would take longer than they come."""
    next_s = -1.0
    for frame in frames:
        if frame.t_s >= next_s:
            next_s = frame.t_s + LOOK_EVERY_S
            yield frame.image_bgr


def _one_card(readings: list[CardReading]) -> bool:
    """True when the others lie on the largest: its signs, or a second outline."""
    largest = max(readings, key=lambda r: area_px(_quad(r)))
    return all(
        overlap(_quad(r), _quad(largest)) >= _SAME_CARD or area_px(_quad(r)) < 0.5 * area_px(_quad(largest))
        for r in readings
    )


def _sharpness(image: Image, reading: CardReading) -> float:
    quad = _quad(reading)
    left, top = np.maximum(quad.min(axis=0), 0).astype(int)
    right, bottom = np.ceil(quad.max(axis=0)).astype(int)
    part = image[top : max(bottom, top + 8), left : max(right, left + 8)]
    if part.size == 0:
        return 0.0
    return float(cv2.Laplacian(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var())


def _quad(reading: CardReading) -> Quad:
    return np.array(reading.quad_px, np.float32)
