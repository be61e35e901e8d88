"""A flat table seen by a camera anywhere above it: for measuring how well the table's plane is found again."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CameraPose:
    """Where a camera stands, looking at a point of the table.

    elevation_deg: 90 is straight above; bearing_deg: 0 stands on the side of larger y (below the picture), growing
    clockwise as seen from above; roll_deg: turn about the line of sight; target_mm: where it looks, in table mm
    (x right, y down as seen from above); focal: focal length over the picture's width (about 0.8 for a webcam).
    """

    elevation_deg: float
    distance_mm: float
    target_mm: tuple[float, float]
    bearing_deg: float = 0.0
    roll_deg: float = 0.0
    focal: float = 0.85

    def plane_to_picture(self, size_px: tuple[int, int]) -> Matrix:
        """The homography from table mm to pixels of a picture (width, height), float64 (3, 3)."""
        up, around, roll = (math.radians(v) for v in (self.elevation_deg, self.bearing_deg, self.roll_deg))
        # z points into the table, so that x right, y down, z away from the eye are right-handed as in a camera.
        away = np.array([-math.sin(around) * math.cos(up), math.cos(around) * math.cos(up), -math.sin(up)])
        ahead = -away
        right = np.array([math.cos(around), math.sin(around), 0.0])
        below = np.cross(ahead, right)
        turned_right = math.cos(roll) * right + math.sin(roll) * below
        turned_below = -math.sin(roll) * right + math.cos(roll) * below
        rotation = np.stack([turned_right, turned_below, ahead])
        place = np.array([*self.target_mm, 0.0]) + away * self.distance_mm
        width, height = size_px
        lens = np.array([[self.focal * width, 0, width / 2], [0, self.focal * width, height / 2], [0, 0, 1]])
        matrix = lens @ np.column_stack([rotation[:, 0], rotation[:, 1], -rotation @ place])
        return np.asarray(matrix / matrix[2, 2], np.float64)


def photographed(
    plane: Image,
    px_per_mm: float,
    pose: CameraPose,
    size_px: tuple[int, int],
    rng: np.random.Generator,
    *,
    noise: float = 2.0,
    blur_px: float = 0.6,
    light: float = 1.0,
) -> Image:
    """The flat picture `plane` uint8 (h, w, 3) as the camera sees it, uint8 (height, width, 3).

    px_per_mm: scale of `plane`, whose top left corner is (0, 0) mm; noise: of the sensor, in grey levels; blur_px:
    of the lens; light: factor on the levels. What lies beyond the plane is a grey floor.
    """
    fine = (size_px[0] * 2, size_px[1] * 2)
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    to_fine = np.diag([2.0, 2.0, 1.0]) @ pose.plane_to_picture(size_px) @ np.diag([1 / px_per_mm, 1 / px_per_mm, 1])
    move = np.linalg.inv(half) @ to_fine @ half
    large = cv2.warpPerspective(
        plane, move, fine, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=(66, 70, 74)
    )
    seen = cv2.resize(large, size_px, interpolation=cv2.INTER_AREA).astype(np.float32)
    if blur_px > 0:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), blur_px), np.float32)
    seen = seen * light + rng.normal(0, noise, (size_px[1], size_px[0], 1)).astype(np.float32)
    return np.clip(seen, 0, 255).astype(np.uint8)
