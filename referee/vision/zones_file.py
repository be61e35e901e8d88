"""Reads a table's calibration from TOML. Every fault names the line and the key, and how to mend it."""

from __future__ import annotations

import difflib
import itertools
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.cards import Seat
from referee.faults import InputFault
from referee.vision.planes import TablePlane
from referee.vision.zones import Edge, Point, Polygon, SeatZone, TableZones, area_of

_CORNERS = "write three or more [x, y] corners, each from 0 to 1, in order around the area"
_CALIBRATE = "run `referee calibrate solve`"
_PLANE_KEYS = {"size_mm", "px_per_mm", "corners", "error_mm", "how", "reference"}
_SHARED = 0.15
_RASTER_PX = 256


def read_zones(path: Path) -> TableZones:
    """The calibration in `path`. Raises InputFault when it is missing, no TOML, or not a calibration."""
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except OSError as fault:
        raise InputFault(
            f"cannot be read: {fault.strerror or fault}",
            where=str(path),
            mend="run `referee calibrate`, or give the path of a calibration",
        ) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise InputFault(f"is not TOML: {fault}", where=str(path), mend="correct that line") from None
    return _File(path, text).zones(data)


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    text: str

    def zones(self, data: Mapping[str, Any]) -> TableZones:
        self._keys(data, {"frame", "plane", "zones", "seats"}, {"frame", "zones", "seats"}, "")
        frame, zones, seats = (self._table(data, key) for key in ("frame", "zones", "seats"))
        self._keys(frame, {"width_px", "height_px", "guessed"}, {"width_px", "height_px"}, "frame")
        self._keys(zones, {"discard", "draw"}, {"discard"}, "zones")
        size_px = self._size(frame, "width_px"), self._size(frame, "height_px")
        guessed = frame.get("guessed", False)
        if not isinstance(guessed, bool):
            raise self._fault("frame", "guessed", f"guessed = {guessed!r}", "write true or false")
        plane = self._plane(self._table(data, "plane"), size_px) if "plane" in data else None
        discard = self._polygon(zones, "zones", "discard")
        draw = self._polygon(zones, "zones", "draw") if "draw" in zones else None
        if not seats:
            raise InputFault("has no seat", where=str(self.path), mend="add [seats.P1] with place and edge")
        places = tuple(sorted((self._seat(name, seats) for name in seats), key=lambda s: s.seat))
        self._apart(discard, draw, places)
        size = plane.size_px if plane else size_px
        reference = self._reference(data.get("plane", {}))
        return TableZones(*size, discard, draw, places, guessed=guessed, plane=plane, reference=reference)

    def _plane(self, entry: Mapping[str, Any], frame_px: tuple[int, int]) -> TablePlane:
        self._keys(entry, _PLANE_KEYS, {"size_mm", "px_per_mm", "corners"}, "plane")
        size_mm, corners = entry["size_mm"], entry["corners"]
        if not (isinstance(size_mm, list) and len(size_mm) == 2 and all(_number(v, 50, 5000) for v in size_mm)):
            mend = "write [width, height] of the watched part of the table in mm, 50 to 5000"
            raise self._fault("plane", "size_mm", f"{size_mm!r} is no size", mend)
        if not _number(entry["px_per_mm"], 0.2, 10):
            raise self._fault("plane", "px_per_mm", f"{entry['px_per_mm']!r} is no scale", "write 0.2 to 10")
        if not _number(entry.get("error_mm", 0), 0, 1000):
            raise self._fault("plane", "error_mm", f"{entry['error_mm']!r} is no error", "write millimetres")
        mend = "write top left, top right, bottom right, bottom left as [x, y] in fractions of the camera's picture"
        fit = isinstance(corners, list) and len(corners) == 4
        if not fit or not all(
            isinstance(c, list) and len(c) == 2 and all(_number(v, -3, 4) for v in c) for c in corners
        ):
            raise self._fault("plane", "corners", "are no four corners", mend)
        plane = TablePlane(
            frame_px=frame_px,
            size_mm=(float(size_mm[0]), float(size_mm[1])),
            px_per_mm=float(entry["px_per_mm"]),
            corners=tuple((float(x), float(y)) for x, y in corners),
            error_mm=float(entry.get("error_mm", 0)),
            how=str(entry.get("how", "")),
        )
        turns = cv2.isContourConvex(np.array(corners, np.float32).reshape(-1, 1, 2))
        if not turns or cv2.contourArea(np.array(corners, np.float32), oriented=True) < 0.01:
            raise self._fault("plane", "corners", "are no four corners", mend)
        return plane

    def _reference(self, entry: Mapping[str, Any]) -> Path | None:
        name = entry.get("reference")
        if name is None:
            return None
        if not isinstance(name, str) or not (self.path.parent / name).is_file():
            mend = "restore the picture, or leave the key out"
            raise self._fault("plane", "reference", f"names {name!r}, which is not there", mend)
        return self.path.parent / name

    def _seat(self, name: str, seats: Mapping[str, Any]) -> SeatZone:
        section = f"seats.{name}"
        try:
            seat = Seat.parse(name)
        except ValueError as fault:
            raise self._fault(section, "", str(fault), "rename it") from None
        entry = self._table(seats, name, section)
        self._keys(entry, {"place", "edge"}, {"place", "edge"}, section)
        place = self._polygon(entry, section, "place")
        try:
            return SeatZone(seat, place, Edge(entry["edge"]))
        except ValueError:
            what = f"edge {entry['edge']!r} is no side of the picture"
            raise self._fault(section, "edge", what, "write bottom, left, top or right") from None

    def _table(self, data: Mapping[str, Any], key: str, section: str = "") -> Mapping[str, Any]:
        value = data[key]
        if not isinstance(value, dict):
            what = f"{key} is not a table"
            raise self._fault("", key, what, f"write it as [{section or key}] with keys below")
        return value

    def _keys(self, data: Mapping[str, Any], known: set[str], needed: set[str], section: str) -> None:
        part = f"[{section}]" if section else "the file"
        if unknown := sorted(set(data) - known):
            key = unknown[0]
            near = difflib.get_close_matches(key, known, 1)
            mend = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}"
            raise self._fault(section, key, f"{part} has an unknown key {key!r}", mend)
        if missing := sorted(needed - set(data)):
            raise self._fault(section, "", f"{part} lacks {missing[0]!r}", f"add it, or {_CALIBRATE}")

    def _size(self, frame: Mapping[str, Any], key: str) -> int:
        value = frame[key]
        if not isinstance(value, int) or isinstance(value, bool) or not 16 <= value <= 16384:
            what = f"{key} = {value!r} is no picture size"
            raise self._fault("frame", key, what, "write whole pixels, 16 to 16384")
        return value

    def _polygon(self, entry: Mapping[str, Any], section: str, key: str) -> Polygon:
        value = entry[key]
        if not isinstance(value, list) or len(value) < 3:
            raise self._fault(section, key, f"{key}: is no area", _CORNERS)
        points: list[Point] = []
        for corner in value:
            if not isinstance(corner, list) or len(corner) != 2 or not all(_number(v, 0, 1) for v in corner):
                raise self._fault(section, key, f"{key}: corner {corner!r} lies outside the picture", _CORNERS)
            points.append((float(corner[0]), float(corner[1])))
        if area_of(tuple(points)) < 0.0005:
            raise self._fault(section, key, f"{key}: has no area", _CORNERS)
        return tuple(points)

    def _apart(self, discard: Polygon, draw: Polygon | None, places: tuple[SeatZone, ...]) -> None:
        named = [("discard", "zones", "discard", discard)]
        named += [("draw", "zones", "draw", draw)] if draw else []
        named += [(str(p.seat), f"seats.{p.seat}", "place", p.place) for p in places]
        for (name, *_, area), (other_name, section, key, other) in itertools.combinations(named, 2):
            if shared_area(area, other) > _SHARED * min(area_of(area), area_of(other)):
                raise self._fault(section, key, f"{name} and {other_name} lie on one another", "move them apart")

    def _fault(self, section: str, key: str, what: str, mend: str) -> InputFault:
        return InputFault(what, where=f"{self.path}:{_line_of(self.text, section, key)}", mend=mend)


def shared_area(a: Polygon, b: Polygon) -> float:
    """Area that two polygons have in common, as a share of the picture."""
    masks = []
    for polygon in (a, b):
        mask = np.zeros((_RASTER_PX, _RASTER_PX), np.uint8)
        cv2.fillPoly(mask, [np.rint(np.array(polygon) * _RASTER_PX).astype(np.int32)], 1)
        masks.append(mask)
    return float(cv2.countNonZero(masks[0] & masks[1])) / _RASTER_PX**2


def _number(value: object, low: float, high: float) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return math.isfinite(value) and low <= value <= high


def _line_of(text: str, section: str, key: str) -> int:
    """The line where `key` of `section` stands; that of the section, or 1, when it is written in another way."""
    inside, at = section == "", 1
    for number, line in enumerate(text.splitlines(), 1):
        if heading := re.match(r"\s*\[\s*([^\]]+?)\s*\]", line):
            inside = heading[1] == section
            if inside or (not section and heading[1].split(".")[0] == key):
                at = number
        elif inside and key and re.match(rf"\s*\"?{re.escape(key)}\"?\s*=", line):
            return number
    return at
