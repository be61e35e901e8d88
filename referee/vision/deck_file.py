"""An enrolled deck as one small file: a photograph of each face, straightened, under the deck's name.

The file is a zip archive of `deck.json` ({"format": 1, "name", "codes"}) and one PNG a face, so that a person can
look into it.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from referee.cards import Card
from referee.faults import InputFault
from referee.vision.quads import Image

FACE_PX = (128, 192)
"""Width and height of a stored face."""

SUFFIX = ".deck"
FOLDER_VARIABLE = "REFEREE_DECKS"
"""Environment variable that names another folder of decks than the one in the user's data folder."""

_FORMAT = 1
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_MEND = "enrol the deck again: `referee deck enrol FOLDER --name NAME`"


@dataclass(frozen=True, slots=True)
class Deck:
    """The faces of one deck: card codes and, in the same order, pictures uint8 (192, 128, 3) BGR."""

    name: str
    codes: tuple[str, ...]
    faces: tuple[Image, ...]


def decks_folder() -> Path:
    """Where enrolled decks lie; it need not exist."""
    if given := os.environ.get(FOLDER_VARIABLE):
        return Path(given)
    from platformdirs import user_data_path

    return user_data_path("uno-table-referee", appauthor=False) / "decks"


def deck_path(name: str) -> Path:
    """The file of the deck called `name`; a path to a `.deck` file stands for itself.

    Raises InputFault when the name cannot be a file's name.
    """
    if name.endswith(SUFFIX):
        return Path(name)
    if not _NAME.fullmatch(name):
        raise InputFault(
            f"a deck cannot be called {name!r}", mend="up to 40 letters, digits, dots, dashes; a letter first"
        )
    return decks_folder() / f"{name}{SUFFIX}"


def enrolled() -> list[Path]:
    """The files of the user's decks, by name."""
    return sorted(decks_folder().glob(f"*{SUFFIX}"))


def save_deck(deck: Deck, path: Path) -> None:
    """Write a deck; InputFault when the place cannot be written. An older file there stays until the new is whole."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr("deck.json", json.dumps({"format": _FORMAT, "name": deck.name, "codes": deck.codes}))
            for code, face in zip(deck.codes, deck.faces, strict=True):
                content = cv2.imencode(".png", face)[1]
                archive.writestr(f"{code}.png", content.tobytes())
        part.replace(path)
    except OSError as fault:
        if part.is_file():
            part.unlink()
        raise InputFault(
            f"cannot be written: {fault.strerror or fault}", where=str(path), mend="name another place"
        ) from fault


def load_deck(name: str) -> Deck:
    """The deck called `name`, or in the file of that path.

    Raises InputFault when it is not enrolled, or when its file is broken.
    """
    path = deck_path(name)
    if not path.is_file():
        known = ", ".join(file.stem for file in enrolled()) or "none yet"
        raise InputFault(f"no deck {name!r} is enrolled", where=str(path), mend=f"enrolled: {known}")
    try:
        with zipfile.ZipFile(path) as archive:
            head = json.loads(archive.read("deck.json"))
            if head["format"] != _FORMAT:
                raise InputFault(f"is a deck of format {head['format']!r}", where=str(path), mend=_MEND)
            codes = tuple(Card.parse(code).code for code in head["codes"])
            faces = tuple(_face(archive.read(f"{code}.png")) for code in codes)
            return Deck(str(head["name"]), codes, faces)
    except (OSError, zipfile.BadZipFile, KeyError, TypeError, ValueError, NotImplementedError) as fault:
        raise InputFault("is no deck file that can be read", where=str(path), mend=_MEND) from fault


def sheet(deck: Deck, columns: int = 14) -> Image:
    """All faces of a deck side by side, as one picture."""
    width, height = FACE_PX
    rows = -(-len(deck.faces) // columns)
    picture = np.full((rows * height, columns * width, 3), 40, np.uint8)
    for k, face in enumerate(deck.faces):
        y, x = k // columns * height, k % columns * width
        picture[y : y + height, x : x + width] = face
    return picture


def _face(content: bytes) -> Image:
    face = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    if face is None or face.shape != (FACE_PX[1], FACE_PX[0], 3):
        raise ValueError("no face")
    return np.asarray(face, np.uint8)
