"""Reads the cards of one picture: detector, corners, classifier, and one honest confidence for each card."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from referee.cards import Card
from referee.observations import BACK, CardReading
from referee.vision.classifier import CropScorer, Face, OnnxCropScorer, merged, name_faces
from referee.vision.corners import Outline, farther_outlines, near_outlines
from referee.vision.deck_file import load_deck
from referee.vision.deck_scorer import DeckScorer
from referee.vision.detector import CardFinder, Detection, OnnxCardFinder, OwnCardFinder, is_same_card
from referee.vision.models import CLASSIFIER, DETECTOR, model_entry
from referee.vision.quads import Image, Quad, length_px, turned, upright
from referee.vision.search import find_cards

LEGIBLE_PX = 28
"""A card shorter than this in the picture has a digit of some four pixels: whatever is read there is no reading."""

_MOST_ALTERNATIVES = 5
_BEYOND_DOUBT = 0.99
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
        found = [d for d in found if length_px(d.quad_px) >= LEGIBLE_PX]
        if expected_card_px:
            found = [d for d in found if _fits(length_px(d.quad_px) / expected_card_px)]
        near = [near_outlines(image_bgr, upright(d.quad_px)) for d in found]
        outlines = [[max(each, key=lambda outline: outline.evidence)] for each in near]
        faces = self._faces(image_bgr, outlines)
        # Most cards are read beyond doubt in their likeliest outline; the others are looked at in more.
        doubtful = [i for i in range(len(found)) if faces[i][0].best[1] < _BEYOND_DOUBT]
        self._add(
            image_bgr, doubtful, [[o for o in near[i] if o is not outlines[i][0]] for i in doubtful], outlines, faces
        )
        doubtful = [i for i in doubtful if found[i].score >= _CLEAR_SCORE / 2 and merged(faces[i]).best[1] < _SURE]
        more = [farther_outlines(image_bgr, upright(found[i].quad_px)) for i in doubtful]
        self._add(image_bgr, doubtful, more, outlines, faces)
        return _each_card_once([_reading(*card) for card in zip(found, outlines, faces, strict=True)])

    def _add(
        self,
        image: Image,
        cards: Sequence[int],
        others: Sequence[list[Outline]],
        outlines: list[list[Outline]],
        faces: list[list[Face]],
    ) -> None:
        """Look at some of the cards in other outlines too."""
        for i, each, seen in zip(cards, others, self._faces(image, others), strict=True):
            outlines[i] += each
            faces[i] += seen

    def _faces(self, image: Image, outlines: Sequence[Sequence[Outline]]) -> list[list[Face]]:
        """The face in each of the outlines of each card."""
        quads = [outline.quad_px for of_card in outlines for outline in of_card]
        every = iter(name_faces(self.scorer, image, quads))
        return [[next(every) for _ in of_card] for of_card in outlines]


def open_reader(weights: Path | None = None, manifest: Path | None = None, deck: str | None = None) -> YoloCardReader:
    """A reader with the shipped models, or with a user's own Ultralytics detector `weights` (a `.pt` file).

    deck: name or file of an enrolled deck whose photographs help to name the faces. Raises InputFault when a model or
    the deck is missing, altered or cannot be run.
    """
    finder = OwnCardFinder(weights) if weights else OnnxCardFinder(model_entry(DETECTOR, manifest))
    scorer: CropScorer = OnnxCropScorer(model_entry(CLASSIFIER, manifest))
    if deck:
        scorer = DeckScorer(scorer, load_deck(deck))
    return YoloCardReader(finder, scorer)


def _fits(ratio: float) -> bool:
    """True for a length near the expected one: corner signs are shorter, a whole hand taken for a card is longer."""
    return 0.6 < ratio < 1.6


def _reading(detection: Detection, outlines: Sequence[Outline], faces: Sequence[Face]) -> CardReading:
    """One reading of a card from what each of its possible outlines shows."""
    face = merged(faces)
    code, probability = face.best
    quad = _truest(outlines, faces)
    return CardReading(
        card=None if code == BACK else Card.parse(code),
        confidence=probability * min(1.0, detection.score / _CLEAR_SCORE),
        quad_px=tuple((float(x), float(y)) for x, y in quad),
        alternatives=tuple((c, p) for c, p in face.codes[:_MOST_ALTERNATIVES] if p >= 0.005 or c == code),
    )


def _truest(outlines: Sequence[Outline], faces: Sequence[Face]) -> Quad:
    """The outline with most edge under it among those that show the face clearly, with the card standing upright."""
    clear = 0.9 * max(face.best[1] for face in faces)
    showing = [(o, f) for o, f in zip(outlines, faces, strict=True) if f.best[1] >= clear]
    outline, face = max(showing, key=lambda pair: pair[0].evidence)
    return turned(outline.quad_px, face.quarter_turns)


def _each_card_once(readings: Sequence[CardReading]) -> list[CardReading]:
    """Readings without those of the same card or of a part of one that is read more surely (G1), surest first."""
    kept: list[CardReading] = []
    for reading in sorted(readings, key=lambda r: -r.confidence):
        quad = np.array(reading.quad_px, np.float32)
        if not any(is_same_card(quad, np.array(other.quad_px, np.float32)) for other in kept):
            kept.append(reading)
    return kept
