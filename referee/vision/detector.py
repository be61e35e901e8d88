"""Finds cards in one window of a picture: an oriented YOLO detector, run as ONNX by OpenCV.

The network's raw output (1, 4 + classes + 1, n) holds for each anchor the box's centre, width and height in px of the
input, a score for each class (0 card, 1 back) and the turn of the box in radians, as Ultralytics exports it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observations import BACK
from referee.vision.models import ModelEntry, load_net
from referee.vision.quads import Image, Quad, area_px, inside, length_px, overlap
from referee.vision.yolo import OwnNetwork

LEAST_SCORE = 0.15
"""Boxes below this score are noise."""

SAME_CARD = 0.5
"""Intersection over union from which on two outlines are taken for one card."""

_MOST_ANCHORS = 300


@dataclass(frozen=True, slots=True)
class Detection:
    """A card-shaped outline. `score` 0…1 that it is a card, `back_score` the detector's score for a back."""

    quad_px: Quad
    score: float
    back_score: float = 0.0


class CardFinder(Protocol):
    """What finds cards in a square picture: the shipped ONNX detector, or a user's own weights."""

    size_px: int

    def find(self, square: Image) -> list[Detection]:
        """Detections in a picture (size_px, size_px, 3) BGR, best first, in its own pixels."""
        ...


class OnnxCardFinder:
    """The shipped detector. Raises InputFault when its model is missing, altered or cannot be run."""

    def __init__(self, entry: ModelEntry) -> None:
        self.size_px = entry.size_px[0]
        self._net = load_net(entry)

    def find(self, square: Image) -> list[Detection]:
        """Detections in a picture (size_px, size_px, 3) BGR, best first, in its own pixels."""
        return decode(self.raw(cv2.dnn.blobFromImage(square, 1 / 255, swapRB=True)))

    def raw(self, blob: NDArray[Any]) -> NDArray[np.float32]:
        """The network's raw output for a float32 batch (1, 3, S, S) of RGB 0…1."""
        self._net.setInput(blob)
        return np.asarray(self._net.forward(), np.float32)


class OwnCardFinder:
    """A user's own Ultralytics detector: its class named `back` is a face-down card, every other class a card.

    Raises InputFault as `yolo.OwnNetwork`.
    """

    def __init__(self, weights: Path) -> None:
        self._network = OwnNetwork(weights)
        self.size_px = self._network.size_px

    def find(self, square: Image) -> list[Detection]:
        """Detections in a picture (size_px, size_px, 3) BGR, best first, in its own pixels."""
        output = self.raw(cv2.dnn.blobFromImage(square, 1 / 255, swapRB=True))
        return decode(two_classes(output, self._network.labels))

    def raw(self, blob: NDArray[Any]) -> NDArray[np.float32]:
        """The network's raw output for a float32 batch (1, 3, S, S) of RGB 0…1."""
        return np.asarray(self._network.raw(blob), np.float32)


def two_classes(output: NDArray[np.float32], labels: Sequence[str]) -> NDArray[np.float32]:
    """Raw output (1, 4 + labels + 1, n) with its classes joined to card and back: (1, 7, n)."""
    boxes, scores, turn = output[:, :4], output[:, 4:-1], output[:, -1:]
    is_back = np.array([label.lower() == BACK for label in labels])
    empty = np.zeros_like(turn)
    card = scores[:, ~is_back].max(axis=1, keepdims=True) if not is_back.all() else empty
    back = scores[:, is_back].max(axis=1, keepdims=True) if is_back.any() else empty
    return np.concatenate([boxes, card, back, turn], axis=1)


def decode(output: NDArray[np.float32], least_score: float = LEAST_SCORE) -> list[Detection]:
    """Detections from the network's raw output (1, 4 + classes + 1, n); double boxes are merged, best first."""
    rows = output[0].T
    scores = rows[:, 4:-1]
    best = scores.max(axis=1)
    kept = np.flatnonzero(best >= least_score)
    kept = kept[np.argsort(-best[kept])][:_MOST_ANCHORS]
    found = [
        Detection(
            oriented_quad(rows[i, [0, 1, 2, 3, -1]]),
            float(best[i]),
            float(scores[i, 1]) if scores.shape[1] > 1 else 0.0,
        )
        for i in kept
    ]
    return averaged(found)


def oriented_quad(box: Sequence[float] | NDArray[np.float32]) -> Quad:
    """Corners, clockwise, of a box (centre x, y, width, height, turn in radians, clockwise as y grows down)."""
    x, y, width, height, angle = (float(value) for value in box)
    along = np.array([math.cos(angle), math.sin(angle)]) * width / 2
    across = np.array([-math.sin(angle), math.cos(angle)]) * height / 2
    centre = np.array([x, y])
    corners = [centre - along - across, centre + along - across, centre + along + across, centre - along + across]
    return np.array(corners, np.float32)


def averaged(found: Sequence[Detection], same: float = SAME_CARD) -> list[Detection]:
    """Detections with overlapping ones merged: each group's outline is the mean weighted by score, best first.

    Averaging the anchors that saw one card places its corners better than trusting the best alone.
    """
    groups: list[list[Detection]] = []
    for detection in sorted(found, key=lambda d: -d.score):
        for group in groups:
            if overlap(group[0].quad_px, detection.quad_px) >= same:
                group.append(detection)
                break
        else:
            groups.append([detection])
    return [_mean(group) for group in groups]


def one_each(found: Sequence[Detection]) -> list[Detection]:
    """Detections with every outline once: of two of the same card the one with the better score stays, best first."""
    kept: list[Detection] = []
    for detection in sorted(found, key=lambda d: -d.score):
        if all(overlap(detection.quad_px, other.quad_px) < SAME_CARD for other in kept):
            kept.append(detection)
    return kept


def is_same_card(a: Quad, b: Quad) -> bool:
    """True when two outlines are of one card: alike, or one a corner sign or an oval inside the other (G1)."""
    if overlap(a, b) >= SAME_CARD:
        return True
    small, large = (a, b) if area_px(a) < area_px(b) else (b, a)
    # Two whole cards on one table are never so different in length.
    return length_px(small) < 0.75 * length_px(large) and inside(small, large) >= 0.8


def _mean(group: Sequence[Detection]) -> Detection:
    first = group[0].quad_px
    total = np.zeros((4, 2))
    weight = 0.0
    for detection in group:
        if detection.score >= 0.5 * group[0].score:
            total += _aligned(detection.quad_px, first) * detection.score
            weight += detection.score
    return Detection((total / weight).astype(np.float32), group[0].score, max(d.back_score for d in group))


def _aligned(quad: Quad, to: Quad) -> Quad:
    turns = [np.roll(quad, -k, axis=0) for k in range(4)]
    return min(turns, key=lambda q: float(((q - to) ** 2).sum()))
