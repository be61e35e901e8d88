"""Arms over the table: what is foreign, reaches in from the picture's border, and moves.

The seat is told from where the arm crosses the border. Two arms that touch each other make one patch with two roots
and are parted again by which root each pixel is nearer to. What reaches in but lies still (a resting forearm, a cup
at the rim) is no arm until it moves; the table under it is remembered as it was, so that the whole arm is seen again
when it does.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards import Seat
from referee.vision.motion import Scene
from referee.vision.placing import Places
from referee.vision.view import Mask

MOST_ARMS = 4
"""More patches at the border than this are a camera that moved, not arms."""

_LIVE_S = 0.7
_HELD_S = 60.0
_SMALLEST_SHARE = 0.004
_SHORTEST_REACH = 0.08
_MOVING_PX = 12
_ROOT_GAP_PX = 14
_ROOT_PX = 4
_HAND_CARDS = 1.1
_FINGERS_CARDS = 0.35
_SLEEVE_CARDS = 1.1
_SAME_HAND_CARDS = 0.8
_SLIVER = 0.75

Pixels = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm in one frame, at working size.

    seat: whose it is, None when it comes from where nobody sits; mask: all of it, with what it carries;
    hand: its far end, about a card long; tip: (x, y) of the far end; reach_px: from the border to the tip;
    root: (x, y) of the middle of where it crosses the border; costs: how badly it fits each seat; perhaps: other
    seats whom it fits nearly as well.
    """

    seat: Seat | None
    mask: Mask
    hand: Mask
    tip: tuple[float, float]
    reach_px: float
    root: tuple[float, float] = (0.0, 0.0)
    costs: Mapping[Seat, float] = field(default_factory=dict)
    perhaps: tuple[Seat, ...] = ()

    def hand_share(self, where: Mask) -> float:
        """Share of the hand that lies in `where`, 0…1."""
        return cv2.countNonZero(cv2.bitwise_and(self.hand, where)) / max(1, cv2.countNonZero(self.hand))

    def fingers_share(self, where: Mask, card_px: float) -> float:
        """As `hand_share`, of the fingers alone: the hand's outermost part, about a third of a card long."""
        ys, xs = np.nonzero(self.hand)
        away = np.hypot(xs - self.root[0], ys - self.root[1])
        outermost = away >= self.reach_px - _FINGERS_CARDS * card_px
        return float((where[ys[outermost], xs[outermost]] > 0).mean()) if outermost.any() else 0.0

    def covers_px(self, where: Mask) -> int:
        """How many pixels of `where` the arm hides."""
        return cv2.countNonZero(cv2.bitwise_and(self.mask, where))


@dataclass(frozen=True, slots=True)
class AtBorder:
    """What reaches into the picture. arms: largest first; parked: patches at the border that lie still."""

    arms: list[Arm]
    parked: Mask

    @property
    def mask(self) -> Mask:
        """All of it: what must not be taken for the table."""
        mask = self.parked.copy()
        for arm in self.arms:
            mask |= arm.mask
        return mask


def find_arms(scene: Scene, places: Places) -> AtBorder:
    """The arms in a scene. A patch that has lain still is no arm, unless it rests on a pile."""
    height, width = scene.foreign.shape
    parked = np.zeros((height, width), np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(scene.foreign)
    smallest = max(30, round(_SMALLEST_SHARE * scene.foreign.size))
    arms: list[Arm] = []
    for label in sorted(range(1, count), key=lambda n: -int(stats[n, cv2.CC_STAT_AREA])):
        x, y, w, h, area = (int(v) for v in stats[label])
        if area < smallest:
            break
        if x > 1 and y > 1 and x + w < width - 1 and y + h < height - 1:
            continue
        ys, xs = np.nonzero(labels[y : y + h, x : x + w] == label)
        xs, ys = xs + x, ys + y
        if _alive(xs, ys, scene, places):
            arms += _arms_of(xs, ys, places)
        else:
            parked[ys, xs] = 255
    return AtBorder(arms[:MOST_ARMS], parked)


def _arms_of(xs: Pixels, ys: Pixels, places: Places) -> list[Arm]:
    roots = _roots(xs, ys, places.width_px, places.height_px)
    while len(roots) > 1:
        parted = [_arm(roots[n], part, places) for n, part in enumerate(_parted(xs, ys, roots))]
        sleeve = _one_sleeve(parted, places.card_px)
        if sleeve is None:
            return [arm for arm in parted if arm is not None]
        first, second = (roots[n] for n in sleeve)
        both = np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])
        roots = [both, *(root for n, root in enumerate(roots) if n not in sleeve)]
    whole = _arm(roots[0], (xs, ys), places) if roots else None
    return [whole] if whole is not None else []


