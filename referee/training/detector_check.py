"""How well an exported detector outlines the cards of drawn validation scenes, run as the referee runs it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.synth.faces import BACK
from referee.vision.detector import Detection, OnnxCardFinder
from referee.vision.models import ModelEntry
from referee.vision.quads import length_px, overlap
from referee.vision.windows import whole

Quad = NDArray[np.float32]
SCORE = 0.5
CLEARLY_VISIBLE = 0.6
SMALL_PX = 40


@dataclass(slots=True)
class Tally:
    """Counts over validation scenes; a card is found when an outline overlaps it by half or more."""

    cards: int = 0
    found: int = 0
    small: int = 0
    small_found: int = 0
    backs_right: int = 0
    claimed: int = 0
    false: int = 0
    overlaps: list[float] = field(default_factory=list)
    corner_errors: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """The counts as shares."""
        return {
            "cards": self.cards,
            "recall": round(self.found / max(1, self.cards), 4),
            "recall_under_40_px": round(self.small_found / max(1, self.small), 4),
            "precision": round(1 - self.false / max(1, self.claimed), 4),
            "card_or_back_right": round(self.backs_right / max(1, self.found), 4),
            "mean_overlap": round(float(np.mean(self.overlaps or [0.0])), 4),
            "corner_error": round(float(np.mean(self.corner_errors or [0.0])), 4),
        }


def check_detector(entry: ModelEntry, scenes: Path, part: str = "val") -> dict[str, float]:
    """Figures of a detector on the scenes of a folder written by `write_scenes`.

    recall and overlaps count cards of which 60 % or more is visible; precision counts any labelled card;
    corner_error is the mean distance of a corner from its place as a share of the card's length.
    """
    finder = OnnxCardFinder(entry)
    tally = Tally()
    for truth_file in sorted((scenes / "truth" / part).glob("*.json")):
        image = cv2.imread(str(scenes / "images" / part / f"{truth_file.stem}.jpg"))
        if image is None:
            continue
        height, width = image.shape[:2]
        scale = finder.size_px / max(width, height)
        window = whole(width, height, scale)
        shown = window.seen(np.asarray(image, np.uint8), scale)
        found = [
            Detection(window.to_picture(d.quad_px, scale), d.score, d.back_score)
            for d in finder.find(shown)
            if d.score >= SCORE
        ]
        _count(tally, json.loads(truth_file.read_text()), found)
    return tally.figures()


def _count(tally: Tally, truth: list[dict[str, object]], found: list[Detection]) -> None:
    quads = [np.array(card["quad"], np.float32) for card in truth]
    shares = [float(str(card["visible"])) for card in truth]
    tally.claimed += len(found)
    tally.false += sum(
        not any(overlap(d.quad_px, q) >= 0.4 for q, v in zip(quads, shares, strict=True) if v > 0.15) for d in found
    )
    left = list(found)
    for card, quad, visible in sorted(zip(truth, quads, shares, strict=True), key=lambda x: -x[2]):
        if visible < CLEARLY_VISIBLE:
            continue
        small = length_px(quad) < SMALL_PX
        tally.cards += 1
        tally.small += small
        best = max(left, key=lambda d: overlap(d.quad_px, quad), default=None)
        if best is None or (share := overlap(best.quad_px, quad)) < 0.5:
            continue
        left = [d for d in left if d is not best]
        tally.found += 1
        tally.small_found += small
        tally.backs_right += (best.back_score >= 0.5 * best.score) == (card["code"] == BACK)
        tally.overlaps.append(share)
        tally.corner_errors.append(corner_error(best.quad_px, quad))


def corner_error(found: Quad, true: Quad) -> float:
    """Mean distance of the corners, best of the four ways to pair them, as a share of the card's length."""
    ways = [np.linalg.norm(np.roll(found, k, axis=0) - true, axis=1).mean() for k in range(4)]
    return float(min(ways)) / max(length_px(true), 1e-6)
