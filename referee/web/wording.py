"""The words of the pages in each language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from referee.rules.messages import LANGUAGES


@lru_cache(maxsize=8)
def words(language: str) -> Mapping[str, str]:
    """Every word of the pages in `language`. KeyError for a language that the referee does not speak."""
    if language not in LANGUAGES:
        raise KeyError(language)
    found = tomllib.loads((files("referee.web") / "words" / f"{language}.toml").read_text(encoding="utf-8"))
    return {name: str(text) for name, text in found.items()}


def language_of(wanted: str | None, accepted: str, default: str) -> str:
    """The language to speak: the one asked for, else the browser's first that the referee knows, else the table's."""
    if wanted in LANGUAGES:
        return str(wanted)
    for part in accepted.split(","):
        tag = part.partition(";")[0].strip().lower().partition("-")[0]
        if tag in LANGUAGES:
            return tag
    return default if default in LANGUAGES else "en"
