"""Rules on which all four seed documents agree: each situation gets the same answer under every one of them."""

import pytest

from tests.rules.seeds.situations import SEEDS, assert_ruled_as_marked

SITUATIONS = {
    "A5 K1 L13 the first without cards ends the round, the others count": """
        [Pos "R5 R > P1 P1:R1! P2:B2 P3:G9"]
        P1: R1
        wins P1 P2=2(B2) P3=9(G9)
        """,
    "B1 B2 B3 only one green zero in the box": """
        [Pos "R0 R > P1 P1:7 P2:7"]
        P1: G0
        P2: G0 !impossible_card
        """,
    "D1 seven cards for each": """
        [Dealer "P3"] [Pos "R5 R > P1 P1:7 P2:6 P3:7"]
        dealer: start R5 !deal_miscount
        """,
    "D3 D4 the player on the dealer's left begins": """
        [Dealer "P3"] [Pos "R5 R > P1 P1:7 P2:7 P3:7"]
        dealer: start R5
        P2: R6 !wrong_first_player
        P2: <R6
        P1: R7
        """,
    "D5 clockwise": """
        [Pos "R5 R > P1 P1:4 P2:4 P3:4"]
        P1: R1
        P3: R2 !out_of_turn
        P3: <R2
        P2: R3
        """,
    "F1 F3 a card fits by its colour or its number": """
        [Pos "R8 R > P1 P1:R3,B8,G1 P2:4 P3:4"]
        P1: R3
        P2: G3
        P3: B8 !illegal_play
        """,
    "F3 any red or any eight on a red eight": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: B8
        P2: R8
        P3: R2
        """,
    "F4 drawing although a card fits": """
        [Pos "R5 R > P1 P1:R1,B2,B3 P2:5"]
        P1: +1=(R8) R8
        P2: R2
        """,
    "F7 P3 another card from the hand after drawing": """
        [Pos "R5 R > P1 P1:R1,B2,B3 P2:5"]
        P1: +1=(R8) R1 !hand_card_after_draw
        """,
    "F9 passing without drawing": """
        [Pos "R5 R > P1 P1:R1,B2 P2:5"]
        P1: -- !passed_without_drawing
        """,
    "F10 two cards in one turn": """
        [Pos "R5 R > P1 P1:R1,R9,B2,B3 P2:5 P3:5"]
        P1: R1 R9 !multiple_cards
        """,
    "F12 a Wild although another card fits": """
        [Pos "R5 R > P1 P1:W,R2,B3 P2:5 P3:5"]
        P1: W>B
        P2: B1
        """,
    "F12 a Wild on a Wild": """
        [Pos "W G > P1 P1:W,R2,B3 P2:5 P3:5"]
        P1: W>B
        P2: B1
        """,
    "F14 H4 the colour of a Wild must be named": """
        [Pos "R5 R > P1 P1:W,B2,B3 P2:4 P3:4"]
        P1: W !no_colour_named
        P2: R4 !early_play
        """,
    "F14 H4 the next card must have the named colour": """
        [Pos "R5 R > P1 P1:W,B2,B3 P2:4 P3:4"]
        P1: W>B
        P2: R4 !illegal_play
        """,
    "H1 a Skip costs the next player the turn": """
        [Pos "R5 R > P1 P1:RS,B1,B2 P2:4 P3:4"]
        P1: RS
        P2: R1 !played_while_skipped
        P2: <R1
        P3: R2
        """,
    "H2 a Reverse turns the game around": """
        [Pos "R5 R > P1 P1:4 P2:4 P3:4 P4:4"]
        P1: RR
        P2: R1 !out_of_turn
        P2: <R1
        P4: R2
        P3: R3
        """,
    "H3 the next player draws two and loses the turn": """
        [Pos "R5 R > P1 P1:RD,B1,B2 P2:4 P3:4"]
        P1: RD
        P2: +2:d2 --
        P3: R3
        """,
    "H3 the two cards come first": """
        [Pos "R5 R > P1 P1:RD,B1,B2 P2:4 P3:4"]
        P1: RD
        P3: R3 !penalty_not_drawn
        """,
    "H5 the next player draws four and loses the turn": """
        [Pos "R5 R > P1 P1:W4,B1,B2 P2:4 P3:4"]
        P1: W4>B
        P2: +4:w4 --
        P3: B3
        """,
    "H5 the four cards may not be played in the lost turn": """
        [Pos "R5 R > P1 P1:W4,B1,B2 P2:4 P3:4"]
        P1: W4>B
        P2: +4:w4=(B4 B5 B6 B7)
        P2: B4 !played_while_skipped
        """,
    "H16 no +2 on a +2": """
        [Pos "R5 R > P1 P1:RD,R1,R2 P2:RD,R4,R6 P3:5"]
        P1: RD
        P2: RD !stacked_not_allowed
        """,
    "H16 no +4 on a +4": """
        [Pos "R5 R > P1 P1:W4,G1,G2 P2:W4,R4,R6 P3:5"]
        P1: W4>B
        P2: W4>R !stacked_not_allowed
        """,
    "J2 the referee does not catch: nobody did, nothing is due": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P2: R2
        P3: R3
        P1: R4
        """,
    "J5 nobody noticed in time": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P2: R2
        P3: R3
        P2: UNO?P1 =late
        """,
    "J1 called while the card is laid": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: UNO! R1
        P3: UNO?P1 =safe
        """,
    "J6 called late, but before anyone noticed": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P1: UNO!
        P3: UNO?P1 =safe
        """,
    "J9 UNO called with more cards left costs nothing": """
        [Pos "R5 R > P1 P1:R1,B9,G2,Y3 P2:5 P3:5"]
        P1: UNO! R1
        P2: R2
        """,
    "J9 a catch with nothing to catch is void": """
        [Pos "R5 R > P1 P1:R1,B9,G2,Y3 P2:5 P3:5"]
        P1: R1
        P2: UNO?P1 =void
        P2: R2
        """,
    "K2 L11 P5 a +2 as the last card is still drawn and counted": """
        [Pos "R5 R > P1 P1:RD! P2:B1 P3:B2"]
        P1: RD
        P2: +2:d2=(G5 GS)
        wins P1 P2=26(B1 G5 GS) P3=2(B2)
        """,
    "K2 P5 the round is closed before the last +4 is drawn": """
        [Pos "R5 R > P1 P1:W4! P2:B1 P3:B2"]
        P1: W4
        wins P1 P2=1(B1) P3=2(B2) !last_draw_not_served
        """,
    "K3 an action card may be the last": """
        [Pos "R5 R > P1 P1:RS! P2:B1 P3:B2"]
        P1: RS
        wins P1 P2=1(B1) P3=2(B2)
        """,
    "L1 L2 L3 what the cards are worth": """
        [Pos "R5 R > P1 P1:R1! P2:R0,B9,GS,YR P3:BD,W,W4"]
        P1: R1
        wins P1 P2=49(R0 B9 GS YR) P3=120(BD W W4)
        """,
    "L1 L2 L3 points that do not add up": """
        [Pos "R5 R > P1 P1:R1! P2:R0,B9 P3:BD,W"]
        P1: R1
        wins P1 P2=10(R0 B9) P3=70(BD W) !score_mismatch
        """,
    "M1 a Reverse with two players is a Skip": """
        [Pos "R5 R > P1 P1:RR,R1,B2 P2:4"]
        P1: RR
        P2: R7 !out_of_turn
        P2: <R7
        P1: R1
        """,
    "M2 M3 M4 with two players a Skip, a +2 and a +4 give another turn": """
        [Pos "R5 R > P1 P1:RS,RD,W4,B1,B2 P2:4"]
        P1: RS
        P1: RD
        P2: +2:d2 --
        P1: W4>B
        P2: +4:w4 --
        P1: B1 UNO!
        P2: B3
        """,
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_four_documents_agree(situation: str, seed: str) -> None:
    assert_ruled_as_marked(SITUATIONS[situation], seed)
