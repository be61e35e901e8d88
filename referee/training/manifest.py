"""Writes `models/manifest.toml`: which model files ship, what they take and give, how they were made."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

LICENCE = "AGPL-3.0-or-later"
Value = str | int | float | bool | Sequence["Value"]

HEAD = """\
# The models that ship with the referee. Written by `referee train`; do not edit by hand:
# a model whose file does not have the hash named here is not loaded.
"""


def model_table(
    name: str, kind: str, file: Path, *, size_px: Sequence[int], facts: Mapping[str, Value], how_made: str,
    figures: Mapping[str, float],
) -> str:  # fmt: skip
    """One `[[model]]` table for a model file; its SHA-256 is taken from the file itself."""
    entries: dict[str, Value] = {
        "name": name,
        "kind": kind,
        "file": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "licence": LICENCE,
        "size_px": list(size_px),
        **facts,
        "how_made": how_made,
    }
    lines = ["[[model]]", *(f"{key} = {toml_value(value)}" for key, value in entries.items())]
    lines += ["[model.figures]", *(f"{key} = {toml_value(value)}" for key, value in figures.items())]
    return "\n".join(lines) + "\n"


def toml_value(value: Value) -> str:
    """A value as TOML writes it: JSON's strings, numbers and lists are TOML's too."""
    if isinstance(value, (str, bool)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Sequence):
        return "[" + ", ".join(toml_value(v) for v in value) + "]"
    return repr(value)


def write_manifest(path: Path, tables: Sequence[str]) -> None:
    """Write the manifest with the given `[[model]]` tables; models of other kinds that it names stay."""
    kinds = {tomllib.loads(table)["model"][0]["kind"] for table in tables}
    others = [table for table in _tables(path) if tomllib.loads(table)["model"][0]["kind"] not in kinds]
    path.write_text(HEAD + "\n" + "\n".join([*tables, *others]), encoding="utf-8")


def enter(path: Path, table: str) -> None:
    """Put one `[[model]]` table into a manifest, in place of the one of its kind."""
    kind = tomllib.loads(table)["model"][0]["kind"]
    others = [other for other in _tables(path) if tomllib.loads(other)["model"][0]["kind"] != kind]
    path.write_text(HEAD + "\n" + "\n".join([*others, table]), encoding="utf-8")


def _tables(path: Path) -> list[str]:
    """The `[[model]]` tables of a manifest as they are written, each ending with one line end."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return ["[[model]]" + part.rstrip() + "\n" for part in text.split("[[model]]")[1:]]
