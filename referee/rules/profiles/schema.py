"""What each option accepts, read from the types in `options`: there is no second list to keep in step."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from referee.rules.profiles.options import Bounds, CardValues, CustomRule, Profile

NOT_GROUPS = frozenset({"name", "parents", "documents"})


class BadValueError(ValueError):
    """A value that its option does not accept; the text says why and what would do."""


@dataclass(frozen=True, slots=True)
class Accepts:
    """What one value may be: one of `choices`, a whole number within `bounds`, or any text."""

    choices: tuple[object, ...] = ()
    bounds: Bounds | None = None
    text: bool = False

    @property
    def words(self) -> str:
        """The accepted values in words."""
        shown = [_shown(choice) for choice in self.choices]
        parts = [" or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))] if shown else []
        if self.bounds:
            parts.append(f"a whole number from {self.bounds.low} to {self.bounds.high}")
        if self.text:
            parts.append("a text in quotes")
        return " or ".join(parts)

    def check(self, value: object) -> object:
        """The value itself; raises BadValueError when it is not accepted. 1 is not taken for true."""
        if any(type(value) is type(choice) and value == choice for choice in self.choices):
            return value
        if self.bounds and type(value) is int:
            if self.bounds.low <= value <= self.bounds.high:
                return value
            raise BadValueError(f"{value} is out of range: it takes {self.words}")
        if self.text and isinstance(value, str):
            return value
        near = nearest(value, (c for c in self.choices if isinstance(c, str))) if isinstance(value, str) else ""
        hint = f"did you mean {near!r}? " if near else ""
        raise BadValueError(f"{_shown(value)} is not accepted: {hint}it takes {self.words}")


@lru_cache(maxsize=1)
def groups() -> dict[str, type[Any]]:
    """The option groups by name, in the order in which profiles list them."""
    hints = get_type_hints(Profile, include_extras=True)
    return {f.name: hints[f.name] for f in fields(Profile) if f.name not in NOT_GROUPS}


@lru_cache(maxsize=1)
def options() -> dict[str, Any]:
    """Every option's dotted name with its type."""
    return {f"{name}.{option}": hint for name, group in groups().items() for option, hint in members(group).items()}


def members(group: type[Any]) -> dict[str, Any]:
    """Field names of a group with their types, `Annotated` kept."""
    hints = get_type_hints(group, include_extras=True)
    return {f.name: hints[f.name] for f in fields(group)}


@lru_cache(maxsize=256)
def accepts(option: str) -> Accepts:
    """What a plain option accepts; KeyError for an unknown one or one that holds a table (`score.values`)."""
    hint = options()[option]
    if is_dataclass(hint) or get_origin(hint) is tuple:
        raise KeyError(option)
    return _accepts(hint)


def convert(option: str, value: object) -> Iterator[tuple[str, object | BadValueError]]:
    """Checks one option's value as read from TOML.

    Yields `(path, fault)` for every fault, with the path of the part at fault, then, if there was none,
    `(option, value)` with the value as the group stores it.
    """
    hint = options()[option]
    if hint is CardValues:
        yield from _table(option, value, CardValues)
    elif get_origin(hint) is tuple:
        yield from _rules(option, value)
    else:
        yield option, _checked(_accepts(hint), value)


def nearest(word: str, words: Iterable[str]) -> str:
    """The known word that looks most like `word`; empty when none comes close."""
    known = list(words)
    found = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    if not found:  # `drw` for `turn.draw`: compare with the last part of dotted names as well
        tails = {name.rpartition(".")[2]: name for name in known}
        found = [tails[tail] for tail in difflib.get_close_matches(word.rpartition(".")[2], list(tails), n=1)]
    return found[0] if found else ""


def _accepts(hint: Any) -> Accepts:
    if get_origin(hint) is Annotated:
        inner, *notes = get_args(hint)
        bounds = next((note for note in notes if isinstance(note, Bounds)), None)
        return Accepts(bounds=bounds) if inner is int else _accepts(inner)
    if get_origin(hint) is Literal:
        return Accepts(choices=get_args(hint))
    if hint is bool:
        return Accepts(choices=(True, False))
    if hint is str:
        return Accepts(text=True)
    parts = [_accepts(part) for part in get_args(hint)]
    if not parts:
        raise TypeError(f"no rule for options of type {hint!r}")
    return Accepts(
        choices=tuple(dict.fromkeys(choice for part in parts for choice in part.choices)),
        bounds=next((part.bounds for part in parts if part.bounds), None),
        text=any(part.text for part in parts),
    )


def _checked(accepted: Accepts, value: object) -> object | BadValueError:
    try:
        return accepted.check(value)
    except BadValueError as fault:
        return fault


def _table(path: str, value: object, shape: type[Any]) -> Iterator[tuple[str, object | BadValueError]]:
    """A table of named values; members left out keep their default (for `score.values`: the parent's, see loader)."""
    if not isinstance(value, dict):
        yield path, BadValueError(f"{_shown(value)} is not accepted: it takes a table of {', '.join(members(shape))}")
        return
    good: dict[str, object] = {}
    for key, part in value.items():
        if (hint := members(shape).get(key)) is None:
            near = nearest(key, members(shape))
            yield f"{path}.{key}", BadValueError(f"no such entry{f': did you mean {near!r}?' if near else ''}")
            continue
        checked = _checked(_accepts(hint), part)
        if isinstance(checked, BadValueError):
            yield f"{path}.{key}", checked
        else:
            good[key] = checked
    if len(good) == len(value):
        yield path, good


def _rules(path: str, value: object) -> Iterator[tuple[str, object | BadValueError]]:
    if not isinstance(value, list) or not all(isinstance(rule, dict) for rule in value):
        yield path, BadValueError("is not accepted: it takes a list of tables with text, effect and count")
        return
    good: list[CustomRule] = []
    for rule in value:
        for part, checked in _table(path, rule, CustomRule):
            if isinstance(checked, dict):
                good.append(CustomRule(**checked))
            else:
                yield part, checked
    if len(good) == len(value):
        yield path, tuple(good)


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, str) else str(value)
