"""A card of a player who has left the round (gap G19)."""

from __future__ import annotations

from tests.rules.situations import assert_ruled


def test_a_shuffle_card_of_a_player_who_left_is_out_of_turn_and_nothing_worse() -> None:
    """It stopped the judge: the hands are dealt out again from the left of a seat that holds none."""
    game = """
        [Pos "R3 R > P2 P1:4 P2:4 P3:4 P4:4"]
        P3: say("I have to leave")
        P3: WM>B !out_of_turn
        P2: B1
        """
    assert_ruled(game, "mattel-2022")
