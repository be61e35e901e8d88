"""`referee deck …`: enrol the deck that is played with, from one photograph of each face."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import console, print_fault, print_json, progress

app = typer.Typer(
    help="Enrol your own deck, so that its faces are read more surely.", no_args_is_help=True, rich_markup_mode="rich"
)

_Json = Annotated[bool, typer.Option("--json", help="One JSON object a line on stdout, nothing else.")]
_Name = Annotated[str, typer.Argument(metavar="NAME", help="A deck that is enrolled, or a .deck file.")]


@app.command()
def enrol(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="One photo a face: R5.jpg, GS.jpg, W4.jpg, …")],
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What the deck is called from now on.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the deck to this .deck file instead.")
    ] = None,
    camera: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Take the photos that FOLDER lacks with this camera, or with `any`."),
    ] = None,
    json_lines: _Json = False,
) -> None:
    """Make a deck of 54 photographs, one of each face, named by the card they show.

    With --camera you are asked for each face in turn: lay it down alone and leave it until it is taken. Type s to
    skip it, r to take the last one again, q to stop; what is in FOLDER then is not asked for the next time.

    Afterwards `referee read --deck NAME …`, or `deck = "NAME"` in a session's session.toml, reads with it.
    """
    import time

    from rich.progress import BarColumn, TextColumn

    from referee.faults import InputFault
    from referee.training.enrol import enrol as enrol_deck
    from referee.vision.deck_file import SUFFIX, deck_path, save_deck
    from referee.vision.reader import open_reader

    target = deck_path(name)
    if out:
        if out.suffix != SUFFIX:
            raise InputFault(f"is no {SUFFIX} file", where=str(out), mend=f"end its name with {SUFFIX}")
        target = out
    if camera:
        from referee.cli.deck_camera import take_photographs

        take_photographs(folder, None if camera == "any" else camera)
    start_s = time.monotonic()
    columns = (TextColumn("reading the faces"), BarColumn(), TextColumn("{task.completed:.0f} of {task.total:.0f}"))
    with progress(*columns, quiet=json_lines) as bar:
        task = bar.add_task("", total=54)
        made = enrol_deck(
            folder, name, open_reader(), lambda done, total: bar.update(task, completed=done, total=total)
        )
    save_deck(made.deck, target)
    seconds = round(time.monotonic() - start_s, 1)
    for remark in made.remarks:
        print_fault(remark)
    if json_lines:
        facts = {"deck": name, "file": str(target), "faces": len(made.deck.codes), "seconds": seconds}
        print_json({**facts, "remarks": list(made.remarks)})
        return
    out_console = console()
    out_console.print(f"[bold]{name}[/bold]: {len(made.deck.codes)} faces enrolled in {seconds:.0f} s")
    out_console.print(f"{target}", soft_wrap=True)
    use = name if out is None else str(out)
    out_console.print(f"Read with it: referee read --deck {use} PHOTO.jpg", soft_wrap=True, markup=False)


@app.command("list")
def list_decks(json_lines: _Json = False) -> None:
    """The decks that are enrolled."""
    from referee.faults import InputFault
    from referee.vision.deck_file import enrolled, load_deck

    files = enrolled()
    for file in files:
        try:
            deck = load_deck(str(file))
        except InputFault as fault:
            print_fault(fault)
            continue
        if json_lines:
            print_json({"deck": file.stem, "file": str(file), "faces": len(deck.codes)})
        else:
            console().print(f"[bold]{file.stem}[/bold]  {len(deck.codes)} faces  {file}", soft_wrap=True)
    if not files and not json_lines:
        console().print("No deck is enrolled yet: referee deck enrol FOLDER --name NAME", markup=False)


@app.command()
def show(
    name: _Name,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="OUT", help="Write a picture of all its faces.")
    ] = None,
    json_lines: _Json = False,
) -> None:
    """The faces of a deck, and a picture of them if asked for."""
    from referee.vision.deck_file import deck_path, load_deck, sheet
    from referee.vision.pictures import save_picture

    deck = load_deck(name)
    if picture:
        save_picture(picture, sheet(deck))
    if json_lines:
        print_json({"deck": deck.name, "file": str(deck_path(name)), "codes": list(deck.codes)})
    else:
        console().print(f"[bold]{deck.name}[/bold]  {len(deck.codes)} faces: {' '.join(deck.codes)}")


@app.command()
def forget(name: _Name) -> None:
    """Delete a deck that was enrolled."""
    from referee.faults import InputFault
    from referee.vision.deck_file import deck_path, enrolled

    path = deck_path(name)
    if not path.is_file():
        known = ", ".join(file.stem for file in enrolled()) or "none"
        raise InputFault(f"no deck {name!r} is enrolled", where=str(path), mend=f"enrolled: {known}")
    path.unlink()
    console().print(f"{name} is forgotten", markup=False)
