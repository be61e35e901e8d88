"""Outlines of arms for those who look at the live picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2

from referee.cards import Seat
from referee.vision.arms import Arm

COARSE = 0.01
"""Corners closer to a straight line than this share of the outline's length are left out."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ArmOutline:
    """An arm over the table. seat: whose it is, None if that cannot be told; polygon: in fractions of the frame."""

    seat: Seat | None
    polygon: tuple[Point, ...]


def outlines_of(arms: Iterable[Arm]) -> tuple[ArmOutline, ...]:
    """The largest patch of each arm's mask, with few corners."""
    return tuple(ArmOutline(arm.seat, polygon) for arm in arms if len(polygon := _polygon(arm)) >= 3)


def _polygon(arm: Arm) -> tuple[Point, ...]:
    height, width = arm.mask.shape[:2]
    found, _ = cv2.findContours(arm.mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not found:
        return ()
    largest = max(found, key=cv2.contourArea)
    corners = cv2.approxPolyDP(largest, COARSE * cv2.arcLength(largest, True), True).reshape(-1, 2)
    return tuple((float(x) / width, float(y) / height) for x, y in corners)
