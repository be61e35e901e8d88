"""The Romanian page (seed 3): its own examples and special rules. `3:67` is line 67 of that document."""

import pytest

from tests.rules.seeds.situations import assert_ruled_as_marked

SITUATIONS = {
    "3:31 F5 F8 one card is drawn, then the turn passes": """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(G3) --
        P2: R2
        """,
    "3:31 F6 a drawn card that fits may be kept": """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(R3) --
        P2: R2
        """,
    "3:43 F13 a Wild names a new colour": """
        [Pos "R3 R > P1 P1:W,R2,B2 P2:4"]
        P1: W>R !colour_not_changed
        """,
    "3:51 E3 the first player draws two for a first +2": """
        [Dealer "P3"] [Pos "BD B > P1 P1:7 P2:7 P3:7"]
        dealer: start BD
        P1: +2:start --
        P2: B4
        """,
    "3:53 E2 the dealer plays first after a Reverse": """
        [Dealer "P3"] [Pos "GR G > P1 P1:7 P2:7 P3:7"]
        dealer: start GR
        P3: G1
        P2: G2
        """,
    "3:55 E1 the next player begins after a Skip": """
        [Dealer "P3"] [Pos "YS Y > P1 P1:7 P2:7 P3:7"]
        dealer: start YS
        P2: Y4
        """,
    "3:57 E4 E5 black cards go back": """
        [Dealer "P3"] [Pos "W ? > P1 P1:7 P2:7 P3:7"]
        dealer: start W !start_card_must_be_replaced
        dealer: start W4 !start_card_must_be_replaced
        dealer: start B2
        P1: B5
        """,
    "3:61 J1 J7 called every time one card is left": """
        [Pos "R5 R > P1 P1:B1! P2:5"]
        P1: +1=(R9) R9
        P2: UNO?P1 =caught
        P1: +2:uno
        """,
    "3:63 J3 caught before the next player touches a pile": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P2: touch(hand)
        P3: UNO?P1 =caught
        P1: +2:uno
        """,
    "3:63 J3 too late once the next player touches a pile": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P2: touch(discard)
        P3: UNO?P1 =late
        """,
    "3:67 H11 H13 he lied: he takes four, the accuser nothing": """
        [Pos "R5 R > P1 P1:W4,R9,B2 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(R9 B2) =guilty
        P1: +4:bluff
        P2: B3
        """,
    "3:67 H12 unfounded: four and two more": """
        [Pos "R5 R > P1 P1:W4,G5,B2 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(G5 B2) =innocent
        P2: +6:doubt --
        P3: B3
        """,
    "3:67 H12 the four alone are not enough": """
        [Pos "R5 R > P1 P1:W4,G5,B2 P2:5 P3:5"]
        P1: W4>B
        P2: W4? show(G5 B2) =innocent
        P2: +4:doubt -- !drew_too_few
        """,
    "3:75 3:77 3:79 L1 L2 L3 the points": """
        [Pos "R5 R > P1 P1:R1! P2:B9,GS P3:W4,RR,BD"]
        P1: R1
        wins P1 P2=29(B9 GS) P3=90(W4 RR BD)
        """,
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_seed_003(situation: str) -> None:
    assert_ruled_as_marked(SITUATIONS[situation], "seed-003")
