"""A written game: its tags, its entries, what could not be read, and a replay of it under any rules.

>>> record = Record.read('[Pos "R5 R > P1 P1:4 P2:3"]\\nP1: Y7\\nP1: oops')
>>> [str(fault) for fault in record.errors][0][:4]
'3:5:'
>>> [incident.code for incident in record.replay().incidents]
['illegal_play']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from referee.cards import Seat
from referee.faults import InputFault
from referee.rules import entries as e
from referee.rules.position import parse_position
from referee.rules.profiles import Profile, load_profile
from referee.rules.replay import Replay, replay_items
from referee.rules.ugn import Fault, canonical_text, format_items, read_items

DEFAULT_PROFILE = "classic-108"


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was written. `errors` holds what could not be read; the rest stands and is judged."""

    items: tuple[e.Item, ...]
    errors: tuple[Fault, ...] = ()

    @classmethod
    def read(cls, source: str | Path | TextIO) -> Record:
        """Read UGN from a text, a file or an open file; bad lines are collected, never raised.

        Raises InputFault only when the file itself cannot be read or is not a text.
        """
        reading = read_items(_text(source))
        return cls(reading.items, tuple(sorted((*reading.faults, *_tag_faults(reading.items)), key=_place)))

    @property
    def tags(self) -> dict[str, str]:
        """The tags before the first entry, by name."""
        found: dict[str, str] = {}
        for item in self.items:
            if not isinstance(item, e.Tag):
                break
            found[item.name] = item.value
        return found

    @property
    def entries(self) -> tuple[e.Entry | e.Result, ...]:
        """Everything that happened, in order."""
        return tuple(item for item in self.items if not isinstance(item, e.Tag))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays, clockwise: the seats that are named or that do something, at least two."""
        found = set(_seats(self.items))
        last = max(found, default=Seat.P2)
        return tuple(sorted(found)) if len(found) > 1 else Seat.first(max(last, 2))

    @property
    def profile_name(self) -> str:
        """The profile that the record says it was played by, or the default."""
        return self.tags.get("Profile", DEFAULT_PROFILE)

    def replay(self, profile: Profile | str | None = None) -> Replay:
        """Judge the whole game, by its own profile or by another one: what would that table have ruled?

        Raises InputFault for a profile that does not exist or does not seat so many players.
        """
        rules = profile or self.profile_name
        return replay_items(self.items, load_profile(rules) if isinstance(rules, str) else rules, self.seats)

    def canonical(self, profile: Profile | str | None = None) -> str:
        """The game in the form in which equal games are equal texts, every draw with its cause by the rules."""
        return canonical_text(self.replay(profile).with_causes(self.items))

    def text(self) -> str:
        """The record as UGN, without what could not be read."""
        return format_items(self.items)


def _place(fault: Fault) -> tuple[int, int]:
    return fault.line, fault.column


def _text(source: str | Path | TextIO) -> str:
    if isinstance(source, str):
        return source
    if not isinstance(source, Path):
        return source.read()
    try:
        return source.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputFault("is not a text file", where=str(source), mend="save the game as UTF-8") from None
    except OSError as fault:
        reason = (fault.strerror or "unknown reason").lower()
        raise InputFault(f"cannot be read: {reason}", where=str(source), mend="check the path") from None


def _tag_faults(items: tuple[e.Item, ...]) -> Iterator[Fault]:
    for item in items:
        if not isinstance(item, e.Tag):
            continue
        try:
            _check(item)
        except InputFault as fault:
            yield Fault(item.line or 1, 1, f"[{item.name}] {fault.what}", fault.mend)


def _check(tag: e.Tag) -> None:
    if tag.name == "UGN" and tag.value != "1":
        raise InputFault(f"version {tag.value!r} is not known", mend='this referee reads [UGN "1"]')
    if tag.name == "Dealer":
        try:
            Seat.parse(tag.value)
        except ValueError as fault:
            raise InputFault(str(fault)) from None
    if tag.name == "Pos":
        parse_position(tag.value)


def _seats(items: tuple[e.Item, ...]) -> Iterator[Seat]:
    for item in items:
        if isinstance(item, e.Tag):
            if item.name in Seat.__members__:
                yield Seat[item.name]
            elif item.name == "Pos":
                try:
                    yield from parse_position(item.value).hands
                except InputFault:
                    continue
        elif isinstance(item, e.Result):
            yield from (item.winner, *(hand.seat for hand in item.hands))
        elif isinstance(item.subject, Seat):
            yield item.subject
