"""Reads the cards of one picture: detector, corners, classifier, and one honest confidence for each card."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from referee.cards import Card
from referee.observations import BACK, CardReading
from referee.vision.classifier import CropScorer, Face, OnnxCropScorer, merged, name_faces
from referee.vision.corners import farther_outlines, near_outlines
from referee.vision.detector import CardFinder, Detection, OnnxCardFinder, OwnCardFinder, is_same_card
from referee.vision.models import CLASSIFIER, DETECTOR, model_entry
from referee.vision.quads import Image, Quad, length_px, turned, upright
from referee.vision.search import find_cards

_MOST_ALTERNATIVES = 5
_SURE = 0.9
"""A face less sure than this is looked for in more outlines."""

_CLEAR_SCORE = 0.6
"""From this score of the detector on its outline is a card beyond doubt, and only the face is in question."""


class CardReader(Protocol):
    """Reads the cards of one picture."""

    def read(self, image_bgr: Image, expected_card_px: float | None = None) -> list[CardReading]:
        """The cards seen in a picture uint8 (height, width, 3), surest first.

        expected_card_px: length of a card in this picture in px when it is known; one look then suffices.
        """
        ...


class YoloCardReader:
    """Reads cards with a detector that outlines them and a classifier that names what each outline shows."""

    def __init__(self, finder: CardFinder, scorer: CropScorer) -> None:
        self.finder = finder
        self.scorer = scorer

    def read(self, image_bgr: Image, expected_card_px: float | None = None) -> list[CardReading]:
        """The cards seen in a picture uint8 (height, width, 3), surest first."""
        found = find_cards(self.finder, image_bgr, expected_card_px)
        if expected_card_px:
            found = [d for d in found if _fits(length_px(d.quad_px) / expected_card_px)]
        quads = [near_outlines(image_bgr, upright(d.quad_px)) for d in found]
        faces = self._faces(image_bgr, quads)
        doubtful = [
            i for i, d in enumerate(found) if d.score >= _CLEAR_SCORE / 2 and merged(faces[i])[0].best[1] < _SURE
        ]
        more = [farther_outlines(image_bgr, upright(found[i].quad_px)) for i in doubtful]
        for i, outlines, seen in zip(doubtful, more, self._faces(image_bgr, more), strict=True):
            quads[i] += outlines
            faces[i] += seen
        return _each_card_once([_reading(*card) for card in zip(found, quads, faces, strict=True)])

    def _faces(self, image: Image, quads: Sequence[Sequence[Quad]]) -> list[list[Face]]:
        """The face in each of the outlines of each card."""
        every = iter(name_faces(self.scorer, image, [quad for outlines in quads for quad in outlines]))
        return [[next(every) for _ in outlines] for outlines in quads]


def open_reader(weights: Path | None = None, manifest: Path | None = None) -> YoloCardReader:
    """A reader with the shipped models, or with a user's own Ultralytics detector `weights` (a `.pt` file).

    Raises InputFault when a model is missing, altered or cannot be run.
    """
    finder = OwnCardFinder(weights) if weights else OnnxCardFinder(model_entry(DETECTOR, manifest))
    return YoloCardReader(finder, OnnxCropScorer(model_entry(CLASSIFIER, manifest)))


def _fits(ratio: float) -> bool:
    """True for a length near the expected one: corner signs are shorter, a whole hand taken for a card is longer."""
    return 0.6 < ratio < 1.6


def _reading(detection: Detection, quads: Sequence[Quad], faces: Sequence[Face]) -> CardReading:
    """One reading of a card from what each of its possible outlines shows."""
    face, best = merged(faces)
    code, probability = face.best
    return CardReading(
        card=None if code == BACK else Card.parse(code),
        confidence=probability * min(1.0, detection.score / _CLEAR_SCORE),
        quad_px=tuple((float(x), float(y)) for x, y in turned(quads[best], face.quarter_turns)),
        alternatives=tuple((c, p) for c, p in face.codes[:_MOST_ALTERNATIVES] if p >= 0.005 or c == code),
    )


def _each_card_once(readings: Sequence[CardReading]) -> list[CardReading]:
    """Readings without those of the same card or of a part of one that is read more surely (G1), surest first."""
    kept: list[CardReading] = []
    for reading in sorted(readings, key=lambda r: -r.confidence):
        quad = np.array(reading.quad_px, np.float32)
        if not any(is_same_card(quad, np.array(other.quad_px, np.float32)) for other in kept):
            kept.append(reading)
    return kept
