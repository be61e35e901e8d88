"""The page that keeps house rules apart (seed 1): its examples, its common mistakes, its house rules."""

import pytest

from referee.rules.profiles import load_profile
from tests.rules.seeds.situations import assert_ruled_as_marked

SITUATIONS = {
    "1:32 F3 a red three on a red eight": """
        [Pos "R8 R > P1 P1:R3,B1,B2 P2:4"]
        P1: R3
        """,
    "1:33 F3 a blue seven on a green seven": """
        [Pos "G7 G > P1 P1:B7,R1,R2 P2:4"]
        P1: B7
        """,
    "1:34 F2 a yellow Skip on a red Skip": """
        [Pos "RS R > P1 P1:YS,B1,B2 P2:4 P3:4"]
        P1: YS
        P3: Y1
        """,
    "1:38 F6 a drawn card that fits may be played or kept": """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(R8) R8
        P2: +1=(R2) --
        P1: R9
        """,
    "1:56 F2 a +2 on another +2, once the first is served": """
        [Pos "R5 R > P1 P1:RD,R1,R2 P2:4 P3:BD,G1,G2"]
        P1: RD
        P2: +2:d2 --
        P3: BD
        P1: +2:d2 --
        """,
    "1:60 F13 a Wild may name the colour in play": """
        [Pos "R3 R > P1 P1:W,R2,B2 P2:4"]
        P1: W>R
        P2: R9
        """,
    "1:64 H6 the same number in another colour does not forbid a +4": """
        [Pos "Y5 Y > P1 P1:W4,R5,B2 P2:5 P3:5"]
        P1: W4>R
        P2: W4? show(R5 B2) =innocent
        P2: +6:doubt --
        P3: R2
        """,
    "1:68 H10 the hand is shown to the challenger alone, who says what it holds": """
        [Pos "R5 R > P1 P1:W4,2 P2:5 P3:5"]
        P1: W4>B
        P2: W4? =innocent
        P2: +6:doubt --
        """,
    "1:68 H8 only the next player challenges": """
        [Pos "R5 R > P1 P1:W4,R9,B2 P2:5 P3:5"]
        P1: W4>B
        P3: W4? !challenge_not_entitled
        """,
    "1:72 I1 Shuffle Hands deals everything out again": """
        [Pos "R5 R > P1 P1:WM,B1,B2 P2:1! P3:6"]
        P1: WM>B
        P2: B3
        P3: B4
        """,
    "1:76 J3 caught before the next player begins": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P2: UNO?P1 =caught
        P1: +2:uno
        P2: R2
        """,
    "1:76 J7 called every time the last but one card is laid": """
        [Pos "R5 R > P1 P1:B1! P2:5"]
        P1: +1=(R9) R9
        P2: UNO?P1 =caught
        P1: +2:uno
        """,
    "1:15 B4 I5 O11 a blank wild names the colour": """
        [Pos "R5 R > P1 P1:WC1,B1,B2 P2:4 P3:4"]
        P1: WC1>B
        P2: B3
        """,
    "1:97 M5 J10 with two players an action card as the last but one, and out": """
        [Pos "R5 R > P1 P1:RS,R1 P2:4"]
        P1: RS UNO!
        P1: R1
        """,
    "1:115 H11 whoever is caught bluffing draws four": """
        [Pos "R5 R > P1 P1:W4,R9,B2 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(R9 B2) =guilty
        P1: +6:bluff !drew_too_many
        """,
}

# 1:117, the page's list of common mistakes (rows P1 to P5)
MISTAKES = {
    "P1 1:119 a +4 while holding the colour in play": """
        [Pos "R5 R > P1 P1:W4,R9,B2 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(R9 B2) !wd4_with_matching_colour
        """,
    "P1 1:119 a later card proves the bluff": """
        [Pos "R5 R > P1 P1:W4,R9,B2,B4 P2:5 P3:5"]
        P1: W4>B
        P2: +4:w4 --
        P3: B9
        P1: R9 !wd4_bluff_shown
        """,
    "P2 1:120 several cards drawn in one turn": """
        [Pos "R5 R > P1 P1:R1,B2 P2:5"]
        P1: +1 +1 !drew_too_many
        """,
    "P3 1:121 another card played after drawing": """
        [Pos "R5 R > P1 P1:R1,B2,B3 P2:5"]
        P1: +1=(G3) R1 !hand_card_after_draw
        """,
    "P4 1:122 UNO said too late": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P3: UNO?P1 =caught
        P1: UNO!
        P1: +2:uno
        P2: R2
        """,
    "P5 1:123 nobody draws for a last +2": """
        [Pos "R5 R > P1 P1:RD! P2:G1 P3:G2"]
        P1: RD
        wins P1 P2=1(G1) P3=2(G2) !last_draw_not_served
        """,
}

# 1:101 to 1:107: house rules, each with the option that turns it on and what the official game says
HOUSE_RULES = {
    "O1 1:103 a +2 answers a +2 and passes the sum on": (
        {"house.stacking": "draw_two"},
        """
        [Pos "R5 R > P1 P1:RD,R1,R2 P2:BD,R4,R6 P3:5"]
        P1: RD
        P2: BD !stacked_not_allowed[seed-001]
        P3: +4:d2 --
        """,
    ),
    "O2 1:103 a +4 answers a +2": (
        {"house.stacking": "four_on_two"},
        """
        [Pos "R5 R > P1 P1:RD,R1,R2 P2:W4,G4,G6 P3:5"]
        P1: RD
        P2: W4>G !stacked_not_allowed[seed-001]
        """,
    ),
    "O3 1:104 drawing until a card fits": (
        {"turn.draw": "until_playable"},
        """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(G3)
        P1: +1=(R8) R8 !drew_too_many[seed-001]
        """,
    ),
    "O4 1:105 a seven swaps hands": (
        {"house.seven_zero": "both"},
        """
        [Pos "R5 R > P1 P1:R7,B1,B2 P2:Y9 P3:5"]
        P1: R7*P2 !hand_exchange_wrong[seed-001]
        """,
    ),
    "O4 1:105 a zero passes all hands on": (
        {"house.seven_zero": "both"},
        """
        [Pos "R5 R > P1 P1:R0,B1 P2:5 P3:5"]
        P1: R0
        P3: UNO?P2 =caught !false_catch[seed-001]
        """,
    ),
    "O5 1:106 jumping in with the identical card": (
        {"house.jump_in": "identical"},
        """
        [Pos "R5 R > P1 P1:R7,B1,B2 P2:4 P3:R7,G1,G2"]
        P1: R7
        P3: ^R7 !out_of_turn[seed-001]
        """,
    ),
    "O5 1:106 jumping in with another card": (
        {"house.jump_in": "identical"},
        """
        [Pos "R5 R > P1 P1:R7,B1,B2 P2:4 P3:B7,G1,G2"]
        P1: R7
        P3: ^B7 !out_of_turn
        """,
    ),
    "O6 1:107 the last card must be a number": (
        {"finish.action_card": "forbidden"},
        """
        [Pos "R5 R > P1 P1:RS! P2:G1 P3:G2"]
        P1: RS !action_finish_forbidden[house]
        """,
    ),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_seed_001(situation: str) -> None:
    assert_ruled_as_marked(SITUATIONS[situation], "seed-001")


@pytest.mark.parametrize("situation", MISTAKES)
def test_common_mistakes(situation: str) -> None:
    assert_ruled_as_marked(MISTAKES[situation], "seed-001")


@pytest.mark.parametrize("situation", HOUSE_RULES)
def test_house_rules_change_the_ruling(situation: str) -> None:
    options, text = HOUSE_RULES[situation]
    assert_ruled_as_marked(text, "seed-001")
    assert_ruled_as_marked(text, load_profile("seed-001").changed(options, name="house"))
