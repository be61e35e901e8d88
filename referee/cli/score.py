"""`referee score`: the book of rounds and evenings, with exports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table as Grid

from referee.cli.output import console, print_fault, print_json

if TYPE_CHECKING:
    from referee.session.book import Standing
    from referee.session.evening import Evening


def score(
    folder: Annotated[
        Path, typer.Argument(metavar="[FOLDER]", help="A session, or the folder that holds your sessions.")
    ] = Path(),
    csv_file: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the rounds as CSV.")] = None,
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page to print, with a plot of the points.")
    ] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Read every session anew.")] = False,
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object an evening and a player.")] = False,
) -> None:
    """Show the score over rounds and evenings, and what each player did.

    The book is an index beside the sessions; it may be deleted and is built anew from them.
    """
    from referee.faults import InputFault
    from referee.session.book import INDEX_FILE, Book
    from referee.session.score_sheet import score_csv, score_page

    if not folder.is_dir():
        raise InputFault("is no folder", where=str(folder), mend="name a session or the folder of your sessions")
    if rebuild:
        for suffix in ("", "-wal", "-shm"):
            (folder / f"{INDEX_FILE}{suffix}").unlink(missing_ok=True)
    with Book(folder) as book:
        book.refresh()
        evenings, players = book.evenings(), book.standings()
        for remark in book.remarks:
            print_fault(remark)
    if not evenings:
        raise InputFault("holds no finished session", where=str(folder), mend="name the folder of your sessions")
    for file, text in ((csv_file, score_csv), (html_file, score_page)):
        if file is not None:
            _write(file, text(evenings))
    if json_lines:
        for evening in evenings:
            print_json(evening.to_json())
        for player in players:
            print_json(player.to_json())
        return
    for evening in evenings:
        _tell_evening(evening)
    _tell_players(players)
    for file in filter(None, (csv_file, html_file)):
        console().print(f"Written: [bold]{escape(str(file))}[/bold]")


def _write(file: Path, text: str) -> None:
    from referee.faults import InputFault

    try:
        file.write_text(text, encoding="utf-8")
    except OSError as fault:
        raise InputFault(f"cannot be written: {fault.strerror}", where=str(file), mend="name another file") from None


def _tell_evening(evening: Evening) -> None:
    when = evening.started[:16].replace("T", ", ")
    facts = ", ".join(filter(None, (when, evening.profile)))
    grid = Grid("round", *map(escape, evening.players), title=f"{escape(evening.title)}  [dim]{escape(facts)}[/dim]")
    grid.title_justify = "left"
    for line in evening.rounds:
        cells = []
        for name in evening.players:
            gained = line.points.get(name, 0)
            won = " ✓" if name == line.winner else ""
            cells.append(f"{line.totals.get(name, 0)}{f' (+{gained})' if gained else ''}{won}")
        grid.add_row(str(line.number) + ("" if line.certain else " *"), *cells)
    out = console()
    out.print(grid if evening.rounds else f"{escape(evening.title)}: no round was finished.")
    if not all(line.certain for line in evening.rounds):
        out.print("* a hand was not counted: the points may be too low.")
    if evening.rounds and evening.rounds[-1].game_winners:
        out.print(f"Game won by {escape(' and '.join(evening.rounds[-1].game_winners))}.")


def _tell_players(players: list[Standing]) -> None:
    heads = ("player", "games", "rounds", "points", "laid", "drawn", "fouls", "UNO called", "UNO missed")
    grid = Grid(*heads, title="All evenings", title_justify="left")
    for player in players:
        counts = (player.games_won, player.rounds_won, player.points, *player.tally.to_json().values())
        grid.add_row(escape(player.name), *map(str, counts))
    console().print(grid)
