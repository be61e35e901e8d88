"""Cards laid at tables that play otherwise. Each situation names the rows it rests on."""

from __future__ import annotations

import pytest

from tests.rules.situations import assert_ruled, house

OTHERS: dict[str, tuple[str, dict[str, object], str]] = {
    "F2 4:22 a Skip only on its own colour": (
        "seed-004",
        {},
        """
        [Pos "RS R > P1 P1:4 P2:4 P3:4"]
        P1: YS !illegal_play
        """,
    ),
    "G16 take back, and play another card in the same turn": (
        "classic-108",
        {"foul.remedy": "take_back"},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: B3 !illegal_play
        P1: <B3 R4
        P2: R5
        """,
    ),
    "G16 announce only: the card stays and play goes on": (
        "classic-108",
        {"foul.remedy": "announce_only"},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: B3 !illegal_play
        P2: B4
        """,
    ),
    "foul.window a wrong card may go back until the round ends": (
        "classic-108",
        {"foul.remedy": "take_back", "foul.window": "round_end"},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: B3 !illegal_play
        P2: B4
        P1: <B3
        """,
    ),
    "foul.window once the next player has begun it is too late to take back": (
        "classic-108",
        {"foul.remedy": "take_back"},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: B3 !illegal_play
        P2: B4
        P1: <B3 !took_back_played_card
        """,
    ),
    "O1 1:103 +2 on +2, but no +4 on it": (
        "classic-108",
        {"house.stacking": "draw_two"},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: RD
        P2: BD
        P3: W4>G !stacked_not_allowed
        P3: <W4 +2:foul +4:d2 --
        """,
    ),
    "house.stacking same_kind: +4 on +4": (
        "classic-108",
        {"house.stacking": "same_kind"},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: W4>G
        P2: W4>B
        P3: +8:w4 --
        P1: B1
        """,
    ),
    "O2 +4 on +2, but no +2 on +4": (
        "classic-108",
        {"house.stacking": "four_on_two"},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: RD
        P2: W4>G
        P3: GD !stacked_not_allowed
        """,
    ),
    "house.stacking any: +2 on +4": (
        "classic-108",
        {"house.stacking": "any"},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: W4>G
        P2: GD
        P3: +6 --
        P1: G1
        """,
    ),
    "H16 a stack can be answered only before the first card is drawn": (
        "party",
        {},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: RD
        P2: +1:d2
        P2: BD !played_while_skipped
        """,
    ),
    "O5 jump-in with the identical card, play goes on from there": (
        "party",
        {},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4 P4:4"]
        P1: R3
        P3: ^R3
        P4: R4
        """,
    ),
    "O5 an equal number is not identical": (
        "party",
        {},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4 P4:4"]
        P1: R3
        P3: ^B3 !out_of_turn
        """,
    ),
    "O6 K3 the last card must be a number": (
        "classic-108",
        {"finish.action_card": "forbidden"},
        """
        [Pos "R8 R > P1 P1:RS! P2:4 P3:4"]
        P1: RS !action_finish_forbidden
        P1: <RS +1:foul
        P2: R4
        """,
    ),
    "K3 officially any card may be the last": (
        "classic-108",
        {},
        """
        [Pos "R8 R > P1 P1:RS! P2:4 P3:4"]
        P1: RS
        wins P1
        """,
    ),
    "O4 1:105 a seven swaps": (
        "party",
        {},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: R7*P3
        P2: R4
        """,
    ),
    "O4 a seven without a swap is asked about": (
        "party",
        {},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: R7 !hand_exchange_wrong
        """,
    ),
    "O4 no swap without the house rule": (
        "classic-108",
        {},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: R7*P3 !hand_exchange_wrong
        """,
    ),
    "O4 a last seven swaps nothing": (
        "party",
        {},
        """
        [Pos "R8 R > P1 P1:R7! P2:4 P3:4"]
        P1: R7
        wins P1
        """,
    ),
    "O4 a zero passes the hands on: the next one has one card": (
        "party",
        {},
        """
        [Pos "R8 R > P1 P1:R0,B1 P2:4 P3:5"]
        P1: R0
        P2: UNO!
        P2: +1 --
        """,
    ),
    "I1 0:33 Swap Hands": (
        "seed-000",
        {},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: WX>B*P3
        P2: B1
        """,
    ),
    "I1 Swap Hands with nobody": (
        "seed-000",
        {},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: WX>B !hand_exchange_wrong
        """,
    ),
    "I2 0:33 the turn is over after Swap Hands": (
        "seed-000",
        {},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: WX>B*P3
        P1: B1 !multiple_cards
        """,
    ),
    "I3 0:44 Swap Hands as the last card is a plain Wild": (
        "seed-000",
        {},
        """
        [Pos "R8 R > P1 P1:WX! P2:4 P3:4"]
        P1: WX
        wins P1
        """,
    ),
    "I1 1:72 Shuffle Hands deals all cards again": (
        "seed-001",
        {},
        """
        [Pos "R8 R > P1 P1:WM,B1,B2 P2:4 P3:4"]
        P1: WM>B
        P2: B7
        """,
    ),
    "I5 a blank card is a Wild": (
        "seed-000",
        {},
        """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: WC>B
        P2: R1 !illegal_play
        """,
    ),
}


@pytest.mark.parametrize("situation", OTHERS)
def test_other_tables(situation: str) -> None:
    profile, options, game = OTHERS[situation]
    assert_ruled(game, house(profile, options))
