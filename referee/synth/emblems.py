"""Outlines of the signs that are not type: skip, reverse, little cards, hands.

Every function gives polygons or lines about the origin, in units of the sign's height.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
SKEW = 0.24


def _turn(points: Points, degrees: float) -> Points:
    a = np.radians(degrees)
    return np.asarray(points @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]), np.float64)


def reverse_arrows(lean_deg: float, curl: float, barb: float, gap: float = 0.02) -> list[Points]:
    """The two arrows of Reverse, lying on either side of a slanting line.

    lean_deg: how steeply they point up; curl: 0 square tails .. 1 tails that curve in to the line; barb: how far
    the heads stand out beside the shafts; gap: distance between the arrows.
    """
    bend = np.radians(np.linspace(0, 90, 9))
    reach = 0.08 + 0.22 * curl
    tail = np.stack([-0.15 + reach * (1 - np.cos(bend)), -gap - 0.19 * np.sin(bend)], axis=1)
    if curl < 0.15:
        tail = np.array([[-0.20, -gap], [-0.20, -gap - 0.19]])
    shaft = -gap - 0.19
    middle = shaft / 2
    half = -middle + barb
    head = np.array(
        [
            [0.25, shaft],
            [0.25, middle - half],
            [0.25 + 0.95 * half, middle],
            [0.25, middle + half],
            [0.25, -gap],
        ]
    )
    outline = np.vstack([tail, head])
    # The line between the arrows leans less than the arrows point, so that both heads come near one axis.
    outline[:, 1] += SKEW * outline[:, 0]
    arrow = _turn(outline, -lean_deg)
    return [arrow, -arrow]


def little_card(width: float, height: float, slant: float) -> Points:
    """A leaning little card (parallelogram) about the origin."""
    w, h = width / 2, height / 2
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    corners[:, 0] -= corners[:, 1] * slant
    return corners


def four_cards(wide: float) -> list[tuple[float, float]]:
    """Places of the four little cards of Wild Draw Four: top right, left, right, bottom left."""
    return [(0.20 * wide, -0.22), (-0.15 * wide, -0.03), (0.15 * wide, 0.05), (-0.20 * wide, 0.23)]


def hand_with_cards() -> list[Points]:
    """Lines of a drawn fist holding two cards, reaching in from the right."""
    cards = [
        np.array([[-0.42, -0.30], [-0.05, -0.34], [0.0, 0.02], [-0.38, 0.06], [-0.42, -0.30]]),
        np.array([[-0.34, -0.34], [-0.30, -0.42], [0.04, -0.40], [0.10, -0.05]]),
    ]
    sweep = np.linspace(0, np.pi, 9)
    fingers = [
        np.stack([0.02 - 0.10 * np.sin(sweep), -0.20 + 0.075 * i + 0.04 * np.cos(sweep)], axis=1) for i in range(4)
    ]
    arm = [
        np.array([[0.02, -0.25], [0.14, -0.36], [0.28, -0.30], [0.44, -0.08], [0.55, 0.05]]),
        np.array([[0.0, 0.10], [0.12, 0.10], [0.26, 0.14], [0.40, 0.30]]),
    ]
    return [*cards, *fingers, *arm]


def circling_arrow(start_deg: float) -> Points:
    """A third of a circle ending in an arrow head, as a filled outline."""
    sweep = np.radians(np.linspace(start_deg, start_deg + 95, 17))
    outer = np.stack([0.5 * np.cos(sweep), 0.5 * np.sin(sweep)], axis=1)
    inner = np.stack([0.41 * np.cos(sweep[::-1]), 0.41 * np.sin(sweep[::-1])], axis=1)
    tip = np.radians(start_deg + 125)
    end = np.radians(start_deg + 95)
    head = np.array(
        [
            [0.58 * np.cos(end), 0.58 * np.sin(end)],
            [0.455 * np.cos(tip), 0.455 * np.sin(tip)],
            [0.33 * np.cos(end), 0.33 * np.sin(end)],
        ]
    )
    return np.vstack([outer, head, inner])
