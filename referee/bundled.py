"""Finds what ships with the referee: models and the demo session, in a wheel or in a checkout."""

from __future__ import annotations

from pathlib import Path

from referee.faults import InputFault

_PACKAGE = Path(__file__).resolve().parent


def bundled(relative: str) -> Path:
    """The path of a shipped file or folder, such as `models/manifest.toml`.

    A wheel carries it under `referee/_bundled`, a checkout at its top. Raises InputFault when neither has it.
    """
    for root in (_PACKAGE / "_bundled", _PACKAGE.parent):
        if (path := root / relative).exists():
            return path
    raise InputFault("is missing from this installation", where=relative, mend="install the package again")
