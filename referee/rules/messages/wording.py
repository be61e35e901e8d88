"""Puts a ruling into words: the richest sentence for which every fact is known."""

from __future__ import annotations

from functools import lru_cache
from string import Formatter
from typing import TypeAlias

from referee.cards import Card, Colour, Seat
from referee.rules.messages.catalogue import wordings

Fact: TypeAlias = str | int | Card | Colour | Seat | None


def render(code: str, language: str = "en", **facts: Fact) -> str:
    """The sentence for a code, in a language, with what is known put in (the facts are listed in this package).

    A variant such as `missed_uno.caught` falls back to `missed_uno`. Raises KeyError for an unknown code or when not
    even the barest wording has its facts (both are faults of the caller), ValueError for an unknown language.
    """
    sentences = wordings(language).sentences
    while code not in sentences and "." in code:
        code = code.rpartition(".")[0]
    known = {name: _in_words(fact, language) for name, fact in facts.items() if fact is not None}
    top = facts.get("top")
    if isinstance(top, Card) and top.is_wild:
        known.pop("top", None)
    for wording in sentences[code]:
        if _placeholders(wording) <= known.keys():
            said = wording.format_map(known)
            return said[:1].upper() + said[1:] if wording.startswith("{card}") else said
    missing = _placeholders(sentences[code][-1]) - known.keys()
    raise KeyError(f"{code} needs {', '.join(sorted(missing))}")


def sentence(code: str, remedy: str = "", language: str = "en", **facts: Fact) -> str:
    """What was wrong, then what to do: `P2: yellow 1 does not fit blue 6. Take it back.`"""
    said = render(code, language, **facts)
    return f"{said} {render(f'remedy.{remedy}', language, **facts)}" if remedy else said


def card_words(card: Card, language: str = "en") -> str:
    """A card in words: "yellow 1", "Reversa roja", "+4"."""
    words = wordings(language)
    name = card.symbol.name.lower()
    symbol = words.symbols.get(name, card.symbol.value)
    if card.colour is None:
        return symbol
    colours = words.feminine if name in words.feminine_symbols else words.colours
    return words.coloured_card.format(symbol=symbol, colour=colours[card.colour.name.lower()])


def colour_word(colour: Colour, language: str = "en") -> str:
    """A colour in words: "yellow", "amarelo"."""
    return wordings(language).colours[colour.name.lower()]


def _in_words(fact: Fact, language: str) -> str:
    if isinstance(fact, Card):
        return card_words(fact, language)
    if isinstance(fact, Colour):
        return colour_word(fact, language)
    return str(fact)


@lru_cache(maxsize=1024)
def _placeholders(wording: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(wording) if name)
