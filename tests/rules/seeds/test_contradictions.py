"""Where the four documents contradict each other: one situation, and what each table rules on it (C01 to C22)."""

import pytest

from tests.rules.seeds.situations import SEEDS, assert_ruled_as_marked

VARIANTS = ("seed-001-old-start", "seed-004-wild-start")

# the first card turned up, under two ways to open as well
OPENINGS = {
    "C04 E1 a Skip turned up first skips the first player": """
        [Dealer "P3"] [Pos "YS Y > P1 P1:7 P2:7 P3:7"]
        dealer: start YS !start_card_must_be_replaced[seed-001]
        P1: Y1 !start_effect_missed[seed-000 seed-003 seed-001-old-start]
        """,
    "C04 E1 the second player begins after a Skip": """
        [Dealer "P3"] [Pos "YS Y > P1 P1:7 P2:7 P3:7"]
        dealer: start YS !start_card_must_be_replaced[seed-001]
        P2: Y1 !wrong_first_player[seed-001 seed-004 seed-004-wild-start]
        """,
    "C04 E3 a +2 turned up first is drawn": """
        [Dealer "P3"] [Pos "BD B > P1 P1:7 P2:7 P3:7"]
        dealer: start BD !start_card_must_be_replaced[seed-001]
        P1: +2:start -- !drew_without_cause[seed-001 seed-004 seed-004-wild-start]
        """,
    "C04 E3 a +2 turned up first is ignored": """
        [Dealer "P3"] [Pos "BD B > P1 P1:7 P2:7 P3:7"]
        dealer: start BD !start_card_must_be_replaced[seed-001]
        P1: B4 !start_effect_missed[seed-000 seed-003 seed-001-old-start]
        """,
    "C05 E2 the dealer plays after a Reverse turned up first": """
        [Dealer "P3"] [Pos "GR G > P1 P1:7 P2:7 P3:7"]
        dealer: start GR !start_card_must_be_replaced[seed-001]
        P3: G1 !wrong_first_player[seed-001 seed-004 seed-004-wild-start]
        """,
    "C05 E2 the player on the dealer's right plays after a Reverse turned up first": """
        [Dealer "P3"] [Pos "GR G > P1 P1:7 P2:7 P3:7"]
        dealer: start GR !start_card_must_be_replaced[seed-001]
        P2: G1 !wrong_first_player[seed-000 seed-001 seed-003 seed-001-old-start]
        """,
    "C06 E4 a Wild turned up first": """
        [Dealer "P3"] [Pos "W ? > P1 P1:7 P2:7 P3:7"]
        dealer: start W !start_card_must_be_replaced[seed-001 seed-003 seed-004]
        """,
    "C06 E5 a +4 turned up first": """
        [Dealer "P3"] [Pos "W4 ? > P1 P1:7 P2:7 P3:7"]
        dealer: start W4 !start_card_must_be_replaced[seed-000 seed-001 seed-003 seed-004 seed-001-old-start]
        """,
}

