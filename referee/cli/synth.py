"""`referee synth film GAME.ugn`: draws a table film with sound from a written game."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import console
from referee.faults import InputFault

if TYPE_CHECKING:
    from referee.rules.entries import Item
    from referee.synth.film_folder import FilmWriter

app = typer.Typer(
    no_args_is_help=True, help="Draws synthetic material: films of whole rounds, always named synthetic."
)


@app.callback()
def _group() -> None:
    """Keep `film` a command of its own name while it is the only one."""


@app.command()
def film(
    game: Annotated[Path, typer.Argument(metavar="GAME.ugn", help="The round to film, from the first card on.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Session folder to write.")],
    seed: Annotated[int, typer.Option(help="Another number, another film of the same game.")] = 0,
    faces: Annotated[
        str, typer.Option(help="Printing of the cards: a name (oval, ring, flat …) or a number.")
    ] = "oval",
    surface: Annotated[str, typer.Option(help="Table top: oak, walnut, blue_cloth, green_cloth.")] = "walnut",
    title: Annotated[str, typer.Option(help="Title of the session.")] = "A drawn round",
    empty_table: Annotated[bool, typer.Option("--empty-table", help="The same sound over a bare table.")] = False,
    quality: Annotated[int, typer.Option(min=15, max=40, help="H.264 quantiser: smaller is better and larger.")] = 27,
) -> None:
    """Draw a film with sound and ground truth from a written game."""
    from rich.progress import Progress

    from referee.capture.media import MediaWriter
    from referee.rules.ugn import format_items
    from referee.synth.film import FRAME_RATE_HZ, FilmStyle
    from referee.synth.film import film as direct_film
    from referee.synth.film_folder import write_session
    from referee.synth.surfaces import SURFACES

    chosen = next((name for name in SURFACES if name == surface), None)
    if chosen is None:
        raise InputFault(f"no table top is called {surface!r}", mend=f"choose one of {', '.join(SURFACES)}")
    style = FilmStyle(surface=chosen, faces=int(faces) if faces.isdigit() else faces)
    try:
        made = direct_film(_items(game), style, seed)
    except ValueError as fault:
        raise InputFault(str(fault), where=str(game), mend="a film needs another game or printing") from fault
    width, height = made.layout.size_px

    def open_writer(path: Path) -> AbstractContextManager[FilmWriter]:
        return MediaWriter(path, width_px=width, height_px=height, frame_rate_hz=FRAME_RATE_HZ, video_crf=quality)

    options = f"--seed {seed} --faces {faces} --surface {surface} --quality {quality} --title '{title}'"
    with Progress(console=console(err=True), transient=not sys.stderr.isatty()) as bar:
        task = bar.add_task(f"drawing {made.duration_s:.0f} s of film", total=1.0)
        write_session(
            made,
            out,
            open_writer,
            format_items(made.truth()),
            title=title,
            command=f"referee synth film {game.name} --out DIR {options}" + (" --empty-table" if empty_table else ""),
            empty_table=empty_table,
            progress=lambda share: bar.update(task, completed=share),
        )
    console().print(f"{out}: {made.duration_s:.0f} s of film with its truth")


def _items(path: Path) -> tuple[Item, ...]:
    from referee.rules.ugn import read_items

    try:
        reading = read_items(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as fault:
        raise InputFault("cannot be read as text", where=str(path), mend="give a .ugn file") from fault
    if reading.faults:
        first = reading.faults[0]
        raise InputFault(first.what, where=f"{path}:{first.line}", mend=first.mend)
    return reading.items
