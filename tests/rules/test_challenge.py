"""The Wild Draw Four: when it may be laid, who may challenge it, and what that costs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.situations import assert_ruled, house, ruled

CLASSIC = {
    "H11 guilty, the hand shown": """
        [Pos "R5 R > P1 P1:W4,R9,B2 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(R9 B2) =guilty
        P1: +4:bluff
        P2: B1
    """,
    "H11 guilty by the cards, ruled innocent at the table": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(R9 B2 G1) =innocent !wd4_with_matching_colour
    """,
    "H12 innocent by the cards, ruled guilty at the table": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(Y9 B2 G1) =guilty !challenge_innocent
    """,
    "H11 nobody ruled: the referee does": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(R9 B2 G1) !wd4_with_matching_colour
        P1: +4:bluff
        P2: B1
    """,
    "H12 nobody ruled: the referee does": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(Y9 B2 G1) !challenge_innocent
        P2: +6:doubt --
        P3: B1
    """,
    "H6 G04 a Wild in hand does not count": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(W B2 W4) =innocent
        P2: +6:doubt --
    """,
    "H6 1:64 the same number in another colour does not count": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(Y5 B5 G5) =innocent
        P2: +6:doubt --
    """,
    "H6 T after a Wild the named colour counts": """
        [Pos "W B > P1 P1:4 P2:5 P3:5"]
        P1: W4>R
        P2: W4? show(B4 R9 R1) =guilty
        P1: +4:bluff
        P2: R1
    """,
    "H10 the hand lies open in an entry of its own": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4?
        P1: show(R9 B2 G1)   !wd4_with_matching_colour
        P1: +4:bluff
        P2: B1
    """,
    "H10 the verdict comes by voice, in an entry of its own": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4?
        P2: =innocent
        P2: +6:doubt --
        P3: B1
    """,
    "H11 one red card shown is proof enough": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(R9) =guilty
        P1: +4:bluff
    """,
    "H12 not all cards were shown, none fits: how many are there?": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(B9) !hand_count_mismatch
    """,
    "H12 nobody heard the verdict, the draw tells it": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4?
        P2: +6:doubt --
        P3: B1
    """,
    "H11 the guilty one draws too few": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(R9) =guilty
        P1: +3:bluff
        P2: B1 !penalty_not_drawn
    """,
    "H8 C14 only the next player may challenge": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P3: W4? !challenge_not_entitled
        P2: +4:w4 --
    """,
    "H8 the table knows that it is void": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P3: W4? =void
        P2: +4:w4 --
    """,
    "H14 G07 too late after the first card": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: +1:w4
        P2: W4? !challenge_late
        P2: +3:w4 --
    """,
    "H14 too late once play has gone on": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: +4:w4 --
        P3: B1
        P2: W4? =late
    """,
    "there is no Wild Draw Four to challenge": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: R1
        P2: W4? !challenge_not_entitled
    """,
    "H15 a later card proves the bluff, drawn cards seen": """
        [Pos "R5 R > P1 P1:W4,R9,B2,B4 P2:5 P3:5"]
        P1: W4>B
        P2: +4:w4 --
        P3: B9
        P1: +1=(G7) --
        P2: B1
        P3: R1
        P1: R9 !wd4_bluff_shown
    """,
    "H15 a card drawn since proves nothing": """
        [Pos "R5 R > P1 P1:W4,R9,B2,B4 P2:5 P3:5"]
        P1: W4>B
        P2: +4:w4 --
        P3: B9
        P1: +1 --
        P2: B1
        P3: R1
        P1: R9
    """,
    "H15 the very card that was drawn proves nothing": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: +4:w4 --
        P3: B9
        P1: +1=(R9) R9
    """,
    "H13 G06 after a guilty verdict the challenger plays on the named colour": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(R9) =guilty
        P1: +4:bluff
        P2: R1 !illegal_play
    """,
    "K2 K4 the last card is a Wild Draw Four: still drawn, and counted": """
        [Pos "R5 R > P1 P1:W4! P2:R1 P3:B2"]
        P1: W4
        P2: +4:w4=(G1 G2 G3 G4)
        wins P1 P2=11(R1 G1 G2 G3 G4) P3=2(B2)
    """,
}

