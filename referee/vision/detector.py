"""Finds cards in one look at a picture: an oriented YOLO detector, run as ONNX by OpenCV.

The network's raw output (1, 4 + classes + 1, n) holds for each anchor the box's centre, width and height in px of the
input, a score for each class (0 card, 1 back) and the turn of the box in radians, as Ultralytics exports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observations import BACK
from referee.vision.models import ModelEntry, load_net
from referee.vision.quads import Image, Quad, area_px, inside, length_px, overlap, shared_px
from referee.vision.yolo import OwnNetwork

LEAST_SCORE = 0.15
"""Boxes below this score are noise."""

SAME_CARD = 0.5
"""Intersection over union from which on two outlines are taken for one card."""

_SAME_ANCHOR = 0.6
"""The same for boxes of one look: they agree better, and cards of a tight fan overlap by more than half."""

_MOST_ANCHORS = 300
_TURNS = np.array([np.roll(np.arange(4), -k) for k in range(4)])


@dataclass(frozen=True, slots=True)
class Detection:
    """A card-shaped outline. `score` 0…1 that it is a card, `back_score` the detector's score for a back."""

    quad_px: Quad
    score: float
    back_score: float = 0.0


class CardFinder(Protocol):
    """What finds cards in a picture: the shipped ONNX detector, or a user's own weights.

    size_px: side of the square pictures it has learnt from; cards between a tenth of that and all of it are found.
    """

    size_px: int

    def find(self, picture: Image, least_score: float = LEAST_SCORE) -> list[Detection]:
        """Detections in a picture (h, w, 3) BGR, sides multiples of 32, best first, in its own pixels."""
        ...


class OnnxCardFinder:
    """The shipped detector. Raises InputFault when its model is missing, altered or cannot be run."""

    def __init__(self, entry: ModelEntry) -> None:
        self.size_px = entry.size_px[0]
        self._net = load_net(entry)

    def find(self, picture: Image, least_score: float = LEAST_SCORE) -> list[Detection]:
        """Detections in a picture (h, w, 3) BGR, sides multiples of 32, best first, in its own pixels."""
        return decode(self.raw(cv2.dnn.blobFromImage(picture, 1 / 255, swapRB=True)), least_score)

    def raw(self, blob: NDArray[Any]) -> NDArray[np.float32]:
        """The network's raw output for a float32 batch (1, 3, h, w) of RGB 0…1."""
        self._net.setInput(blob)
        return np.asarray(self._net.forward(), np.float32)


class OwnCardFinder:
    """A user's own Ultralytics detector: its class named `back` is a face-down card, every other class a card.

    Raises InputFault as `yolo.OwnNetwork`.
    """

    def __init__(self, weights: Path) -> None:
        self._network = OwnNetwork(weights)
        self.size_px = self._network.size_px

    def find(self, picture: Image, least_score: float = LEAST_SCORE) -> list[Detection]:
        """Detections in a picture (h, w, 3) BGR, sides multiples of 32, best first, in its own pixels."""
        output = self.raw(cv2.dnn.blobFromImage(picture, 1 / 255, swapRB=True))
        return decode(two_classes(output, self._network.labels), least_score)

    def raw(self, blob: NDArray[Any]) -> NDArray[np.float32]:
        """The network's raw output for a float32 batch (1, 3, h, w) of RGB 0…1."""
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
    quads = oriented_quads(rows[kept][:, [0, 1, 2, 3, -1]])
    backs = scores[kept, 1] if scores.shape[1] > 1 else np.zeros(len(kept))
    found = [Detection(quad, float(best[i]), float(back)) for i, quad, back in zip(kept, quads, backs, strict=True)]
    return averaged(found)


def oriented_quads(boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Corners (n, 4, 2), clockwise, of boxes (n, 5): centre x, y, width, height, turn in radians, clockwise."""
    x, y, width, height, angle = boxes.T.astype(np.float64)
    centre = np.stack([x, y], axis=1)
    along = np.stack([np.cos(angle), np.sin(angle)], axis=1) * (width / 2)[:, None]
    across = np.stack([-np.sin(angle), np.cos(angle)], axis=1) * (height / 2)[:, None]
    corners = [centre - along - across, centre + along - across, centre + along + across, centre - along + across]
    return np.stack(corners, axis=1).astype(np.float32)


def averaged(found: Sequence[Detection], same: float = _SAME_ANCHOR) -> list[Detection]:
    """Detections with overlapping ones merged: each group's outline is the mean weighted by score, best first.

    Averaging the anchors that saw one card places its corners better than trusting the best alone.
    """
    groups: list[list[Detection]] = []
    ordered = sorted(found, key=lambda d: -d.score)
    if not ordered:
        return []
    quads = np.stack([d.quad_px for d in ordered])
    centres = quads.mean(axis=1)
    apart = np.abs(centres[:, None] - centres).max(axis=2)
    areas = [area_px(quad) for quad in quads]
    # Outlines whose centres lie their extent apart, or one of which is too small, cannot overlap by so much: most
    # pairs need no polygons.
    near = apart < np.ptp(quads, axis=1).max(axis=1)[:, None]
    near &= np.minimum.outer(areas, areas) >= same * np.maximum.outer(areas, areas)
    firsts: list[int] = []
    for k, detection in enumerate(ordered):
        for g in np.flatnonzero(near[k, firsts]):
            if overlap(groups[g][0].quad_px, detection.quad_px) >= same:
                groups[g].append(detection)
                break
        else:
            firsts.append(k)
            groups.append([detection])
    return [_mean(group) for group in groups]


def is_same_card(a: Quad, b: Quad) -> bool:
    """True when two outlines are of one card: alike, or one a corner sign or an oval inside the other (G1)."""
    if not shared_px(a, b):
        return False
    if overlap(a, b) >= SAME_CARD:
        return True
    small, large = (a, b) if area_px(a) < area_px(b) else (b, a)
    return is_part(small, large)


def is_part(small: Quad, large: Quad) -> bool:
    """True when an outline is a corner sign or an oval of a larger one, in which it lies (G1)."""
    # Two whole cards on one table are never so different in length.
    return length_px(small) < 0.85 * length_px(large) and inside(small, large) >= 0.8


def _mean(group: Sequence[Detection]) -> Detection:
    likely = [d for d in group if d.score >= 0.5 * group[0].score]
    back_score = max(d.back_score for d in group)
    if len(likely) == 1:
        return Detection(group[0].quad_px, group[0].score, back_score)
    quads = np.stack([d.quad_px for d in likely])[:, _TURNS]
    # Each outline from the corner that lies at the first one's first corner.
    turn = ((quads - group[0].quad_px) ** 2).sum(axis=(2, 3)).argmin(axis=1)
    weights = np.array([d.score for d in likely])
    mean = np.tensordot(weights / weights.sum(), quads[np.arange(len(likely)), turn], axes=1)
    return Detection(mean.astype(np.float32), group[0].score, back_score)
