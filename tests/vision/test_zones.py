"""Calibration files that can be used, those that cannot and why, and the guess without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cards import Seat
from referee.faults import InputFault
from referee.vision.zones import Edge, TableZones, area_of, centre_of, contains
from tests.vision.drawn_table import CALIBRATION

BOX = "[0.1, 0.1], [0.3, 0.1], [0.3, 0.2], [0.1, 0.2]"


def written(folder: Path, text: str) -> Path:
    path = folder / "calibration.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_calibration_is_read(tmp_path: Path) -> None:
    zones = TableZones.from_toml(written(tmp_path, CALIBRATION))
    assert (zones.width_px, zones.height_px, zones.guessed) == (480, 360, False)
    assert [s.seat for s in zones.seats] == [Seat.P1, Seat.P2, Seat.P3, Seat.P4]
    assert [s.edge for s in zones.seats] == [Edge.BOTTOM, Edge.LEFT, Edge.TOP, Edge.TOP]
    assert zones.draw is not None
    assert centre_of(zones.draw) == pytest.approx((0.33, 0.5))


def test_a_table_without_a_draw_pile_in_view_is_a_table(tmp_path: Path) -> None:
    text = "\n".join(line for line in CALIBRATION.splitlines() if not line.startswith("draw"))
    assert TableZones.from_toml(written(tmp_path, text)).draw is None


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("width_px = 480", "width_px = 4.8", "no picture size"),
        ("width_px = 480", "width = 480", "unknown key 'width'"),
        ("height_px = 360", "", "lacks 'height_px'"),
        ("discard = ", "heap = ", "unknown key 'heap'"),
        ("[zones]", "zones = 3\n[zone]", "unknown key 'zone'"),
        ("[0.45, 0.36]", "[0.45, 1.36]", "outside the picture"),
        ("[0.45, 0.36]", "[0.45, nan]", "outside the picture"),
        ("[0.45, 0.36]", "[0.45]", "outside the picture"),
        ("[0.45, 0.36]", '"middle"', "outside the picture"),
        ("[[0.45, 0.36], [0.66, 0.36], ", "[", "no area"),
        ("[0.66, 0.36], [0.66, 0.64], [0.45, 0.64]", "[0.5, 0.4], [0.55, 0.44]", "discard: has no area"),
        ("[seats.P2]", "[seats.P20]", "not a seat"),
        ("[seats.P2]", "[seats.P3]", "is not TOML"),
        ('edge = "left"', 'edge = "west"', "no side of the picture"),
        ('edge = "left"', 'edge = "left"\nhand = 7', "unknown key 'hand'"),
        ("[0.27, 0.38], [0.39, 0.38], [0.39, 0.62], [0.27, 0.62]", BOX, "P3 lie on one another"),
    ],
)
def test_a_calibration_that_cannot_be_used_says_where_and_how_to_mend_it(
    tmp_path: Path, old: str, new: str, fault: str
) -> None:
    assert old in CALIBRATION
    path = written(tmp_path, CALIBRATION.replace(old, new, 1))
    with pytest.raises(InputFault) as caught:
        TableZones.from_toml(path)
    assert fault in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert caught.value.mend


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"[frame", b""])
def test_a_file_that_is_no_calibration_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "calibration.toml"
    path.write_bytes(content)
    with pytest.raises(InputFault):
        TableZones.from_toml(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match=r"nowhere\.toml: cannot be read"):
        TableZones.from_toml(tmp_path / "nowhere.toml")


@pytest.mark.parametrize("seats", range(1, 11))
def test_the_guess_says_so_and_keeps_the_places_apart(seats: int) -> None:
    zones = TableZones.whole_frame_guess(640, 480, seats)
    assert zones.guessed
    assert [s.seat for s in zones.seats] == list(Seat.first(seats))
    areas = [zones.discard, zones.draw, *(s.place for s in zones.seats)]
    for number, area in enumerate(areas):
        assert area is not None
        assert all(0 <= v <= 1 for point in area for v in point)
        assert not any(contains(other, centre_of(area)) for other in areas[:number] if other)


def test_the_guess_seats_the_players_clockwise_from_the_bottom() -> None:
    """Seats are numbered clockwise as seen from above."""
    edges = [s.edge for s in TableZones.whole_frame_guess(640, 480, 4).seats]
    assert edges == [Edge.BOTTOM, Edge.LEFT, Edge.TOP, Edge.RIGHT]
    six = TableZones.whole_frame_guess(640, 480, 6).seats
    assert six[0].root[0] > six[1].root[0], "along the bottom, clockwise runs from right to left"
    assert six[3].root[0] < six[4].root[0], "along the top, from left to right"


@pytest.mark.parametrize("seats", [0, 11])
def test_a_table_seats_one_to_ten(seats: int) -> None:
    with pytest.raises(ValueError, match="seats 1 to 10"):
        TableZones.whole_frame_guess(640, 480, seats)


def test_areas_and_middles() -> None:
    triangle = ((0.0, 0.0), (0.6, 0.0), (0.0, 0.6))
    assert area_of(triangle) == pytest.approx(0.18)
    assert centre_of(triangle) == pytest.approx((0.2, 0.2))
    assert contains(triangle, (0.1, 0.1))
    assert not contains(triangle, (0.5, 0.5))