def _parted(xs: Pixels, ys: Pixels, roots: list[tuple[Pixels, Pixels]]) -> list[tuple[Pixels, Pixels]]:
    """The pixels of a patch by which root they are nearest to."""
    nearest = np.stack([(xs - rx.mean()) ** 2 + (ys - ry.mean()) ** 2 for rx, ry in roots]).argmin(axis=0)
    return [(xs[nearest == n], ys[nearest == n]) for n in range(len(roots))]


def _one_sleeve(parted: list[Arm | None], card_px: float) -> tuple[int, int] | None:
    """Two parts that are the two sides of one sleeve, which looks like the table in between; None without such."""
    for (i, a), (j, b) in itertools.combinations(enumerate(parted), 2):
        if a is None or b is None:
            return i, j  # a mere sliver beside an arm
        if math.dist(a.root, b.root) < _SLEEVE_CARDS * card_px:
            short, long = sorted((a.reach_px, b.reach_px))
            if short < _SLIVER * long or math.dist(a.tip, b.tip) < _SAME_HAND_CARDS * card_px:
                return i, j
    return None


def _alive(xs: Pixels, ys: Pixels, scene: Scene, places: Places) -> bool:
    ages = scene.since_move_s[ys, xs]
    nth = min(ages.size - 1, _MOVING_PX)
    youngest = float(np.partition(ages, nth)[nth])
    if youngest < _LIVE_S:
        return True
    on_pile = int((places.discard[ys, xs] > 0).sum())
    if places.draw is not None:
        on_pile = max(on_pile, int((places.draw[ys, xs] > 0).sum()))
    return youngest < _HELD_S and on_pile > 0.15 * places.card_area_px


def _roots(xs: Pixels, ys: Pixels, width: int, height: int) -> list[tuple[Pixels, Pixels]]:
    """The stretches of border that a patch crosses, each as its border pixels."""
    on = (xs <= 1) | (ys <= 1) | (xs >= width - 2) | (ys >= height - 2)
    xs, ys = xs[on], ys[on]
    if xs.size == 0:
        return []
    around = 2 * (width + height)
    along = np.select(
        [ys <= 1, xs >= width - 2, ys >= height - 2],
        [xs, width + ys, 2 * width + height - xs],
        2 * (width + height) - ys,
    )
    order = np.argsort(along)
    xs, ys, along = xs[order], ys[order], along[order]
    cuts = np.nonzero(np.diff(along) > _ROOT_GAP_PX)[0] + 1
    runs = np.split(np.arange(along.size), cuts)
    if len(runs) > 1 and along[0] + around - along[-1] <= _ROOT_GAP_PX:  # one run across the corner at 0
        runs = [np.concatenate([runs[-1], runs[0]]), *runs[1:-1]]
    return [(xs[r], ys[r]) for r in runs if np.unique(along[r]).size >= _ROOT_PX]


def _arm(root: tuple[Pixels, Pixels], part: tuple[Pixels, Pixels], places: Places) -> Arm | None:
    (rx, ry), (xs, ys) = root, part
    if xs.size == 0:
        return None
    away = np.hypot(xs - rx.mean(), ys - ry.mean())
    count = max(1, min(xs.size, xs.size // 50))
    far = np.argpartition(away, xs.size - count)[xs.size - count :]
    reach = float(away[far].mean())
    if reach < _SHORTEST_REACH * places.height_px:
        return None
    mask = np.zeros((places.height_px, places.width_px), np.uint8)
    mask[ys, xs] = 255
    hand = np.zeros_like(mask)
    tip = away >= reach - _HAND_CARDS * places.card_px
    hand[ys[tip], xs[tip]] = 255
    at = float(xs[far].mean()), float(ys[far].mean())
    costs = places.seat_costs(rx, ry, at)
    seat = min(costs, key=lambda s: costs[s], default=None)
    return Arm(seat, mask, hand, at, reach, (float(rx.mean()), float(ry.mean())), costs)
