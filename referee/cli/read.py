"""`referee read IMAGE…`: the cards in pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from referee.cards import Card
from referee.cli.output import EXIT_BAD_INPUT, console, print_fault, print_json
from referee.faults import InputFault
from referee.observations import BACK, CardReading, reading_to_json


def read(
    images: Annotated[
        list[str], typer.Argument(metavar="IMAGE", help="Pictures, folders of pictures, or patterns like '*.jpg'.")
    ],
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object a picture on stdout.")] = False,
    annotate: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Draw what was read: a folder for all, or a .jpg or .png for one picture."),
    ] = None,
    deck: Annotated[
        str | None, typer.Option(metavar="NAME", help="The enrolled deck that is shown: see `referee deck enrol`.")
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(metavar="X.pt", help="Find cards with your own Ultralytics weights (extra 'train')."),
    ] = None,
) -> None:
    """Name the cards in pictures, with the confidence of each reading and what else it could be.

    Ends with status 2 when a picture cannot be read or shows no card; the others are read all the same.
    """
    from referee.vision.pictures import BELIEVED, annotated, open_picture, picture_files, save_picture
    from referee.vision.reader import open_reader

    reader = open_reader(weights, deck=deck)
    written: set[Path] = set()
    failed = False
    for path in picture_files(images):
        try:
            if isinstance(path, InputFault):
                raise path
            picture = open_picture(path)
        except InputFault as fault:
            print_fault(fault)
            failed = True
            continue
        seen = reader.read(picture.image)
        readings = [picture.in_file(reading) for reading in seen]
        believed = [reading for reading in readings if reading.confidence >= BELIEVED]
        if json_lines:
            print_json({"image": str(path), "cards": [reading_to_json(r) for r in readings]})
        elif believed:
            height, width = picture.image.shape[:2]
            _tell(path, (width * picture.shrunk, height * picture.shrunk), believed)
        if not believed:
            print_fault(f"{path}: no cards seen (a card must be at least 28 px long in the picture)")
            failed = True
        if annotate:
            save_picture(_place(annotate, path, written), annotated(picture.image, seen))
    if failed:
        raise typer.Exit(EXIT_BAD_INPUT)


def _place(out: Path, picture: Path, written: set[Path]) -> Path:
    """Where to draw `picture`: the file that `out` names, or a free name in the folder that it names."""
    if out.suffix.lower() not in (".jpg", ".jpeg", ".png") or out.is_dir():
        return _free_name(out, picture, written)
    if written:
        raise InputFault("is one file for many pictures", where=str(out), mend="name a folder after --annotate")
    written.add(out)
    return out


def _free_name(folder: Path, picture: Path, written: set[Path]) -> Path:
    """Where to write the annotated `picture`: `NAME.jpg`, numbered when this call has written that name already."""
    target, count = folder / f"{picture.stem}.jpg", 1
    while target in written:
        count += 1
        target = folder / f"{picture.stem}-{count}.jpg"
    written.add(target)
    return target


def _tell(path: Path, size_px: tuple[int, int], readings: Sequence[CardReading]) -> None:
    out = console()
    width, height = size_px
    out.print(f"[bold]{path}[/bold]  {width}x{height}, {len(readings)} card{'s' if len(readings) > 1 else ''}")
    for reading in readings:
        x, y = (sum(c) / 4 for c in zip(*reading.quad_px, strict=True))
        others = ", ".join(f"{code} {p:.2f}" for code, p in reading.alternatives[1:3] if p >= 0.05)
        doubt = f"  [dim]or {others}[/dim]" if others else ""
        out.print(f"  {in_words(reading):<22} {reading.code:<4} {reading.confidence:.2f}  at {x:.0f},{y:.0f}{doubt}")


def in_words(reading: CardReading) -> str:
    """The reading as a player would say it: `yellow 7`, `blue draw two`, `wild draw four`, `face down`."""
    return code_in_words(reading.code)


def code_in_words(code: str) -> str:
    """A card code, or `back`, as a player would say it."""
    if code == BACK:
        return "face down"
    card = Card.parse(code)
    name = card.symbol.value if card.symbol.is_number else card.symbol.name.lower().replace("_", " ")
    return f"{card.colour.word} {name}" if card.colour else name
