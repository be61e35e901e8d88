"""Scripts for film tests: the round of the first-light fixture, and small ones."""

from __future__ import annotations

from pathlib import Path

from referee.rules.entries import Item
from referee.rules.ugn import read_items

FIRST_LIGHT = Path(__file__).parents[2] / "fixtures" / "first-light"

TABLE_OF_THREE = '[UGN "1"] [Profile "classic-108"] [P1 "Ana"] [P2 "Bruno"] [P3 "Carla"] [Dealer "P3"]\n'


def items(text: str, tags: str = TABLE_OF_THREE) -> tuple[Item, ...]:
    """The items of a script; the test fails when it cannot be read."""
    reading = read_items(tags + text)
    assert not reading.faults, reading.faults
    return reading.items
