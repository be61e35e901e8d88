"""A table's own words for the calls: `[words]` in its session or in a file of its own.

    [words]
    uno = ["última carta", "ya casi"]
    "colour:R" = ["colorado"]

They are added to the phrase pack of the table's language. A word that the speech model lacks would never be heard, so
it is refused by name, with near ones that the model knows (V2).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from referee.faults import InputFault
from referee.hearing.phrases import CALLS, Phrase, PhrasePack, spelt
from referee.nearness import nearest

OwnWords = Mapping[str, Sequence[str]]
"""call -> wordings."""


def load_own_words(path: Path) -> OwnWords:
    """The `[words]` of a TOML file. Raises InputFault for one that cannot be read, and as `checked_words` does."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as fault:
        raise InputFault(
            "cannot be read as text", where=str(path), mend="check the name; save it as UTF-8"
        ) from fault
    except tomllib.TOMLDecodeError as fault:
        raise InputFault(f"is no valid TOML: {fault}", where=str(path), mend="mend that line") from fault
    return checked_words(table.get("words", {}), str(path))


def checked_words(table: object, where: str) -> OwnWords:
    """`table` as own words. Raises InputFault for an unknown call (with near ones) or a wording that is no text."""
    if not isinstance(table, dict):
        raise InputFault("words is not a table", where=where, mend='write [words] and below it uno = ["…"]')
    for call, wordings in table.items():
        if call not in CALLS:
            near = ", ".join(nearest(call, CALLS) or CALLS)
            raise InputFault(f"words.{call}: there is no such call", where=where, mend=f"choose {near}")
        if not isinstance(wordings, list) or not all(isinstance(text, str) and text.split() for text in wordings):
            raise InputFault(f"words.{call} is not a list of phrases", where=where, mend=f'write {call} = ["…"]')
    return {call: tuple(wordings) for call, wordings in table.items()}


def with_own_words(
    pack: PhrasePack, own: OwnWords, knows: Callable[[str], bool], near: Callable[[str], list[str]]
) -> PhrasePack:
    """The pack with a table's own words. knows, near: of the speech model.

    A wording that was a decoy becomes a call. Raises InputFault for a word that the model lacks and for a wording
    that stands for another call already.
    """
    phrases = {phrase.words: phrase for phrase in pack.phrases}
    for call, wordings in own.items():
        ready = max((phrase.readiness for phrase in pack.phrases if phrase.call == call), default=1)
        for wording in wordings:
            words = tuple(_as_known(word, knows) for word in spelt(wording))
            for word in words:
                if not knows(word):
                    raise _unknown(call, word, near(word), pack.where)
            before = phrases.get(words)
            if before and before.call not in (None, call):
                raise InputFault(
                    f"words.{call}: {' '.join(words)!r} stands for {before.call} already", where=pack.where
                )
            if before is None or before.call is None:
                phrases[words] = Phrase(words, call, ready)
    return replace(pack, phrases=tuple(phrases.values()))


def _as_known(word: str, knows: Callable[[str], bool]) -> str:
    return word.lower() if not knows(word) and knows(word.lower()) else word


def _unknown(call: str, word: str, near: list[str], where: str) -> InputFault:
    mend = f"near ones that it knows: {', '.join(near)}" if near else "say it in other words"
    return InputFault(f"words.{call}: the speech model does not know {word!r}", where=where, mend=mend)
