"""The sheet on paper, the calibration on disk, and whether the camera still stands."""

from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from referee.calibration.board import Board, BoardSeen, find_board
from referee.calibration.places import Wanted, placed_zones
from referee.calibration.preview import draw_preview, preview_lines
from referee.calibration.printing import pdf, png, raster, save_sheet, svg
from referee.calibration.sheet import PAPERS_MM, sheet_pages
from referee.calibration.solving import solve_by_markers
from referee.calibration.table_file import save_table, table_toml
from referee.calibration.verifying import verify
from referee.faults import InputFault
from referee.vision.zones import TableZones
from tests.calibration.drawn_sheets import bare_table, sheet, table_with, view


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_sheet_fits_its_paper_and_its_bar_is_a_hundred_millimetres(paper: str) -> None:
    pages = sheet_pages(paper)
    for page in pages:
        width, height = page.size_mm
        assert all(b.x_mm > 0 and b.x_mm + b.width_mm < width for b in page.boxes)
        assert all(b.y_mm > 0 and b.y_mm + b.height_mm < height for b in page.boxes)
        assert all(10 < w.y_mm < height - 4 for w in page.words)
    assert any(b.width_mm == 100 and b.height_mm < 2 for b in pages[0].boxes)


def test_the_printed_sheet_is_the_board_that_is_looked_for() -> None:
    """The boxes are our own drawing; OpenCV must find its board in them, at the right size."""
    seen = find_board(raster(sheet_pages()[0], 100), Board())
    assert isinstance(seen, BoardSeen)
    assert seen.markers == 10
    mm = seen.seen_px / (100 / 25.4)
    assert np.ptp(mm, axis=0) == pytest.approx(np.ptp(seen.board_mm, axis=0), abs=0.3)


def test_svg_pdf_and_png_hold_the_same_boxes() -> None:
    page = sheet_pages()[0]
    drawn = ElementTree.fromstring(svg(page)).findall("{*}rect")
    assert len(drawn) == len(page.boxes) + 1
    file = pdf([page])
    start = file.index(b"stream\n") + 7
    content = zlib.decompress(file[start : file.index(b"\nendstream")])
    assert content.count(b" re f") == len(page.boxes)
    assert b"(measure this bar: 100 mm)" in content
    assert int(file.rsplit(b"startxref\n", 1)[1].split()[0]) == file.index(b"xref\n")
    picture = png(page)
    assert int.from_bytes(picture[picture.index(b"pHYs") + 4 :][:4], "big") == 11811, "300 dots an inch"
    read = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert read is not None
    assert read.shape == (3508, 2480)


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        (lambda: sheet_pages("a3"), "no paper"),
        (lambda: sheet_pages("a4", Board(9, 9, 40, 30)), "does not fit"),
        (lambda: save_sheet(sheet_pages(), Path("sheet.docx")), "no form of the sheet"),
        (lambda: Board.parse("8x6"), "is no board"),
        (lambda: Board.parse("8x6:30:40"), "is no board"),
        (lambda: Board.parse("8x6:30:22:9X9_9"), "no dictionary"),
    ],
)
def test_sheets_that_cannot_be_printed_are_refused(fault, what: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputFault, match=what):
        fault()


@pytest.fixture(scope="module")
def solved() -> TableZones:
    plane = solve_by_markers([view(table_with(sheet()), 50)], Board()).plane
    return placed_zones(plane, Wanted(3))


def test_a_calibration_is_written_readably_and_read_back_the_same(solved: TableZones, tmp_path: Path) -> None:
    files = save_table(solved, tmp_path / "new" / "table.toml", view(bare_table(), 50))
    assert [f.name for f in files] == ["table.toml", "table.jpg"]
    again = TableZones.from_toml(files[0])
    assert again.plane is not None
    assert solved.plane is not None
    assert again.reference == files[1]
    assert again.plane.size_px == solved.plane.size_px == (again.width_px, again.height_px)
    assert np.array(again.plane.corners) == pytest.approx(np.array(solved.plane.corners), abs=1e-4)
    assert np.array(again.discard) == pytest.approx(np.array(solved.discard), abs=1e-4)
    assert [s.seat for s in again.seats] == [s.seat for s in solved.seats]
    comments = [line for line in files[0].read_text(encoding="utf-8").splitlines() if "#" in line]
    assert len(comments) > 8


