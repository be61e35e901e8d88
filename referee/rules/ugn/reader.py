"""Reads UGN: cuts a text into entries, reads each, and collects what cannot be read instead of raising."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.faults import InputFault
from referee.rules.entries import Entry, Item, Result
from referee.rules.ugn.grammar import UnreadableError, parse_piece

_PARTS = re.compile(
    r'(?P<comment>\{[^{}]*\})|(?P<remark>\#[^\n]*)|(?P<text>"[^"\n]*"|![a-z][a-z0-9_]*\[[^\]\n]*\])'
    r"|(?P<cut>[\r\n;]+)|(?P<open>\{)|(?P<other>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Fault:
    """A place in a record that cannot be read or used. Line and column count from 1."""

    line: int
    column: int
    what: str
    mend: str = ""

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.what}" + (f" ({self.mend})" if self.mend else "")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text said: its items in order, and the faults of what could not be read."""

    items: tuple[Item, ...]
    faults: tuple[Fault, ...]


def read_items(text: str) -> Reading:
    """Every tag, entry and result of a UGN text; never raises. Items carry the line they begin on."""
    text = text.removeprefix("\ufeff")
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    items: list[Item] = []
    faults: list[Fault] = []

    def place(offset: int) -> tuple[int, int]:
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    for offset, piece in _pieces(text):
        lead = len(piece) - len(piece.lstrip())
        try:
            read = parse_piece(piece)
        except UnreadableError as unreadable:
            at = min(max(unreadable.offset, lead), len(piece.rstrip()))
            faults.append(Fault(*place(offset + at), unreadable.what, unreadable.mend))
            continue
        line = place(offset + _first_mark(piece))[0]
        items += [replace(item, line=line) for item in read]
    return Reading(tuple(items), tuple(faults))


def parse_entry(text: str) -> Entry | Result:
    """The one entry or result written in `text` (`P1: R2`). Raises InputFault if it is anything else."""
    reading = read_items(text)
    if reading.faults:
        fault = reading.faults[0]
        raise InputFault(fault.what, where=f"column {fault.column} of {text.strip()!r}", mend=fault.mend)
    if len(reading.items) != 1 or not isinstance(reading.items[0], (Entry, Result)):
        raise InputFault(
            f"{text.strip()!r} is not one entry", mend="an entry reads like `P1: R5`, `P2: +1 --` or `P3: UNO?P1`"
        )
    return replace(reading.items[0], line=None)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text between line ends and semicolons, outside comments and quotes, with its offset; blank ones left out.

    A comment that opens while another is open was not closed: it ends with its line, so that it hides nothing else.
    """
    start = 0
    meaning = False
    for part in _PARTS.finditer(text):
        if part.lastgroup == "cut":
            if meaning:
                yield start, text[start : part.start()]
            start, meaning = part.end(), False
        elif part.lastgroup in ("text", "open") or (part.lastgroup == "other" and not part.group().isspace()):
            meaning = True
    if meaning:
        yield start, text[start:]


def _first_mark(piece: str) -> int:
    """Offset of the first character that is neither blank nor comment."""
    for part in _PARTS.finditer(piece):
        if part.lastgroup in ("text", "open") or (part.lastgroup == "other" and not part.group().isspace()):
            return part.start()
    return 0
