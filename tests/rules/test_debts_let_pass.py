"""A draw that is owed and that the table lets pass is told once; the players' way of going on is taken as it is.

Principle: nobody is blamed twice for one fault (found on rounds of an engine in which a drawn +4 makes nobody draw).
"""

from __future__ import annotations

import pytest

from tests.rules.situations import assert_ruled, ruled


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(
            """
            [Pos "R5 R > P1 P1:6 P2:6 P3:6"]
            P1: W4>G
            P2: G1 !played_while_skipped
            P3: G2
            P1: G3
            P2: G4
            P3: G5
            P1: G6
            P2: +1 --
            P3: G7
            """,
            id="the victim plays, now and in later turns",
        ),
        pytest.param(
            """
            [Pos "R5 R > P1 P1:6 P2:6 P3:6"]
            P1: RD
            P3: R2 !penalty_not_drawn
            P1: R3
            P2: R4
            P3: R6
            P1: R7
            P2: +1 --
            P3: R8
            """,
            id="the next player goes on, the victim plays in its later turns",
        ),
        pytest.param(
            """
            [Pos "R5 R > P1 P1:6 P2:6 P3:6"]
            P1: W4>G
            P2: GS !played_while_skipped
            P1: G3
            P2: G4
            """,
            id="the card laid in place of the draw has its effect",
        ),
        pytest.param(
            """
            [Pos "R5 R > P1 P1:6 P2:6 P3:6"]
            P1: W4>G
            P2: G1 !played_while_skipped
            P3: G2
            P1: GD
            P2: +2
            P3: G4
            """,
            id="a later draw serves what is owed now, not what was let pass",
        ),
        pytest.param(
            """
            [Pos "R5 R > P1 P1:6 P2:6 P3:6"]
            P1: W4>G
            P2: G1 !played_while_skipped
            P3: G2
            P2: +4:w4
            P1: G3
            P2: G4
            """,
            id="what was let pass may still be drawn",
        ),
        pytest.param(
            """
            [Pos "R5 R > P1 P1:3 P2:3 P3:2"]
            P1: RD
            P3: R2 !penalty_not_drawn
            P1: R3
            P2: R4
            P3: R6
            wins P3
            """,
            id="what was let pass is not the last draw of the round",
        ),
        pytest.param(
            """
            [Pos "R5 R > P1 P1:6 P2:6 P3:6"]
            P1: W4>G
            P2: G1 !played_while_skipped
            P2: <G1
            P2: +4 --
            P3: G2
            """,
            id="the card went back: the draw is still owed, and is served",
        ),
        pytest.param(
            """
            [Pos "R5 R > P1 P1:6 P2:6 P3:6"]
            P1: W4>G
            P2: G1 !played_while_skipped
            P2: <G1
            P2: +2 -- !drew_too_few
            """,
            id="the card went back: a short draw is a fault of its own",
        ),
    ],
)
def test_told_once(game: str) -> None:
    assert_ruled(game)


def test_what_was_let_pass_stays_on_the_list_and_holds_nobody_up() -> None:
    game = """
        [Pos "R5 R > P1 P1:6 P2:6 P3:6"]
        P1: W4>G
        P2: G1
        P3: G2
        """
    last = ruled(game).rulings[-1]
    assert [(debt.seat.name, debt.left) for debt in last.owes] == [("P2", 4)]
    assert last.next is not None
    assert last.next.name == "P1"
