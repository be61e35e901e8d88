"""Reads the cards of one picture: detector, corners, classifier, and one honest confidence for each card."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import numpy as np

from referee.cards import Card
from referee.observations import BACK, CardReading
from referee.vision.classifier import CropScorer, Face, OnnxCropScorer, merged, name_faces, without_colour
from referee.vision.corner_signs import Corners, SignReader, both_show, sign_is_clear, sign_shows
from referee.vision.corners import Outline, farther_outlines, near_outlines
from referee.vision.deck_file import load_deck
from referee.vision.deck_scorer import DeckScorer
from referee.vision.detector import CardFinder, Detection, OnnxCardFinder, OwnCardFinder, is_same_card
from referee.vision.models import CLASSIFIER, DETECTOR, SIGNS, model_entry, model_entry_if_any
from referee.vision.quads import (
    CARD_ASPECT,
    Image,
    Quad,
    area_px,
    inside,
    is_grey,
    length_px,
    overlap,
    shared_px,
    turned,
    upright,
)
from referee.vision.search import find_cards
from referee.vision.under_cards import find_under, lies_under

LEGIBLE_PX = 28
"""A card shorter than this in the picture has a digit of some four pixels: whatever is read there is no reading."""

_MOST_ALTERNATIVES = 5
_BEYOND_DOUBT = 0.99
_SURE = 0.9
"""A face less sure than this is looked for in more outlines."""

_SIGNED = 0.8
"""Share of a face from which on an outline with its signs counts for more than a sure one without any."""

_SIGNS_FROM_PX = 80
_SIGNLESS = 0.8
"""A card so long has signs that can be read; what is left of the confidence of a sure face without any. In seven
films four of 397 sure faces had none: they were the wrong ones.
"""

_LEAST_FOR_MORE = 0.3
"""Detections below this score are not worth further outlines."""

_SAYS_NOTHING = 0.3
_ACROSS = 0.6
"""Confidence below which, and share of an outline from which, lying across surer cards makes it none."""

_LEAST_LEFT = 0.35
"""Share of a card of known size that the picture must hold."""

_BACKGROUND_LENGTH = 0.4
_WHOLE = 0.9
"""Length over that of the longest sure card below which, and share in the picture from which on, what the picture's
border cuts off is background."""

_ONE_MIDDLE = 0.15
"""Distance of two middles, over the card's length, up to which the same face is the same card."""

_TOLD_APART = 0.5
_ALIKE = 0.75
_ONE_OUTLINE = 0.75
"""Outlines as long as each other, up to so much overlap, that show two faces from that confidence on: two cards."""

_WITHIN = 0.9
"""Share of an unsure outline within a sure card from which on it is a part of that card."""

_ONE_CORNER = 0.16
"""Distance of two corners, over the card's length, up to which the same face is read by one and the same sign."""

_CLEAR_SCORE = 0.6
_CLEAR_WITH_SIGN = 0.5
"""From this score of the detector on its outline is a card beyond doubt, and only the face is in question.

The lower one serves a card whose sign is clear in a corner: where that is all that is left of it the score is low.
"""

_LEAST_EDGES = 0.7
_NO_EDGES = 0.5
"""Evidence of edges that an outline in doubt must have, and what is left of its confidence without."""

_LEAST_UNDER = 0.4
_EACH_SCORE_UNDER = 2.0
_MOST_NOTHING = 0.3
"""A card under others is believed for its sign: so much and so much more with the detector's score, as long as the
crop of the whole card does not say that there is none."""


class CardReader(Protocol):
    """Reads the cards of one picture."""

    def read(self, image_bgr: Image, expected_card_px: float | None = None) -> list[CardReading]:
        """The cards seen in a picture uint8 (height, width, 3), surest first.

        expected_card_px: length of a card in this picture in px when it is known; one look then suffices.
        """
        ...


class _Looked:
    """A detection with its possible outlines and what each of them and its corners show."""

    def __init__(self, detection: Detection, grey: bool = False) -> None:
        self.detection = detection
        self._grey = grey
        self.outlines: list[Outline] = []
        self.faces: list[Face] = []
        self.corners: list[Corners] = []
        self.signless = False

    def best(self, signs: SignReader | None) -> Face:
        """What all looks show together."""
        face = merged(self.faces)
        if signs:
            face = signs.weighed(face, self.corners)
        return without_colour(face) if self._grey else face


