"""The printed sheet on a drawn table, photographed from anywhere: each view has a known truth."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from referee.calibration.board import Board
from referee.calibration.printing import raster
from referee.calibration.sheet import sheet_pages
from referee.synth.table_views import CameraPose, photographed
from referee.vision.quads import Image

PX_PER_MM = 1.5
FRAME_PX = (1280, 720)
TABLE_MM = (1000, 700)
MIDDLE = (500.0, 350.0)


@lru_cache(maxsize=1)
def bare_table() -> Image:
    rng = np.random.default_rng(4)
    height, width = round(TABLE_MM[1] * PX_PER_MM), round(TABLE_MM[0] * PX_PER_MM)
    grain = cv2.GaussianBlur(rng.normal(0, 90, (height, width)).astype(np.float32), (0, 0), 5)
    return np.clip(np.array([70, 105, 140]) + grain[..., None] * 2, 0, 255).astype(np.uint8)


def table_with(picture: Image, at_mm: tuple[float, float] = MIDDLE, degrees: float = 0.0) -> Image:
    """The table with a flat picture (at the table's scale) lying on it."""
    table = bare_table().copy()
    height, width = picture.shape[:2]
    move = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    move[:, 2] += np.array([at_mm[0] * PX_PER_MM - width / 2, at_mm[1] * PX_PER_MM - height / 2])
    size = (table.shape[1], table.shape[0])
    cv2.warpAffine(picture, move, size, dst=table, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    return table


def sheet(board: Board | None = None) -> Image:
    return raster(sheet_pages("a4", board)[0], 25.4 * PX_PER_MM)


def view(
    table: Image,
    elevation_deg: float = 60,
    *,
    distance_mm: float = 1000,
    bearing_deg: float = 0.0,
    seed: int = 0,
    blur_px: float = 0.6,
    light: float = 1.0,
) -> Image:
    pose = pose_of(elevation_deg, distance_mm=distance_mm, bearing_deg=bearing_deg)
    rng = np.random.default_rng(seed)
    return photographed(table, PX_PER_MM, pose, FRAME_PX, rng, blur_px=blur_px, light=light)


def pose_of(elevation_deg: float, *, distance_mm: float = 1000, bearing_deg: float = 0.0) -> CameraPose:
    return CameraPose(elevation_deg, distance_mm, MIDDLE, bearing_deg=bearing_deg)