OTHERS: dict[str, tuple[str, dict[str, Any], str]] = {
    "H6 C13 4:25 colour or number": (
        "seed-004",
        {},
        """
        [Pos "Y5 Y > P1 P1:W4,R5,B2 P2:5 P3:5"]
        P1: W4>R !wd4_with_matching_colour_or_number
        """,
    ),
    "H15 4:25 forbidden, and the hand is laid open": (
        "seed-004",
        {},
        """
        [Pos "Y5 Y > P1 P1:4 P2:5 P3:5"]
        P1: W4>R
        P1: show(R5 B2 B3) !wd4_with_matching_colour_or_number
        """,
    ),
    "H15 4:25 forbidden, but the hand is hidden": (
        "seed-004",
        {},
        """
        [Pos "Y5 Y > P1 P1:4 P2:5 P3:5"]
        P1: W4>R
        P2: +4:w4 --
        """,
    ),
    "H8 C14 4:25 there is no challenge": (
        "seed-004",
        {},
        """
        [Pos "Y5 Y > P1 P1:4 P2:5 P3:5"]
        P1: W4>R
        P2: W4? !challenge_not_entitled
        """,
    ),
    "wild_draw_four.challenge any opponent": (
        "classic-108",
        {"wild_draw_four.challenge": "any_opponent"},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P3: W4? show(Y9 B2 G1) =innocent
        P3: +2:doubt
        P2: +4:w4 --
        P3: B1
        """,
    ),
    "wild_draw_four.window before the last card": (
        "classic-108",
        {"wild_draw_four.window": "before_last_penalty_card"},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: +3:w4
        P2: W4? show(Y9 B2 G1) =innocent
        P2: +3:doubt
        P3: B1
        """,
    ),
    "wild_draw_four.after_guilty challenger skipped": (
        "classic-108",
        {"wild_draw_four.after_guilty": "challenger_skipped"},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(R9) =guilty
        P1: +4:bluff
        P2: B1 !played_while_skipped
        """,
    ),
    "wild_draw_four.guilty ten": (
        "classic-108",
        {"wild_draw_four.guilty": 10},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(R9) =guilty
        P1: +10:bluff
        P2: B1
        """,
    ),
    "K4 G13 a last Wild Draw Four cannot be challenged here": (
        "classic-108",
        {"wild_draw_four.challenge_last": "void"},
        """
        [Pos "R5 R > P1 P1:W4! P2:R1 P3:B2"]
        P1: W4
        P2: W4? !challenge_not_entitled
        """,
    ),
    "H16 a stack with a bluff in it goes back to the bluffer": (
        "party",
        {},
        """
        [Pos "R5 R > P1 P1:RD,R1,R2 P2:4 P3:5"]
        P1: RD
        P2: W4>G
        P3: W4? show(R9) =guilty
        P2: +6:bluff
        P3: G1
        """,
    ),
    "wild_draw_four.condition none: nothing to prove": (
        "classic-108",
        {"wild_draw_four.condition": "none", "wild_draw_four.enforcement": "free"},
        """
        [Pos "R5 R > P1 P1:W4,R9,B2,B4 P2:5 P3:5"]
        P1: W4>B
        P2: +4:w4 --
        P3: B9
        P1: R9
        """,
    ),
}


@pytest.mark.parametrize("situation", CLASSIC)
def test_classic(situation: str) -> None:
    assert_ruled(CLASSIC[situation])


@pytest.mark.parametrize("situation", OTHERS)
def test_other_tables(situation: str) -> None:
    profile, options, game = OTHERS[situation]
    assert_ruled(game, house(profile, options))


def test_principle_3_a_word_against_a_hand_that_was_known_is_asked_about() -> None:
    game = '[Pos "R5 R > P1 P1:W4,R9,B2 P2:5 P3:5"]\nP1: W4>B\nP2: W4? =innocent'
    [incident] = ruled(game).incidents
    assert (incident.code, incident.kind) == ("wd4_with_matching_colour", "question")