class YoloCardReader:
    """Reads cards with a detector that outlines them and a classifier that names what each outline shows.

    signs: what reads the corners of a card that is not named beyond doubt; without it the whole card must do.
    """

    def __init__(self, finder: CardFinder, scorer: CropScorer, signs: SignReader | None = None) -> None:
        self.finder = finder
        self.scorer = scorer
        self.signs = signs

    def read(self, image_bgr: Image, expected_card_px: float | None = None) -> list[CardReading]:
        """The cards seen in a picture uint8 (height, width, 3), surest first."""
        found = find_cards(self.finder, image_bgr, expected_card_px)
        found = [d for d in found if length_px(d.quad_px) >= LEGIBLE_PX]
        if expected_card_px:
            found = [d for d in found if _fits(d.quad_px, expected_card_px, image_bgr.shape)]
        grey = is_grey(image_bgr)
        cards = [_Looked(detection, grey) for detection in found]
        near = [near_outlines(image_bgr, upright(d.quad_px)) for d in found]
        first = [max(each, key=lambda outline: outline.evidence) for each in near]
        self._look(image_bgr, cards, [[outline] for outline in first])
        # Most cards are read beyond doubt in their likeliest outline; the others are looked at in more.
        doubtful = [k for k, card in enumerate(cards) if card.best(None).best[1] < _BEYOND_DOUBT]
        others = [[outline for outline in near[k] if outline is not first[k]] for k in doubtful]
        self._look(image_bgr, [cards[k] for k in doubtful], others, corners=True)
        self._look_farther(image_bgr, [cards[k] for k in doubtful if cards[k].detection.score >= _LEAST_FOR_MORE])
        if self.signs and expected_card_px and expected_card_px >= _SIGNS_FROM_PX:
            beyond_doubt = [k for k in range(len(cards)) if k not in doubtful]
            self._look_for_signs(image_bgr, self.signs, [(cards[k], near[k]) for k in beyond_doubt])
        readings = [_reading(card, card.best(self.signs)) for card in cards]
        if expected_card_px is None:
            told = [reading for reading in _each_card_once(readings) if reading.confidence >= _TOLD_APART]
            sure = [np.array(r.quad_px, np.float32) for r in told if r.confidence >= _SURE and r.card]
            readings = [_with_edges(card, r, sure) for card, r in zip(cards, readings, strict=True)]
            if self.signs:
                seen = list(zip(cards, readings, strict=True))
                readings += self._under(image_bgr, self.signs, seen, told, sure)
            longest = max((length_px(quad) for quad in sure), default=0.0)
            readings = [r for r in readings if not _in_the_background(r, longest, image_bgr.shape)]
        return _each_card_once(readings)

    def _under(
        self,
        image: Image,
        signs: SignReader,
        seen: Sequence[tuple[_Looked, CardReading]],
        told: Sequence[CardReading],
        sure: Sequence[Quad],
    ) -> list[CardReading]:
        """Readings of cards that lie partly under surer ones, of which little more than a sign may be seen.

        seen: what was looked at so far; told: the readings of it that count; sure: outlines of the sure ones.
        """
        doubtful = [(card, r) for card, r in seen if r.confidence < _SURE]
        under = [(card, r) for card, r in doubtful if lies_under(card.detection.quad_px, sure)]
        looked = [_Looked(detection) for detection in find_under(self.finder, image, sure)]
        near = [near_outlines(image, upright(card.detection.quad_px)) for card in looked]
        self._look(image, looked, near, corners=True)
        self._look_farther(image, looked)
        under += [(card, _reading(card, card.best(signs))) for card in looked]
        shown = [(card, r) for card, r in under if sign_shows(card.corners, signs.codes, r.code)]
        others = [[other for other in told if other.quad_px != r.quad_px] for _, r in shown]
        believed = [_told_by_sign(c, c.best(signs), r, o) for (c, r), o in zip(shown, others, strict=True)]
        return [reading for reading in believed if reading]

    def _look_for_signs(self, image: Image, signs: SignReader, sure: Sequence[tuple[_Looked, list[Outline]]]) -> None:
        """Look again at cards that are sure by an outline without a sign in its corners, given all that are near.

        An outline across two cards can show, surely, the face of neither. Others count only where the signs in both
        their corners are those of their face: without such a one the first stays, in doubt.
        """
        faced = [(card, near) for card, near in sure if card.best(None).best[0] != BACK]
        quads = [turned(card.outlines[0].quad_px, card.faces[0].quarter_turns) for card, _ in faced]
        for (card, near), corners in zip(faced, signs.corners(image, quads), strict=True):
            if sign_is_clear([corners]):
                continue
            other = _Looked(card.detection)
            others = [outline for outline in near if outline is not card.outlines[0]]
            others += farther_outlines(image, upright(card.detection.quad_px))
            self._look(image, [other], [others], corners=True)
            faces = [face.best for face in other.faces]
            shown = [k for k, (code, _) in enumerate(faces) if both_show(other.corners[k], signs.codes, code)]
            if max((faces[k][1] for k in shown), default=0.0) >= _SIGNED:
                card.outlines = [other.outlines[k] for k in shown]
                card.faces = [other.faces[k] for k in shown]
                card.corners = [other.corners[k] for k in shown]
            else:
                card.signless = True

    def _look_farther(self, image: Image, cards: Sequence[_Looked]) -> None:
        """Look at those cards that are not sure yet in outlines farther from the detector's."""
        still = [card for card in cards if card.best(self.signs).best[1] < _SURE]
        more = [farther_outlines(image, upright(card.detection.quad_px)) for card in still]
        self._look(image, still, more, corners=True)

    def _look(
        self, image: Image, cards: Sequence[_Looked], outlines: Sequence[list[Outline]], *, corners: bool = False
    ) -> None:
        """Look at cards in further outlines; with `corners` at the corners of all their outlines so far as well."""
        every = iter(name_faces(self.scorer, image, [outline.quad_px for of_card in outlines for outline in of_card]))
        for card, of_card in zip(cards, outlines, strict=True):
            card.outlines += of_card
            card.faces += [next(every) for _ in of_card]
        if not (corners and self.signs):
            return
        unseen = [
            [
                turned(o.quad_px, f.quarter_turns)
                for o, f in list(zip(c.outlines, c.faces, strict=True))[len(c.corners) :]
            ]
            for c in cards
        ]
        seen = iter(self.signs.corners(image, [quad for of_card in unseen for quad in of_card]))
        for card, quads in zip(cards, unseen, strict=True):
            card.corners += [next(seen) for _ in quads]


