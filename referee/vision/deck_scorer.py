"""Names crops of one enrolled deck: the classifier's opinion joined with how well each photographed face fits.

It stands where the classifier stands, so a reader knows nothing of decks. The photographs need no training, and serve
whatever classifier is shipped. Laying them over a crop costs far more than the classifier, so that is done only where
it wavers, and where it names a face for which it also takes another of the deck's photographs: it reads the 6 of a
deck without underlines as a sure 8.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards import Card
from referee.vision.classifier import NOT_A_CARD, CropScorer, Probabilities, joined
from referee.vision.deck_file import Deck
from referee.vision.deck_matching import FaceMatcher
from referee.vision.quads import Image

SHARPNESS = 16.0
"""Log odds for one unit of the match's mean log likelihood: pixels side by side do not speak independently.

Of 169 drawn, half covered cards on which the classifier wavers 42 are sure with it and 2 of those wrong, as without a
deck; with 24, as once fitted to a weaker classifier, 44 and 4.
"""

UNKNOWN = -0.8
"""Match of a face that no photograph shows: what fits worse than this is likelier to be something else."""

_DOUBT = 0.01
"""Probability that a face which fits is granted even where the classifier rules it out."""

_BEYOND_DOUBT = 0.99
_NO_CARD = 0.5
"""What the classifier is so sure of, and what it takes for no card, is not compared: that would cost more than all
else, and on real tables it changed nothing."""

_LIKELY = 2
_SAME_CROP = 12.0
"""Mean difference in grey levels up to which two crops are one card in both half turns."""


class DeckScorer:
    """A classifier of crops that also knows the photographed faces of one deck."""

    def __init__(self, classifier: CropScorer, deck: Deck) -> None:
        self.size_px = classifier.size_px
        self.symbols = classifier.symbols
        self.colours = classifier.colours
        self._classifier = classifier
        self._codes = deck.codes
        self._matcher = FaceMatcher(deck.faces)
        self._misnamed = self._named_for_another(deck)

    def scores(self, crops: Sequence[Image]) -> tuple[Probabilities, Probabilities]:
        """Probabilities of symbols (n, symbols) and of colours (n, colours) for crops (height, width, 3) BGR."""
        symbols, colours = self._classifier.scores(crops)
        symbols, colours = symbols.copy(), colours.copy()
        for group in _cards(crops):
            part = slice(group[0], group[-1] + 1)
            symbols[part], colours[part] = self._joined(
                crops[group[0]], symbols[part].mean(axis=0), colours[part].mean(axis=0)
            )
        return symbols, colours

    def _joined(
        self, crop: Image, symbols: Probabilities, colours: Probabilities
    ) -> tuple[Probabilities, Probabilities]:
        """The classifier's probabilities of one card, weighed by how well each face of the deck fits."""
        prior = joined(self.symbols, self.colours, symbols, colours)
        mine = np.array([prior.get(code, 0.0) for code in self._codes])
        beyond_doubt = mine.max() >= _BEYOND_DOUBT and self._codes[int(mine.argmax())] not in self._misnamed
        if beyond_doubt or prior[NOT_A_CARD] >= _NO_CARD:
            return symbols, colours
        match = self._matcher.scores(crop, [int(k) for k in np.argsort(-mine)[:_LIKELY]])
        fits = np.exp(SHARPNESS * (np.maximum(match, UNKNOWN) - UNKNOWN))
        # Where no face fits the classifier's word stands unchanged.
        seen = mine * fits + _DOUBT * (fits - 1)
        others = {code: p for code, p in prior.items() if code not in self._codes}
        total = float(seen.sum()) + sum(others.values())
        weights = {**dict(zip(self._codes, seen / total, strict=True)), **{c: p / total for c, p in others.items()}}
        return self._apart(weights, colours)

    def _named_for_another(self, deck: Deck) -> frozenset[str]:
        """Codes that the classifier gives to a photograph of another face."""
        crops = [cv2.resize(face, self.size_px, interpolation=cv2.INTER_AREA) for face in deck.faces]
        symbols, colours = self._classifier.scores([np.asarray(crop, np.uint8) for crop in crops])
        named = [joined(self.symbols, self.colours, *row) for row in zip(symbols, colours, strict=True)]
        best = [max(codes, key=lambda code: codes[code]) for codes in named]
        return frozenset(code for code, true in zip(best, deck.codes, strict=True) if code != true)

    def _apart(self, weights: dict[str, float], colours: Probabilities) -> tuple[Probabilities, Probabilities]:
        """Probabilities of faces as probabilities of symbols and of colours."""
        symbol_p = np.zeros(len(self.symbols), np.float32)
        colour_p = np.zeros(len(self.colours), np.float32)
        for code, p in weights.items():
            card = None if code in (NOT_A_CARD, "back") else Card.parse(code)
            symbol_p[self.symbols.index(card.symbol.value if card else code)] += p
            if card and card.colour:
                colour_p[self.colours.index(card.colour.value)] += p
        # Where no coloured card is likely the colour says nothing; the classifier's own word stays.
        bare = max(0.0, 1.0 - float(colour_p.sum()))
        return symbol_p, np.asarray(colour_p + bare * colours, np.float32)


def _cards(crops: Sequence[Image]) -> Iterator[NDArray[np.intp]]:
    """Indices of crops that show one card: a reader asks for both half turns of each, one after the other."""
    start = 0
    while start < len(crops):
        end = start + 1
        if end < len(crops):
            other = cv2.rotate(crops[end], cv2.ROTATE_180)
            end += float(cv2.absdiff(crops[start], other).mean()) <= _SAME_CROP
        yield np.arange(start, end)
        start = end
