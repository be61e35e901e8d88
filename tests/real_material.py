"""Where tests find the real photos and sounds, which lie beside a checkout and never in it."""

from __future__ import annotations

from pathlib import Path

import pytest

REAL = Path(__file__).resolve().parents[2] / "shared" / "real"


def real_folder(name: str) -> Path:
    """The folder (or file) of real material called `name`; skips the test where it is absent."""
    path = REAL / name
    if not path.exists():
        pytest.skip(f"real material {name!r} is not beside this checkout: it has no licence to ship")
    return path
