"""`referee read IMAGE…`: the cards in pictures."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import EXIT_BAD_INPUT, console, print_fault, print_json
from referee.faults import InputFault
from referee.observations import CardReading, reading_to_json

if TYPE_CHECKING:
    from referee.vision.quads import Image


def read(
    images: Annotated[
        list[str], typer.Argument(metavar="IMAGE", help="Pictures, folders of pictures, or patterns like '*.jpg'.")
    ],
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object a picture on stdout.")] = False,
    annotate: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write each picture with its cards outlined and named.")
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(metavar="X.pt", help="Find cards with your own Ultralytics weights (extra 'train')."),
    ] = None,
) -> None:
    """Name the cards in pictures, with the confidence of each reading and what else it could be.

    Ends with status 2 when a picture cannot be read or shows no card; the others are read all the same.
    """
    from referee.vision.pictures import annotated, read_picture, save_picture
    from referee.vision.reader import open_reader

    paths = _picture_files(images)
    reader = open_reader(weights)
    written: set[Path] = set()
    failed = False
    for path in paths:
        try:
            image = read_picture(path)
        except InputFault as fault:
            print_fault(fault)
            failed = True
            continue
        readings = reader.read(image)
        if json_lines:
            print_json({"image": str(path), "cards": [reading_to_json(r) for r in readings]})
        elif readings:
            _tell(path, image, readings)
        if not readings:
            print_fault(f"{path}: no cards seen")
            failed = True
        if annotate:
            save_picture(_free_name(annotate, path, written), annotated(image, readings))
    if failed:
        raise typer.Exit(EXIT_BAD_INPUT)


def _picture_files(names: Sequence[str]) -> list[Path]:
    """The files that `names` stand for, in order: a folder's pictures, a pattern's matches, or the name itself."""
    from referee.vision.pictures import SUFFIXES

    files: list[Path] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            held = sorted(f for f in path.iterdir() if f.suffix.lower() in SUFFIXES and f.is_file())
            if not held:
                raise InputFault("holds no pictures", where=name, mend="name a folder with JPEG or PNG files")
            files += held
        elif not path.exists() and glob.has_magic(name):
            matches = sorted(glob.glob(name, recursive=True))
            if not matches:
                raise InputFault("fits no file", where=name, mend="check the pattern")
            files += [Path(match) for match in matches]
        else:
            files.append(path)
    return files


def _free_name(folder: Path, picture: Path, written: set[Path]) -> Path:
    """Where to write the annotated `picture`: `NAME.jpg`, numbered when this call has written that name already."""
    target, count = folder / f"{picture.stem}.jpg", 1
    while target in written:
        count += 1
        target = folder / f"{picture.stem}-{count}.jpg"
    written.add(target)
    return target


def _tell(path: Path, image: Image, readings: Sequence[CardReading]) -> None:
    out = console()
    height, width = image.shape[:2]
    out.print(f"[bold]{path}[/bold]  {width}x{height}, {len(readings)} card{'s' if len(readings) > 1 else ''}")
    for reading in readings:
        x, y = (sum(c) / 4 for c in zip(*reading.quad_px, strict=True))
        others = ", ".join(f"{code} {p:.2f}" for code, p in reading.alternatives[1:3] if p >= 0.05)
        doubt = f"  [dim]or {others}[/dim]" if others else ""
        out.print(f"  {in_words(reading):<22} {reading.code:<4} {reading.confidence:.2f}  at {x:.0f},{y:.0f}{doubt}")


def in_words(reading: CardReading) -> str:
    """The reading as a player would say it: `yellow 7`, `blue draw two`, `wild draw four`, `face down`."""
    if reading.card is None:
        return "face down"
    symbol = reading.card.symbol
    name = symbol.value if symbol.is_number else symbol.name.lower().replace("_", " ")
    return f"{reading.card.colour.word} {name}" if reading.card.colour else name