def open_reader(weights: Path | None = None, manifest: Path | None = None, deck: str | None = None) -> YoloCardReader:
    """A reader with the shipped models, or with a user's own Ultralytics detector `weights` (a `.pt` file).

    deck: name or file of an enrolled deck whose photographs help to name the faces. Raises InputFault when a model or
    the deck is missing, altered or cannot be run.
    """
    finder = OwnCardFinder(weights) if weights else OnnxCardFinder(model_entry(DETECTOR, manifest))
    scorer: CropScorer = OnnxCropScorer(model_entry(CLASSIFIER, manifest))
    if deck:
        scorer = DeckScorer(scorer, load_deck(deck))
    signs = model_entry_if_any(SIGNS, manifest)
    return YoloCardReader(finder, scorer, SignReader(OnnxCropScorer(signs)) if signs else None)


def _fits(quad: Quad, card_px: float, shape: tuple[int, ...]) -> bool:
    """True for an outline near the expected size in a picture of `shape` (height, width, …).

    Corner signs are shorter, a hand taken for one card is longer, and of a card that the picture's edge cuts off only
    a strip is left.
    """
    if not 0.6 < length_px(quad) / card_px < 1.6:
        return False
    return shared_px(quad, _whole(shape)) > _LEAST_LEFT * CARD_ASPECT * card_px**2


def _in_the_background(reading: CardReading, longest_px: float, shape: tuple[int, ...]) -> bool:
    """True for a much smaller card, cut off by the picture's border, than one that is held up to the camera."""
    quad = np.array(reading.quad_px, np.float32)
    return length_px(quad) < _BACKGROUND_LENGTH * longest_px and inside(quad, _whole(shape)) < _WHOLE


def _whole(shape: tuple[int, ...]) -> Quad:
    """The outline of a picture of `shape` (height, width, …)."""
    height, width = shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


