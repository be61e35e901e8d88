"""The deal, the first card, the colour of a Wild, and players who leave."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.situations import assert_ruled, house

CLASSIC = {
    "D4 the player left of the dealer begins": """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start R5
        P1: R6
    """,
    "D4 somebody else begins": """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start R5
        P2: R6 !wrong_first_player
        P2: <R6
        P1: R1
    """,
    "D4 nobody wrote down who dealt: whoever begins began rightly": """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"]
        dealer: start R5
        P2: R6
        P3: R7
        P1: R8
    """,
    "D1 a hand with eight cards": """
        [Dealer "P3"] [Pos "? ? > P1 P1:7 P2:8 P3:7"]
        dealer: start R5 !deal_miscount
        P1: R6
    """,
    "E1 a Skip turned up: the first player loses the turn": """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start RS
        P2: R6
    """,
    "E1 the Skip is overlooked": """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start RS
        P1: R6 !start_effect_missed
    """,
    "E2 C05 a Reverse turned up: the dealer plays, then the one to the right": """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start RR
        P3: R6
        P2: R7
        P1: R8
    """,
    "E2 the Reverse is overlooked": """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start RR
        P1: R6 !wrong_first_player
    """,
    "E3 a +2 turned up: drawn and skipped": """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start RD
        P1: +2:start --
        P2: R6
    """,
    "E3 the first player plays on the +2": """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start RD
        P1: R6 !start_effect_missed
    """,
    "E3 the second player goes on although the +2 was not drawn": """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start RD
        P2: R6 !start_effect_missed
    """,
    "E4 C06 a Wild turned up: the first player names the colour": """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start W
        P1: >G
        P1: R6 !illegal_play
    """,
    "E4 a Wild turned up: the card itself names the colour": """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start W
        P1: R6
        P2: R7
    """,
    "E5 a Wild Draw Four goes back": """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start W4 !start_card_must_be_replaced
        dealer: start R5
        P1: R6
    """,
    "E3 B3 the first card counts once, though the position names it too": """
        [Pos "BD B > P1 P1:7 P2:7 P3:7"]
        dealer: start BD
        P1: +2:start --
        P2: BD
        P3: +2:d2 --
    """,
    "F14 no colour is named, and the next one plays": """
        [Pos "R3 R > P1 P1:4 P2:4 P3:4"]
        P1: W !no_colour_named
        P2: R4 !early_play
        P2: <R4
        P1: >B
        P2: B7
    """,
    "F14 no colour is named, and the next one draws": """
        [Pos "R3 R > P1 P1:4 P2:4 P3:4"]
        P1: W !no_colour_named
        P2: +1 --
        P1: >B
        P3: B7
    """,
    "F14 told once, however long the colour is missing": """
        [Pos "R3 R > P1 P1:4 P2:4 P3:4"]
        P1: W !no_colour_named
        P2: R4 !early_play
        P2: <R4
        P2: B4 !early_play
    """,
    "F14 nobody heard a colour: asked, and what comes next fits": """
        [Pos "R3 R > P1 P1:4 P2:4 P3:4"]
        P1: W>? !no_colour_named
        P2: R4
        P3: R5
    """,
    "F14 the colour may be named while the next one draws four": """
        [Pos "R3 R > P1 P1:4 P2:4 P3:4"]
        P1: W4
        P2: +4:w4
        P1: >B
        P3: B7
    """,
    "F14 the last word before the next move counts": """
        [Pos "R3 R > P1 P1:4 P2:4 P3:4"]
        P1: W>B
        P1: >G
        P2: G7
    """,
    "F14 another player cannot name the colour again": """
        [Pos "R3 R > P1 P1:4 P2:4 P3:4"]
        P1: W>B
        P3: >G
        P2: B7
    """,
    "F13 C10 1:60 the current colour may be named": """
        [Pos "R3 R > P1 P1:4 P2:4 P3:4"]
        P1: W>R
        P2: R7
    """,
    "G19 who leaves takes no turn": """
        [Pos "R3 R > P2 P1:4 P2:4 P3:4 P4:4"]
        P3: say("I have to leave")
        P2: R4
        P4: R5
    """,
    "G19 two are left: Reverse is a Skip": """
        [Pos "R3 R > P1 P1:4 P2:4 P3:4"]
        P3: say("I have to go")
        P1: RR
        P1: R4
    """,
    "G19 the colour before an earlier Wild stays": """
        [Pos "W G > P1 P1:W,B2,B3 P2:4 P3:4"]
        P1: W say("sorry")
        table: say("P1 is out")
        P2: G2
    """,
    "L13 after the round the next dealer deals": """
        [Dealer "P3"] [Pos "R5 R > P1 P1:R6! P2:4 P3:4"]
        P1: R6
        wins P1
        dealer: start B5
        P2: B6
        P3: B7
    """,
    "L13 after the round somebody else begins": """
        [Dealer "P3"] [Pos "R5 R > P1 P1:R6! P2:4 P3:4"]
        P1: R6
        wins P1
        dealer: start B5
        P1: B6 !wrong_first_player
    """,
    "L13 the next round is not announced": """
        [Dealer "P3"] [Pos "R5 R > P1 P1:R6! P2:4 P3:4"]
        P1: R6
        wins P1
        P2: B6
        P3: B7
    """,
}

OTHERS: dict[str, tuple[str, dict[str, Any], str]] = {
    "E0 C04 1:24 by the 2022 rule an action card goes back": (
        "seed-001",
        {},
        """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start RS !start_card_must_be_replaced
        dealer: start W !start_card_must_be_replaced
        dealer: start R5
        P1: R6
        """,
    ),
    "E2 C05 4:8 a Reverse turned up: the player right of the dealer plays": (
        "seed-004",
        {},
        """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start RR
        P2: R6
        P1: R7
        """,
    ),
    "E1 E3 4:8 a Skip has no effect here": (
        "seed-004",
        {},
        """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start RS
        P1: R6
        """,
    ),
    "E3 O3 drawn, but not skipped": (
        "four-card-penalty",
        {},
        """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start RD
        P1: +2:start R6
        P2: R7
        """,
    ),
    "E6 0:33 Swap Hands turned up: colour and swap": (
        "seed-000",
        {},
        """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start WX>B
        P1: B6
        """,
    ),
    "E5 4:24 a Wild Draw Four names the colour, nobody draws": (
        "seed-004-wild-start",
        {},
        """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start W4>B
        P1: B6
        """,
    ),
    "D5 counterclockwise": (
        "classic-108",
        {"setup.direction": "counterclockwise"},
        """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start R5
        P2: R6
        P1: R7
        """,
    ),
    "F13 C10 3:43 a new colour must be named": (
        "seed-003",
        {},
        """
        [Pos "R3 R > P1 P1:4 P2:4 P3:4"]
        P1: W>R !colour_not_changed
        P1: >B
        P2: B7
        """,
    ),
    "F13 3:43 the old colour, said later": (
        "seed-003",
        {},
        """
        [Pos "R3 R > P1 P1:4 P2:4 P3:4"]
        P1: W
        P1: >R !colour_not_changed
        P1: >B
        P2: B7
        """,
    ),
    "wild.must_name no": (
        "classic-108",
        {"wild.must_name": False},
        """
        [Pos "R3 R > P1 P1:4 P2:4 P3:4"]
        P1: W
        P2: R4
        """,
    ),
    "setup.hand_size five": (
        "classic-108",
        {"setup.hand_size": 5},
        """
        [Pos "? ? > P1 P1:5 P2:5 P3:7"]
        dealer: start R5 !deal_miscount
        """,
    ),
    "C4 C02 the dealer stays": (
        "seed-004",
        {},
        """
        [Dealer "P3"] [Pos "R5 R > P1 P1:R6! P2:4 P3:4"]
        P1: R6
        wins P1
        dealer: start B5
        P1: B6
        """,
    ),
    "C5 C03 the youngest begins: nobody knows who that is": (
        "classic-108",
        {"setup.first_player": "youngest"},
        """
        [P1 "Ana"] [P2 "Bo"] [P3 "Cai"] [Dealer "P3"]
        dealer: start R5
        P2: R6
        P3: R7
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
