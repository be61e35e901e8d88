"""Where the camera of a drawn film stands: a pinhole camera over the table, from straight above to 30 degrees.

Table coordinates are pixels of the layout: x to the right, y down as seen from above, height above the table upwards.
The picture is the crop of the camera's image that just holds the layout, so it may lie off the optical axis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.synth.tabletop import Point

Matrix = NDArray[np.float64]

_AWAY_SHARE = 2.1
"""Distance of the camera from the middle of the table, in widths of the table: a webcam on a stand or tripod."""


@dataclass(frozen=True)
class FilmView:
    """A camera at `elevation_deg` above the table (90: straight above).

    table_px: size of the layout that must be in sight; size_px: of the picture; azimuth_deg: from where it looks, 0
    the picture's bottom side, counter-clockwise from above; roll_deg: how far it is tilted.
    """

    table_px: tuple[float, float]
    size_px: tuple[int, int]
    elevation_deg: float = 90.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    margin_px: float = 0.0

    @property
    def straight(self) -> bool:
        """True when the layout's pixels are the picture's."""
        return self.elevation_deg == 90 and self.roll_deg == self.azimuth_deg == 0 and self.table_px == self.size_px

    def widened(self, by_px: int) -> FilmView:
        """The same camera with a picture that is larger by `by_px` pixels on each side."""
        width, height = self.size_px
        return replace(self, size_px=(width + 2 * by_px, height + 2 * by_px), margin_px=self.margin_px + by_px)

    @cached_property
    def matrix(self) -> Matrix:
        """Projection (3, 4) of (x, y, height, 1) in layout pixels to the picture."""
        width, height = self.table_px
        rise, around = math.radians(self.elevation_deg), math.radians(self.azimuth_deg)
        towards = np.array(
            [math.cos(rise) * math.sin(around), math.cos(rise) * math.cos(around), -math.sin(rise)]
        )  # the third axis points into the table
        away = _AWAY_SHARE * max(width, height)
        position = np.array([width / 2, height / 2, 0.0]) + away * towards
        right = np.array([math.cos(around), -math.sin(around), 0.0])
        down = np.cross(-towards, right)
        turn = np.stack([right, down, -towards])
        raw = np.hstack([turn, (-turn @ position)[:, None]])
        raw[:, 2] *= -1  # heights count upwards
        roll = math.radians(self.roll_deg)
        tilted = (
            np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]]) @ raw
        )
        return self._fitted(tilted)

    def _fitted(self, raw: Matrix) -> Matrix:
        """Scale and crop so that the layout's corners just lie in the picture."""
        width, height = self.table_px
        corners = np.array([[0, 0, 0, 1], [width, 0, 0, 1], [width, height, 0, 1], [0, height, 0, 1]], np.float64)
        seen = raw @ corners.T
        flat = seen[:2] / seen[2]
        low, high = flat.min(axis=1), flat.max(axis=1)
        room = np.asarray(self.size_px, np.float64) - 2 * self.margin_px
        scale = float((room / (high - low)).min())
        shift = np.asarray(self.size_px) / 2 - scale * (low + high) / 2
        crop = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]])
        fitted = crop @ raw
        return np.asarray(fitted / fitted[2, 3], np.float64)

    @cached_property
    def plane(self) -> Matrix:
        """Homography (3, 3) of the table's plane to the picture."""
        return np.asarray(self.matrix[:, [0, 1, 3]], np.float64)

    def point(self, at: Point, height_px: float = 0.0) -> Point:
        """Where a point of the table, or one above it, is seen."""
        x, y, w = self.matrix @ np.array([at[0], at[1], height_px, 1.0])
        return float(x / w), float(y / w)

    def scale_at(self, at: Point) -> float:
        """Length of a pixel of the layout in the picture, there (the larger of both directions)."""
        x, y = self.point(at)
        along = [math.dist((x, y), self.point((at[0] + dx, at[1] + dy))) for dx, dy in ((1.0, 0.0), (0.0, 1.0))]
        return max(along)

    def outside(self, at: Point, by_px: float) -> bool:
        """True when the point is seen at least `by_px` outside of the picture, or not at all."""
        x, y, w = self.matrix @ np.array([at[0], at[1], 0.0, 1.0])
        if w <= 0:
            return True
        width, height = self.size_px
        return bool(x / w < -by_px or y / w < -by_px or x / w > width + by_px or y / w > height + by_px)


def straight_above(size_px: tuple[int, int]) -> FilmView:
    """The camera above the middle of a table that fills the picture: layout pixels are picture pixels."""
    return FilmView((float(size_px[0]), float(size_px[1])), size_px)


def deep_enough(width_px: int, picture_px: tuple[int, int], elevation_deg: float) -> int:
    """Depth of a table, in pixels of a layout `width_px` wide, that fills the picture from this elevation."""
    wanted = width_px * picture_px[1] / picture_px[0] / math.sin(math.radians(elevation_deg))
    return round(min(wanted, 1.15 * width_px))
