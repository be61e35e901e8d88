"""How well cards are read at somebody's own table: pictures named by what they show, read and compared."""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from referee.cards import Card
from referee.faults import InputFault
from referee.observations import BACK, CardReading
from referee.vision.pictures import SUFFIXES
from referee.vision.quads import Image, length_px, straighten

CLAIMED = 0.5
"""A reading counts as a card that was found from this confidence on."""

SURE = 0.9
SHORT_PX = 60
"""Cards shorter than this are read, but less surely."""

TRUTH_FILE = "truth.tsv"


@dataclass(frozen=True, slots=True)
class Share:
    """`part` of `whole`, with the bounds between which the true share lies with 95 % (Wilson 1927)."""

    part: int
    whole: int

    @property
    def percent(self) -> float:
        """The share in percent; 0 of nothing."""
        return 100 * self.part / self.whole if self.whole else 0.0

    @property
    def bounds_percent(self) -> tuple[float, float]:
        """Lower and upper bound in percent."""
        if not self.whole:
            return 0.0, 100.0
        z2, n, p = 1.96**2, self.whole, self.part / self.whole
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        reach = 1.96 * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
        return 100 * max(0.0, middle - reach), 100 * min(1.0, middle + reach)

    def __str__(self) -> str:
        low, high = self.bounds_percent
        return f"{self.part} of {self.whole} = {self.percent:.0f} % ({low:.0f} to {high:.0f} %)"


@dataclass(slots=True)
class Accuracy:
    """Sums over the pictures of a table."""

    pictures: int = 0
    cards: int = 0
    found: int = 0
    right: int = 0
    sure: int = 0
    sure_right: int = 0
    false: int = 0
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    troubles: Counter[str] = field(default_factory=Counter)
    """What was wrong with pictures in which a card was missed, misread or unsure: `far`, `dark`, `glare`, `blur`."""

    def add(self, shown: Counter[str], image: Image, readings: Sequence[CardReading]) -> Counter[str]:
        """Compare one picture with what it shows; returns the cards that were missed or misread in it."""
        claimed = [r for r in readings if r.confidence >= CLAIMED]
        codes = Counter(r.code for r in claimed)
        missed, wrong = shown - codes, codes - shown
        self.pictures += 1
        self.cards += shown.total()
        self.found += min(shown.total(), codes.total())
        self.right += (shown & codes).total()
        self.false += max(0, codes.total() - shown.total())
        left = shown.copy()
        for reading in sorted(claimed, key=lambda r: -r.confidence):
            if reading.confidence >= SURE:
                self.sure += 1
                self.sure_right += left[reading.code] > 0
                left[reading.code] -= 1
        for true, read in _paired(list(missed.elements()), list(wrong.elements())):
            self.confusions[true, read] += 1
        if missed or any(r.confidence < SURE for r in claimed):
            self.troubles.update(troubles_of(image, readings))
        return missed

    @property
    def shares(self) -> dict[str, Share]:
        """Cards found of those shown, right of those found, sure of those found, right of the sure ones."""
        return {
            "found": Share(self.found, self.cards),
            "right": Share(self.right, self.found),
            "sure": Share(min(self.sure, self.found), self.found),
            "sure_right": Share(self.sure_right, self.sure),
        }

    def verdict(self) -> str:
        """One plain sentence."""
        if not self.cards:
            return "no card was shown"
        found, right = self.found / self.cards, self.right / max(1, self.found)
        if found >= 0.95 and right >= 0.97:
            word = "your table reads well"
        elif found >= 0.85 and right >= 0.9:
            word = "your table can be refereed, with questions now and then"
        else:
            word = "your table reads poorly: mend it before you play"
        weak = Counter(" and ".join(sorted(pair, key=_in_order)) for pair in map(_kinds, self.confusions.elements()))
        named = ", ".join(pair.replace(" and ", " against ") for pair, _ in weak.most_common(3))
        return f"{word}; weak: {named}" if named else word

    def advice(self) -> list[str]:
        """What to mend, the most frequent trouble first; nothing when all is well."""
        words = {
            "far": f"cards are short in the picture (under {SHORT_PX} px): move the camera closer",
            "dark": "the picture is dark: more light, from above",
            "glare": "light is mirrored on cards: move the lamp, or put a cloth of paper before it",
            "blur": "the picture is blurred: hold the camera still and focus it",
        }
        return [words[trouble] for trouble, _ in self.troubles.most_common()]


