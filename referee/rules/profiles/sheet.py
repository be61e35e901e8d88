"""One profile file as read from TOML: its options, the document lines behind them, and every fault in it.

A file may hold `extends`, any option group (`[uno]`, or `uno.penalty = 4`), `[lines]` with the document lines behind
its options, and `[rows]` with those behind rules that have no option. Reading is strict: unknown keys and values
that an option does not accept become faults with `file:line` and the nearest valid name; nothing is guessed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.faults import InputFault
from referee.rules.profiles import schema
from referee.rules.profiles.toml_lines import key_lines, line_of, syntax_fault

_SEED_LINE = re.compile(r"^([0134]):(\d+)$")
_EXTRA_KEYS = ("extends", "lines", "rows")


@dataclass(slots=True)
class Sheet:
    """What one file says. `shown` is the file as the reader knows it; `identity` tells two files apart."""

    name: str
    shown: str
    identity: str
    extends: str = ""
    options: dict[str, object] = field(default_factory=dict)
    documents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    faults: list[InputFault] = field(default_factory=list)

    def fault(self, path: str, what: str, mend: str = "") -> None:
        """Notes a fault at the line where `path` is set."""
        self.faults.append(InputFault(what, where=f"{self.shown}:{line_of(path, self.lines)}", mend=mend))


def read_sheet(text: str, *, name: str, shown: str, identity: str, own_file: bool) -> Sheet:
    """Reads the text of a profile file; faults are collected in the sheet, never raised.

    In a table's `own_file` every option rests on its own line of that file; presets say theirs in `[lines]`.
    """
    sheet = Sheet(name, shown, identity)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        line, reason = syntax_fault(fault, text)
        sheet.faults.append(InputFault(f"is not TOML: {reason}", where=f"{shown}:{line}", mend="mend that line"))
        return sheet
    sheet.lines = key_lines(text)
    for path, value in _options_in(data, sheet):
        sheet.options[path] = value
        if own_file:
            sheet.documents[path] = (f"{shown}:{line_of(path, sheet.lines)}",)
    extends = data.get("extends", "")
    if isinstance(extends, str):
        sheet.extends = extends
    else:
        sheet.fault("extends", "extends takes the name of one profile in quotes")
    sheet.documents |= dict(_documents_in(data, sheet))
    return sheet


def did_you_mean(near: str) -> str:
    """A hint that names the nearest valid word; empty when there is none."""
    return f"did you mean {near!r}?" if near else ""


def _options_in(data: Mapping[str, Any], sheet: Sheet) -> Iterator[tuple[str, object]]:
    for key, content in data.items():
        if key in _EXTRA_KEYS:
            continue
        if key not in schema.groups():
            near = schema.nearest(key, (*schema.groups(), *_EXTRA_KEYS)) or schema.nearest(key, schema.options())
            sheet.fault(key, f"there is no option {key!r}", did_you_mean(near))
            continue
        if not isinstance(content, dict):
            members = ", ".join(schema.members(schema.groups()[key]))
            sheet.fault(key, f"{key} is a group of options, not a value", f"it holds {members}")
            continue
        for leaf, value in content.items():
            path = f"{key}.{leaf}"
            if path not in schema.options():
                near = schema.nearest(path, schema.options())
                sheet.fault(path, f"there is no option {path!r}", did_you_mean(near))
                continue
            for part, checked in schema.convert(path, value):
                if isinstance(checked, schema.BadValueError):
                    sheet.fault(part, f"{part}: {checked}")
                else:
                    yield path, checked


def _documents_in(data: Mapping[str, Any], sheet: Sheet) -> Iterator[tuple[str, tuple[str, ...]]]:
    for table in ("lines", "rows"):
        content = data.get(table, {})
        if not isinstance(content, dict):
            sheet.fault(table, f"{table} is a table")
            continue
        for path, value in _flat(content):
            refs = [value] if isinstance(value, str) else value
            if table == "lines" and path not in schema.options():
                near = schema.nearest(path, schema.options())
                sheet.fault(f"lines.{path}", f"there is no option {path!r}", did_you_mean(near))
            elif not isinstance(refs, list) or not refs or not all(isinstance(ref, str) and ref for ref in refs):
                sheet.fault(
                    f"{table}.{path}", f"{path}: a line is written as a text such as '1:38', or several in a list"
                )
            else:
                yield path, tuple(_SEED_LINE.sub(r"seed-00\1 \1:\2", ref) for ref in refs)


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
