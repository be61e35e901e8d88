"""What the watcher says of a table that cannot be judged just now, and that it recovers by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.cards import Seat
from referee.observations import CardLanded, ViewChanged, ViewState
from referee.vision.quads import Image
from referee.vision.view import COVERED, DARK, MORE_ARMS, cells_of, lost_reason_of
from referee.vision.watcher import TableWatcher
from tests.vision.drawn_table import CARD_PX, DISCARD_AT, ROOTS, DrawnTable, landed, started, zones


def last_state(table: DrawnTable) -> tuple[ViewState, str]:
    said = [o for o in table.observed if isinstance(o, ViewChanged)][-1]
    return said.state, said.reason


def seated(seats: int) -> DrawnTable:
    """A table at rest at which only the first `seats` of the four sit."""
    table = DrawnTable(started().cards)
    fewer = replace(zones(), seats=zones().seats[:seats])
    table.watcher = TableWatcher(fewer, table, expected_card_px=CARD_PX)
    table.rest(1.5)
    return table


@pytest.mark.parametrize("seats", [2, 4])
def test_more_arms_than_seats_pause_and_pass(seats: int) -> None:
    """Two people sit there and three arms are over the table, or four arms at a table of four."""
    table = seated(seats)
    arms = list(Seat.first(4))[: seats + 1]
    to = {Seat.P1: (0.5, 0.8), Seat.P2: (0.14, 0.45), Seat.P3: (0.25, 0.2), Seat.P4: (0.8, 0.2)}
    for share in (0.4, 0.6, 0.8, 1.0, 0.9):
        for seat in arms:
            (x, y), (tx, ty) = ROOTS[seat], to[seat]
            table.arms[seat] = x + share * (tx - x), y + share * (ty - y)
        table.tick()
    assert last_state(table) == (ViewState.HAND_OVER, MORE_ARMS)
    before = landed(table)
    table.arms.clear()
    table.rest(2)
    assert last_state(table)[0] is ViewState.READY
    assert landed(table) == before
    table.lay(Seat.P1, "G7", (DISCARD_AT[0] + 0.02, DISCARD_AT[1]), 20)
    table.rest()
    assert isinstance(table.of(CardLanded)[-1], CardLanded)
    assert landed(table)[-1] == ("G7", Seat.P1)


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (np.zeros((240, 320, 3), np.uint8), DARK),
        (np.full((240, 320, 3), 8, np.uint8), DARK),
        (np.full((240, 320, 3), 128, np.uint8), COVERED),
        (np.random.default_rng(1).integers(60, 200, (240, 320, 3), np.uint8).repeat(4, 0).repeat(4, 1), ""),
    ],
)
def test_dark_and_covered_are_told_apart_from_a_table(frame: Image, reason: str) -> None:
    assert lost_reason_of(cells_of(frame)) == reason


def test_lights_off_and_on_in_another_colour_keep_the_game() -> None:
    table = started("R7")
    table.light = 0.02
    table.rest(1)
    assert last_state(table) == (ViewState.LOST, DARK)
    table.light = 0.8
    table.rest(2.5)
    assert last_state(table)[0] is ViewState.READY
    assert landed(table) == [("R7", None)]
