"""`referee accuracy FOLDER`: how well cards are read at your own table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import EXIT_BAD_INPUT, console, print_fault, print_json
from referee.faults import InputFault

if TYPE_CHECKING:
    from referee.vision.accuracy import Accuracy
    from referee.vision.quads import Image
    from referee.vision.reader import CardReader


def accuracy(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="Photos named by their cards (R5.jpg, R5-2.jpg), or with a truth.tsv."),
    ],
    guided: Annotated[
        bool,
        typer.Option(
            "--guided", help="Name ten cards; FOLDER holds ten photos of them in order, or is a film of it."
        ),
    ] = False,
    deck: Annotated[str | None, typer.Option(metavar="NAME", help="Read with this enrolled deck.")] = None,
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object on stdout, nothing else.")] = False,
) -> None:
    """Measure how well the cards on your own table are read, and what to mend.

    Ends with status 2 when a picture cannot be read; the others count all the same.
    """
    from referee.vision.accuracy import Accuracy
    from referee.vision.reader import open_reader

    if guided:
        _tell_cards(folder, json_lines)
    reader = open_reader(deck=deck)
    measured, failed = Accuracy(), False
    for name, shown, image in _pictures(folder, guided, reader):
        if isinstance(image, InputFault):
            print_fault(image)
            failed = True
            continue
        missed = measured.add(shown, image, reader.read(image))
        if missed and not json_lines:
            console().print(f"  {name}: missed or misread {' '.join(missed.elements())}", markup=False)
    if not measured.pictures:
        raise InputFault("holds no picture that can be read", where=str(folder), mend="take the photos again")
    if json_lines:
        print_json(_facts(measured))
    else:
        _tell(measured)
    if failed:
        raise typer.Exit(EXIT_BAD_INPUT)


def _pictures(
    folder: Path, guided: bool, reader: CardReader
) -> Iterator[tuple[str, Counter[str], Image | InputFault]]:
    """Name, cards and image of each picture; the fault in place of an image that cannot be read."""
    from referee.vision.accuracy import shown_in
    from referee.vision.guided import TEN_CARDS, require_all, showings
    from referee.vision.pictures import picture_files, read_picture

    if guided and folder.is_file():
        from referee.capture.media import frames

        found = showings((frame.image_bgr for frame in frames(folder, max_rate_hz=2)), reader)
        require_all(found, str(folder))
        for number, (code, image) in enumerate(zip(TEN_CARDS, found, strict=True), start=1):
            yield f"showing {number}", Counter([code]), image
        return
    if guided:
        files = [file for file in picture_files([str(folder)]) if isinstance(file, Path)]
        if len(files) != len(TEN_CARDS):
            mend = "one photo a card, in the order named, as their names sort"
            raise InputFault(f"holds {len(files)} pictures, not {len(TEN_CARDS)}", where=str(folder), mend=mend)
        pairs = [(file, Counter([code])) for file, code in zip(files, TEN_CARDS, strict=True)]
    else:
        pairs = list(shown_in(folder))
    for file, shown in pairs:
        try:
            yield file.name, shown, read_picture(file)
        except InputFault as fault:
            yield file.name, shown, fault


def _tell_cards(folder: Path, json_lines: bool) -> None:
    from referee.cli.read import code_in_words
    from referee.vision.guided import TEN_CARDS

    out = console(err=json_lines)
    out.print("Show these ten cards in this order, each flat on the table, then take it away:")
    for number, code in enumerate(TEN_CARDS, start=1):
        out.print(f"  {number:2}. {code_in_words(code)} ({code})", markup=False)
    if not folder.exists():
        raise InputFault(
            "is not there yet", where=str(folder), mend="take ten photos or a film of it, and call again"
        )


def _tell(measured: Accuracy) -> None:
    out = console()
    words = {
        "found": "cards found",
        "right": "named right, of those found",
        "sure": "sure (0.90 or more), of those found",
        "sure_right": "right, of the sure ones",
    }
    out.print(f"{measured.pictures} pictures, {measured.cards} cards; in brackets the 95 % bounds")
    for name, share in measured.shares.items():
        out.print(f"  {words[name]:<36} {share}")
    if measured.false:
        out.print(f"  {'cards claimed that are not there':<36} {measured.false}")
    for (true, read), count in measured.confusions.most_common(10):
        out.print(f"  {true} read as {read}: {count}", markup=False)
    out.print(f"[bold]{measured.verdict()}[/bold]", highlight=False)
    for line in measured.advice():
        out.print(f"  {line}", markup=False)
    if measured.cards < 30:
        out.print("  fewer than 30 cards say little: the bounds are wide", markup=False)


def _facts(measured: Accuracy) -> dict[str, object]:
    shares = {
        name: {
            "part": s.part,
            "of": s.whole,
            "percent": round(s.percent, 1),
            "bounds": [round(b, 1) for b in s.bounds_percent],
        }
        for name, s in measured.shares.items()
    }
    confusions = [[true, read, count] for (true, read), count in measured.confusions.most_common()]
    return {
        "pictures": measured.pictures,
        "cards": measured.cards,
        **shares,
        "false": measured.false,
        "confusions": confusions,
        "verdict": measured.verdict(),
        "advice": measured.advice(),
    }
