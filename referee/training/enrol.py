"""Enrols a deck: one photograph a face, straightened and kept under a name.

Nothing is trained: the photographs themselves are compared with what a camera sees, so that a deck outlives any
change of the card models and harms no other deck.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from referee.cards import Card, deck_counts
from referee.faults import InputFault
from referee.observations import CardReading
from referee.vision.deck_file import FACE_PX, Deck
from referee.vision.pictures import SUFFIXES, read_picture
from referee.vision.quads import CARD_ASPECT, Image, Quad, area_px, straighten, upright
from referee.vision.reader import CardReader

SEEN = 0.5
"""A second card is only one if it is read with this confidence."""

GUESSED = 0.05
"""So little confidence is enough for the one card of a photograph: an unknown deck may be hard to read."""

DISAGREES = 0.95
"""From this confidence in another face on a photograph is remarked upon: it may have the wrong name."""

_FILLS = 0.72
"""A card that covers this share of a picture of a card's shape fills it: the picture's frame is its outline."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A deck and what was odd about its photographs, one line each."""

    deck: Deck
    remarks: tuple[str, ...]


def enrol(folder: Path, name: str, reader: CardReader, on_face: Callable[[int, int], None]) -> Enrolled:
    """The deck called `name` from the photographs in `folder`, each named by the face it shows (`R5.jpg`).

    All 54 faces of the classic deck must be there; faces of other editions (`WX.jpg`, `WM.jpg`, `WC.jpg`) may be.
    on_face gets (photographs done, photographs in all). Raises InputFault that names the photograph when one is
    missing, there twice, wrongly named, unreadable, or shows no card or more than one.
    """
    files = face_files(folder)
    faces, remarks = [], []
    for done, (code, file) in enumerate(files.items(), start=1):
        image = read_picture(file)
        quad, seen = card_in(file, image, reader)
        faces.append(straighten(image, quad, FACE_PX))
        if seen and seen.code != code and seen.confidence >= DISAGREES:
            remarks.append(f"{file.name} looks like {seen.code}: if that is what it shows, rename it and enrol again")
        on_face(done, len(files))
    return Enrolled(Deck(name, tuple(files), tuple(faces)), tuple(remarks))


def face_files(folder: Path) -> dict[str, Path]:
    """The photograph of each face in `folder`, by card code; InputFault when a face is missing, twice or unknown."""
    mend = "name each photo by its card: R5.jpg, GS.jpg (skip), BR.jpg (reverse), YD.jpg (draw two), W.jpg, W4.jpg"
    if not folder.is_dir():
        raise InputFault("is no folder", where=str(folder), mend="name the folder with a photo of each face")
    files: dict[str, Path] = {}
    for file in sorted(folder.iterdir()):
        if file.suffix.lower() not in SUFFIXES or not file.is_file():
            continue
        try:
            code = Card.parse(file.stem).code
        except ValueError:
            raise InputFault("is not named by a card", where=str(file), mend=mend) from None
        if code in files:
            raise InputFault(f"shows {code}, and so does {files[code].name}", where=str(file), mend="remove one")
        files[code] = file
    wanted = [card.code for card in deck_counts()]
    if missing := [code for code in wanted if code not in files]:
        few = ", ".join(missing[:8]) + (f" and {len(missing) - 8} more" if len(missing) > 8 else "")
        faces = "a photo" if len(missing) == 1 else f"{len(missing)} photos"
        raise InputFault(f"lacks {faces}: {few}", where=str(folder), mend=mend)
    return files


def card_in(file: Path, image: Image, reader: CardReader) -> tuple[Quad, CardReading | None]:
    """The outline of the one card in a photograph and how it is read; InputFault when there is none or another."""
    height, width = image.shape[:2]
    read = [r for r in reader.read(image) if r.card and r.confidence >= GUESSED]
    read.sort(key=lambda r: -area_px(_quad(r)) * r.confidence)
    frame = upright(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32))
    of_a_card = 0.87 < min(width, height) / max(width, height) / CARD_ASPECT < 1.15
    if not read:
        raise InputFault("shows no card that can be made out", where=str(file), mend="lay it on a plain dark table")
    largest = area_px(_quad(read[0]))
    if of_a_card and largest >= _FILLS * width * height:
        return frame, read[0]
    # Corner signs and ovals are smaller than half a card; what is as large as the first is another card.
    if others := [r for r in read[1:] if r.confidence >= SEEN and area_px(_quad(r)) >= 0.5 * largest]:
        raise InputFault(
            f"shows {1 + len(others)} cards", where=str(file), mend="photograph one card, the others out of sight"
        )
    return upright(_quad(read[0])), read[0]


def _quad(reading: CardReading) -> Quad:
    return np.array(reading.quad_px, np.float32)
