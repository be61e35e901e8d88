"""`referee calibrate`: the marker sheet, solving a table's calibration, and checking later that it still holds."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cards import Seat
from referee.cli.output import EXIT_BAD_INPUT, console, print_json
from referee.cli.voices import voices
from referee.faults import InputFault

if TYPE_CHECKING:
    from referee.calibration.solving import Solved
    from referee.vision.quads import Image
    from referee.vision.zones import TableZones

app = typer.Typer(no_args_is_help=True, help="Tell the referee where the table, its piles and its seats are.")
app.command()(voices)

_RATE_HZ = 2.0
_LEARNING_RATE_HZ = 10.0
_SHEET_GONE_S = 2.0
_MOST_FRAMES = 60
Pair = tuple[float, float]

_Pictures = Annotated[
    list[Path], typer.Argument(metavar="PICTURE_OR_VIDEO…", help="Pictures of the table, or a video of it.")
]
_Board = Annotated[
    str | None,
    typer.Option(metavar="B", help="A board of your own: COLUMNSxROWS:SQUARE_MM:MARKER_MM[:DICTIONARY]."),
]


@app.command()
def sheet(
    out: Annotated[Path, typer.Option(metavar="FILE", help="PDF, SVG or PNG to write.")] = Path("table-sheet.pdf"),
    paper: Annotated[str, typer.Option(help="a4 or letter.")] = "a4",
    board: _Board = None,
) -> None:
    """Write the marker sheet to print: a board for solving, and four tags that may stay on a plain table."""
    from referee.calibration.board import Board
    from referee.calibration.printing import save_sheet
    from referee.calibration.sheet import sheet_pages

    files = save_sheet(sheet_pages(paper, Board.parse(board) if board else None), out)
    console().print(f"{', '.join(str(f) for f in files)}: print at 100 %, and measure the bar: 100 mm.", markup=False)


@app.command()
def solve(
    pictures: _Pictures,
    out: Annotated[Path, typer.Option(metavar="TABLE.toml", help="Calibration to write.")] = Path("table.toml"),
    seats: Annotated[int | None, typer.Option(min=1, max=10, help="How many sit at the table.")] = None,
    point: Annotated[
        list[str] | None, typer.Option(metavar="NAME=X,Y", help="A pile in the picture: discard=0.5,0.5 draw=…")
    ] = None,
    seat: Annotated[
        list[str] | None, typer.Option(metavar="P1=X,Y", help="A seat's place in the picture, clockwise from P1.")
    ] = None,
    learn: Annotated[
        bool, typer.Option("--learn", help="Learn the seats from the hands in the video, P1's first.")
    ] = False,
    corners: Annotated[
        str | None,
        typer.Option(metavar="'X,Y X,Y X,Y X,Y'", help="The table's corners in the picture, in place of markers."),
    ] = None,
    table_mm: Annotated[str | None, typer.Option(metavar="WxH", help="Size of the table, if measured.")] = None,
    card_mm: Annotated[str, typer.Option(metavar="WxH", help="Size of the card that gives the scale.")] = "56x87",
    bar_mm: Annotated[float, typer.Option(min=80, max=120, help="Length of the printed bar.")] = 100.0,
    board: _Board = None,
    guess: Annotated[bool, typer.Option("--guess", help="Measure nothing: divide the whole picture.")] = False,
    preview: Annotated[
        Path | None, typer.Option(metavar="PNG", help="Picture of what was understood (default: beside the TOML).")
    ] = None,
    accept: Annotated[bool, typer.Option("--accept", help="Store it without asking.")] = False,
) -> None:
    """Find the table, its piles and its seats; show what was understood; store it when you accept it."""
    from referee.calibration.preview import draw_preview, preview_lines
    from referee.calibration.solving import require_inside, sharpest
    from referee.calibration.table_file import save_table
    from referee.vision.pictures import save_picture

    points = {name: require_inside(at, name) for name, at in (_named(text) for text in point or [])}
    places = {_seat_of(name): require_inside(at, name) for name, at in (_named(text) for text in seat or [])}
    if unknown := sorted(set(points) - {"discard", "draw"}):
        raise InputFault(f"no pile is called {unknown[0]!r}", mend="name discard or draw")
    frames = [frame for path in pictures for _, frame in _frames_of(path)]
    few = frames[:: max(1, len(frames) // _MOST_FRAMES)]
    notes: tuple[str, ...] = ()
    if guess:
        zones = _guessed(few, seats or len(places) or 4)
    else:
        solved = _solved(few, corners, table_mm, card_mm, bar_mm, board)
        notes = solved.notes
        zones = _zones(solved, points, places, seats, pictures[-1] if learn else None, board)
    lines = preview_lines(zones, notes)
    shown = preview or out.with_name(f"{out.stem}-preview.png")
    save_picture(shown, draw_preview(sharpest(few), zones, lines=lines))
    for line in lines:
        console().print(line, markup=False)
    console().print(f"What was understood is drawn in {shown}.", markup=False)
    if not accept and not (sys.stdin.isatty() and typer.confirm("Is it right? Store it")):
        raise InputFault("nothing was stored", where=str(out), mend=f"look at {shown}, then run again with --accept")
    files = save_table(zones, out, None if zones.guessed else sharpest(few))
    console().print(f"Stored: {', '.join(str(f) for f in files)}", markup=False)


@app.command()
def verify(
    table: Annotated[Path, typer.Argument(metavar="TABLE.toml", help="The calibration.")],
    pictures: _Pictures,
    mend: Annotated[bool, typer.Option("--mend", help="If the camera was moved, store where it stands now.")] = False,
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Tell whether the camera still stands as it did when the table was calibrated.

    Ends with status 2 when the table is not recognised.
    """
    from referee.calibration.solving import frame_size, sharpest
    from referee.calibration.table_file import save_table
    from referee.calibration.verifying import verify as compare
    from referee.vision.zones import TableZones

    zones = TableZones.from_toml(table)
    frames = [frame for path in pictures for _, frame in _frames_of(path)]
    frame_size(frames)
    picture = sharpest(frames)
    found = compare(zones, picture)
    if json_lines:
        drift = None if found.drift_mm is None else round(found.drift_mm, 1)
        print_json({"stands": found.stands, "drift_mm": drift, "reason": found.reason})
    if found.drift_mm is None:
        if not json_lines:
            raise InputFault(found.reason, where=str(table), mend="turn the camera back, or calibrate again")
        raise typer.Exit(EXIT_BAD_INPUT)
    said = f"The camera stands as it stood, within {found.drift_mm:.1f} mm."
    if not found.stands:
        said = f"The camera was moved: the table lies up to {found.drift_mm:.0f} mm from where it lay."
        if mend and found.mended is not None:
            save_table(found.mended, table, picture)
            said += f" {table} now holds where it stands."
    if not json_lines:
        console().print(said, markup=False)