def shown_in(folder: Path) -> Iterator[tuple[Path, Counter[str]]]:
    """The pictures of `folder` and the cards that each shows.

    By `truth.tsv` (`file<TAB>cards`, codes with spaces between; a first line of headings may be there), or else by
    the pictures' own names: `R5.jpg`, `R5-2.jpg`, `R5_B7.jpg`. Raises InputFault for a line or a name
    that says no card.
    """
    if (folder / TRUTH_FILE).is_file():
        yield from _from_table(folder / TRUTH_FILE)
        return
    files = sorted(f for f in folder.iterdir() if f.suffix.lower() in SUFFIXES) if folder.is_dir() else []
    if not files:
        mend = f"name a folder of photos named by their cards (R5.jpg, R5-2.jpg), or with a {TRUTH_FILE}"
        raise InputFault("holds no pictures", where=str(folder), mend=mend)
    for file in files:
        words = re.split(r"[_ ]+", re.sub(r"([-_ ]\d+|\s*\(\d+\))$", "", file.stem))
        try:
            yield file, Counter(_code(word) for word in words)
        except ValueError:
            mend = f"call it R5.jpg or R5-2.jpg, or list it in {TRUTH_FILE}"
            raise InputFault("is not named by the cards it shows", where=str(file), mend=mend) from None


def troubles_of(image: Image, readings: Sequence[CardReading]) -> set[str]:
    """What may have made cards of a picture hard to read: `far`, `dark`, `glare`, `blur`."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found: set[str] = set()
    if float(np.percentile(grey, 95)) < 110:
        found.add("dark")
    for reading in readings:
        quad = np.array(reading.quad_px, np.float32)
        if length_px(quad) < SHORT_PX:
            found.add("far")
            continue
        card = straighten(image, quad, (64, 96))
        if has_glare(card):
            found.add("glare")
        if length_px(quad) > 120 and _sharpness(straighten(image, quad, (128, 192))) < 40:
            found.add("blur")
    return found


def has_glare(card: Image) -> bool:
    """True when a straightened card has a burnt-out spot that melts into its surroundings.

    Print has edges where it turns white; a mirrored lamp fades out, so around it the brightness slopes gently.
    """
    least = card.min(axis=2)
    white = cv2.morphologyEx((least >= 250).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    if float(white.mean()) < 0.02:
        return False
    ring = cv2.dilate(white, np.ones((7, 7), np.uint8)) - cv2.dilate(white, np.ones((3, 3), np.uint8))
    return bool(ring.any()) and float(((least >= 100) & (least < 250))[ring > 0].mean()) > 0.4


def _sharpness(card: Image) -> float:
    grey = cv2.cvtColor(card, cv2.COLOR_BGR2GRAY)
    return float(cv2.Laplacian(grey, cv2.CV_64F).var())


def _from_table(path: Path) -> Iterator[tuple[Path, Counter[str]]]:
    with path.open(newline="", encoding="utf-8") as lines:
        for number, row in enumerate(csv.reader(lines, delimiter="\t"), start=1):
            if not row or row[0].startswith("#") or (number == 1 and row[:2] == ["file", "cards"]):
                continue
            try:
                cards = Counter(_code(word) for word in (row[1] if len(row) > 1 else "").split())
            except ValueError as fault:
                raise InputFault(str(fault), where=f"{path}:{number}", mend="write file, a tab, R5 GS W4") from None
            yield path.parent / row[0], cards


def _code(word: str) -> str:
    return BACK if word.lower() == BACK else Card.parse(word).code


def _paired(missed: list[str], wrong: list[str]) -> Iterator[tuple[str, str]]:
    """What was missed with what was read in its place: the most alike first."""
    while missed and wrong:
        true, read = max(((m, w) for m in missed for w in wrong), key=lambda pair: _alike(*pair))
        missed.remove(true)
        wrong.remove(read)
        yield true, read


def _alike(a: str, b: str) -> int:
    (symbol_a, colour_a), (symbol_b, colour_b) = _parts(a), _parts(b)
    return 2 * (symbol_a == symbol_b) + (colour_a == colour_b)


def _parts(code: str) -> tuple[str, str]:
    if code == BACK:
        return "face down", ""
    card = Card.parse(code)
    word = card.symbol.value if card.symbol.is_number else card.symbol.name.lower().replace("_", " ")
    return word, card.colour.word if card.colour else ""


def _kinds(pair: tuple[str, str]) -> tuple[str, str]:
    """In what two confused cards differ: their symbols, or their colours where the symbols are alike."""
    (symbol_a, colour_a), (symbol_b, colour_b) = _parts(pair[0]), _parts(pair[1])
    return (symbol_a, symbol_b) if symbol_a != symbol_b else (colour_a, colour_b)


def _in_order(word: str) -> tuple[int, str]:
    return len(word), word
