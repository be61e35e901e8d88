"""The speech models that are known: name, language, licence, size, where from; read from `speech_models.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee.faults import InputFault
from referee.nearness import nearest

_FILE = Path(__file__).parent / "speech_models.toml"


@dataclass(frozen=True, slots=True)
class SpeechModel:
    """One model. languages: phrase packs that fit it; sha256: of its archive, "" where not known beforehand.

    Either `url` (a zip archive of the Vosk project) or `package` (an installable Python package that holds it).
    """

    name: str
    languages: tuple[str, ...]
    what: str
    licence: str
    size_bytes: int
    url: str = ""
    sha256: str = ""
    package: str = ""


@lru_cache(maxsize=1)
def known_models() -> tuple[SpeechModel, ...]:
    """All models of the catalogue, in its order."""
    return tuple(SpeechModel(**{**entry, "languages": tuple(entry["languages"])}) for entry in _table()["model"])


def without_model() -> dict[str, str]:
    """Language -> why no model of it exists."""
    return dict(_table()["none"])


def known_model(name: str) -> SpeechModel:
    """The model of that name, or the one for that language. Raises InputFault with near names."""
    for model in known_models():
        if name == model.name or name in model.languages:
            return model
    if why := without_model().get(name):
        raise InputFault(why, where=name, mend="see the languages and models section of the README")
    names = [model.name for model in known_models()]
    raise InputFault(
        f"no speech model is called {name!r}", mend=f"choose {', '.join(nearest(name, names)) or ', '.join(names)}"
    )


def _table() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