def test_a_guess_says_that_it_is_one_and_stays_one(tmp_path: Path) -> None:
    files = save_table(TableZones.whole_frame_guess(640, 480, 4), tmp_path / "guess.toml")
    assert TableZones.from_toml(files[0]).guessed
    assert preview_lines(TableZones.from_toml(files[0]))[0].startswith("A guess")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("px_per_mm", "px_per_m", r":\d+: \[plane\] has an unknown key 'px_per_m' \(did you mean 'px_per_mm'"),
        ("size_mm = [", "size_mm = [-1, ", r":\d+: \[-1.*\] is no size"),
        ("error_mm = ", "error_mm = -", "is no error"),
        ("[plane]", "[plain]", "unknown key 'plain'.*did you mean 'plane'"),
        ("corners = [[", "corners = [[9, 9], [", "four corners"),
        ('edge = "left"', 'egde = "left"', r":\d+: \[seats.P2\] has an unknown key 'egde' \(did you mean 'edge'"),
        ("draw = ", "draw = 3 # ", "is no area"),
    ],
)
def test_a_calibration_with_a_slip_names_line_and_key(
    solved: TableZones, tmp_path: Path, old: str, new: str, fault: str
) -> None:
    text = table_toml(solved)
    assert old in text
    path = tmp_path / "table.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputFault, match=fault) as caught:
        TableZones.from_toml(path)
    line = int(str(caught.value).removeprefix(f"{path}:").split(":")[0])
    key = new.split(" ", maxsplit=1)[0]
    assert key in path.read_text(encoding="utf-8").splitlines()[line - 1]


def test_a_reference_that_is_gone_is_named(solved: TableZones, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(table_toml(solved, "gone.jpg"), encoding="utf-8")
    with pytest.raises(InputFault, match=r"names 'gone.jpg', which is not there"):
        TableZones.from_toml(path)


def test_the_preview_shows_both_views(solved: TableZones) -> None:
    frame = view(bare_table(), 50)
    picture = draw_preview(frame, solved, lines=preview_lines(solved))
    assert picture.shape[1] == 1600
    flat = draw_preview(frame, TableZones.whole_frame_guess(1280, 720, 4))
    assert flat.shape[1] == 1600
    assert picture.shape[0] != flat.shape[0] or not np.array_equal(picture, flat)


def test_a_camera_that_stands_is_told_from_one_that_was_moved(solved: TableZones, tmp_path: Path) -> None:
    table = bare_table().copy()
    rng = np.random.default_rng(8)
    for _ in range(25):
        x, y = int(rng.integers(table.shape[1])), int(rng.integers(table.shape[0]))
        cv2.rectangle(table, (x, y), (x + 60, y + 30), tuple(float(v) for v in rng.integers(40, 220, 3)), -1)
    files = save_table(solved, tmp_path / "table.toml", view(table, 50))
    zones = TableZones.from_toml(files[0])
    same = verify(zones, view(table, 50, seed=3, light=0.85))
    assert same.stands
    assert same.drift_mm == pytest.approx(0, abs=1)
    moved = verify(zones, view(table, 49, bearing_deg=3, seed=4))
    assert not moved.stands
    assert moved.drift_mm is not None
    assert moved.drift_mm > 10
    assert moved.mended is not None
    mended = save_table(moved.mended, tmp_path / "mended.toml", view(table, 49, bearing_deg=3, seed=4))
    assert verify(TableZones.from_toml(mended[0]), view(table, 49, bearing_deg=3, seed=5)).stands
    elsewhere = verify(zones, np.full((720, 1280, 3), 90, np.uint8))
    assert elsewhere.drift_mm is None
    assert "not recognised" in elsewhere.reason
    other_shape = verify(zones, np.zeros((480, 640, 3), np.uint8))
    assert "another shape" in other_shape.reason
    assert "no picture of its own" in verify(replace(zones, reference=None), view(table, 50)).reason


@pytest.mark.parametrize("name", ["table-above.toml", "table-tripod.toml"])
def test_the_example_tables_are_calibrations(name: str) -> None:
    zones = TableZones.from_toml(Path(__file__).parents[2] / "calibration" / name)
    assert zones.plane is not None


def test_the_sheets_that_are_shipped_are_those_that_are_printed() -> None:
    shipped = Path(__file__).parents[2] / "calibration"
    for paper in PAPERS_MM:
        assert (shipped / f"sheet-{paper}.svg").read_text(encoding="utf-8") == svg(sheet_pages(paper)[0])
        assert (shipped / f"sheet-{paper}.pdf").stat().st_size > 1500
