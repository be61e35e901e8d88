"""Phrase packs: which words make which call in one language, and words that only look like a call.

A pack is a TOML file in `packs/`; a table may give its own file. Form:

    format = 1
    language = "es"
    [model]
    name = "vosk-model-small-es-0.42"   # what to fetch; or: package = "…" (an installed package that holds it)
    [calls]
    uno = ["uno", "última carta"]
    "colour:R" = ["rojo"]
    [readiness]
    uno = 4              # its wordings are listed so often in the grammar: heard more readily (default 1)
    [decoys]
    words = ["alguno", "una"]
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from referee.faults import InputFault
from referee.hearing.recogniser import Word

CALLS = (
    "uno",
    "catch",
    "challenge",
    "colour:R",
    "colour:Y",
    "colour:G",
    "colour:B",
    "guilty",
    "innocent",
    "draw",
    "undo",
    "whose_turn",
    "last_play",
)
"""Every call that a pack may hold."""

MOST_READY = 100
MOST_NAMED = 8

_PACKS = Path(__file__).parent / "packs"


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of one wording, as the model spells them. call: None for a decoy."""

    words: tuple[str, ...]
    call: str | None
    readiness: int = 1
    """How often it is listed in the grammar."""


@dataclass(frozen=True, slots=True)
class Said:
    """A phrase found among recognised words: `words[first:last]`."""

    phrase: Phrase
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class PhrasePack:
    """The calls of one language. model_package: Python package that holds its model; model_name: its name."""

    language: str
    phrases: tuple[Phrase, ...]
    where: str
    model_package: str = ""
    model_name: str = ""

    @property
    def calls(self) -> frozenset[str]:
        """The calls that have a wording in this language."""
        return frozenset(phrase.call for phrase in self.phrases if phrase.call)

    def grammar(self, expected: Iterable[str] | None = None) -> list[str]:
        """The phrases to listen for: decoys and the expected calls (None: all), each as often as it is ready."""
        wanted = self.calls if expected is None else frozenset(expected)
        chosen = [phrase for phrase in self.phrases if phrase.call is None or phrase.call in wanted]
        return [" ".join(phrase.words) for phrase in chosen for _ in range(phrase.readiness)]

    def find(self, words: Sequence[Word]) -> list[Said]:
        """The phrases among recognised words, from left to right, the longest at each place."""
        texts = tuple(word.text for word in words)
        longest_first = sorted(self.phrases, key=lambda phrase: -len(phrase.words))
        found, at = [], 0
        while at < len(texts):
            for phrase in longest_first:
                if texts[at : at + len(phrase.words)] == phrase.words:
                    found.append(Said(phrase, at, at + len(phrase.words)))
                    at += len(phrase.words)
                    break
            else:
                at += 1
        return found

    def known_by(self, knows: Callable[[str], bool]) -> tuple[PhrasePack, dict[str, list[str]]]:
        """The pack without the phrases that a model lacks a word of, and what it lacks: phrase -> unknown words.

        Raises InputFault when a call is left without any wording (V2).
        """
        refused: dict[str, list[str]] = {}
        for phrase in self.phrases:
            if lacking := [word for word in phrase.words if not knows(word)]:
                refused[" ".join(phrase.words)] = lacking
        kept = tuple(phrase for phrase in self.phrases if " ".join(phrase.words) not in refused)
        pack = replace(self, phrases=kept)
        if mute := sorted(self.calls - pack.calls):
            words = sorted({word for lacking in refused.values() for word in lacking})
            if len(words) > MOST_NAMED:
                words = [*words[:MOST_NAMED], f"and {len(words) - MOST_NAMED} more"]
            raise InputFault(
                f"the speech model knows no wording of {', '.join(mute)}; words it lacks: {', '.join(words)}",
                where=self.where,
                mend="choose the --language of the model, or spell the words as the model does",
            )
        return pack, refused


