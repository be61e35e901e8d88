"""What was understood, drawn for the person to accept: zones and seats as the camera sees them, and from above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from referee.cards import Seat
from referee.vision.planes import CARD_LENGTH_MM, Homography, Points, inverse, mapped, warped
from referee.vision.quads import Image
from referee.vision.zones import Edge, TableZones, centre_of

WIDTH_PX = 1600
_PICTURE_PX = 1040
_GAP_PX = 24
_BAND = (38, 34, 30)
_INK, _SOFT = (245, 245, 245), (190, 186, 180)
_DISCARD, _DRAW = (60, 170, 255), (235, 160, 60)
_SEATS = (
    (106, 217, 120), (214, 120, 214), (96, 112, 240), (206, 214, 90), (80, 200, 240),
    (240, 140, 150), (120, 160, 250), (150, 220, 180), (200, 160, 120), (180, 130, 255),
)  # fmt: skip

Colour = tuple[int, int, int]


def draw_preview(
    frame_bgr: Image, zones: TableZones, names: Mapping[Seat, str] | None = None, lines: Sequence[str] = ()
) -> Image:
    """The camera's picture with the zones, the table picture beside it, and `lines` below, uint8 (h, 1600, 3)."""
    names = names or {}
    height, width = frame_bgr.shape[:2]
    if zones.plane is None:
        to_frame = np.eye(3)
        scale = WIDTH_PX / width
        left = _marked(frame_bgr, zones, to_frame, scale, names, grid=False)
        top = left
    else:
        plane = zones.plane
        to_frame = inverse(plane.to_table((width, height)))
        left = _marked(frame_bgr, zones, to_frame, _PICTURE_PX / width, names, grid=True)
        room = WIDTH_PX - _PICTURE_PX - _GAP_PX
        above = warped(frame_bgr, plane.to_table((width, height)), plane.size_px)
        above = _marked(above, zones, np.eye(3), room / plane.size_px[0], names, grid=True)
        tall = max(left.shape[0], above.shape[0])
        top = np.full((tall, WIDTH_PX, 3), _BAND, np.uint8)
        top[: left.shape[0], :_PICTURE_PX] = left
        top[: above.shape[0], _PICTURE_PX + _GAP_PX :] = above
    return np.asarray(np.vstack([top, _caption(lines)]), np.uint8)


def _marked(
    image: Image, zones: TableZones, to_image: Homography, scale: float, names: Mapping[Seat, str], *, grid: bool
) -> Image:
    """The picture brought to `scale`, with zones filled softly, outlined and named."""
    picture = np.asarray(
        cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC),
        np.uint8,
    )
    enlarge = np.diag([scale, scale, 1.0])
    to_drawn = enlarge @ to_image

    def at(points: Points) -> Points:
        return mapped(to_drawn, points * (zones.width_px, zones.height_px))

    if grid and zones.plane:
        _grid(picture, zones, at(np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)), to_drawn)
    areas: list[tuple[str, Points, Colour]] = [("discard", at(np.array(zones.discard)), _DISCARD)]
    if zones.draw:
        areas.append(("draw", at(np.array(zones.draw)), _DRAW))
    for seat in zones.seats:
        label = f"{seat.seat} {names.get(seat.seat, '')}".strip()
        areas.append((label, at(np.array(seat.place)), _SEATS[(seat.seat - 1) % len(_SEATS)]))
    soft = picture.copy()
    for _, corners, colour in areas:
        cv2.fillPoly(soft, [_whole(corners)], colour, cv2.LINE_AA)
    picture = np.asarray(cv2.addWeighted(soft, 0.28, picture, 0.72, 0), np.uint8)
    for _, corners, colour in areas:
        cv2.polylines(picture, [_whole(corners)], True, (255, 255, 255), 5, cv2.LINE_AA)
        cv2.polylines(picture, [_whole(corners)], True, colour, 3, cv2.LINE_AA)
    for seat in zones.seats:
        _arrow(picture, at, seat.edge, centre_of(seat.place), _SEATS[(seat.seat - 1) % len(_SEATS)])
    for label, corners, colour in areas:
        pile = label in ("discard", "draw")  # the label stands above a pile, so that its card is seen
        at_px = np.array([corners[:, 0].mean(), corners[:, 1].min() - 16]) if pile else corners.mean(axis=0)
        _label(picture, label, at_px, colour, 15 if pile else 20)
    return picture


