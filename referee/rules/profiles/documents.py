"""Resolves the source of an option (`seed-001 1:38`, `O1`, `assumed G06`) to a document, a line, a gap, in words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

_SEED = re.compile(r"^(seed-00\d) \d:(\d+)$")
_GAP = re.compile(r"^assumed (G\d\d)$")


@dataclass(frozen=True, slots=True)
class Citation:
    """One source, resolved. `line` is counted from 1 in `file`; `words` say where to look, for a reader."""

    source: str
    document: str = ""
    file: str = ""
    line: int | None = None
    words: str = ""

    @property
    def short(self) -> str:
        """The source as a ruling quotes it beside a profile's name: `1:38`, `O1`, `assumed G06`."""
        return self.source.partition(" ")[2] if self.line else self.source


def cite(source: str) -> Citation:
    """The citation for a source as `Profile.source_of` gives it; one that is no known form is passed on as it is."""
    catalogue = _catalogue()
    if found := _SEED.match(source):
        document, line = found[1], int(found[2])
        seed = catalogue["seeds"].get(document)
        if seed:
            return Citation(source, document, seed["file"], line, f"line {line} of {seed['file']}")
    if found := _GAP.match(source):
        return Citation(source, words=f"no document says {catalogue['gaps'][found[1]]}")
    if source == "assumed":
        return Citation(source, words="the document does not say")
    if source in catalogue["sheets"]:
        return Citation(source, document=source, words=catalogue["sheets"][source])
    return Citation(source, words=source)


def seed_titles() -> Mapping[str, tuple[str, str]]:
    """Title and file name of every seed document, by the name of its preset."""
    return {name: (seed["title"], seed["file"]) for name, seed in _catalogue()["seeds"].items()}


@lru_cache(maxsize=1)
def _catalogue() -> dict[str, Any]:
    return tomllib.loads((files("referee.rules.profiles") / "documents.toml").read_text(encoding="utf-8"))
