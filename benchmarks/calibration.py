"""How well the table's plane is found, and whether a bump of the camera is noticed: on drawn views with known truth.

`python benchmarks/calibration.py` prints two tables. Everything is drawn: table tops, the printed sheet, cards, a
camera with noise and blur at 30 to 90 degrees above the table.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.calibration.board import Board, BoardSeen, find_board
from referee.calibration.plane_fit import fit_plane
from referee.calibration.printing import raster
from referee.calibration.sheet import sheet_pages
from referee.faults import InputFault
from referee.observations import Observation, ViewChanged, ViewState
from referee.synth.faces import draw_face, printing
from referee.synth.surfaces import SURFACES, table_top
from referee.synth.table_views import CameraPose, Image, photographed
from referee.vision.planes import TablePlane, corners_of, inverse, mapped
from referee.vision.steady import SteadyEye
from referee.vision.zones import TableZones

TABLE_MM = (1200.0, 800.0)
PX_PER_MM = 2.0
FRAME_PX = (1280, 720)


def put(table: Image, picture: Image, x_mm: float, y_mm: float, turn_deg: float) -> None:
    """Lay a flat picture (BGR or BGRA at the table's scale) with its middle at a point of the table."""
    height, width = picture.shape[:2]
    move = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 1)
    move[:, 2] += [x_mm * PX_PER_MM - width / 2, y_mm * PX_PER_MM - height / 2]
    opaque = picture if picture.shape[2] == 4 else np.dstack([picture, np.full((height, width), 255, np.uint8)])
    laid = cv2.warpAffine(opaque, move, (table.shape[1], table.shape[0]), flags=cv2.INTER_AREA).astype(np.float32)
    share = laid[..., 3:] / 255
    table[:] = (table * (1 - share) + laid[..., :3] * share).astype(np.uint8)


def sheet_on(table: Image, x_mm: float, y_mm: float, turn_deg: float) -> Image:
    """A copy of the table with the printed sheet on it."""
    laid = table.copy()
    put(laid, raster(sheet_pages("a4")[0], 25.4 * PX_PER_MM), x_mm, y_mm, turn_deg)
    return laid


def plane_errors(views: int, seed: int) -> None:
    """Error of the plane in mm at a grid over the part of the table in view, by elevation and number of spots."""
    rng = np.random.default_rng(seed)
    rows: dict[tuple[str, int], list[tuple[float, float]]] = {}
    refused = 0
    for number in range(views):
        elevation = 30 + 60 * (number + 0.5) / views
        table = _table(rng)
        pose = _pose(rng, elevation)
        spots = [(600 + rng.uniform(-30, 30), 400 + rng.uniform(-30, 30), rng.uniform(-5, 5))]
        spots += [
            (rng.uniform(220, 330), 400.0, rng.uniform(85, 95)),
            (rng.uniform(870, 980), 400.0, rng.uniform(85, 95)),
        ]
        seen: list[BoardSeen] = []
        for count, spot in enumerate(spots, 1):
            laid = sheet_on(table, *spot)
            for _ in range(3):
                look = find_board(_photo(laid, pose, rng), Board())
                if isinstance(look, BoardSeen):
                    seen.append(look)
            if count == 2:
                continue
            band = "30-50" if elevation < 50 else "50-70" if elevation < 70 else "70-90"
            try:
                fit = fit_plane(seen, FRAME_PX)
            except InputFault:
                refused += 1
                continue
            rows.setdefault((band, count), []).append(_errors(fit.to_picture, pose))
    print(f"plane error on the table in view, mm ({views} drawn views, {refused} refused)")
    print("elevation  spots  views  median  95th percentile  worst")
    for (band, count), errors in sorted(rows.items()):
        middle, worst = np.array(errors).T
        p95 = float(np.percentile(worst, 95))
        print(f"{band:9}  {count:5}  {len(errors):5}  {np.median(middle):6.2f}  {p95:15.2f}  {worst.max():5.2f}")


def _errors(to_picture: NDArray[np.float64], pose: CameraPose) -> tuple[float, float]:
    """Median and worst error in mm. The table's own axes are laid over the sheet's by the best shift and turn."""
    grid = np.array([[x, y] for x in np.linspace(60, 1140, 13) for y in np.linspace(60, 740, 9)])
    at_px = mapped(pose.plane_to_picture(FRAME_PX), grid)
    grid, at_px = (a[((at_px > 0) & (at_px < FRAME_PX)).all(axis=1)] for a in (grid, at_px))
    found = mapped(inverse(to_picture), at_px)
    near = np.linalg.norm(grid - (600, 400), axis=1) < 160  # as a person would check it: by the sheet
    turn, shift = _rigid(found[near], grid[near])
    errors = np.linalg.norm(found @ turn.T + shift - grid, axis=1)
    return float(np.median(errors)), float(errors.max())


