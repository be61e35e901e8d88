"""Games in UGN with the rulings that they must get.

`!code` at the end of an entry is what the judge must rule on it, all of it; an entry without a mark must raise
nothing, neither a foul nor a question nor a note. The marks are taken off before the judge sees the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from textwrap import dedent

from referee.rules.entries import Entry, Item, Result
from referee.rules.profiles import Profile, load_profile
from referee.rules.record import Record
from referee.rules.replay import Replay

TOLD = frozenset({"top_card_moved"})
"""Marks that are the only way to write down what happened: the judge sees them, and rules by the profile."""


def house(profile: str, options: Mapping[str, object]) -> Profile:
    """A preset with some options changed by the table."""
    return load_profile(profile).changed(dict(options), name="house")


def ruled(game: str, profile: str | Profile = "classic-108") -> Replay:
    """The game judged without its marks; it must be readable and possible."""
    record = Record.read(dedent(game))
    assert not record.errors, record.errors
    replay = Record(tuple(_unmarked(item) for item in record.items)).replay(profile)
    assert not replay.faults, replay.faults
    return replay


def found_by_line(game: str, profile: str | Profile = "classic-108") -> dict[int | None, list[str]]:
    """Codes that the judge finds, by line of the game."""
    found: dict[int | None, list[str]] = {}
    for incident in ruled(game, profile).incidents:
        found.setdefault(incident.line, []).append(incident.code)
    return {line: sorted(codes) for line, codes in found.items()}


def marked_by_line(game: str) -> dict[int | None, list[str]]:
    """Codes that the game is marked with, by line."""
    items = Record.read(dedent(game)).items
    marks = {
        item.line: sorted(flag.code for flag in item.flags) for item in items if isinstance(item, (Entry, Result))
    }
    return {line: codes for line, codes in marks.items() if codes}


def assert_ruled(game: str, profile: str | Profile = "classic-108") -> None:
    """The judge finds what the game is marked with, nothing less and nothing more."""
    assert found_by_line(game, profile) == marked_by_line(game)


def _unmarked(item: Item) -> Item:
    if isinstance(item, (Entry, Result)):
        return replace(item, flags=tuple(flag for flag in item.flags if flag.code in TOLD))
    return item
