"""Writes a calibration as a TOML file that a person can read and mend."""

from __future__ import annotations

import json
from pathlib import Path

import cv2

from referee.calibration.watched import elevation_deg
from referee.faults import InputFault
from referee.vision.planes import TablePlane
from referee.vision.quads import Image
from referee.vision.zones import Polygon, TableZones

_QUALITY = 90


def table_toml(zones: TableZones, reference: str | None = None) -> str:
    """The text of the calibration file. reference: name of the picture beside it."""
    width, height = zones.frame_px
    lines = [
        "# Calibration of a table, made by `referee calibrate solve`.",
        "[frame]                # the camera's picture; another size of the same shape will do as well",
        f"width_px = {width}",
        f"height_px = {height}",
    ]
    if zones.guessed:
        lines.append("guessed = true         # nobody measured: the places are only likely")
    if zones.plane:
        lines += ["", *_plane_lines(zones.plane, reference)]
    of = "the table picture (seen from above)" if zones.plane else "the camera's picture"
    lines += [
        "",
        f"[zones]                # corners [x, y] in fractions of {of}, [0, 0] is top left",
        f"discard = {_corners(zones.discard)}",
    ]
    if zones.draw:
        lines.append(f"draw = {_corners(zones.draw)}")
    for seat in zones.seats:
        lines += [
            "",
            f"[seats.{seat.seat}]",
            f"place = {_corners(seat.place)}   # where the own cards lie when laid open",
            f'edge = "{seat.edge.value}"   # the side from which the arm comes',
        ]
    return "\n".join(lines) + "\n"


def save_table(zones: TableZones, path: Path, reference_bgr: Image | None = None) -> list[Path]:
    """Write the calibration, and beside it the picture of the table by which a bump of the camera is noticed later.

    Returns the files written. Raises InputFault when the folder cannot be written to.
    """
    picture = path.with_suffix(".jpg") if reference_bgr is not None and zones.plane else None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if picture is not None and reference_bgr is not None:
            _, packed = cv2.imencode(".jpg", reference_bgr, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
            picture.write_bytes(bytes(packed))
        path.write_text(table_toml(zones, picture.name if picture else None), encoding="utf-8")
    except OSError as fault:
        raise InputFault(
            f"cannot be written: {fault.strerror}", where=str(path), mend="choose another --out"
        ) from None
    return [path, *([picture] if picture else [])]


def _plane_lines(plane: TablePlane, reference: str | None) -> list[str]:
    found = "; ".join(f"{x:.4f}, {y:.4f}" for x, y in plane.corners)
    corners = "[[" + found.replace("; ", "], [") + "]]"
    lines = [
        "[plane]                # how the camera sees the table; from this comes the table picture",
        f"size_mm = [{plane.size_mm[0]:g}, {plane.size_mm[1]:g}]    # width and height of the part that is watched",
        f"px_per_mm = {plane.px_per_mm:g}       # scale of the table picture: cards are {plane.card_px:.0f} px long",
        "# its corners in the camera's picture, in fractions: top left, top right, bottom right, bottom left",
        f"corners = {corners}",
        f"error_mm = {plane.error_mm:g}        # how well the measured points fit",
        f"how = {json.dumps(plane.how)}   # camera about {elevation_deg(plane):.0f} degrees above the table",
    ]
    if reference:
        lines.append(f"reference = {json.dumps(reference, ensure_ascii=False)}   # the table as it was calibrated")
    return lines


def _corners(polygon: Polygon) -> str:
    return "[" + ", ".join(f"[{x:.4f}, {y:.4f}]" for x, y in polygon) + "]"
