"""How well cards are read on real photos: `python benchmarks/cards.py [FOLDER] [--only single] [--every 4]`.

FOLDER holds `single.tsv`, `table.tsv`, `special.tsv` and their pictures, `negative/` and `film/`; they are for
measuring only and lie beside a checkout (../shared/real), not in it. Without them this says so and ends.
"""

from __future__ import annotations

import argparse
import csv
import resource
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from referee.cards import Card
from referee.observations import CardReading
from referee.vision.classifier import name_faces
from referee.vision.pictures import read_picture
from referee.vision.quads import upright
from referee.vision.reader import YoloCardReader, open_reader
from referee.vision.windows import whole

SEEN = 0.5
"""A reading counts as a card claimed from this confidence on."""

SURE = 0.9


@dataclass
class Score:
    """Sums over the pictures of one folder."""

    pictures: int = 0
    expected: int = 0
    found: int = 0
    single: int = 0
    """Pictures in which exactly the expected number of cards was claimed."""
    right: int = 0
    symbol: int = 0
    colour: int = 0
    false: int = 0
    sure: int = 0
    sure_right: int = 0
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def add_picture(self, expected: Counter[str], readings: list[CardReading]) -> None:
        """Compare the cards of one picture (or one place in it) as multisets."""
        claimed = Counter(r.code for r in readings if r.confidence >= SEEN)
        right = expected & claimed
        missed, wrong = list((expected - claimed).elements()), list((claimed - expected).elements())
        self.expected += expected.total()
        self.found += min(expected.total(), claimed.total())
        self.single += expected.total() == claimed.total()
        self.right += right.total()
        self.false += max(0, claimed.total() - expected.total())
        self._add_alike(right.total(), missed, wrong)
        left = expected.copy()
        for reading in (r for r in readings if r.confidence >= SURE):
            self.sure += 1
            self.sure_right += left[reading.code] > 0
            left[reading.code] -= 1

    def _add_alike(self, right: int, missed: list[str], wrong: list[str]) -> None:
        """Pair what was missed with what was read in its place, likest first, for symbol, colour and confusions."""
        self.symbol += right
        self.colour += right
        pairs = sorted(((_alike(m, w), m, w) for m in missed for w in wrong), reverse=True)
        for _, m, w in pairs:
            if m in missed and w in wrong:
                missed.remove(m)
                wrong.remove(w)
                self.symbol += _symbol(m) == _symbol(w)
                self.colour += _colour(m) == _colour(w)
                self.confusions[m, w] += 1


