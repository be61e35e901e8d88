"""How well and how fast cards are read on real photos: `python benchmarks/cards.py [FOLDER] [--only single]`.

FOLDER holds `single.tsv`, `table.tsv`, `special.tsv` and their pictures, `negative/` and `film/`; they are for
measuring only and lie beside a checkout (../shared/real), not in it. Without them only the speed is measured.

    --every N      each Nth picture; --every table=1 single=3 sets it by folder
    --outlines F   write a sheet of 40 close-ups with their outlines, to be checked by eye: corners have no labels
    --no-speed     leave the timing out, as on a busy machine
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from pathlib import Path

import cards_speed
import cv2
import numpy as np
from cards_scores import SEEN, SURE, Score, labelled, place_of, reliability, share, symbol_of
from rich.console import Console
from rich.table import Table

from referee.capture.media import frames
from referee.vision.pictures import read_picture
from referee.vision.reader import YoloCardReader, open_reader

FOLDERS = ("single", "table", "special", "negative", "film")
SHEET_PX = 260
SHEET_PICTURES = 40


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    beside = Path(__file__).resolve().parents[2] / "shared" / "real"
    parser.add_argument("folder", nargs="?", type=Path, default=beside)
    parser.add_argument("--only", choices=FOLDERS, action="append")
    parser.add_argument("--every", nargs="+", default=["1"], help="each Nth picture; also folder=N")
    parser.add_argument("--weights", type=Path, help="an Ultralytics .pt as detector")
    parser.add_argument("--models", type=Path, help="a manifest.toml instead of the shipped one")
    parser.add_argument("--outlines", type=Path)
    parser.add_argument("--no-speed", action="store_true")
    options = parser.parse_args()
    console = Console()
    if (options.folder / "single.tsv").exists():
        reader = open_reader(options.weights, options.models)
        steps = _steps(options.every)
        scores = {}
        for name in options.only or FOLDERS:
            console.print(f"reading {name} …", style="dim")
            scores[name] = _measure(reader, options.folder, name, steps[name])
        turned = _turned_six_nine(reader, options.folder, steps["single"]) if "single" in scores else Score()
        for table in (_against_the_wanted(scores, turned), _counts(scores), _reliability(scores)):
            console.print(table)
        for name, score in scores.items():
            if score.confusions:
                worst = ", ".join(f"{a} read as {b}: {n}" for (a, b), n in score.confusions.most_common(15))
                console.print(f"[bold]{name}[/bold] confusions: {worst}")
        if options.outlines:
            cv2.imwrite(str(options.outlines), _outlines(reader, options.folder))
    else:
        print(f"no real photos in {options.folder}; they are not part of the project")
    if not options.no_speed:
        console.print(_speed())


def _steps(every: list[str]) -> dict[str, int]:
    steps = dict.fromkeys(FOLDERS, 1)
    for entry in every:
        name, _, number = entry.rpartition("=")
        steps.update({name: int(number)} if name else dict.fromkeys(FOLDERS, int(number)))
    return steps


def _measure(reader: YoloCardReader, folder: Path, name: str, every: int) -> Score:
    score = Score()
    if name == "film":
        for film in sorted((folder / "film").glob("*.mp4")):
            for frame in frames(film, max_rate_hz=1 / every):
                score.pictures += 1
                score.add_picture(Counter(), reader.read(frame.image_bgr))
        return score
    for file, places in list(labelled(folder, name))[::every]:
        image = read_picture(file)
        start_s = time.perf_counter()
        readings = reader.read(image)
        score.seconds.append(time.perf_counter() - start_s)
        score.pictures += 1
        height, width = image.shape[:2]
        for place, expected in places.items():
            score.add_picture(expected, [r for r in readings if not place or place_of(r, width, height) == place])
    return score


def _turned_six_nine(reader: YoloCardReader, folder: Path, every: int) -> Score:
    """The close-ups of 6 and 9, each in three more quarter turns."""
    score = Score()
    for file, places in list(labelled(folder, "single"))[::every]:
        if symbol_of(next(iter(places[""]))) in "69":
            image = read_picture(file)
            for turn in (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE):
                score.pictures += 1
                score.add_picture(places[""], reader.read(np.asarray(cv2.rotate(image, turn), np.uint8)))
    return score


def _against_the_wanted(scores: dict[str, Score], turned: Score) -> Table:
    table = Table(
        "", "measured", "wanted", title=f"cards claimed from {SEEN}, sure from {SURE}; ± one standard error"
    )
    none = Score()
    single, on_table, special = (scores.get(name, none) for name in ("single", "table", "special"))
    table.add_row("close-ups: found, once", share(single.one_each, single.pictures), "≥ 99 %")
    table.add_row("close-ups: identity right", share(single.right, single.expected), "≥ 97 %")
    table.add_row("tables: cards found", share(on_table.found, on_table.expected), "≥ 96 %")
    table.add_row("tables: identity right of found", share(on_table.right, on_table.found), "≥ 97 %")
    false = on_table.false / max(on_table.pictures, 1)
    table.add_row("tables: false cards a picture", f"{false:.2f}", "≤ 0.1")
    known = [single, on_table, special]
    sure, sure_right, cards = (sum(getattr(s, k) for s in known) for k in ("sure", "sure_right", "expected"))
    claims = sum(p >= SEEN for s in known for p, _ in s.bins)
    table.add_row("sure readings: right", share(sure_right, sure), "≥ 99.5 %")
    table.add_row("sure readings: of those claimed", share(sure, claims), "≥ 85 %")
    table.add_row("sure readings: of all cards", share(sure, cards), "")
    parts = [*known, turned]
    six_nine, taken = sum(s.six_nine for s in parts), sum(s.six_nine_taken for s in parts)
    table.add_row("6 and 9 told apart, any turn", share(six_nine - taken, six_nine), "≥ 99 %")
    for name in ("negative", "film"):
        if name in scores:
            held = scores[name]
            table.add_row(f"{name}: cards claimed", f"{held.false} in {held.pictures} pictures", "0")
    table.add_row("special: right", share(special.right, special.expected), "all that can be seen")
    return table


def _counts(scores: dict[str, Score]) -> Table:
    table = Table("", *scores)
    every = scores.values()
    for label, cells in (
        ("pictures", [str(s.pictures) for s in every]),
        ("cards", [str(s.expected) for s in every]),
        ("found", [share(s.found, s.expected) for s in every]),
        ("symbol right of found", [share(s.symbol, s.found) for s in every]),
        ("colour right of found", [share(s.colour, s.found) for s in every]),
        ("sure, of all cards", [share(s.sure, s.expected) for s in every]),
        ("right of the sure", [share(s.sure_right, s.sure) for s in every]),
        ("median ms a picture", [f"{1000 * statistics.median(s.seconds or [0]):.0f}" for s in every]),
    ):
        table.add_row(label, *cells)
    return table


def _reliability(scores: dict[str, Score]) -> Table:
    table = Table("confidence", "readings", "mean", "right", title="what a confidence is worth, all folders")
    for limits, count, mean, right in reliability(list(scores.values())):
        table.add_row(limits, str(count), mean, right)
    return table


def _outlines(reader: YoloCardReader, folder: Path) -> np.ndarray:
    """Close-ups spread over the folder, each with the outline of its surest card; its first side is drawn thicker."""
    files = [file for file, _ in labelled(folder, "single")]
    cells = []
    for file in files[:: max(1, len(files) // SHEET_PICTURES)][:SHEET_PICTURES]:
        image = read_picture(file)
        readings = reader.read(image)
        scale = SHEET_PX / max(image.shape[:2])
        cell = np.full((SHEET_PX, SHEET_PX, 3), 60, np.uint8)
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        cell[: small.shape[0], : small.shape[1]] = small
        if readings:
            quad = np.rint(np.array(readings[0].quad_px) * scale).astype(np.int32)
            cv2.polylines(cell, [quad], True, (255, 0, 255), 1, cv2.LINE_AA)
            cv2.line(cell, quad[0].tolist(), quad[1].tolist(), (255, 255, 0), 2, cv2.LINE_AA)
        cells.append(cell)
    return np.vstack([np.hstack(cells[k : k + 8]) for k in range(0, len(cells) - 7, 8)])


def _speed() -> Table:
    table = Table(
        "",
        "the referee",
        "Ultralytics, same weights",
        "wanted",
        title="1280x720, median, all threads; processor: of all threads",
    )
    ours, peer = cards_speed.measured("ours"), cards_speed.measured("peer")
    wanted = {"one card changed ms": "≤ 60", "memory MB": "≤ 250", "import s": "≤ 0.5"} | dict.fromkeys(
        ("whole table, length known ms", "whole table, nothing known ms"), "≤ 250"
    )
    for label in dict.fromkeys([*(ours or {}), *(peer or {})]):
        cells = [f"{held[label]:.4g}" if held and label in held else "–" for held in (ours, peer)]
        table.add_row(label, *cells, wanted.get(label, ""))
    return table


if __name__ == "__main__":
    main()
