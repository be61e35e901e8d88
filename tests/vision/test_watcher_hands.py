"""Draws, touches and hands laid open at a small drawn table, and what the watcher must make of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.cards import Seat
from referee.observations import BACK, ArmSeen, CardsDrawn, CardsShown, Zone
from referee.vision.watcher import TableWatcher
from tests.vision.drawn_table import CARD_PX, DISCARD_AT, DRAW_AT, DrawnTable, Lying, landed, started, zones

SEATS = (Seat.P1, Seat.P2, Seat.P3, Seat.P4)
PLACES = {Seat.P1: (0.35, 0.87), Seat.P2: (0.08, 0.4), Seat.P3: (0.2, 0.13), Seat.P4: (0.7, 0.13)}


def drawn(table: DrawnTable) -> list[tuple[Seat | None, int, int]]:
    return [(o.seat, o.at_least, o.at_most) for o in table.of(CardsDrawn) if isinstance(o, CardsDrawn)]


def shown(table: DrawnTable) -> list[tuple[Seat, list[str], bool]]:
    hands = [o for o in table.of(CardsShown) if isinstance(o, CardsShown)]
    return [(o.seat, sorted(r.code for r in o.readings), o.complete) for o in hands]


def touches(table: DrawnTable) -> list[tuple[Seat, Zone]]:
    return [(o.seat, o.zone) for o in table.of(ArmSeen) if isinstance(o, ArmSeen)]


@pytest.mark.parametrize("seat", SEATS)
def test_a_card_drawn_is_one_card(seat: Seat) -> None:
    table = started()
    table.draw(seat)
    table.rest(1)
    assert drawn(table) == [(seat, 1, 1)]
    assert (seat, Zone.DRAW) in touches(table)
    assert landed(table) == [("R7", None)]


def test_a_hand_that_was_at_the_pile_for_a_tenth_of_a_second_need_not_have_drawn() -> None:
    """P4 threw a card over the draw pile: it counted as one drawn, and in the end nobody had gone out."""
    table = started()
    table.draw(Seat.P4, grip_s=0.1)
    table.rest(1)
    assert drawn(table) == [(Seat.P4, 0, 1)]


@pytest.mark.parametrize("seat", SEATS)
def test_a_hand_that_touches_the_pile_and_takes_nothing_may_have_drawn_nothing(seat: Seat) -> None:
    table = started()
    table.draw(seat, carry=False)
    table.rest(1)
    assert drawn(table) == [(seat, 0, 1)]


def test_each_trip_is_a_draw_of_its_own() -> None:
    table = started()
    for _ in range(3):
        table.draw(Seat.P1)
    table.rest(1)
    assert drawn(table) == [(Seat.P1, 1, 1)] * 3


def test_two_trips_without_leaving_the_picture_are_two_draws() -> None:
    table = started()
    table.reach(Seat.P1, DRAW_AT)
    for _ in range(2):
        table.take(Seat.P1, Lying(BACK, DRAW_AT, 8))
        table.reach(Seat.P1, (0.45, 0.9))
        table.tick(2)
        table.carried.clear()
        table.reach(Seat.P1, DRAW_AT)
        table.tick()
    table.leave(Seat.P1)
    table.rest(1)
    assert drawn(table)[:2] == [(Seat.P1, 1, 1)] * 2
    assert all(least == 0 for _, least, _ in drawn(table)[2:])


def test_an_arm_on_its_way_to_the_discard_pile_draws_nothing() -> None:
    """P2 sits behind the draw pile: its hand passes over it going and coming."""
    table = started()
    table.lay(Seat.P2, "R2", degrees=30)
    table.rest()
    assert drawn(table) == []
    assert touches(table) == [(Seat.P2, Zone.DISCARD)]
    assert landed(table)[1:] == [("R2", Seat.P2)]


def test_a_drawn_card_that_is_played_at_once_is_a_draw_and_a_play() -> None:
    table = started()
    table.reach(Seat.P1, DRAW_AT)
    table.tick()
    table.take(Seat.P1, Lying(BACK, DRAW_AT, 8))
    table.reach(Seat.P1, (0.45, 0.8))
    table.tick(2)
    table.take(Seat.P1, Lying("R2", (0.45, 0.8), 8))
    table.reach(Seat.P1, DISCARD_AT)
    table.drop(Seat.P1)
    table.leave(Seat.P1)
    table.rest()
    assert drawn(table) == [(Seat.P1, 1, 1)]
    assert landed(table)[1:] == [("R2", Seat.P1)]


def test_two_seats_that_draw_at_once_are_told_apart() -> None:
    table = started()
    table.reach(Seat.P1, (0.45, 0.8))
    table.draw(Seat.P3)
    table.rest(0.5)
    table.reach(Seat.P1, DRAW_AT)
    table.take(Seat.P1, Lying(BACK, DRAW_AT, 0))
    table.leave(Seat.P1)
    table.rest(1)
    assert drawn(table) == [(Seat.P3, 1, 1), (Seat.P1, 1, 1)]


def test_a_draw_is_known_soon_after_the_hand_has_left() -> None:
    table = started()
    table.draw(Seat.P1)
    left_s = table.t_s
    table.rest(1)
    draw = table.of(CardsDrawn)[0]
    assert draw.t_s < left_s
    assert draw.seen_s <= left_s + 0.5


@pytest.mark.parametrize("seat", SEATS)
def test_a_hand_laid_open_is_read_once(seat: Seat) -> None:
    table = started()
    x, y = PLACES[seat]
    step = (0.0, 0.2) if seat is Seat.P2 else (0.12, 0.0)
    turn = 90 if seat is Seat.P2 else 0
    table.reach(seat, (x, y))
    table.cards += [Lying(c, (x + n * step[0], y + n * step[1]), turn) for n, c in enumerate(("G3", "R8"))]
    table.tick()
    table.leave(seat)
    table.rest(4)
    assert shown(table) == [(seat, ["G3", "R8"], True)]


def test_a_hand_that_grows_later_is_reported_again_with_all_its_cards() -> None:
    table = started()
    for code, x in (("G3", 0.3), ("R8", 0.45)):
        table.cards.append(Lying(code, (x, 0.87)))
        table.rest(2)
    assert shown(table) == [(Seat.P1, ["G3"], True), (Seat.P1, ["G3", "R8"], True)]


def test_a_hand_being_laid_is_reported_when_it_is_laid() -> None:
    table = started()
    for code, x in (("G3", 0.3), ("R8", 0.42), ("Y2", 0.54), ("BS", 0.66)):
        table.cards.append(Lying(code, (x, 0.87)))
        table.rest(0.4)
    table.rest(2)
    assert shown(table) == [(Seat.P1, ["BS", "G3", "R8", "Y2"], True)]


@pytest.mark.parametrize(
    ("step", "complete"),
    [(0.1, True), (0.055, False)],
)
def test_cards_that_overlap_are_not_a_complete_hand(step: float, complete: bool) -> None:
    table = started()
    table.cards += [Lying(c, (0.4 + n * step, 0.87)) for n, c in enumerate(("G3", "R8", "Y2"))]
    table.rest(2)
    assert shown(table) == [(Seat.P1, ["G3", "R8", "Y2"], complete)]


def test_a_fan_of_which_only_the_top_card_is_read_is_not_complete() -> None:
    """Seven cards in a tight fan were a hand of one, with none hidden."""
    table = started()
    table.cards += [
        Lying(c, (0.3 + n * 0.02, 0.87)) for n, c in enumerate(("R3", "B4", "G5", "Y6", "R9", "BS", "Y1"))
    ]
    table.rest(2)
    assert shown(table) == [(Seat.P1, ["Y1"], False)]


def test_a_card_where_two_places_overlap_is_the_nearer_seats_and_no_complete_hand() -> None:
    """The hand of P4 was also a hand of P3, complete with one card."""
    wide = ((0.05, 0.02), (0.7, 0.02), (0.7, 0.24), (0.05, 0.24))
    seats = tuple(replace(zone, place=wide) if zone.seat is Seat.P3 else zone for zone in zones().seats)
    table = DrawnTable(started().cards)
    table.watcher = TableWatcher(replace(zones(), seats=seats), table, expected_card_px=CARD_PX)
    table.rest(1.5)
    table.cards += [Lying("R3", (0.62, 0.13)), Lying("B4", (0.72, 0.13))]
    table.rest(2)
    assert shown(table) == [(Seat.P4, ["B4", "R3"], False)]
    table.cards.append(Lying("G5", (0.2, 0.13)))
    table.rest(2)
    assert shown(table)[1:] == [(Seat.P3, ["G5"], True)]


def test_a_hand_with_a_card_still_face_down_is_not_complete() -> None:
    table = started()
    table.cards += [Lying("G3", (0.4, 0.87)), Lying(BACK, (0.55, 0.87))]
    table.rest(2)
    assert shown(table) == [(Seat.P1, ["G3"], False)]


def test_face_down_cards_at_a_seat_are_no_hand_laid_open() -> None:
    table = started()
    table.cards += [Lying(BACK, (0.4, 0.87)), Lying(BACK, (0.55, 0.87))]
    table.rest(2)
    assert shown(table) == []


def test_cards_taken_up_again_are_not_a_new_hand() -> None:
    table = started()
    table.cards += [Lying("G3", (0.4, 0.87)), Lying("R8", (0.55, 0.87))]
    table.rest(2)
    for _ in range(2):
        table.cards.pop()
        table.rest(2)
    assert shown(table) == [(Seat.P1, ["G3", "R8"], True)]


def test_all_hands_laid_open_at_the_end_of_a_round() -> None:
    table = started()
    table.cards += [Lying("G3", PLACES[Seat.P1]), Lying("YD", PLACES[Seat.P3]), Lying("W4", PLACES[Seat.P4])]
    table.rest(2)
    assert sorted(shown(table)) == [
        (Seat.P1, ["G3"], True),
        (Seat.P3, ["YD"], True),
        (Seat.P4, ["W4"], True),
    ]


def test_a_hand_laid_open_is_no_play() -> None:
    table = started()
    table.cards += [Lying("G3", PLACES[Seat.P1])]
    table.rest(2)
    assert landed(table) == [("R7", None)]