def main() -> None:
    """Measure, and print one table and the confusions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    beside = Path(__file__).resolve().parents[2] / "shared" / "real"
    parser.add_argument("folder", nargs="?", type=Path, default=beside)
    parser.add_argument("--only", choices=["single", "table", "special", "negative", "film"], action="append")
    parser.add_argument("--every", type=int, default=1, help="measure every Nth picture")
    parser.add_argument("--weights", type=Path, help="an Ultralytics .pt as detector")
    options = parser.parse_args()
    if not (options.folder / "single.tsv").exists():
        print(f"skipped: no real photos in {options.folder}; they are not part of the project")
        return
    reader = open_reader(options.weights)
    console = Console()
    wanted = options.only or ["single", "table", "special", "negative", "film"]
    scores = {}
    for name in wanted:
        console.print(f"reading {name} …", style="dim")
        scores[name] = _measure(reader, options.folder, name, options.every)
    console.print(_as_table(scores))
    for name, score in scores.items():
        if score.confusions:
            worst = ", ".join(f"{a} read as {b}: {n}" for (a, b), n in score.confusions.most_common(15))
            console.print(f"[bold]{name}[/bold] confusions: {worst}")
            six_nine = sum(n for (a, b), n in score.confusions.items() if {_symbol(a), _symbol(b)} == {"6", "9"})
            console.print(f"[bold]{name}[/bold] 6 against 9: {six_nine}")
    if "table" in wanted:
        _print_speed(console, reader, options.folder)


def _measure(reader: YoloCardReader, folder: Path, name: str, every: int) -> Score:
    score = Score()
    if name == "film":
        return _measure_film(reader, folder / "film", every, score)
    for file, places in list(_labelled(folder, name))[::every]:
        image = read_picture(file)
        start_s = time.perf_counter()
        readings = reader.read(image)
        score.seconds.append(time.perf_counter() - start_s)
        score.pictures += 1
        height, width = image.shape[:2]
        for place, expected in places.items():
            here = [r for r in readings if not place or _place(r, width, height) == place]
            score.add_picture(expected, here)
    return score


def _measure_film(reader: YoloCardReader, folder: Path, every: int, score: Score) -> Score:
    from referee.capture.media import frames

    for film in sorted(folder.glob("*.mp4")):
        for frame in frames(film, max_rate_hz=1 / every):
            start_s = time.perf_counter()
            readings = reader.read(frame.image_bgr)
            score.seconds.append(time.perf_counter() - start_s)
            score.pictures += 1
            score.add_picture(Counter(), readings)
    return score


def _labelled(folder: Path, name: str) -> Iterator[tuple[Path, dict[str, Counter[str]]]]:
    """Pictures with the cards at each place; the place "" is the whole picture."""
    if name == "negative":
        for file in sorted((folder / "negative").iterdir()):
            yield file, {"": Counter()}
        return
    with (folder / f"{name}.tsv").open(newline="") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            if name == "table":
                cards = {place: _codes(row[place]) for place in ("centre", "p1", "p2", "p3", "p4")}
            else:
                cards = {"": _codes(row["card" if name == "single" else "cards"])}
            yield folder / row["file"], cards


def _codes(text: str | None) -> Counter[str]:
    return Counter((text or "").split())


def _place(reading: CardReading, width: int, height: int) -> str:
    """The place of a card in a picture of `table/`: p1 bottom, p2 right, p3 top, p4 left, or the centre."""
    xs, ys = zip(*reading.quad_px, strict=True)
    u, v = sum(xs) / 2 / width - 1, sum(ys) / 2 / height - 1
    if max(abs(u), abs(v)) < 0.33:
        return "centre"
    if abs(u) > abs(v):
        return "p2" if u > 0 else "p4"
    return "p1" if v > 0 else "p3"


def _symbol(code: str) -> str:
    return code if code == "back" else Card.parse(code).symbol.value


def _colour(code: str) -> str:
    colour = None if code == "back" else Card.parse(code).colour
    return colour.value if colour else ""


def _alike(a: str, b: str) -> int:
    return 2 * (_symbol(a) == _symbol(b)) + (_colour(a) == _colour(b))


def _as_table(scores: dict[str, Score]) -> Table:
    table = Table(title=f"claimed from {SEEN:.1f}, sure from {SURE:.1f}; ± is one standard error")
    table.add_column("")
    for name in scores:
        table.add_column(name, justify="right")
    for label, cells in _rows(scores.values()):
        table.add_row(label, *cells)
    return table


def _rows(scores: Iterable[Score]) -> Iterator[tuple[str, list[str]]]:
    all_scores = list(scores)
    yield "pictures", [str(s.pictures) for s in all_scores]
    yield "cards", [str(s.expected) for s in all_scores]
    yield "found", [_share(s.found, s.expected) for s in all_scores]
    yield "number of cards right", [str(s.single) for s in all_scores]
    yield "identity right of all", [_share(s.right, s.expected) for s in all_scores]
    yield "identity right of found", [_share(s.right, s.found) for s in all_scores]
    yield "symbol right of found", [_share(s.symbol, s.found) for s in all_scores]
    yield "colour right of found", [_share(s.colour, s.found) for s in all_scores]
    yield "false cards a picture", [f"{s.false / max(s.pictures, 1):.2f}" for s in all_scores]
    yield "sure readings", [_share(s.sure, s.expected) for s in all_scores]
    yield "sure readings right", [_share(s.sure_right, s.sure) for s in all_scores]
    yield "median ms a picture", [f"{1000 * statistics.median(s.seconds or [0]):.0f}" for s in all_scores]


def _share(part: int, whole_count: int) -> str:
    if not whole_count:
        return f"{part}"
    p = part / whole_count
    error = (p * (1 - p) / whole_count) ** 0.5
    return f"{part} = {100 * p:.1f} ± {100 * error:.1f} %"


def _print_speed(console: Console, reader: YoloCardReader, folder: Path) -> None:
    """Median times on one 1280 px table picture, the parts one by one, and the memory of this process."""
    image = read_picture(next(file for file, _ in _labelled(folder, "table")))
    height, width = image.shape[:2]
    square = whole(width, height).seen(image, reader.finder.size_px)
    quads = [upright(d.quad_px) for d in reader.finder.find(square)][:1]
    length_px = 0.12 * width
    for label, work in (
        ("detector, one look", lambda: reader.finder.find(square)),
        ("classifier, one card", lambda: name_faces(reader.scorer, square, quads)),
        ("reader, card length known", lambda: reader.read(image, length_px)),
        ("reader, nothing known", lambda: reader.read(image)),
    ):
        seconds = []
        for _ in range(12):
            start_s = time.perf_counter()
            work()
            seconds.append(time.perf_counter() - start_s)
        console.print(f"{label}: {1000 * statistics.median(seconds):.1f} ms")
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    console.print(f"largest memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit:.0f} MB")


if __name__ == "__main__":
    main()
