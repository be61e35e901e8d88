"""From a ruling to the line it rests on: what a person who knows only that document will look up."""

import pytest

from referee.rules.table import Table

# situation: the position, the entries; then per profile the lines of the last entry's ruling
RULINGS = {
    "a number card that fits in nothing": (
        "R8 R > P1 P1:4 P2:4 P3:4",
        ["P1: Y1"],
        {
            "seed-000": ["seed-000 0:7"],
            "seed-001": ["seed-001 1:30", "seed-001 1:32", "seed-001 1:33", "seed-001 1:34"],
            "seed-003": ["seed-003 3:25", "seed-003 3:27", "seed-003 3:29"],
            "seed-004": ["seed-004 4:11", "seed-004 4:12"],
            "classic-108": ["O1"],
        },
    ),
    "a Skip on a Skip of another colour": (
        "RS R > P1 P1:4 P2:4 P3:4",
        ["P1: YS"],
        {"seed-004": ["seed-004 4:21", "seed-004 4:22", "seed-004 4:23"]},
    ),
    "not the colour named with the Wild": (
        "W B > P1 P1:4 P2:4 P3:4",
        ["P1: Y1"],
        {
            "seed-000": ["seed-000 0:28"],
            "seed-001": ["seed-001 1:60"],
            "seed-003": ["seed-003 3:43"],
            "seed-004": ["seed-004 4:24"],
        },
    ),
    "a skipped player plays": (
        "R8 R > P1 P1:4 P2:4 P3:4",
        ["P1: RS", "P2: R1"],
        {
            "seed-000": ["seed-000 0:26"],
            "seed-001": ["seed-001 1:48"],
            "seed-003": ["seed-003 3:41"],
            "seed-004": ["seed-004 4:22"],
        },
    ),
    "the two cards are not drawn": (
        "R8 R > P1 P1:4 P2:4 P3:4",
        ["P1: RD", "P3: R1"],
        {
            "seed-000": ["seed-000 0:27"],
            "seed-001": ["seed-001 1:56"],
            "seed-003": ["seed-003 3:37"],
            "seed-004": ["seed-004 4:23"],
        },
    ),
    "three of the four cards": (
        "R8 R > P1 P1:4 P2:4 P3:4",
        ["P1: W4>B", "P2: +3:w4 --"],
        {
            "seed-000": ["seed-000 0:29"],
            "seed-001": ["seed-001 1:64"],
            "seed-003": ["seed-003 3:45"],
            "seed-004": ["seed-004 4:25"],
        },
    ),
    "a +2 on a +2": (
        "R8 R > P1 P1:4 P2:4 P3:4",
        ["P1: RD", "P2: BD"],
        {
            "seed-000": ["seed-000 0:15"],
            "seed-001": ["seed-001 1:103"],
            "classic-108": ["seed-000 0:15", "seed-001 1:103"],
        },
    ),
    "a second card drawn": (
        "R8 R > P1 P1:4 P2:4 P3:4",
        ["P1: +2"],
        {
            "seed-000": ["seed-000 0:9"],
            "seed-001": ["seed-001 1:38", "seed-001 1:120"],
            "seed-003": ["seed-003 3:31"],
            "classic-108": ["O1"],
        },
    ),
    "a missed call is caught": (
        "R8 R > P1 P1:2 P2:4 P3:4",
        ["P1: R1", "P3: UNO?P1"],
        {
            "seed-000": ["seed-000 0:19"],
            "seed-001": ["seed-001 1:76"],
            "seed-003": ["seed-003 3:63"],
            "seed-004": ["seed-004 4:27"],
        },
    ),
}

CASES = [(situation, profile) for situation, (_, _, tables) in RULINGS.items() for profile in tables]


@pytest.mark.parametrize(("situation", "profile"), CASES)
def test_the_line_behind_the_ruling(situation: str, profile: str) -> None:
    position, entries, tables = RULINGS[situation]
    table = Table.from_pos(position, profile)
    *_, last = [table.push(entry) for entry in entries]
    assert list(last.incidents[-1].sources) == tables[profile], last.incidents[-1].say()
