"""The page with Swap Hands (seed 0): its own examples and special rules. `0:33` is line 33 of that document."""

import pytest

from referee.rules.profiles import CustomRule, load_profile
from tests.rules.seeds.situations import assert_ruled_as_marked

SITUATIONS = {
    "0:7 F1 F3 any red, any eight or a wild on a red eight": """
        [Pos "R8 R > P1 P1:R2,B1,B2 P2:W,R1,R4 P3:4"]
        P1: R2
        P2: W>G
        P3: G8
        """,
    "0:9 F6 a drawn card that fits is played": """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(R8) R8
        P2: +1=(R2) -- !drawn_card_not_played
        """,
    "0:9 F5 F8 a drawn card that does not fit is kept": """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(G8) --
        P2: R2
        """,
    "0:13 G1 a new card is turned up after the refill": """
        [Pos "G4 G > P1 P1:B1,B2 P2:5"]
        table: reshuffle(60)
        table: start R7
        P1: +1=(B7) B7
        """,
    "0:15 H16 not two +4 together": """
        [Pos "R5 R > P1 P1:W4,W4,B1,B2 P2:5 P3:5"]
        P1: W4>B W4>B !multiple_cards
        """,
    "0:19 J7 J11 the call is repeated after drawing": """
        [Pos "R5 R > P1 P1:B1! P2:5"]
        P1: +1=(R9) R9
        P2: UNO?P1 =caught
        P1: +2:uno
        """,
    "0:19 J7 the repeated call saves": """
        [Pos "R5 R > P1 P1:B1! P2:5"]
        P1: +1=(R9) R9 UNO!
        P2: UNO?P1 =safe
        """,
    "0:26 E1 the next player in turn begins after a Skip": """
        [Dealer "P4"] [Pos "RS R > P1 P1:7 P2:7 P3:7 P4:7"]
        dealer: start RS
        P2: R1
        """,
    "0:29 H10 H11 H13 a challenged bluff": """
        [Pos "R5 R > P1 P1:W4,R9,B2 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(R9 B2) =guilty
        P1: +4:bluff
        P2: B3
        """,
    "0:29 H12 a challenge in vain": """
        [Pos "R5 R > P1 P1:W4,G5,B2 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(G5 B2) =innocent
        P2: +6:doubt --
        P3: B3
        """,
    "0:33 E6 a Swap Hands turned up first": """
        [Dealer "P3"] [Pos "WX ? > P1 P1:7 P2:7 P3:7"]
        dealer: start WX>G
        """,
    "0:33 I1 I2 after the swap the turn is over": """
        [Pos "R5 R > P1 P1:WX,B1,B2 P2:G1,G2,G3 P3:4"]
        P1: WX>G*P2
        P1: G1 !multiple_cards
        """,
    "0:33 0:19 I1 I4 whoever is left with one card after the swap must call": """
        [Pos "R5 R > P1 P1:WX,B1 P2:G1,G2,G3 P3:4"]
        P1: WX>G*P2
        P3: UNO?P2 =caught
        P2: +2:uno
        """,
    "0:34 E7 a blank wild turned up first": """
        [Dealer "P3"] [Pos "WC ? > P1 P1:7 P2:7 P3:7"]
        dealer: start WC>G
        """,
    "0:34 I5 a blank wild names the colour and the turn is over": """
        [Pos "R5 R > P1 P1:WC1,B1,B2 P2:4 P3:4"]
        P1: WC1>B
        P2: B3
        P3: R4 !illegal_play
        """,
    "0:34 B7 B4 more blank wilds than the box holds": """
        [Pos "R5 R > P1 P1:WC,B1,B2 P2:4 P3:4 P4:4"]
        P1: WC>B
        P2: WC>B
        P3: WC>B
        P4: WC>B !impossible_card
        """,
    "0:44 I3 Swap Hands as the last card ends the round": """
        [Pos "R5 R > P1 P1:WX! P2:G1 P3:G2"]
        P1: WX
        wins P1 P2=1(G1) P3=2(G2)
        """,
    "0:55 K2 L5 the cards of a last +2 are added": """
        [Pos "R5 R > P1 P1:RD! P2:G1 P3:G2"]
        P1: RD
        P2: +2:d2=(R4 B5)
        wins P1 P2=10(G1 R4 B5) P3=2(G2)
        """,
    "0:62 L4 Swap Hands and blank wilds count forty": """
        [Pos "R5 R > P1 P1:R1! P2:WX,G1 P3:WC"]
        P1: R1
        wins P1 P2=41(WX G1) P3=40(WC)
        """,
    "0:72 0:73 0:74 M1 M2 M3 M4 two players": """
        [Pos "R5 R > P1 P1:RR,RS,RD,W4,B1,B2 P2:4"]
        P1: RR
        P1: RS
        P1: RD
        P2: +2:d2 --
        P1: W4>B
        P2: +4:w4 --
        P1: B1 UNO!
        """,
}

# 0:48 to 0:53 and row I6: what a table may write on its blank cards
BLANK_CARDS = {
    "0:48 I6 O11 the next player does three sit-ups or draws three": (
        CustomRule("three sit-ups or draw three", "next_draws", 3),
        """
        [Pos "R5 R > P1 P1:WC1,B1,B2 P2:4 P3:4"]
        P1: WC1>B
        P2: +3:house
        P2: B3
        """,
    ),
    "0:49 I6 the next player sings and draws nothing": (
        CustomRule("sing a song or draw two", "next_draws", 2),
        """
        [Pos "R5 R > P1 P1:WC1,B1,B2 P2:4 P3:4"]
        P1: WC1>B
        P2: B3
        """,
    ),
    "0:50 I6 everyone but you draws two": (
        CustomRule("everyone but you draws two", "others_draw", 2),
        """
        [Pos "R5 R > P1 P1:WC1,B1,B2 P2:4 P3:4"]
        P1: WC1>B
        P2: +2:house
        P2: B3 !penalty_not_drawn
        """,
    ),
    "0:53 I6 you take an extra turn": (
        CustomRule("everyone misses a turn", "extra_turn"),
        """
        [Pos "R5 R > P1 P1:WC1,B1,B2 P2:4 P3:4"]
        P1: WC1>B
        P1: B1 UNO!
        P2: B3
        """,
    ),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_seed_000(situation: str) -> None:
    assert_ruled_as_marked(SITUATIONS[situation], "seed-000")


@pytest.mark.parametrize("situation", BLANK_CARDS)
def test_what_the_table_wrote_on_its_blank_cards(situation: str) -> None:
    rule, text = BLANK_CARDS[situation]
    assert_ruled_as_marked(text, load_profile("seed-000").changed({"deck.custom_rules": (rule,)}))