def _grid(picture: Image, zones: TableZones, rim: Points, to_drawn: Homography) -> None:
    """Lines every 100 mm, the rim of what is watched, and the axes with their directions."""
    assert zones.plane is not None
    width_mm, height_mm = zones.plane.size_mm
    step = 100 * zones.plane.px_per_mm
    faint = picture.copy()
    for n in range(1, int(width_mm // 100) + 1):
        ends = mapped(to_drawn, np.array([[n * step, 0], [n * step, zones.height_px]], np.float64))
        cv2.line(faint, *_ends(ends), (255, 255, 255), 1, cv2.LINE_AA)
    for n in range(1, int(height_mm // 100) + 1):
        ends = mapped(to_drawn, np.array([[0, n * step], [zones.width_px, n * step]], np.float64))
        cv2.line(faint, *_ends(ends), (255, 255, 255), 1, cv2.LINE_AA)
    cv2.addWeighted(faint, 0.35, picture, 0.65, 0, dst=picture)
    cv2.polylines(picture, [_whole(rim)], True, (20, 20, 20), 5, cv2.LINE_AA)
    cv2.polylines(picture, [_whole(rim)], True, (255, 255, 255), 2, cv2.LINE_AA)
    origin = 0.35 * step
    for tip, colour, name in (((1.0, 0.0), (80, 80, 255), "x"), ((0.0, 1.0), (90, 220, 90), "y")):
        ends = mapped(to_drawn, np.array([[origin, origin], [origin + step * tip[0], origin + step * tip[1]]]))
        cv2.arrowedLine(picture, *_ends(ends), (255, 255, 255), 6, cv2.LINE_AA, tipLength=0.22)
        cv2.arrowedLine(picture, *_ends(ends), colour, 3, cv2.LINE_AA, tipLength=0.22)
        x, y = _ends(ends)[1]
        cv2.putText(picture, f"{name} 100 mm", (x + 6, y + 6), (255, 255, 255), cv2.FontFace("sans"), 15, 600)


def _arrow(picture: Image, at: object, edge: Edge, place: tuple[float, float], colour: Colour) -> None:
    """From the rim into the place: where this seat's arm comes from."""
    assert callable(at)
    x, y = place
    start = {Edge.BOTTOM: (x, 1.0), Edge.TOP: (x, 0.0), Edge.LEFT: (0.0, y), Edge.RIGHT: (1.0, y)}[edge]
    tip = start[0] + 0.55 * (x - start[0]), start[1] + 0.55 * (y - start[1])
    ends = at(np.array([start, tip]))
    cv2.arrowedLine(picture, *_ends(ends), (255, 255, 255), 7, cv2.LINE_AA, tipLength=0.5)
    cv2.arrowedLine(picture, *_ends(ends), colour, 4, cv2.LINE_AA, tipLength=0.5)


def _label(picture: Image, text: str, middle: Points, colour: Colour, size_px: int) -> None:
    font = cv2.FontFace("sans")
    x, y, width, height = cv2.getTextSize((WIDTH_PX, 100), text, (0, 0), font, size_px, 700)
    left = int(np.clip(middle[0] - width / 2 - 8, 2, max(2, picture.shape[1] - width - 18)))
    top = int(np.clip(middle[1] - height / 2 - 7, 2, max(2, picture.shape[0] - height - 16)))
    cv2.rectangle(picture, (left, top), (left + width + 16, top + height + 14), (30, 28, 26), -1, cv2.LINE_AA)
    cv2.rectangle(picture, (left, top), (left + 5, top + height + 14), colour, -1)
    cv2.putText(picture, text, (left + 10 - x, top + 7 - y), _INK, font, size_px, 700)


def _caption(lines: Sequence[str]) -> Image:
    band = np.full((30 + 30 * max(1, len(lines)), WIDTH_PX, 3), _BAND, np.uint8)
    for n, line in enumerate(lines):
        ink = _INK if n == 0 else _SOFT
        size_px, weight = (22, 700) if n == 0 else (19, 400)
        cv2.putText(band, line, (24, 36 + 30 * n), ink, cv2.FontFace("sans"), size_px, weight)
    return band


def preview_lines(zones: TableZones, notes: Sequence[str] = ()) -> list[str]:
    """What the preview says below the pictures."""
    seats = f"{len(zones.seats)} seat{'s' if len(zones.seats) > 1 else ''}"
    if zones.plane is None:
        return [f"A guess from the whole picture, {seats}: nothing was measured", *notes]
    width_mm, height_mm = zones.plane.size_mm
    card = f"a card is {CARD_LENGTH_MM * zones.plane.px_per_mm:.0f} px long in the table picture"
    return [f"{width_mm:.0f} x {height_mm:.0f} mm of the table are watched, {seats}; {card}", *notes]


def _whole(points: Points) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    return np.rint(np.clip(points, -20000, 20000)).astype(np.int32)


def _ends(points: Points) -> tuple[tuple[int, int], tuple[int, int]]:
    (ax, ay), (bx, by) = _whole(points).tolist()
    return (ax, ay), (bx, by)