def languages() -> list[str]:
    """The languages that a pack is shipped for."""
    return sorted(path.stem for path in _PACKS.glob("*.toml"))


def load_pack(language: str) -> PhrasePack:
    """The pack of a language, or of a file whose name ends in `.toml`.

    Raises InputFault for an unknown language, a file that cannot be read, and everything `parse_pack` does.
    """
    path = Path(language) if language.endswith(".toml") else _PACKS / f"{language}.toml"
    if not path.is_file():
        raise InputFault(
            f"no phrase pack for {language!r}", mend=f"choose one of {', '.join(languages())}, or name a .toml file"
        )
    try:
        return parse_pack(path.read_text(encoding="utf-8"), path.name)
    except (OSError, UnicodeDecodeError) as error:
        raise InputFault("cannot be read as text", where=str(path), mend="save it as UTF-8") from error


def parse_pack(text: str, where: str) -> PhrasePack:
    """A pack from its TOML text. `where` names it in faults.

    Raises InputFault for broken TOML, unknown keys or calls, empty wordings, and a wording of two calls.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputFault(f"is no valid TOML: {error}", where=where, mend="mend that line") from error
    if extra := sorted(set(table) - {"format", "language", "model", "calls", "readiness", "decoys"}):
        raise InputFault(f"unknown key {extra[0]!r}", where=where, mend="see the form in the other packs")
    if table.get("format") != 1:
        raise InputFault("is not of format 1", where=where, mend="write format = 1")
    for key in ("model", "readiness", "decoys"):
        if not isinstance(table.get(key, {}), dict):
            raise InputFault(f"{key} is not a table", where=where, mend=f"write it as [{key}]")
    calls = table.get("calls")
    if not isinstance(calls, dict) or not calls:
        raise InputFault("holds no calls", where=where, mend='give a table [calls] with uno = ["…"]')
    readiness = table.get("readiness", {})
    for call, times in readiness.items():
        if call not in calls or not isinstance(times, int) or not 1 <= times <= MOST_READY:
            raise InputFault(
                f"readiness.{call} is not a number from 1 to {MOST_READY} for a call of this pack", where=where
            )
    phrases: dict[tuple[str, ...], Phrase] = {}
    for call, wordings in calls.items():
        if call not in CALLS:
            raise InputFault(f"unknown call {call!r}", where=where, mend=f"choose among {', '.join(CALLS)}")
        for words in _wordings(wordings, f"calls.{call}", where):
            _add(phrases, Phrase(words, call, readiness.get(call, 1)), where)
    for words in _wordings(table.get("decoys", {}).get("words", []), "decoys.words", where):
        _add(phrases, Phrase(words, None), where)
    model = table.get("model", {})
    return PhrasePack(
        language=str(table.get("language", where.removesuffix(".toml"))),
        phrases=tuple(phrases.values()),
        where=where,
        model_package=str(model.get("package", "")),
        model_name=str(model.get("name", "")),
    )


def _wordings(value: object, key: str, where: str) -> list[tuple[str, ...]]:
    if not isinstance(value, list) or not all(isinstance(text, str) and text.split() for text in value):
        raise InputFault(f"{key} is not a list of phrases", where=where, mend=f'write {key} = ["…"]')
    return [spelt(text) for text in value]


def spelt(text: str) -> tuple[str, ...]:
    """The words of a phrase as models write them: composed letters (NFC) and a plain apostrophe."""
    return tuple(unicodedata.normalize("NFC", text).replace("’", "'").split())


def _add(phrases: dict[tuple[str, ...], Phrase], phrase: Phrase, where: str) -> None:
    if before := phrases.get(phrase.words):
        raise InputFault(
            f"{' '.join(phrase.words)!r} stands for both {before.call or 'a decoy'} and {phrase.call or 'a decoy'}",
            where=where,
            mend="keep one of them",
        )
    phrases[phrase.words] = phrase
