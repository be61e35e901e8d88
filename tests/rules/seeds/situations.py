"""Situations whose marks hold under some profiles only.

`!illegal_play[seed-004 party]` must be ruled under these profiles alone, `!illegal_play` under every one; an entry
without a mark must raise nothing.
"""

from __future__ import annotations

from textwrap import dedent

from referee.rules.profiles import Profile, load_profile
from referee.rules.record import Record
from tests.rules.situations import found_by_line

SEEDS = ("seed-000", "seed-001", "seed-003", "seed-004")


def assert_ruled_as_marked(situation: str, profile: str | Profile) -> None:
    """Judges the situation under the profile and compares every entry's rulings with the marks that hold there."""
    rules = load_profile(profile) if isinstance(profile, str) else profile
    wanted: dict[int | None, list[str]] = {}
    for entry in Record.read(dedent(situation)).entries:
        marks = [flag.code for flag in entry.flags if not flag.detail or rules.name in flag.detail.split()]
        if marks:
            wanted[entry.line] = sorted(marks)
    found = found_by_line(situation, rules)
    assert found == wanted, f"{rules.name} rules {found}, not {wanted}"
