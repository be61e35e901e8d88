"""Reads the small signs in two corners of a card: of a card under others often one of them is all that is left.

A crop of the whole card is full of its neighbours then, and its sign a few pixels high. Here each corner is looked at
alone and larger, and what it shows weighs what the whole crop showed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.observations import BACK
from referee.vision.classifier import MOST_CODES, CropScorer, Face, joined_rows
from referee.vision.quads import Image, Quad, straighten, turned

WILD = "W"
"""The sign of every wild card but the +4: a wheel of four colours."""

SIGN_PX = (48, 56)
"""Width and height of a corner's crop: 1.6 px for a millimetre of the card."""

_LEFT, _RIGHT = -4 / 56, 26 / 56
_TOP, _BOTTOM = -4 / 87, 31 / 87
"""The corner's region as shares of the card: from 4 mm outside it to 26 mm across and 31 mm down."""

_STRAY = 0.02
"""Likelihood left to every face whatever a corner shows: it may be another card's, or dirt."""

_FLOOR = 0.002
"""Share granted to each face that the crop of the whole card all but rules out, as it was full of other cards."""

_CLEAR = 0.3
"""A sign stands in a corner when less than this is left for there being none."""

_OTHER_WILDS = ("WX", "WM", "WC")
Shares = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Corners:
    """What two corners of one outline show: shares (2, codes) of each face's sign, and (2,) that none is there."""

    seen: Shares
    none: Shares


class SignReader:
    """Looks at the corners of outlines with a classifier of corner signs."""

    def __init__(self, scorer: CropScorer) -> None:
        self._scorer = scorer
        self.codes: tuple[str, ...] = ()

    def corners(self, image: Image, quads: Sequence[Quad]) -> list[Corners]:
        """The corners of each outline; `quads` clockwise, the card standing on a short side, either half turn."""
        if not len(quads):
            return []
        crops = [
            straighten(image, corner_region(turned(quad, half_turn)), self._scorer.size_px)
            for quad in quads
            for half_turn in (0, 2)
        ]
        self.codes, seen, none = joined_rows(self._scorer.symbols, self._scorer.colours, *self._scorer.scores(crops))
        return [Corners(s, n) for s, n in zip(seen.reshape(len(quads), 2, -1), none.reshape(-1, 2), strict=True)]

    def weighed(self, face: Face, corners: Sequence[Corners]) -> Face:
        """What a card shows by the crops of the whole card, `face`, and by the corners of its possible outlines.

        Bayes' rule among the faces, with the outlines taken to be equally likely: a corner in which no sign is seen
        says nothing. Whether there is a card at all stays as the whole crop says: other games have corner signs too.
        """
        if not corners:
            return face
        none = _STRAY + np.stack([each.none for each in corners])
        seen = np.stack([each.seen for each in corners])
        of_none = float(none.mean(axis=0).prod())
        of_codes = (none[..., None] + len(self.codes) * seen).mean(axis=0).prod(axis=0)
        likelihood = dict(zip(self.codes, of_codes.tolist(), strict=True))
        likelihood |= dict.fromkeys(_OTHER_WILDS, likelihood.get(WILD, of_none)) | {BACK: of_none}
        shown = dict(face.codes)
        # A face keeps only its likeliest codes; what is left of it belongs to the others.
        left = (1 - face.not_a_card - sum(shown.values())) / len(likelihood)
        faces = {code: (shown.get(code, 0.0) + max(_FLOOR, left)) * each for code, each in likelihood.items()}
        share = (1 - face.not_a_card) / sum(faces.values())
        best = sorted(((code, p * share) for code, p in faces.items()), key=lambda entry: -entry[1])
        return Face(tuple(best[:MOST_CODES]), face.not_a_card, face.quarter_turns)


def sign_is_clear(corners: Sequence[Corners]) -> bool:
    """True when a sign stands in one of a card's corners, by its possible outlines together."""
    return bool(corners) and float(np.mean([each.none for each in corners], axis=0).min()) < _CLEAR


def sign_shows(corners: Sequence[Corners], codes: Sequence[str], code: str) -> bool:
    """True when a sign stands in one of a card's corners and is that of the face `code`; `codes` as the reader's."""
    if not sign_is_clear(corners):
        return False
    clearest = int(np.mean([each.none for each in corners], axis=0).argmin())
    seen = np.mean([each.seen[clearest] for each in corners], axis=0)
    return codes[int(seen.argmax())] == (WILD if code in _OTHER_WILDS else code)


def both_show(corners: Corners, codes: Sequence[str], code: str) -> bool:
    """True when a sign stands in either corner of one outline, and both are that of the face `code`."""
    clear = bool((corners.none < _CLEAR).all())
    return clear and {codes[k] for k in corners.seen.argmax(axis=1)} == {WILD if code in _OTHER_WILDS else code}


def corner_region(quad: Quad) -> Quad:
    """The outline of a card's upper left corner with its surroundings; `quad` clockwise from that corner on."""
    across = np.array([_LEFT, _RIGHT, _RIGHT, _LEFT], np.float32)[:, None]
    down = np.array([_TOP, _TOP, _BOTTOM, _BOTTOM], np.float32)[:, None]
    # Bilinear in the corners: near enough to the plane's own perspective for a card.
    top = quad[0] + (quad[1] - quad[0]) * across
    bottom = quad[3] + (quad[2] - quad[3]) * across
    return np.asarray(top + (bottom - top) * down, np.float32)
