"""The card models that ship with the referee: their manifest, and loading only files whose hash it names.

The form of `models/manifest.toml`: one `[[model]]` table a file with `name`, `kind`, `file`, `sha256`, `licence`,
`size_px`, label lists, `how_made` and `figures`.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.bundled import bundled
from referee.faults import InputFault

DETECTOR = "card_detector"
CLASSIFIER = "card_classifier"
SIGNS = "sign_classifier"

_MEND = "install the package again, or name the changed file and its hash in the manifest"


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model of the manifest. `size_px` is the input's (width, height); `facts` are all its other keys."""

    name: str
    kind: str
    path: Path
    sha256: str
    size_px: tuple[int, int]
    facts: Mapping[str, Any] = field(default_factory=dict)

    def labels(self, key: str) -> tuple[str, ...]:
        """The list of labels under `key` (`symbols`, `colours`, `classes`); InputFault when there is none."""
        value = self.facts.get(key)
        if not isinstance(value, list) or not all(isinstance(label, str) for label in value):
            raise InputFault(f"model {self.name!r} has no list {key!r}", where="models/manifest.toml")
        return tuple(value)


def model_entry(kind: str, manifest: Path | None = None) -> ModelEntry:
    """The first model of `kind` in `manifest` (the shipped one when None); InputFault when there is none."""
    path = manifest or bundled("models/manifest.toml")
    if (entry := model_entry_if_any(kind, path)) is None:
        raise InputFault(f"names no model of kind {kind!r}", where=str(path), mend=_MEND)
    return entry


def model_entry_if_any(kind: str, manifest: Path | None = None) -> ModelEntry | None:
    """The first model of `kind` in `manifest`, None when it names none."""
    path = manifest or bundled("models/manifest.toml")
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8")).get("model", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise InputFault(f"cannot be read: {fault}", where=str(path), mend=_MEND) from fault
    return next((_entry(table, path) for table in tables if table.get("kind") == kind), None)


def checked_bytes(entry: ModelEntry) -> bytes:
    """The content of a model file; InputFault when it is missing or its SHA-256 is not the manifest's (U6)."""
    try:
        content = entry.path.read_bytes()
    except OSError:
        raise InputFault("the model file is missing", where=str(entry.path), mend=_MEND) from None
    found = hashlib.sha256(content).hexdigest()
    if found != entry.sha256:
        raise InputFault(
            f"the model file was changed: its SHA-256 is {found}, the manifest names {entry.sha256}",
            where=str(entry.path),
            mend=_MEND,
        )
    return content


def load_net(entry: ModelEntry) -> cv2.dnn.Net:
    """The model as a network of OpenCV, its hash checked; each caller gets its own (a net serves one thread).

    Raises InputFault as `checked_bytes`, and when OpenCV cannot run the file.
    """
    content = np.frombuffer(checked_bytes(entry), np.uint8)
    try:
        return cv2.dnn.readNetFromONNX(content)
    except cv2.error as fault:
        raise InputFault("OpenCV cannot run this model", where=str(entry.path), mend=_MEND) from fault


def _entry(table: Mapping[str, Any], manifest: Path) -> ModelEntry:
    try:
        size = table["size_px"]
        width, height = (size, size) if isinstance(size, int) else (int(size[0]), int(size[1]))
        return ModelEntry(
            name=str(table["name"]),
            kind=str(table["kind"]),
            path=manifest.parent / str(table["file"]),
            sha256=str(table["sha256"]).lower(),
            size_px=(width, height),
            facts={k: v for k, v in table.items() if k not in {"name", "kind", "file", "sha256", "size_px"}},
        )
    except (KeyError, TypeError, ValueError, IndexError) as fault:
        raise InputFault(f"model {table.get('name', '?')!r}: {fault!r}", where=str(manifest), mend=_MEND) from None