def _rigid(a: NDArray[np.float64], b: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    u, _, v = np.linalg.svd((a - a.mean(axis=0)).T @ (b - b.mean(axis=0)))
    turn = (u @ np.diag([1.0, math.copysign(1.0, np.linalg.det(u @ v))]) @ v).T
    return turn, b.mean(axis=0) - turn @ a.mean(axis=0)


@dataclass
class Blind:
    """Takes the steadied frames and sees nothing: only the camera's place is measured here."""

    settled_s: float = 0.0

    def see(self, image_bgr: Image, t_s: float) -> list[Observation]:
        assert image_bgr.size > 0
        self.settled_s = t_s
        return []

    def close(self, t_s: float) -> list[Observation]:
        self.settled_s = t_s
        return []


def bumps(trials: int, seed: int) -> None:
    """A bump after two seconds of play with arms over the table; half the trials have arms and light but no bump."""
    rng = np.random.default_rng(seed)
    sizes: dict[str, list[bool]] = {}
    waits, errors, false_alarms, quiet_s = [], [], 0, 0.0
    for number in range(trials):
        table = _table(rng)
        pose = _pose(rng, rng.uniform(35, 90))
        zones = _zones(pose)
        eye = SteadyEye(zones, Blind())
        still = _film(_game(table, rng), pose, rng, rng.uniform(0.8, 1.05))
        t_s, said = 0.0, []
        for step in range(16):
            frame = still[step % 2] if step < 6 else _with_arms(still[0], rng, rng.uniform(0.75, 1.2))
            said += [o for o in eye.see(frame, t_s) if isinstance(o, ViewChanged)]
            t_s += 0.2
        quiet_s += t_s
        false_alarms += any(o.state is ViewState.LOST for o in said)
        if number % 2:
            continue
        moved = _bumped(pose, rng, large=number % 4 == 0)
        after = _film(_game(table, rng), moved, rng, rng.uniform(0.8, 1.05))
        away_mm = _drift_mm(pose, moved)
        band = (
            "under 3 mm" if away_mm < 3 else "3-8 mm" if away_mm < 8 else "8-30 mm" if away_mm < 30 else "over 30 mm"
        )
        began_s, lost_s, found_s = t_s, None, None
        for step in range(18):
            for o in eye.see(after[step % 2], t_s):
                if isinstance(o, ViewChanged) and o.state is ViewState.LOST and lost_s is None:
                    lost_s = t_s
                if isinstance(o, ViewChanged) and o.state is ViewState.SETTLING:
                    found_s = t_s
            t_s += 0.2
        sizes.setdefault(band, []).append(lost_s is not None)
        if lost_s is not None and found_s is not None:
            waits.append(found_s - began_s)
            errors.append(_found_error_mm(eye, pose, moved))
    print(f"\nbumps ({trials} drawn tables; {quiet_s:.0f} s of arms and changing light without a bump)")
    print(f"false alarms: {false_alarms}")
    for band in ("under 3 mm", "3-8 mm", "8-30 mm", "over 30 mm"):
        if band in sizes:
            print(f"noticed, {band:10}: {sum(sizes[band])} of {len(sizes[band])}")
    if errors:
        print(f"found again: {len(errors)} of {sum(map(sum, sizes.values()))} noticed", end="; ")
        print(f"after {np.median(waits):.1f} s (median), {max(waits):.1f} s (longest)")
        print(f"error after it, mm: {np.median(errors):.2f} median, {max(errors):.2f} worst")


def _table(rng: np.random.Generator) -> Image:
    surface = SURFACES[int(rng.integers(len(SURFACES)))]
    size = round(TABLE_MM[0] * PX_PER_MM), round(TABLE_MM[1] * PX_PER_MM)
    table = table_top(surface, size, int(rng.integers(1 << 30)))
    for _ in range(4):  # coasters, a note pad: what lies on a table
        x, y = rng.uniform(80, 1120), float(rng.choice([90.0, 710.0])) + rng.uniform(-40, 40)
        thing = np.full(
            (round(rng.uniform(60, 160)), round(rng.uniform(60, 160)), 3), rng.uniform(40, 230, 3), np.uint8
        )
        put(table, thing, x, y, rng.uniform(0, 90))
    return table


def _game(table: Image, rng: np.random.Generator) -> Image:
    laid = table.copy()
    faces = printing("oval")
    card_px = round(87 * PX_PER_MM)
    put(laid, draw_face("back", faces, card_px), 530, 400, 2)
    put(
        laid,
        draw_face(f"{rng.choice(list('RYGB'))}{rng.integers(10)}", faces, card_px),
        660,
        400,
        rng.uniform(-40, 40),
    )
    return laid


def _pose(rng: np.random.Generator, elevation_deg: float) -> CameraPose:
    return CameraPose(
        elevation_deg,
        distance_mm=rng.uniform(1000, 1250),
        target_mm=(600 + rng.uniform(-40, 40), 400 + rng.uniform(-40, 40)),
        bearing_deg=rng.uniform(-15, 15),
        roll_deg=rng.uniform(-2, 2),
    )


def _bumped(pose: CameraPose, rng: np.random.Generator, *, large: bool) -> CameraPose:
    size = 1.0 if large else 0.12
    return CameraPose(
        pose.elevation_deg - size * rng.uniform(0.5, 4),
        pose.distance_mm + size * rng.uniform(-25, 25),
        (pose.target_mm[0] + size * rng.uniform(-90, 90), pose.target_mm[1] + size * rng.uniform(-60, 60)),
        pose.bearing_deg + size * rng.uniform(-4, 4),
        pose.roll_deg + size * rng.uniform(-3, 3),
    )


def _zones(pose: CameraPose) -> TableZones:
    """The true calibration of a pose: the middle metre of the table."""
    size_mm, origin = (1000.0, 640.0), (100.0, 80.0)
    corners = mapped(pose.plane_to_picture(FRAME_PX), corners_of((1, 1)) * size_mm + origin) / FRAME_PX
    plane = TablePlane(FRAME_PX, size_mm, 1.1, tuple((float(x), float(y)) for x, y in corners))
    guess = TableZones.whole_frame_guess(*plane.size_px, 4)
    return TableZones(*plane.size_px, guess.discard, guess.draw, guess.seats, plane=plane)


def _with_arms(frame: Image, rng: np.random.Generator, light: float) -> Image:
    seen = frame.copy()
    for _ in range(int(rng.integers(1, 3))):
        start = (int(rng.integers(FRAME_PX[0])), int(rng.choice([0, FRAME_PX[1]])))
        end = (int(rng.integers(400, 880)), int(rng.integers(250, 470)))
        cv2.line(seen, start, end, tuple(float(v) for v in rng.uniform(30, 200, 3)), 110, cv2.LINE_AA)
    return np.asarray(np.clip(seen * np.float32(light), 0, 255), np.uint8)


def _photo(table: Image, pose: CameraPose, rng: np.random.Generator, light: float | None = None) -> Image:
    noise, blur_px = rng.uniform(1, 4), rng.uniform(0.4, 1.1)
    light = rng.uniform(0.8, 1.1) if light is None else light
    return photographed(table, PX_PER_MM, pose, FRAME_PX, rng, noise=noise, blur_px=blur_px, light=light)


def _film(table: Image, pose: CameraPose, rng: np.random.Generator, light: float) -> list[Image]:
    """Two frames of one still scene, which differ by the sensor's noise only."""
    seen = _photo(table, pose, rng, light).astype(np.float32)
    return [np.clip(seen + rng.normal(0, 1.5, (*seen.shape[:2], 1)), 0, 255).astype(np.uint8) for _ in range(2)]


def _quarters_mm() -> NDArray[np.float64]:
    return corners_of((1, 1)) * (500.0, 320.0) + (350.0, 240.0)


def _drift_mm(pose: CameraPose, moved: CameraPose) -> float:
    now = mapped(moved.plane_to_picture(FRAME_PX), _quarters_mm())
    as_if = mapped(inverse(pose.plane_to_picture(FRAME_PX)), now)
    return float(np.linalg.norm(as_if - _quarters_mm(), axis=1).max())


def _found_error_mm(eye: SteadyEye, pose: CameraPose, moved: CameraPose) -> float:
    plane = _zones(pose).plane
    assert plane is not None
    at = mapped(moved.plane_to_picture(FRAME_PX), _quarters_mm())
    found = mapped(eye.to_picture(FRAME_PX), at) / plane.px_per_mm
    return float(np.linalg.norm(found - (_quarters_mm() - (100.0, 80.0)), axis=1).max())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--views", type=int, default=40)
    parser.add_argument("--bumps", type=int, default=80)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    plane_errors(given.views, given.seed)
    bumps(given.bumps, given.seed)
