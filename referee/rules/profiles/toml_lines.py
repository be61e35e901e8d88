"""Finds the line on which a TOML key is set, so that a fault in a file can be shown where it stands."""

from __future__ import annotations

import re
import tomllib

_HEADER = re.compile(r"^\s*\[\[?\s*(?P<path>[^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*(?P<path>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)")


def key_lines(text: str) -> dict[str, int]:
    """The line (from 1) of every table header and key in `text`, by dotted path; the first place counts."""
    lines: dict[str, int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = _parts(header["path"])
            path = table
        elif key := _KEY.match(line):
            path = (*table, *_parts(key["path"]))
        else:
            continue
        for depth in range(1, len(path) + 1):
            lines.setdefault(".".join(path[:depth]), number)
    return lines


def line_of(path: str, lines: dict[str, int]) -> int:
    """The line of a dotted path, or of the nearest table around it (an inline table has one line for all); else 1."""
    while path:
        if path in lines:
            return lines[path]
        path = path.rpartition(".")[0]
    return 1


def syntax_fault(fault: tomllib.TOMLDecodeError, text: str) -> tuple[int, str]:
    """Line (from 1) and plain reason of a TOML syntax fault."""
    found = _AT_LINE.search(str(fault))
    line = int(found[1]) if found else max(1, len(text.splitlines()))
    return line, str(fault).partition(" (at ")[0]


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(path))
