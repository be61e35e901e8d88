"""What the table reads for a ruling of the judge, in English: short, true for its own rules, said once."""

import pytest

from referee.rules.table import Table

# profile, position, entries, what is read for the last one
RULINGS = [
    ("seed-001", "B6 B > P2 P1:4 P2:4", ["P2: Y1"], "P2: yellow 1 does not fit blue 6. Take it back."),
    ("seed-001", "W B > P2 P1:4 P2:4", ["P2: Y1"], "P2: yellow 1 does not fit; the colour is blue. Take it back."),
    ("seed-004", "RS R > P1 P1:4 P2:4", ["P1: BS"], "P1: here blue Skip goes on its own colour only. Take it back."),
    ("classic-108", "B6 B > P1 P1:4 P2:4", ["P1: Y1"],
     "P1: yellow 1 does not fit blue 6. Take it back, draw 2, next player."),
    ("seed-004", "R5 R > P1 P1:4 P2:4 P3:4", ["P1: W4>B", "P2: W4?"],
     "P2: a +4 cannot be challenged here. No penalty."),
    ("seed-001", "R5 R > P1 P1:4 P2:4 P3:4", ["P1: W4>B", "P3: W4?"],
     "P3: only P2 may challenge this +4. No penalty."),
    ("seed-001", "G7 G > P2 P1:4 P2:4 P3:4", ["P1: ^G7"], "P1: not your turn, P2 plays. Take it back."),
    ("party", "G7 G > P2 P1:4 P2:4 P3:4", ["P1: ^B7"],
     "P1: blue 7 is not identical to green 7, so no jump-in. Take it back."),
    ("seed-001", "R5 R > P1 P1:4 P2:4 P3:4", ["P1: R7*P2"], "P1: red 7 moves no hands here. The hands go back."),
    ("seed-001", "R5 R > P1 P1:4 P2:4 P3:4", ["P1: RD", "P3: R1"], "P3: not before P2 has drawn. P2 draws 2."),
    ("seed-003", "R5 R > P1 P1:4 P2:4 P3:4", ["P1: W>R"], "P1: red is in play already. Name another colour."),
    ("seed-001", "R5 R > P1 P1:2 P2:4 P3:4", ["P1: R1", "P3: UNO?P1"],
     "P3 caught P1: one card left, and no UNO call. P1 draws 2."),
    ("seed-000", "R5 R > P1 P1:4 P2:4 P3:4", ["P1: +2"], "P1 drew 2; 1 allowed. 1 back, unseen."),
]  # fmt: skip


@pytest.mark.parametrize(("profile", "position", "entries", "said"), RULINGS)
def test_what_the_table_reads(profile: str, position: str, entries: list[str], said: str) -> None:
    table = Table.from_pos(position, profile)
    *_, last = [table.push(entry) for entry in entries]
    assert last.incidents[-1].say("en") == said
    for language in ("pt", "es", "ro"):
        assert last.incidents[-1].say(language) != said
