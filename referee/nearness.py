"""Which known names are near a misspelt one (the only importer of rapidfuzz)."""

from __future__ import annotations

from collections.abc import Iterable

_LEAST_LIKENESS = 60.0  # of 100: two of three letters


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names most like `name`, best first; none where nothing is like it."""
    from rapidfuzz import fuzz, process

    found = process.extract(name, known, scorer=fuzz.ratio, limit=most, score_cutoff=_LEAST_LIKENESS)
    return [one for one, _, _ in found]
