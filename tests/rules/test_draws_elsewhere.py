"""Cards drawn and turns passed at tables that play otherwise. Each situation names the rows it rests on."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.profiles import CustomRule
from tests.rules.situations import assert_ruled, house

OTHERS: dict[str, tuple[str, dict[str, Any], str]] = {
    "F6 C09 0:9 the drawn card fits and must be played": (
        "seed-000",
        {},
        """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(R8) -- !drawn_card_not_played
        """,
    ),
    "F6 0:9 nobody saw the drawn card": (
        "seed-000",
        {},
        """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1 --
        P2: R1
        """,
    ),
    "F6 0:9 the fault belongs to the draw when the next one plays on": (
        "seed-000",
        {},
        """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(R8) !drawn_card_not_played
        P2: R1
        """,
    ),
    "F5 F8 C08 4:14 draw until playable": (
        "seed-004",
        {},
        """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +1=(G3)
        P1: +1=(Y2)
        P1: +1=(R8) R8
        P2: R1
        """,
    ),
    "F8 4:14 stopped too soon": (
        "seed-004",
        {},
        """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +2=(G3 Y2) -- !drawn_card_not_played
        """,
    ),
    "F5 4:14 drew on although a card fitted": (
        "seed-004",
        {},
        """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +2=(R3 Y2) !drew_too_many
        """,
    ),
    "O3 party: until playable, and the card may be kept": (
        "party",
        {},
        """
        [Pos "R5 R > P1 P1:B1,B2 P2:5"]
        P1: +2=(G3 R2) --
        P2: R1
        """,
    ),
    "turn.drawn_card keep: the draw ends the turn": (
        "classic-108",
        {"turn.drawn_card": "keep"},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: +1
        P1: R1 !out_of_turn
        """,
    ),
    "turn.hand_card_after_draw allowed": (
        "classic-108",
        {"turn.hand_card_after_draw": "allowed"},
        """
        [Pos "R5 R > P1 P1:R1,B2 P2:5"]
        P1: +1=(G3) R1
        """,
    ),
    "turn.pass_without_draw allowed": (
        "classic-108",
        {"turn.pass_without_draw": "allowed"},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: --
        P2: R1
        """,
    ),
    "turn.may_decline no: a known card fits": (
        "classic-108",
        {"turn.may_decline": False},
        """
        [Pos "R5 R > P1 P1:R1,B2 P2:5"]
        P1: +1 !drew_without_cause
        """,
    ),
    "G17 advice costs nothing here": (
        "112-card",
        {},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P3: say("play your green")
        P1: R1
        """,
    ),
    "G1 C12 4:18 the top card stays when the pile is refilled": (
        "seed-004",
        {},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        table: reshuffle(60)
        dealer: start B7 !top_card_moved
        """,
    ),
    "G1 more cards in the new pile than can be without the top card": (
        "classic-108",
        {},
        """
        [Pos "R5 R > P1 P1:4 P2:4"]
        table: reshuffle(100) !top_card_moved
        """,
    ),
    "G1 0:13 here the whole discard pile goes, and a card is turned up": (
        "seed-000-classic",
        {},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        table: reshuffle(60)
        dealer: start B7
        P1: B1
        """,
    ),
    "I6 0:50 all others draw two": (
        "seed-000",
        {"deck.custom_rules": ("others_draw", 2)},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: WC1>G
        P2: +2:house
        P3: +2:house
        P2: G1
        """,
    ),
    "I6 0:50 one of them does not": (
        "seed-000",
        {"deck.custom_rules": ("others_draw", 2)},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: WC1>G
        P3: +2:house
        P2: G1 !penalty_not_drawn
        """,
    ),
    "I6 0:48 a forfeit, or three cards": (
        "seed-000",
        {"deck.custom_rules": ("next_draws", 3)},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: WC1>G
        P2: +3:house
        P2: G1
        """,
    ),
    "I6 0:51 all others throw their wilds off": (
        "seed-000",
        {"deck.custom_rules": ("others_discard_wilds", 0)},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: WC1>G
        P3: W
        P2: G1
        """,
    ),
    "I6 0:52 all cards of a colour": (
        "seed-000",
        {"deck.custom_rules": ("discard_colour", 0)},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: WC1>G
        P3: G7 G3
        P2: G1
        """,
    ),
    "I6 0:53 another turn": (
        "seed-000",
        {"deck.custom_rules": ("extra_turn", 0)},
        """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: WC1>G
        P1: G1
        P2: G2
        """,
    ),
}


@pytest.mark.parametrize("situation", OTHERS)
def test_other_tables(situation: str) -> None:
    profile, options, game = OTHERS[situation]
    made = {
        option: (CustomRule(effect=value[0], count=value[1]),) if option == "deck.custom_rules" else value
        for option, value in options.items()
    }
    assert_ruled(game, house(profile, made))
