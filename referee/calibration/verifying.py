"""Whether the camera still stands as it stood when the table was calibrated, in millimetres on the table."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from referee.vision.pictures import read_picture
from referee.vision.planes import corners_of, inverse, mapped, same_aspect
from referee.vision.quads import Image
from referee.vision.standing import Reference, Stance
from referee.vision.zones import TableZones

STANDS_WITHIN_MM = 4.0
"""Less than this is of no consequence to piles and seats, and near what can be measured."""


@dataclass(frozen=True, slots=True)
class Verified:
    """How the camera stands.

    drift_mm: how far the table's inner corners have moved in the picture, the worst of them, measured on the table;
    None when the table was not recognised, and then `reason` says why. mended: the calibration for where the camera
    stands now.
    """

    drift_mm: float | None
    reason: str = ""
    mended: TableZones | None = None

    @property
    def stands(self) -> bool:
        """True when the calibration holds."""
        return self.drift_mm is not None and self.drift_mm <= STANDS_WITHIN_MM


def verify(zones: TableZones, image_bgr: Image) -> Verified:
    """Compare a picture of today with the calibration's own. Raises InputFault when that one cannot be read."""
    plane, size_px = zones.plane, (image_bgr.shape[1], image_bgr.shape[0])
    if not same_aspect(size_px, zones.frame_px):
        return Verified(None, f"the picture has {size_px[0]}x{size_px[1]} px, the calibration is for another shape")
    if plane is None or zones.reference is None:
        return Verified(None, "the calibration has no picture of its own to compare with")
    reference = Reference(read_picture(zones.reference))
    if not reference.usable:
        return Verified(None, "the calibrated table shows too little texture: let the corner tags lie on it")
    standing = reference.compare(image_bgr, search=True)
    if standing.stance is Stance.UNCLEAR or standing.to_reference is None:
        return Verified(None, "the table is not recognised: the camera looks elsewhere, or too much has changed")
    # Where the inner corners of the watched part lie now, taken back to the table as if the camera still stood.
    scale = np.diag([*plane.frame_px, 1.0])
    to_now = scale @ inverse(standing.to_reference) @ inverse(scale)
    inner = (corners_of((1, 1)) * 0.8 + 0.1) * plane.size_px
    to_frame = inverse(plane.to_table())
    now = mapped(plane.to_table(), mapped(to_now, mapped(to_frame, inner)))
    drift_mm = float(np.linalg.norm(now - inner, axis=1).max()) / plane.px_per_mm
    corners = mapped(to_now, mapped(to_frame, corners_of(plane.size_px))) / plane.frame_px
    moved = replace(plane, corners=tuple((float(x), float(y)) for x, y in corners))
    return Verified(drift_mm, "", replace(zones, plane=moved))