def _solved(
    frames: list[Image], corners: str | None, table_mm: str | None, card_mm: str, bar_mm: float, board: str | None
) -> Solved:
    from referee.calibration.board import Board
    from referee.calibration.solving import solve_by_corners, solve_by_markers

    size_mm = _size(table_mm, "--table-mm") if table_mm else None
    if corners is None:
        made = Board.parse(board) if board else Board()
        return solve_by_markers(frames, made, table_mm=size_mm, print_scale=bar_mm / 100)
    reader = None
    if size_mm is None:
        from referee.vision.reader import open_reader

        reader = open_reader()
    given = [_pair(text, "--corners") for text in corners.split()]
    return solve_by_corners(frames, given, table_mm=size_mm, reader=reader, card_mm=_size(card_mm, "--card-mm"))


def _zones(
    solved: Solved,
    points: dict[str, Pair],
    places: dict[Seat, Pair],
    seats: int | None,
    film: Path | None,
    board: str | None,
) -> TableZones:
    from referee.calibration.places import Wanted, placed_zones
    from referee.calibration.watched import table_point

    plane = solved.plane
    at = {seat: table_point(plane, place) for seat, place in places.items()}
    if film is not None:
        at = _learnt(solved, film, seats, board)
    if seats is not None and at and len(at) != seats:
        raise InputFault(f"{len(at)} seats are placed, not {seats}", mend="place each seat, or leave --seats out")
    piles = {name: table_point(plane, place) for name, place in points.items()}
    count = seats or len(at) or 4
    wanted = Wanted(count, solved.middle, piles.get("discard"), piles.get("draw"), at or None)
    return placed_zones(plane, wanted)


def _learnt(solved: Solved, film: Path, seats: int | None, board: str | None) -> dict[Seat, Pair]:
    """The seats by their hands, from when the sheet has been taken away for a while."""
    from referee.calibration.board import Board, BoardSeen, find_board
    from referee.calibration.learning import SeatLearner
    from referee.vision.planes import warped

    plane, learner = solved.plane, SeatLearner()
    sheet_s, looked_s = float("-inf"), float("-inf")
    made = Board.parse(board) if board else Board()
    for t_s, frame in _frames_of(film, _LEARNING_RATE_HZ, None):
        if t_s - looked_s >= 1 / _RATE_HZ:
            looked_s = t_s
            if isinstance(find_board(frame, made), BoardSeen):
                sheet_s, learner = t_s, SeatLearner()
        if t_s - sheet_s < _SHEET_GONE_S:
            continue
        size_px = frame.shape[1], frame.shape[0]
        learner.see(warped(frame, plane.to_table(size_px), plane.size_px), t_s, plane.card_px)
    return learner.seats(seats)


def _guessed(frames: list[Image], seats: int) -> TableZones:
    from referee.calibration.solving import frame_size
    from referee.vision.zones import TableZones

    return TableZones.whole_frame_guess(*frame_size(frames), seats)


def _frames_of(
    path: Path, rate_hz: float = _RATE_HZ, most: int | None = _MOST_FRAMES
) -> Iterator[tuple[float, Image]]:
    """Times and frames of a picture or a video, one at a time: a minute of them does not fit into memory."""
    from itertools import islice

    from referee.capture.media import frames
    from referee.vision.pictures import SUFFIXES, read_picture

    if path.suffix.lower() in SUFFIXES:
        yield 0.0, read_picture(path)
        return
    for frame in islice(frames(path, rate_hz), most):
        yield frame.t_s, frame.image_bgr


def _named(text: str) -> tuple[str, Pair]:
    name, sign, value = text.partition("=")
    if not sign:
        raise InputFault(f"{text!r} names no point", mend="write NAME=X,Y as in discard=0.5,0.5")
    return name, _pair(value, name)


def _pair(text: str, name: str) -> Pair:
    try:
        x, y = (float(v) for v in text.split(","))
    except ValueError:
        raise InputFault(f"{name}: {text!r} is no point", mend="write X,Y in fractions from 0 to 1") from None
    return x, y


def _size(text: str, name: str) -> Pair:
    form = re.fullmatch(r"([\d.]+)x([\d.]+)", text)
    if form is None or float(form[1]) <= 0 or float(form[2]) <= 0:
        raise InputFault(f"{name}: {text!r} is no size", mend="write WIDTHxHEIGHT in mm, as in 1200x800")
    return float(form[1]), float(form[2])


def _seat_of(name: str) -> Seat:
    try:
        return Seat.parse(name)
    except ValueError as fault:
        raise InputFault(str(fault), mend="seats are P1 to P10, clockwise") from None
