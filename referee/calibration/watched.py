"""Which part of the table is watched, and at what scale: the rectangle that becomes the top-down table picture."""

from __future__ import annotations

import math

import numpy as np

from referee.faults import InputFault
from referee.vision.planes import CARD_LENGTH_MM, Homography, Points, TablePlane, corners_of, inverse, mapped

LEAST_CARD_PX = 40
"""A card shorter than this in the camera's picture is not read well enough to referee with."""

_FARTHEST_MM = 700.0
_LOPSIDED = 1.3
_STEP_MM = 10.0
_BEYOND = 0.02
_FINER = 1.1
_LARGEST_PX = 1600


def turned_to_camera(to_picture: Homography) -> Homography:
    """The same plane with its axes turned by quarter turns until x runs right and y down in the picture.

    The axes stay those of the sheet, which lies along the table's sides.
    """
    steps = mapped(to_picture, np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]]))
    slopes = np.column_stack([steps[1] - steps[0], steps[2] - steps[0]]) / 5
    below = np.linalg.solve(slopes, np.array([0.0, 1.0]))  # the picture's downward direction, on the table
    quarters = round((math.atan2(below[1], below[0]) - math.pi / 2) / (math.pi / 2))
    turn = quarters * math.pi / 2
    cos, sin = round(math.cos(turn)), round(math.sin(turn))
    found = to_picture @ np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
    return np.asarray(found / found[2, 2], np.float64)


def watched_plane(
    to_picture: Homography,
    frame_px: tuple[int, int],
    *,
    table_mm: tuple[float, float] | None = None,
    origin_mm: tuple[float, float] | None = None,
    error_mm: float = 0.0,
    how: str = "",
) -> TablePlane:
    """The plane with the part of the table that is watched.

    to_picture: from mm on the table to pixels of the frame. table_mm: the table's size, else as much as the camera
    sees in all directions around the origin; origin_mm: top left corner of the table, else it lies centred on (0, 0).
    Raises InputFault when the table is seen too small for its cards to be read.
    """
    if table_mm is not None:
        left, top = origin_mm or (-table_mm[0] / 2, -table_mm[1] / 2)
        right, bottom = left + table_mm[0], top + table_mm[1]
    else:
        left, top, right, bottom = _in_view(to_picture, frame_px)
    size_mm = right - left, bottom - top
    corners_mm = corners_of((1, 1)) * size_mm + (left, top)
    middle = np.array([[(left + right) / 2, (top + bottom) / 2]])
    across, along = _scales(to_picture, middle)
    if CARD_LENGTH_MM * math.sqrt(across * along) < LEAST_CARD_PX:
        raise InputFault(
            f"a card in the middle of the table is only {CARD_LENGTH_MM * along:.0f} px long in this picture",
            mend=f"at least {LEAST_CARD_PX} px are needed: move the camera nearer, or choose a larger picture",
        )
    px_per_mm = min(_FINER * across, _LARGEST_PX / max(size_mm))
    corners = mapped(to_picture, corners_mm) / frame_px
    return TablePlane(
        frame_px=frame_px,
        size_mm=(round(size_mm[0], 1), round(size_mm[1], 1)),
        px_per_mm=round(px_per_mm, 3),
        corners=tuple((float(x), float(y)) for x, y in corners),
        error_mm=round(error_mm, 2),
        how=how,
    )


def table_point(plane: TablePlane, point: tuple[float, float]) -> tuple[float, float]:
    """A point of the camera's picture as a point of the table picture, both in fractions."""
    at_px = np.array([point]) * plane.frame_px
    x, y = mapped(plane.to_table(), at_px)[0] / plane.size_px
    return float(x), float(y)


def elevation_deg(plane: TablePlane) -> float:
    """How high above the table the camera stands, roughly: 90 is straight above.

    Told from how much the table is foreshortened in the middle of the picture.
    """
    to_picture = inverse(plane.to_table())
    across, along = _scales(to_picture, np.array([plane.size_px]) / 2)
    return math.degrees(math.asin(min(1.0, along / across)))


def _scales(to_picture: Homography, at: Points) -> tuple[float, float]:
    """Largest and smallest magnification at a point, in pixels a unit."""
    steps = mapped(to_picture, at + np.array([[0, 0], [0.5, 0], [0, 0.5]]))
    slopes = np.column_stack([steps[1] - steps[0], steps[2] - steps[0]]) * 2
    large, small = np.linalg.svd(slopes, compute_uv=False)
    return float(large), float(small)


def _in_view(to_picture: Homography, frame_px: tuple[int, int]) -> tuple[float, float, float, float]:
    """Left, top, right, bottom in mm of the rectangle around the origin that the camera sees whole."""
    sides = [-60.0, -60.0, 60.0, 60.0]
    growing = {0, 1, 2, 3}
    while growing:
        for side in sorted(growing):
            tried = sides.copy()
            tried[side] += _STEP_MM if side >= 2 else -_STEP_MM
            if abs(tried[side]) > _FARTHEST_MM or not _seen(to_picture, frame_px, tried):
                growing.discard(side)
            else:
                sides = tried
    # The sheet lay in the middle: what reaches much farther to one side than to the other is no longer the table.
    left, top, right, bottom = sides
    return (
        max(left, -_LOPSIDED * right),
        max(top, -_LOPSIDED * bottom),
        min(right, -_LOPSIDED * left),
        min(bottom, -_LOPSIDED * top),
    )


def _seen(to_picture: Homography, frame_px: tuple[int, int], sides: list[float]) -> bool:
    left, top, right, bottom = sides
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    ends = np.hstack([corners, np.ones((4, 1))]) @ to_picture.T
    if (ends[:, 2] <= 1e-9).any():  # beyond the horizon
        return False
    at = ends[:, :2] / ends[:, 2:] / frame_px
    return bool(((at >= -_BEYOND) & (at <= 1 + _BEYOND)).all())
