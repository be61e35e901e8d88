"""What is said at a table, in five languages, as lines for voices: calls, words that sound like them, and talk."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

CALLS = ("uno", "challenge", "catch", "red", "yellow", "green", "blue")
"""The kinds of line that are calls, in the file's words."""

_FILE = Path(__file__).parent / "spoken" / "table_talk.toml"
_ONSETS = ("", "", "b", "d", "f", "g", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "br", "tr", "st", "pl", "ch")
_VOWELS = ("a", "e", "i", "o", "u", "o", "u", "ia", "ue", "ai")
_CONSONANTS = ("b", "d", "f", "g", "k", "l", "m", "p", "r", "s", "t", "v", "z")
_CLUSTERS = ("br", "dr", "fr", "tr", "pr", "pl", "gl", "st", "ch")
_MADE_UP = 0.45
"""Share of the near words that are made up."""

_ENDS = ("", "", "", "n", "s", "r", "l", "m")


@dataclass(frozen=True, slots=True)
class TalkLine:
    """A line to be said. kind: one of `CALLS`, `in_sentence` (ends with "uno"), `near`, `talk`, `chain` (their words
    in any order) or `nonsense`.
    """

    text: str
    accent: str
    kind: str


@lru_cache(maxsize=1)
def table_talk() -> dict[str, dict[str, tuple[str, ...]]]:
    """language -> (`ipa` or a kind of line) -> its entries."""
    languages = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {name: {kind: tuple(lines) for kind, lines in table.items()} for name, table in languages.items()}


def drawn_line(rng: np.random.Generator, kind: str, languages: Sequence[str] = ()) -> TalkLine:
    """A line of one kind in one of the languages (all when none are named); `chain` and `nonsense` are made up."""
    tables = table_talk()
    names = languages or tuple(tables)
    table = tables[names[int(rng.integers(len(names)))]]
    accent = table["ipa"][int(rng.integers(len(table["ipa"])))]
    if kind == "nonsense":
        return TalkLine(nonsense(rng), accent, kind)
    if kind == "chain":
        return TalkLine(_chain(rng, table), accent, kind)
    if kind == "near" and rng.random() < _MADE_UP:
        return TalkLine(minimal_pair(rng), accent, kind)
    lines = table[kind]
    return TalkLine(lines[int(rng.integers(len(lines)))], accent, kind)


def _chain(rng: np.random.Generator, table: dict[str, tuple[str, ...]]) -> str:
    """Three to seven words of the language's talk and near words: running speech that says no call."""
    words = [word.strip(",.!") for line in (*table["talk"], *table["near"]) for word in line.split()]
    calls = {word.strip("¡,.!").casefold() for kind in CALLS for line in table[kind] for word in line.split()}
    free = [word for word in words if word.casefold() not in calls or word in table["near"]]
    return " ".join(free[int(at)] for at in rng.integers(len(free), size=int(rng.integers(3, 8))))


def minimal_pair(rng: np.random.Generator) -> str:
    """A word that differs from the call by one sound, or goes on before or behind it: "funo", "ulo", "unof"."""

    def one(sounds: tuple[str, ...]) -> str:
        return sounds[int(rng.integers(len(sounds)))]

    made = (
        *(lambda: one(_CONSONANTS + _CLUSTERS) + "uno",) * 2,  # those that are taken for the call the most
        lambda: "u" + one(_CONSONANTS) + "o",
        lambda: one(("a", "e", "i", "o")) + "no",
        lambda: "un" + one(("a", "e", "i", "ia", "ai")),
        lambda: one(("a", "e", "i", "o")) + one(_CONSONANTS + _CLUSTERS) + "uno",
        lambda: "uno" + one(_CONSONANTS) + one(("", "a", "e", "i")),
    )
    return made[int(rng.integers(len(made)))]()


def nonsense(rng: np.random.Generator) -> str:
    """One to four words that mean nothing and are not the call: every sound beside every other."""
    words: list[str] = []
    for _ in range(int(rng.integers(1, 5))):
        word = "".join(
            _ONSETS[int(rng.integers(len(_ONSETS)))] + _VOWELS[int(rng.integers(len(_VOWELS)))]
            for _ in range(int(rng.integers(1, 4)))
        )
        words.append(word + _ENDS[int(rng.integers(len(_ENDS)))])
    return " ".join(word for word in words if word not in ("uno", "unu", "una")) or "mela"
