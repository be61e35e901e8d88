"""The table's plane from pictures whose truth is known, and one clear line for pictures that give none."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from referee.calibration.board import Board, BoardSeen, find_board
from referee.calibration.plane_fit import fit_plane, plane_of_corners
from referee.calibration.solving import solve_by_corners, solve_by_markers
from referee.calibration.watched import elevation_deg
from referee.cards import Card
from referee.faults import InputFault
from referee.observations import CardReading
from referee.vision.planes import Points, corners_of, inverse, mapped
from referee.vision.quads import Image
from tests.calibration.drawn_sheets import FRAME_PX, MIDDLE, bare_table, pose_of, sheet, table_with, view

EVEN = Board(6, 8, 27.0, 20.0, "5X5_50")


@pytest.mark.parametrize("elevation", [90, 55, 32])
def test_the_plane_is_found_from_above_and_from_a_tripod(elevation: float) -> None:
    """Distances on the table, measured through the solved plane, against the truth."""
    spots = [(MIDDLE, 0.0), ((250.0, 350.0), 90.0), ((750.0, 350.0), 90.0)]
    frames = [view(table_with(sheet(), at, turn), elevation) for at, turn in spots]
    solved = solve_by_markers(frames, Board())
    to_px = pose_of(elevation).plane_to_picture(FRAME_PX)
    truth = np.array([[350, 300], [650, 300], [650, 420], [350, 420], [500, 250]], np.float64)
    found = mapped(solved.plane.to_table(), mapped(to_px, truth)) / solved.plane.px_per_mm
    pairs = [(a, b) for a in range(5) for b in range(a)]
    errors = [abs(np.linalg.norm(found[a] - found[b]) - np.linalg.norm(truth[a] - truth[b])) for a, b in pairs]
    assert max(errors) < 3.0
    assert solved.plane.error_mm < 2.0
    assert elevation_deg(solved.plane) == pytest.approx(elevation, abs=14)
    assert "3 spots" in solved.notes[0]


@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0, 270.0])
def test_the_table_picture_stands_as_the_camera_sees_it_however_the_sheet_lies(turn: float) -> None:
    solved = solve_by_markers([view(table_with(sheet(), degrees=turn))], Board())
    (left, top), (right, _), _, (_, bottom) = solved.plane.corners
    assert left < right
    assert top < bottom


def test_more_spots_give_a_surer_rim() -> None:
    looks = [find_board(view(table_with(sheet(), at)), Board()) for at in (MIDDLE, (240.0, 350.0), (760.0, 350.0))]
    seen = [look for look in looks if isinstance(look, BoardSeen)]
    rim = np.array([[-400.0, -250], [400, -250], [400, 250], [-400, 250]])
    assert fit_plane(seen, FRAME_PX).spread_mm(rim) < 0.5 * fit_plane(seen[:1], FRAME_PX).spread_mm(rim)


def test_a_print_that_came_out_smaller_is_set_right_by_its_bar() -> None:
    frames = [view(table_with(sheet()))]
    whole, smaller = (solve_by_markers(frames, Board(), print_scale=s).plane for s in (1.0, 0.95))
    assert smaller.size_mm[0] / whole.size_mm[0] == pytest.approx(0.95, abs=0.03)


def test_a_sheet_half_hidden_is_still_a_sheet() -> None:
    table = table_with(sheet())
    table[: table.shape[0] // 2, :] = (90, 90, 90)
    solved = solve_by_markers([view(table)], Board())
    assert solved.plane.error_mm < 2.0


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("asked", [False, True])
def test_c13_a_board_with_even_rows_is_found_in_both_patterns_and_named(legacy: bool, asked: bool) -> None:
    """C13: since OpenCV 4.6 boards with an even number of rows begin with another square."""
    printed = Board(*_fields(EVEN), legacy=legacy)
    frames = [view(table_with(sheet(printed)), 75, distance_mm=800)]
    solved = solve_by_markers(frames, Board(*_fields(EVEN), legacy=asked))
    assert ("legacy pattern" in solved.notes[-1]) is legacy


def _fields(board: Board) -> tuple[int, int, float, float, str]:
    return board.columns, board.rows, board.square_mm, board.marker_mm, board.dictionary


def test_the_sheet_of_our_own_is_the_same_in_both_patterns() -> None:
    assert Board().rows % 2 == 1


@pytest.mark.parametrize(
    ("frames", "board", "fault", "mend"),
    [
        (lambda: [view(bare_table())], Board(), "no marker is found", "lay the sheet flat"),
        (lambda: [view(table_with(sheet()), light=0.02)], Board(), "the picture is dark", "light"),
        (lambda: [view(table_with(sheet()), blur_px=9)], Board(), "the picture is blurred", "focus"),
        (lambda: [view(table_with(sheet()))[:, ::-1].copy()], Board(), "marker", "sheet"),
        (lambda: [view(table_with(sheet()))], Board(9, 7, 20, 15), "markers|no marker", "--board|sheet"),
        (lambda: [np.zeros((120, 160, 3), np.uint8)], Board(), "picture is too small: 160x120", "640x480"),
        (lambda: [view(bare_table()), view(bare_table())[:600]], Board(), "differ in size", "one camera"),
        (list, Board(), "no picture", "give pictures"),
    ],
)
def test_pictures_that_give_no_plane_say_why_and_how_to_mend_it(
    frames: Callable[[], list[Image]], board: Board, fault: str, mend: str
) -> None:
    with pytest.raises(InputFault, match=fault) as caught:
        solve_by_markers(frames(), board)
    assert any(part in caught.value.mend for part in mend.split("|"))
    assert "\n" not in str(caught.value)


def test_cards_too_small_to_read_are_refused() -> None:
    with pytest.raises(InputFault, match="px long in this picture"):
        solve_by_markers([view(table_with(sheet()), distance_mm=2250)], Board())


# Without markers -------------------------------------------------------------------------------------------------

CORNERS_MM = np.array([[150.0, 120], [850, 120], [850, 580], [150, 580]])


class OneCard:
    """Finds the one card that lies on the table."""

    def __init__(self, quad_px: Points) -> None:
        self._quad = tuple((float(x), float(y)) for x, y in quad_px)

    def read(self, image_bgr: Image, expected_card_px: float | None = None) -> list[CardReading]:
        return [CardReading(Card.parse("R5"), 0.9, self._quad)]


@pytest.mark.parametrize("elevation", [85, 45])
@pytest.mark.parametrize("turn_deg", [10.0, 47.0, 100.0])
def test_four_corners_and_a_card_give_the_table_and_its_size(elevation: float, turn_deg: float) -> None:
    to_px = pose_of(elevation).plane_to_picture(FRAME_PX)
    corners = mapped(to_px, CORNERS_MM) / FRAME_PX
    a = np.radians(turn_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    card = (corners_of((56, 87)) - (28, 43.5)) @ turn.T + (520, 330)
    solved = solve_by_corners([view(bare_table())], [(x, y) for x, y in corners], reader=OneCard(mapped(to_px, card)))
    assert solved.plane.size_mm == pytest.approx((700, 460), rel=0.02)
    where = mapped(solved.plane.to_table(), mapped(to_px, np.array([[500.0, 350]]))) / solved.plane.px_per_mm
    assert where[0] == pytest.approx((350, 230), abs=6)


@pytest.mark.parametrize(
    ("corners", "fault"),
    [
        ([(0.1, 0.1), (0.9, 0.1), (0.9, 0.9)], "3 corners"),
        ([(0.1, 0.1), (0.9, 0.1), (0.9, 1.2), (0.1, 0.9)], "outside the picture"),
        ([(0.1, 0.1), (0.1, 0.9), (0.9, 0.9), (0.9, 0.1)], "not in order"),
        ([(0.1, 0.1), (0.9, 0.9), (0.9, 0.1), (0.1, 0.9)], "not in order"),
        ([(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)], "do not tell how large"),
    ],
)
def test_corners_that_cannot_be_a_table_are_refused(corners: list[tuple[float, float]], fault: str) -> None:
    with pytest.raises(InputFault, match=fault):
        solve_by_corners([view(bare_table())], corners)


def test_a_card_that_does_not_fit_the_corners_is_refused() -> None:
    corners_px = np.array([[100, 100], [1100, 100], [1100, 600], [100, 600]], np.float64)
    skewed = np.array([[500, 300], [640, 390], [700, 390], [560, 300]], np.float64)
    with pytest.raises(InputFault, match="does not fit"):
        plane_of_corners(corners_px, card_px=skewed)


def test_a_measured_table_needs_no_card() -> None:
    to_picture, size_mm = plane_of_corners(
        np.array([[0, 0], [10, 0], [10, 5], [0, 5]], np.float64), size_mm=(800.0, 400.0)
    )
    assert size_mm == pytest.approx((800, 400))
    assert mapped(inverse(to_picture), np.array([[5.0, 2.5]]))[0] == pytest.approx((400, 200))
