"""The Spanish page (seed 4): draw until one fits, no challenge, four cards for a missed call, lowest score wins."""

import pytest

from tests.rules.seeds.situations import assert_ruled_as_marked

SITUATIONS = {
    "4:7 E4 E5 a Wild or +4 goes back into the middle": """
        [Dealer "P3"] [Pos "W ? > P1 P1:7 P2:7 P3:7"]
        dealer: start W !start_card_must_be_replaced
        dealer: start G3
        P1: G5
        """,
    "4:8 E2 the player on the dealer's right begins after a Reverse": """
        [Dealer "P3"] [Pos "GR G > P1 P1:7 P2:7 P3:7"]
        dealer: start GR
        P2: G1
        P1: G2
        """,
    "4:8 E1 a Skip turned up first has no effect": """
        [Dealer "P3"] [Pos "GS G > P1 P1:7 P2:7 P3:7"]
        dealer: start GS
        P1: G1
        """,
    "4:14 F5 F6 F8 drawing until a card fits, and playing it": """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(G3)
        P1: +1=(Y2)
        P1: +1=(R8) R8
        P2: R2
        """,
    "4:15 F7 no card from the hand after drawing": """
        [Pos "R5 R > P1 P1:R1,B2 P2:5"]
        P1: +1=(G3) R1 !hand_card_after_draw
        """,
    "4:15 F4 nobody has to play a card that fits": """
        [Pos "R5 R > P1 P1:R1,B2,B3 P2:5"]
        P1: +1=(R8) R8
        """,
    "4:17 M1 a Reverse with two players is a Skip": """
        [Pos "R5 R > P1 P1:RR,R1,B2 P2:4"]
        P1: RR
        P1: R1 UNO!
        """,
    "4:18 G1 the card on top stays": """
        [Pos "W Y > P1 P1:Y1,B2,B3 P2:4 P3:4"]
        P1: Y1
        table: reshuffle(80)
        P2: Y4
        """,
    "4:21 4:22 4:23 F2 action cards on their own colour only": """
        [Pos "RS R > P1 P1:YS,B1,B2 P2:4 P3:4"]
        P1: YS !illegal_play
        """,
    "4:24 F12 a Wild on a Wild, though another card fits": """
        [Pos "W G > P1 P1:W,G2,B3 P2:5 P3:5"]
        P1: W>B
        P2: B1
        """,
    "4:25 H6 a +4 with the same number in the hand": """
        [Pos "Y5 Y > P1 P1:W4,R5,B2 P2:5 P3:5"]
        P1: W4>R !wd4_with_matching_colour_or_number
        """,
    "4:25 H6 H15 a +4 with the same colour in the hand": """
        [Pos "Y5 Y > P1 P1:W4,Y1,B2 P2:5 P3:5"]
        P1: W4>R !wd4_with_matching_colour_or_number
        """,
    "4:25 H6 a fair +4": """
        [Pos "Y5 Y > P1 P1:W4,R1,B2 P2:5 P3:5"]
        P1: W4>R
        P2: +4:w4 --
        P3: R2
        """,
    "4:27 J1 J4 another says UNO first: four cards": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P3: UNO! =caught
        P1: +4:uno
        P2: R2
        """,
    "4:28 J3 J5 nobody said it before the next player began": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P2: +1=(R7)
        P3: UNO?P1 =late
        """,
    "4:28 J3 reaching is not beginning": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P2: touch(hand)
        P3: UNO?P1 =caught
        P1: +4:uno
        """,
    "4:29 J8 J11 the last card does not fit: the call wins nothing, and drawing goes on": """
        [Pos "R5 R > P1 P1:B1! P2:5"]
        P1: +1=(G2)
        P1: +1=(Y3)
        P1: +1=(R9) R9
        P2: R2
        """,
    "4:29 J7 back at one card the call is due again": """
        [Pos "R5 R > P1 P1:B1! P2:5"]
        P1: +1=(R9) R9
        P2: UNO?P1 =caught
        P1: +4:uno
        """,
    "4:30 K2 a last +4 is drawn and scored": """
        [Pos "R5 R > P1 P1:W4! P2:G1 P3:G2"]
        P1: W4
        P2: +4:w4=(R1 R2 R3 R4)
        wins P1 P2=11(G1 R1 R2 R3 R4) P3=2(G2)
        """,
    "4:34 4:35 4:36 L1 L2 L3 the points": """
        [Pos "R5 R > P1 P1:R1! P2:R0,B9,GS P3:W,W4,BD"]
        P1: R1
        wins P1 P2=29(R0 B9 GS) P3=120(W W4 BD)
        """,
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_seed_004(situation: str) -> None:
    assert_ruled_as_marked(SITUATIONS[situation], "seed-004")
