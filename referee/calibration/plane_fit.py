"""The table's plane from a marker sheet seen in several frames, lying at one or more spots of the table.

Frames in which the sheet lies still are one pose; its points are their medians. One homography and, for each further
pose, one shift and turn of the sheet on the table are then fitted to all points together (least squares on pixels).
A sheet filmed at several spots pins the plane down far better than one in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.calibration.board import BoardSeen
from referee.faults import InputFault
from referee.vision.planes import Homography, Points, fitted, homography_of, inverse, mapped

WORST_PX = 1.6
"""A sheet whose points fit no plane better than this does not lie flat, or the print is warped."""

_SAME_POSE_PX = 2.0
_OUTLIER_PX = 2.5
_ROUNDS = 12


@dataclass(frozen=True, slots=True)
class PlaneFit:
    """to_picture: from mm on the table to pixels of the camera's picture; the origin is the middle of the sheet.

    error_mm: how far the points lie from where the plane puts them (root mean square); poses and frames: what it
    rests on; covariance: of the fit's parameters, for `spread_mm`.
    """

    to_picture: Homography
    error_mm: float
    poses: int
    frames: int
    covariance: NDArray[np.float64]

    def spread_mm(self, at_mm: Points) -> float:
        """Likely error at the given points of the table (one standard deviation, the worst of them)."""
        at_px = mapped(self.to_picture, at_mm)
        scale = np.abs(self.to_picture).max(axis=0)
        worst = 0.0
        steps = []
        for n in range(8):
            moved = self.to_picture.copy().ravel()
            step = 1e-5 * (scale[n % 3] or 1.0)
            moved[n] += step
            steps.append((mapped(inverse(moved.reshape(3, 3)), at_px) - at_mm) / step)
        slopes = np.stack(steps, axis=2)  # (points, xy, parameters)
        for slope in slopes:
            worst = max(worst, float(np.sqrt(np.trace(slope @ self.covariance[:8, :8] @ slope.T))))
        return worst


@dataclass(slots=True)
class _Pose:
    sightings: list[BoardSeen]
    to_picture: Homography

    def joined(self) -> tuple[Points, Points]:
        """The points seen in a third of its frames, each at the median of where it was seen."""
        seen: dict[tuple[float, float], list[NDArray[np.float64]]] = {}
        for sighting in self.sightings:
            for mm, px in zip(sighting.board_mm, sighting.seen_px, strict=True):
                seen.setdefault((round(mm[0], 2), round(mm[1], 2)), []).append(px)
        kept = {mm: px for mm, px in seen.items() if len(px) >= len(self.sightings) / 3}
        return np.array(list(kept)), np.array([np.median(px, axis=0) for px in kept.values()])


def fit_plane(sightings: Sequence[BoardSeen], frame_px: tuple[int, int], print_scale: float = 1.0) -> PlaneFit:
    """The plane of the table that the sheet lay on. print_scale: true length over printed length of the control bar.

    Raises InputFault when no sighting fits a plane.
    """
    poses = _poses(sightings)
    joined = [_clean(*pose.joined()) for pose in poses]
    fit = [(pose, points) for pose, points in zip(poses, joined, strict=True) if points is not None]
    if not fit:
        raise InputFault(
            "the sheet fits no plane: it is bent or moved while it was filmed",
            mend="lay it flat (glue it to card), keep it and the camera still, and film it again",
        )
    middle = np.array(frame_px) / 2
    centre = sightings[0].board.size_mm[0] / 2, sightings[0].board.size_mm[1] / 2
    fit.sort(key=lambda f: float(np.linalg.norm(mapped(f[0].to_picture, np.array([centre]))[0] - middle)))
    points = [((mm - centre) * print_scale, px) for _, (mm, px) in fit]
    to_picture, covariance = _together(points)
    errors = [mapped(inverse(to_picture.base), px) - to_picture.placed(n, mm) for n, (mm, px) in enumerate(points)]
    error_mm = float(np.sqrt((np.vstack(errors) ** 2).sum(axis=1).mean()))
    frames = sum(len(pose.sightings) for pose, _ in fit)
    return PlaneFit(to_picture.base, error_mm, len(fit), frames, covariance)


def _poses(sightings: Sequence[BoardSeen]) -> list[_Pose]:
    poses: list[_Pose] = []
    for sighting in sightings:
        matrix, _ = fitted(sighting.board_mm, sighting.seen_px, _OUTLIER_PX)
        if matrix is None:
            continue
        width, height = sighting.board.size_mm
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        for pose in poses:
            apart = mapped(matrix, corners) - mapped(pose.to_picture, corners)
            if float(np.linalg.norm(apart, axis=1).mean()) < _SAME_POSE_PX:
                pose.sightings.append(sighting)
                break
        else:
            poses.append(_Pose([sighting], matrix))
    # A sheet on its way from spot to spot is blurred and tilted: what was seen only once beside what lay is left out.
    lying = [pose for pose in poses if len(pose.sightings) >= 2]
    return lying or poses


def _clean(mm: Points, px: Points) -> tuple[Points, Points] | None:
    """The points without outliers; None when they do not lie on one plane."""
    matrix, fit = fitted(mm, px, _OUTLIER_PX)
    if matrix is None or fit.sum() < 8 or fit.mean() < 0.6:
        return None
    apart = mapped(matrix, mm[fit]) - px[fit]
    return None if math.sqrt((apart**2).sum(axis=1).mean()) > WORST_PX else (mm[fit], px[fit])


@dataclass(frozen=True, slots=True)
class _Together:
    """The parameters of the joint fit: eight of the homography, then turn and shift of each further pose."""

    values: NDArray[np.float64]

    @property
    def base(self) -> Homography:
        return np.append(self.values[:8], 1.0).reshape(3, 3)

    def placed(self, pose: int, mm: Points) -> Points:
        """Points of the sheet in mm of the table."""
        if pose == 0:
            return mm
        turn, x, y = self.values[8 + 3 * (pose - 1) : 11 + 3 * (pose - 1)]
        rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        return np.asarray(mm @ rotation.T + (x * 100, y * 100), np.float64)

    def apart(self, points: Sequence[tuple[Points, Points]]) -> NDArray[np.float64]:
        found = [mapped(self.base, self.placed(n, mm)) - px for n, (mm, px) in enumerate(points)]
        return np.concatenate([f.ravel() for f in found])


def _together(points: Sequence[tuple[Points, Points]]) -> tuple[_Together, NDArray[np.float64]]:
    first, _ = fitted(*points[0], _OUTLIER_PX)
    assert first is not None
    start = [*(first / first[2, 2]).ravel()[:8]]
    for mm, px in points[1:]:
        there = mapped(inverse(first), px)
        offset, goal = mm - mm.mean(axis=0), there - there.mean(axis=0)
        turn = math.atan2(
            float((offset[:, 0] * goal[:, 1] - offset[:, 1] * goal[:, 0]).sum()), float((offset * goal).sum())
        )
        rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        shift = there.mean(axis=0) - rotation @ mm.mean(axis=0)
        start += [turn, shift[0] / 100, shift[1] / 100]
    values = np.array(start, np.float64)
    damping = 1e-3
    apart = _Together(values).apart(points)
    slopes = _slopes(values, points, apart)
    for _ in range(_ROUNDS):
        normal = slopes.T @ slopes
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -slopes.T @ apart)
        tried = _Together(values + step).apart(points)
        if (tried**2).sum() < (apart**2).sum():
            gain = 1 - (tried**2).sum() / max((apart**2).sum(), 1e-12)
            values, apart, damping = values + step, tried, damping / 5
            slopes = _slopes(values, points, apart)
            if gain < 1e-6:
                break
        else:
            damping *= 8
    variance = float((apart**2).sum() / max(1, apart.size - values.size))
    # Points seen at one spot share the camera's bias: a floor keeps the promise honest.
    covariance = max(variance, 0.05**2) * np.linalg.inv(slopes.T @ slopes)
    return _Together(values), np.asarray(covariance, np.float64)


def _slopes(
    values: NDArray[np.float64], points: Sequence[tuple[Points, Points]], apart: NDArray[np.float64]
) -> NDArray[np.float64]:
    found = np.empty((apart.size, values.size))
    for n in range(values.size):
        step = 1e-6 * max(abs(values[n]), 1e-4)
        moved = values.copy()
        moved[n] += step
        found[:, n] = (_Together(moved).apart(points) - apart) / step
    return found


def plane_of_corners(
    corners_px: Points,
    *,
    size_mm: tuple[float, float] | None = None,
    card_px: Points | None = None,
    card_mm: tuple[float, float] = (56.0, 87.0),
) -> tuple[Homography, tuple[float, float]]:
    """From mm of the table to pixels, and the table's (width, height) in mm, from the table's four corners.

    corners_px: clockwise from the top left; size_mm: of the table if it was measured; card_px: else the outline of a
    card on it, whose size is known. Raises InputFault when the corners span no area or the card does not fit.
    """
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    try:
        from_unit = homography_of(unit, corners_px)
    except ValueError:
        raise InputFault("the four corners span no area", mend="give them in order around the table") from None
    if size_mm is None:
        if card_px is None:
            raise InputFault(
                "four corners do not tell how large the table is",
                mend="lay one card in the middle of it, or give --table-mm WIDTHxHEIGHT",
            )
        size_mm = _size_by_card(mapped(inverse(from_unit), card_px), card_mm)
    return from_unit @ np.diag([1 / size_mm[0], 1 / size_mm[1], 1.0]), size_mm


def _size_by_card(card: Points, card_mm: tuple[float, float]) -> tuple[float, float]:
    """The table's size, from a card's outline in fractions of the table.

    Its sides are parallel in pairs: u and v. Width w and height h of the table make them as long as a card's and
    square to each other: w² u_x² + h² u_y² = length², and so on, linear in w² and h².
    """
    sides = (card[1] - card[0] + card[2] - card[3]) / 2, (card[2] - card[1] + card[3] - card[0]) / 2
    best: tuple[float, float, float] | None = None
    for short, long in (sides, sides[::-1]):
        rows = np.array([[short[0] ** 2, short[1] ** 2], [long[0] ** 2, long[1] ** 2], short * long])
        wanted = np.array([card_mm[0] ** 2, card_mm[1] ** 2, 0.0])
        squares, *_ = np.linalg.lstsq(rows, wanted, rcond=None)
        off = float(np.abs(rows @ squares - wanted).max() / card_mm[0] / card_mm[1])
        if (squares > 0).all() and (best is None or off < best[0]):
            best = off, math.sqrt(squares[0]), math.sqrt(squares[1])
    if best is None or best[0] > 0.25:
        raise InputFault(
            "the card does not fit the four corners", mend="lay it flat, and give the corners of a rectangular table"
        )
    return best[1], best[2]