def _reading(card: _Looked, face: Face) -> CardReading:
    """One reading of a card that shows `face` by all its looks."""
    code, probability = face.best
    clear = _CLEAR_WITH_SIGN if sign_is_clear(card.corners) else _CLEAR_SCORE
    quad = _truest(card.outlines, card.faces)
    return CardReading(
        card=None if code == BACK else Card.parse(code),
        confidence=probability * min(1.0, card.detection.score / clear) * (_SIGNLESS if card.signless else 1.0),
        quad_px=tuple((float(x), float(y)) for x, y in quad),
        alternatives=tuple((c, p) for c, p in face.codes[:_MOST_ALTERNATIVES] if p >= 0.005 or c == code),
    )


def _with_edges(card: _Looked, reading: CardReading, sure: Sequence[Quad]) -> CardReading:
    """The reading, less sure where neither a card's edges show nor a sure card lies over them: a screen, say."""
    edges = max((outline.evidence for outline in card.outlines if not outline.is_box), default=0.0)
    if reading.confidence >= _SURE or edges >= _LEAST_EDGES or lies_under(card.detection.quad_px, sure):
        return reading
    return replace(reading, confidence=_NO_EDGES * reading.confidence)


def _told_by_sign(card: _Looked, face: Face, reading: CardReading, told: Sequence[CardReading]) -> CardReading | None:
    """The reading of a card under others as sure as the sign in its corner makes it; None when that is in doubt."""
    code, probability = face.best
    if code == BACK or probability < _SURE:
        return None
    quad = np.array(reading.quad_px, np.float32)
    # The same face twice, one on the other, is one card outlined twice.
    twice = any(code == r.code and shared_px(quad, np.array(r.quad_px, np.float32)) for r in told)
    if twice or merged(card.faces).not_a_card > _MOST_NOTHING:
        return None
    score = min(1.0, _LEAST_UNDER + _EACH_SCORE_UNDER * card.detection.score)
    return replace(reading, confidence=max(reading.confidence, probability * score))


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
        if not any(_of_one_card(reading, other) for other in kept) and not _made_of_others(reading, kept):
            kept.append(reading)
    return kept


def _made_of_others(reading: CardReading, surer: Sequence[CardReading]) -> bool:
    """True for an outline across two sure cards side by side that says hardly anything, or in doubt what one says.

    It shows halves of both, perhaps the sign of one; a back has none. Where those two lie on each other it may be a
    third one in their fan, and is kept.
    """
    if reading.confidence >= _SURE:
        return False
    quad = np.array(reading.quad_px, np.float32)
    area = area_px(quad)
    sure = [(other.code, np.array(other.quad_px, np.float32)) for other in surer if other.confidence >= _SURE]
    covers = [(shared, code, other) for code, other in sure if (shared := shared_px(quad, other)) > 0.2 * area]
    says_nothing = reading.confidence < _SAYS_NOTHING
    return any(
        a + b > _ACROSS * area and shared_px(one, other) < 0.05 * area
        for (a, code, one), (b, another, other) in itertools.combinations(covers, 2)
        if says_nothing or (reading.card and reading.code in (code, another))
    )


def _of_one_card(a: CardReading, b: CardReading) -> bool:
    """True for two outlines of one card, and for the same face seen again about its middle or by the same corner.

    `b` is the surer one: what lies within a sure card is its oval or a half of it, as cards hide what they cover.
    """
    first, second = (np.array(reading.quad_px, np.float32) for reading in (a, b))
    if a.confidence < _SURE <= b.confidence and inside(first, second) >= _WITHIN:
        return True
    if is_same_card(first, second):
        # Cards of a tight fan overlap by more than half; each shows its own face then.
        alike = _ALIKE < length_px(first) / length_px(second) < 1 / _ALIKE
        told_apart = a.code != b.code and min(a.confidence, b.confidence) >= _TOLD_APART
        return not (told_apart and alike and overlap(first, second) < _ONE_OUTLINE)
    if a.code != b.code:
        return False
    small, large = sorted((first, second), key=length_px)
    if _share_a_corner(first, second):
        return True
    apart = float(np.linalg.norm(first.mean(axis=0) - second.mean(axis=0)))
    if apart < _ONE_MIDDLE * length_px(small):
        return True
    return length_px(small) < 0.6 * length_px(large) and inside(small, large) > 0.5


def _share_a_corner(a: Quad, b: Quad) -> bool:
    """True when a corner with a sign, the first or the third, lies at the same place in both outlines."""
    apart = np.linalg.norm(a[[0, 2]][:, None] - b[[0, 2]][None], axis=2)
    return bool(apart.min() < _ONE_CORNER * min(length_px(a), length_px(b)))
