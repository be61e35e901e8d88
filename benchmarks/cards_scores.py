"""Real pictures with their labels, and the sums over what was read on them."""

from __future__ import annotations

import csv
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from referee.cards import Card
from referee.observations import CardReading

SEEN = 0.5
"""A reading counts as a card claimed from this confidence on."""

SURE = 0.9
BINS = (0.0, 0.3, 0.5, 0.7, 0.9, 0.97, 1.001)
PLACES = ("centre", "p1", "p2", "p3", "p4")


@dataclass
class Score:
    """Sums over the pictures of one folder."""

    pictures: int = 0
    expected: int = 0
    found: int = 0
    one_each: int = 0
    """Pictures in which exactly the expected number of cards was claimed."""
    right: int = 0
    symbol: int = 0
    colour: int = 0
    false: int = 0
    sure: int = 0
    sure_right: int = 0
    six_nine: int = 0
    six_nine_taken: int = 0
    """Cards 6 and 9 that were claimed, and those of them that were taken for the other."""
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    bins: list[tuple[float, bool]] = field(default_factory=list)
    """Confidence of each reading and whether it was right."""
    seconds: list[float] = field(default_factory=list)

    def add_picture(self, expected: Counter[str], readings: list[CardReading]) -> None:
        """Compare the cards of one picture (or one place in it) as multisets."""
        claimed = Counter(r.code for r in readings if r.confidence >= SEEN)
        right = expected & claimed
        missed, wrong = list((expected - claimed).elements()), list((claimed - expected).elements())
        self.expected += expected.total()
        self.found += min(expected.total(), claimed.total())
        self.one_each += expected.total() == claimed.total()
        self.right += right.total()
        self.false += max(0, claimed.total() - expected.total())
        self.six_nine += sum(n for code, n in right.items() if symbol_of(code) in "69")
        self._add_alike(right.total(), missed, wrong)
        left = expected.copy()
        for reading in sorted(readings, key=lambda r: -r.confidence):
            is_right = left[reading.code] > 0
            left[reading.code] -= 1
            self.bins.append((reading.confidence, is_right))
            if reading.confidence >= SURE:
                self.sure += 1
                self.sure_right += is_right

    def _add_alike(self, right: int, missed: list[str], wrong: list[str]) -> None:
        """Pair what was missed with what was read in its place, likest first, for symbol, colour and confusions."""
        self.symbol += right
        self.colour += right
        pairs = sorted(((_alike(m, w), m, w) for m in missed for w in wrong), reverse=True)
        for _, m, w in pairs:
            if m in missed and w in wrong:
                missed.remove(m)
                wrong.remove(w)
                self.symbol += symbol_of(m) == symbol_of(w)
                self.colour += _colour(m) == _colour(w)
                self.confusions[m, w] += 1
                if symbol_of(m) in "69":
                    self.six_nine += 1
                    self.six_nine_taken += {symbol_of(m), symbol_of(w)} == {"6", "9"}


def labelled(folder: Path, name: str) -> Iterator[tuple[Path, dict[str, Counter[str]]]]:
    """Pictures with the cards at each place; the place "" is the whole picture."""
    if name == "negative":
        for file in sorted((folder / "negative").iterdir()):
            yield file, {"": Counter()}
        return
    with (folder / f"{name}.tsv").open(newline="") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            if name == "table":
                cards = {place: _codes(row[place]) for place in PLACES}
            else:
                cards = {"": _codes(row["card" if name == "single" else "cards"])}
            yield folder / row["file"], cards


def place_of(reading: CardReading, width: int, height: int) -> str:
    """The place of a card in a picture of `table/`: p1 bottom, p2 right, p3 top, p4 left, or the centre."""
    xs, ys = zip(*reading.quad_px, strict=True)
    u, v = sum(xs) / 2 / width - 1, sum(ys) / 2 / height - 1
    if max(abs(u), abs(v)) < 0.33:
        return "centre"
    if abs(u) > abs(v):
        return "p2" if u > 0 else "p4"
    return "p1" if v > 0 else "p3"


def share(part: int, of: int) -> str:
    """A share in percent with one standard error."""
    if not of:
        return "–"
    p = part / of
    return f"{100 * p:.1f} ± {100 * (p * (1 - p) / of) ** 0.5:.1f} % of {of}"


def reliability(scores: list[Score]) -> Iterator[tuple[str, int, str, str]]:
    """For each band of confidence: its limits, readings in it, their mean confidence, how many are right."""
    every = [entry for score in scores for entry in score.bins]
    for low, high in itertools.pairwise(BINS):
        held = [(p, ok) for p, ok in every if low <= p < high]
        if held:
            mean = sum(p for p, _ in held) / len(held)
            yield (
                f"{low:.2f}–{min(high, 1):.2f}",
                len(held),
                f"{mean:.3f}",
                share(sum(ok for _, ok in held), len(held)),
            )


def symbol_of(code: str) -> str:
    """The symbol of a card code; `back` is its own."""
    return code if code == "back" else Card.parse(code).symbol.value


def _codes(text: str | None) -> Counter[str]:
    return Counter((text or "").split())


def _colour(code: str) -> str:
    colour = None if code == "back" else Card.parse(code).colour
    return colour.value if colour else ""


def _alike(a: str, b: str) -> int:
    return 2 * (symbol_of(a) == symbol_of(b)) + (_colour(a) == _colour(b))
