"""The picture of one moment: the frame as the camera saw it, what was read on it, and what was ruled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

WIDTH_PX = 1280
_INK = (250, 248, 246)
_SOFT = (214, 206, 198)
_BAND = (40, 30, 24)
_SHADE = (70, 60, 52)
_ARM = (150, 90, 30)
# Colour never speaks alone: the kind is written in words beside the bar.
_ACCENT = {"foul": (64, 76, 235), "question": (60, 170, 245), "note": (190, 150, 70)}


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to outline: four corners in pixels of the frame, and its label."""

    quad_px: tuple[tuple[float, float], ...]
    label: str


@dataclass(frozen=True, slots=True)
class Way:
    """Where an arm reached: from the border to a place, in pixels of the frame, and whose it was."""

    from_px: tuple[float, float]
    to_px: tuple[float, float]
    label: str


def draw_moment(
    image_bgr: Image,
    *,
    kind: str,
    title: str,
    lines: Sequence[str],
    marks: Sequence[Mark] = (),
    areas: Sequence[Mark] = (),
    ways: Sequence[Way] = (),
) -> Image:
    """`image_bgr` uint8 (h, w, 3) brought to 1280 px width, with `marks` outlined and a caption band below.

    kind: `foul`, `question` or `note`; title: the ruling's sentence; lines: remedy, rule, time. areas: places of the
    table, drawn thinly; ways: arms.
    """
    scale = WIDTH_PX / image_bgr.shape[1]
    picture = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    accent = _ACCENT.get(kind, _ACCENT["note"])
    for area in areas:
        _area(picture, np.asarray(area.quad_px, np.float32) * scale, area.label)
    for way in ways:
        _way(picture, np.asarray([way.from_px, way.to_px], np.float32) * scale, way.label)
    for mark in marks:
        _outline(picture, np.asarray(mark.quad_px, np.float32) * scale, mark.label, accent)
    return np.vstack([picture, _caption(kind, title, lines, accent)]).astype(np.uint8)


def _area(picture: Image, polygon: NDArray[np.float32], label: str) -> None:
    points = np.round(polygon).astype(np.int32)
    cv2.polylines(picture, [points], True, (20, 20, 20), 3, cv2.LINE_AA)
    cv2.polylines(picture, [points], True, _SOFT, 1, cv2.LINE_AA)
    left, top = int(np.clip(polygon[:, 0].min(), 2, WIDTH_PX - 60)), int(polygon[:, 1].min())
    _written(picture, label, (left + 6, max(top, 0) + 6), _SHADE)


def _way(picture: Image, ends: NDArray[np.float32], label: str) -> None:
    start, end = (tuple(int(v) for v in np.round(point)) for point in (ends[0], 0.2 * ends[0] + 0.8 * ends[1]))
    cv2.arrowedLine(picture, start, end, (20, 20, 20), 9, cv2.LINE_AA, tipLength=0.08)
    cv2.arrowedLine(picture, start, end, _ARM, 5, cv2.LINE_AA, tipLength=0.08)
    beside = np.round(0.65 * ends[0] + 0.35 * ends[1])
    _written(picture, label, (int(beside[0]) + 14, int(np.clip(beside[1] - 12, 4, picture.shape[0] - 40))), _ARM)


def _written(picture: Image, label: str, corner: tuple[int, int], ground: tuple[int, int, int]) -> None:
    font, (left, top) = cv2.FontFace("sans"), corner
    x, y, width, height = cv2.getTextSize((WIDTH_PX, 100), label, (0, 0), font, 18, 500)
    left = min(left, picture.shape[1] - width - 14)
    cv2.rectangle(picture, (left, top), (left + width + 12, top + height + 8), ground, -1, cv2.LINE_AA)
    cv2.putText(picture, label, (left + 6 - x, top + 4 - y), _INK, font, 18, 500)


def _outline(picture: Image, quad: NDArray[np.float32], label: str, accent: tuple[int, int, int]) -> None:
    points = [np.round(quad).astype(np.int32)]
    cv2.polylines(picture, points, True, (255, 255, 255), 7, cv2.LINE_AA)
    cv2.polylines(picture, points, True, accent, 4, cv2.LINE_AA)
    font, room = cv2.FontFace("sans"), max(90.0, float(np.ptp(quad[:, 0])) - 12)
    size_px = 24
    while size_px > 14 and cv2.getTextSize((WIDTH_PX, 100), label, (0, 0), font, size_px, 600)[2] > room - 20:
        size_px -= 1  # labels of cards that lie side by side must not cover each other
    x, y, width, height = cv2.getTextSize((WIDTH_PX, 100), label, (0, 0), font, size_px, 600)
    left = int(np.clip(quad[:, 0].mean() - width / 2 - 10, 4, picture.shape[1] - width - 24))
    top = int(quad[:, 1].min()) - height - 26
    if top < 4:  # no room above the card: below it
        top = int(quad[:, 1].max()) + 12
    cv2.rectangle(picture, (left, top), (left + width + 20, top + height + 14), accent, -1, cv2.LINE_AA)
    cv2.putText(picture, label, (left + 10 - x, top + 7 - y), (255, 255, 255), font, size_px, 600)


def _caption(kind: str, title: str, lines: Sequence[str], accent: tuple[int, int, int]) -> Image:
    band = np.full((92 + 34 * len(lines), WIDTH_PX, 3), _BAND, np.uint8)
    cv2.rectangle(band, (0, 0), (11, band.shape[0]), accent, -1)
    font = cv2.FontFace("sans")
    cv2.putText(band, kind.upper(), (36, 34), accent, font, 18, 700)
    size_px = 32
    while size_px > 18 and cv2.getTextSize((9999, 100), title, (0, 0), font, size_px, 600)[2] > WIDTH_PX - 72:
        size_px -= 2
    cv2.putText(band, title, (36, 74), _INK, font, size_px, 600)
    for i, line in enumerate(lines):
        cv2.putText(band, line, (36, 112 + 34 * i), _SOFT, font, 21, 400)
    return band