SITUATIONS = {
    "C07 F2 a Skip on a Skip of another colour": """
        [Pos "RS R > P1 P1:YS,B1,B2 P2:4 P3:4"]
        P1: YS !illegal_play[seed-004]
        """,
    "C07 F2 a Reverse on a Reverse of another colour": """
        [Pos "RR R > P1 P1:YR,B1,B2 P2:4 P3:4"]
        P1: YR !illegal_play[seed-004]
        """,
    "C07 F2 a +2 on a +2 of another colour": """
        [Pos "RD R > P1 P1:YD,B1,B2 P2:4 P3:4"]
        P1: YD !illegal_play[seed-004]
        """,
    "C08 F5 F8 drawing a second card": """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(G3)
        P1: +1=(R8) R8 !drew_too_many[seed-000 seed-001 seed-003]
        """,
    "C08 F5 F8 stopping after one card that does not fit": """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(G3) -- !drawn_card_not_played[seed-004]
        P2: R2
        """,
    "C09 F6 keeping a drawn card that fits": """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(R8) -- !drawn_card_not_played[seed-000 seed-004]
        P2: R2
        """,
    "C10 F13 a Wild that names the colour in play": """
        [Pos "R3 R > P1 P1:W,R2,B2 P2:4"]
        P1: W>R !colour_not_changed[seed-003]
        """,
    "C10 F13 a +4 that names the colour in play": """
        [Pos "R3 R > P1 P1:W4,G2,B2 P2:4 P3:4"]
        P1: W4>R !colour_not_changed[seed-003]
        """,
    "C12 G1 the whole discard pile is shuffled": """
        [Pos "G4 G > P1 P1:B1,B2 P2:5"]
        table: reshuffle(60) !top_card_moved[seed-001 seed-003 seed-004]
        """,
    "C13 H6 a +4 with the same number in the hand": """
        [Pos "Y5 Y > P1 P1:W4,R5,B2 P2:5 P3:5"]
        P1: W4>R !wd4_with_matching_colour_or_number[seed-004]
        """,
    "H7 wilds in the hand do not count against a +4": """
        [Pos "Y5 Y > P1 P1:W4,W,R1 P2:5 P3:5"]
        P1: W4>R
        P2: W4? show(W R1) =innocent !challenge_not_entitled[seed-004]
        """,
    "C14 H8 H15 a +4 is challenged": """
        [Pos "Y5 Y > P1 P1:W4,R1,B2 P2:5 P3:5"]
        P1: W4>R
        P2: W4? !challenge_not_entitled[seed-004]
        """,
    "C14 H15 a bluff is forbidden outright or waits for a challenge": """
        [Pos "R5 R > P1 P1:W4,R9,B2 P2:5 P3:5"]
        P1: W4>B !wd4_with_matching_colour_or_number[seed-004]
        """,
    "C14 H14 a challenge after the first of the four cards": """
        [Pos "Y5 Y > P1 P1:W4,R1,B2 P2:5 P3:5"]
        P1: W4>R
        P2: +1:w4
        P2: W4? !challenge_late[seed-000 seed-001 seed-003] !challenge_not_entitled[seed-004]
        """,
    "C14 K4 a +4 laid as the last card is challenged": """
        [Pos "Y5 Y > P1 P1:W4! P2:5 P3:5"]
        P1: W4
        P2: W4? =innocent !challenge_not_entitled[seed-004]
        P2: +6:doubt !drew_too_many[seed-004]
        wins P1 P2=30 P3=30
        """,
    "C15 B5 I1 a Swap Hands": """
        [Pos "R5 R > P1 P1:4 P2:4 P3:4"]
        P1: WX>B*P2 !impossible_card[seed-001 seed-003 seed-004]
        """,
    "C15 B5 I1 a Shuffle Hands": """
        [Pos "R5 R > P1 P1:4 P2:4 P3:4"]
        P1: WM>B !impossible_card[seed-000 seed-003 seed-004]
        """,
    "C16 J1 UNO said before the card is taken out": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: UNO!
        P1: R1
        P3: UNO?P1 =caught !false_catch[seed-004]
        """,
    "C17 J2 another player says UNO": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P3: UNO! !missed_uno[seed-004]
        """,
    "C18 J3 the next player reaches for a pile": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P2: touch(draw)
        P3: UNO?P1 =caught !catch_late[seed-003]
        """,
    "C18 J3 the next player takes a card out of the hand": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P2: touch(hand)
        P3: UNO?P1 =caught !catch_late[seed-001]
        """,
    "C18 J3 the next player has laid a card that has not come to rest": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        @0:10.0 P1: R1
        @0:12.0 P2: R2
        @0:12.2 P3: UNO?P1 =caught !catch_late[seed-001 seed-003 seed-004]
        """,
    "C18 J3 the turn of the next player is over": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        @0:10.0 P1: R1
        @0:12.0 P2: R2
        @0:14.0 P3: UNO?P1 =caught !catch_late
        """,
    "C19 J4 two cards for a missed call": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P3: UNO?P1 =caught
        P1: +2:uno
        P2: R2 !penalty_not_drawn[seed-004]
        """,
    "C19 J4 four cards for a missed call": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P3: UNO?P1 =caught
        P1: +4:uno !drew_too_many[seed-000 seed-001 seed-003]
        P2: R2
        """,
}


@pytest.mark.parametrize("profile", [*SEEDS, *VARIANTS])
@pytest.mark.parametrize("situation", OPENINGS)
def test_the_first_card(situation: str, profile: str) -> None:
    assert_ruled_as_marked(OPENINGS[situation], profile)


@pytest.mark.parametrize("profile", SEEDS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_each_table_rules_by_its_own_document(situation: str, profile: str) -> None:
    assert_ruled_as_marked(SITUATIONS[situation], profile)
