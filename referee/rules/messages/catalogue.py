"""The sentence catalogue: one TOML file a language, the same codes in each."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

LANGUAGES = ("en", "pt", "es", "ro")
FACTS = ("player", "other", "card", "top", "colour", "count", "owed", "drawn", "number", "detail")


@dataclass(frozen=True, slots=True)
class Wordings:
    """One language: sentences by code (richest wording first), names of colours and symbols, how both join.

    `feminine` has the colours as they agree with `feminine_symbols` ("Reversa roja"), where the language asks for it.
    """

    sentences: Mapping[str, tuple[str, ...]]
    colours: Mapping[str, str]
    symbols: Mapping[str, str]
    coloured_card: str
    feminine: Mapping[str, str]
    feminine_symbols: frozenset[str]


@lru_cache(maxsize=len(LANGUAGES))
def wordings(language: str) -> Wordings:
    """The wordings of a language; ValueError for one that the referee does not speak."""
    if language not in LANGUAGES:
        raise ValueError(f"{language!r} is not a language of the referee: choose one of {', '.join(LANGUAGES)}")
    text = (files("referee.rules.messages") / f"{language}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    names = data.pop("names")
    sentences = {
        code if section == "incident" else f"{section}.{code}": (said,) if isinstance(said, str) else tuple(said)
        for section, table in data.items()
        for code, said in table.items()
    }
    feminine = names.get("feminine", {"symbols": []})
    return Wordings(
        sentences,
        names["colours"],
        names["symbols"],
        names["coloured_card"],
        {colour: word for colour, word in feminine.items() if colour != "symbols"},
        frozenset(feminine["symbols"]),
    )


def codes() -> tuple[str, ...]:
    """Every code of the catalogue: incidents by their own code, the rest as `remedy.…`, `question.…`, `result.…`."""
    return tuple(wordings("en").sentences)
