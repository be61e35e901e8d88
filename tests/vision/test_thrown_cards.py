"""Whose card flew onto the pile."""

from __future__ import annotations

from referee.cards import Seat
from tests.vision.drawn_table import DISCARD_AT, ROOTS, Lying, landed, started

OFF = (DISCARD_AT[0] + 0.008, DISCARD_AT[1] - 0.006)


def near_the_edge(seat: Seat) -> tuple[float, float]:
    """A third of the way from the border of the seat to the pile."""
    (x, y), (to_x, to_y) = ROOTS[seat], DISCARD_AT
    return (2 * x + to_x) / 3, (2 * y + to_y) / 3


def test_a_card_thrown_from_afar_has_the_seat_of_the_hand_that_threw_it() -> None:
    """The hand was never over the pile."""
    table = started("R7")
    table.reach(Seat.P1, (DISCARD_AT[0], DISCARD_AT[1] + 0.3))
    table.cards.append(Lying("R2", OFF, 40))
    table.leave(Seat.P1)
    table.rest()
    assert landed(table)[1:] == [("R2", Seat.P1)]


def test_a_card_that_flew_in_after_its_arm_has_left_is_not_the_next_arms() -> None:
    """P1 threw it from the edge; P2's hand came while it was read, and P2 was told: not your turn."""
    table = started("R7")
    table.reach(Seat.P1, near_the_edge(Seat.P1))
    table.leave(Seat.P1, 2)
    table.rest(0.2)
    table.cards.append(Lying("R2", OFF, 40))
    table.rest(0.8)
    table.reach(Seat.P2, near_the_edge(Seat.P2))
    table.rest()
    assert landed(table)[1:] == [("R2", Seat.P1)]


def test_a_thrown_card_is_read_before_the_next_hand_covers_it() -> None:
    """It lay in view for a second and a half, waited for a push of the camera to show, and was covered unread."""
    table = started("R7")
    table.reach(Seat.P1, near_the_edge(Seat.P1))
    table.leave(Seat.P1, 2)
    table.cards.append(Lying("R2", OFF, 40))
    table.rest(0.9)
    table.lay(Seat.P2, "R9", (DISCARD_AT[0] - 0.01, DISCARD_AT[1]), 80)
    table.rest()
    assert landed(table)[1:] == [("R2", Seat.P1), ("R9", Seat.P2)]


def test_a_thrown_card_of_the_same_face_is_no_pile_that_moved() -> None:
    """A blue 1 flew onto the blue 1 and hid most of it; no hand had touched the pile."""
    table = started("B1", 0.0)
    table.reach(Seat.P2, near_the_edge(Seat.P2))
    table.cards.append(Lying("B1", OFF, 25))
    table.leave(Seat.P2)
    table.rest()
    assert landed(table)[1:] == [("B1", Seat.P2)]
