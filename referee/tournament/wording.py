"""Numbers of the standings as people read them."""

from __future__ import annotations

from fractions import Fraction


def number_text(value: Fraction) -> str:
    """`45`, `52.5`, `17.33`: at most two decimals, none that are zero."""
    return f"{float(value):.2f}".rstrip("0").rstrip(".")
