"""Solves a calibration from pictures of the table: markers, or four corners, or a guess that says it is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.calibration.board import Board, BoardSeen, NotSeen, find_board
from referee.calibration.plane_fit import fit_plane, plane_of_corners
from referee.calibration.watched import turned_to_camera, watched_plane
from referee.faults import InputFault
from referee.vision.joining import quad_of
from referee.vision.planes import Homography, Points, TablePlane, corners_of, inverse, mapped
from referee.vision.quads import Image, length_px
from referee.vision.reader import CardReader

LEAST_FRAME_PX = 320
_DARK = 45
_BLURRED = 6.0
_WORST_ERROR_MM = 4.0


@dataclass(frozen=True, slots=True)
class Solved:
    """A plane, and what is worth telling about it, one line each.

    middle: where the sheet lay (the middle of the table, without one), in fractions of the table picture.
    """

    plane: TablePlane
    middle: tuple[float, float]
    notes: tuple[str, ...]


def solve_by_markers(
    frames: Sequence[Image],
    board: Board,
    *,
    table_mm: tuple[float, float] | None = None,
    print_scale: float = 1.0,
) -> Solved:
    """The plane from frames that show the marker sheet, at one or several spots of the table.

    table_mm: (width, height) of the table when only the table is to be watched. Raises InputFault when the pictures
    are too small, differ in size, show no sheet (and why), or the sheet fits no plane well.
    """
    frame_px = frame_size(frames)
    looks = [find_board(frame, board) for frame in frames]
    seen = [look for look in looks if isinstance(look, BoardSeen)]
    if not seen:
        raise _why_not([look for look in looks if isinstance(look, NotSeen)])
    fit = fit_plane(seen, frame_px, print_scale)
    if fit.error_mm > _WORST_ERROR_MM:
        raise InputFault(
            f"the sheet's points lie {fit.error_mm:.1f} mm off any plane", mend="lay it flat and film it from nearer"
        )
    to_picture = turned_to_camera(fit.to_picture)
    how = f"marker sheet, spots: {fit.poses}, frames: {fit.frames}"
    plane = watched_plane(to_picture, frame_px, table_mm=table_mm, error_mm=fit.error_mm, how=how)
    spread = fit.spread_mm(_corners_mm(plane, to_picture))
    spots = f"{fit.poses} spot{'s' if fit.poses > 1 else ''}"
    notes = [
        f"the sheet was seen in {len(seen)} of {len(frames)} pictures, at {spots}",
        f"its points fit within {fit.error_mm:.1f} mm; at the rim of the table likely within {spread:.1f} mm",
    ]
    if spread > 6:
        notes.append("for the rim, film the sheet at each end of the table as well")
    if board.rows % 2 == 0:
        legacy = sum(s.board.legacy for s in seen) * 2 > len(seen)
        notes.append(f"the board has the {'legacy pattern (before OpenCV 4.6)' if legacy else 'present pattern'}")
    x, y = mapped(plane.to_table(), mapped(to_picture, np.zeros((1, 2))))[0] / plane.size_px
    return Solved(plane, (float(x), float(y)), tuple(notes))


def solve_by_corners(
    frames: Sequence[Image],
    corners: Sequence[tuple[float, float]],
    *,
    table_mm: tuple[float, float] | None = None,
    reader: CardReader | None = None,
    card_mm: tuple[float, float] = (56.0, 87.0),
) -> Solved:
    """The plane from the table's four corners in fractions of the picture, clockwise from the top left.

    The scale comes from `table_mm`, else from one card that `reader` finds lying in the middle of the table.
    """
    frame_px = frame_size(frames)
    corners_px = np.array([require_inside(point, "a corner") for point in corners]) * frame_px
    if len(corners_px) != 4:
        raise InputFault(f"{len(corners_px)} corners are given", mend="give four: --corners x,y x,y x,y x,y")
    twice = corners_px - np.roll(corners_px, 1, axis=0)
    turns = [float(np.cross([*a, 0], [*b, 0])[2]) for a, b in zip(twice, np.roll(twice, -1, axis=0), strict=True)]
    if min(turns) <= 0:
        mend = "give top left, top right, bottom right, bottom left, as you see the picture"
        raise InputFault("the four corners are not in order around the table", mend=mend)
    card = _middle_card(frames[-1], corners_px, reader) if table_mm is None and reader is not None else None
    to_picture, size_mm = plane_of_corners(corners_px, size_mm=table_mm, card_px=card, card_mm=card_mm)
    how = "four corners" + (" and the table's size" if table_mm else " and a card")
    plane = watched_plane(to_picture, frame_px, table_mm=size_mm, origin_mm=(0.0, 0.0), how=how)
    note = f"the table is {size_mm[0]:.0f} x {size_mm[1]:.0f} mm"
    return Solved(plane, (0.5, 0.5), (note if table_mm else note + ", told from a card of 56 x 87 mm",))


def frame_size(frames: Sequence[Image]) -> tuple[int, int]:
    """(width, height) of the pictures. Raises InputFault when there is none, they differ, or are too small."""
    if not frames:
        raise InputFault("there is no picture to solve from", mend="give pictures or a video of the table")
    sizes = {(f.shape[1], f.shape[0]) for f in frames}
    if len(sizes) > 1:
        named = " and ".join(f"{w}x{h}" for w, h in sorted(sizes)[:2])
        raise InputFault(
            f"the pictures differ in size: {named} px", mend="give pictures of one camera in one setting"
        )
    width, height = sizes.pop()
    if min(width, height) < LEAST_FRAME_PX * 3 // 4 or max(width, height) < LEAST_FRAME_PX:
        raise InputFault(f"the picture is too small: {width}x{height} px", mend="film at 640x480 or more")
    return width, height


def require_inside(point: tuple[float, float], name: str) -> tuple[float, float]:
    """`point` when it lies in the picture (0 to 1). Raises InputFault that names it otherwise."""
    if not all(0 <= v <= 1 for v in point):
        raise InputFault(
            f"{name} at {point[0]:g},{point[1]:g} lies outside the picture", mend="give x,y in fractions from 0 to 1"
        )
    return point


def sharpest(frames: Sequence[Image]) -> Image:
    """The last frames are likeliest to show the table as it will be; of them the one nearest to their median."""
    late = [f.astype(np.int16) for f in frames[-5:]]
    middle = np.median(np.stack([f[::8, ::8] for f in late]), axis=0)
    away = [float(np.abs(f[::8, ::8] - middle).mean()) for f in late]
    return frames[-5:][int(np.argmin(away))]


def _corners_mm(plane: TablePlane, to_picture: Homography) -> Points:
    inner = corners_of((1, 1)) * 0.96 + 0.02
    at_px = mapped(inverse(plane.to_table()), inner * plane.size_px)
    return mapped(inverse(to_picture), at_px)


def _middle_card(frame: Image, corners_px: Points, reader: CardReader) -> Points:
    middle = corners_px.mean(axis=0)
    cards = [quad_of(r) for r in reader.read(frame) if r.confidence > 0.4]
    if not cards:
        raise InputFault(
            "no card is seen on the table", mend="lay one card in the middle of it, or give --table-mm WIDTHxHEIGHT"
        )
    nearest = min(cards, key=lambda q: float(np.linalg.norm(q.mean(axis=0) - middle)))
    if length_px(nearest) < 24:
        raise InputFault("the card is too small in the picture", mend="move the camera nearer, or give --table-mm")
    return nearest.astype(np.float64)


def _why_not(looks: Sequence[NotSeen]) -> InputFault:
    best = max(looks, key=lambda look: (look.markers, look.sharpness))
    if best.markers:
        mend = "uncover the sheet; if it is a board of your own, describe it with --board"
        return InputFault(
            f"only {best.markers} markers of the sheet are seen, 3 and their squares are needed", mend=mend
        )
    if best.brightness < _DARK:
        return InputFault("no marker is found: the picture is dark", mend="turn on the light")
    if best.sharpness < _BLURRED:
        return InputFault("no marker is found: the picture is blurred", mend="focus the camera, and keep it still")
    return InputFault(
        "no marker is found",
        mend="lay the sheet flat in view, nearer, without glare; a board of your own: --board; none: --corners",
    )
