"""`referee tournament`: players, pairings, results and standings, in one file that people can read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table as Grid

from referee.cli.output import console, print_fault, print_json

if TYPE_CHECKING:
    from referee.tournament.book import Tournament

app = typer.Typer(help="A tournament's book: players, pairings, results, standings.", no_args_is_help=True)

_File = Annotated[Path, typer.Argument(metavar="FILE", help="The tournament's book, a TOML file.")]
_Round = Annotated[
    int | None, typer.Option("--round", min=1, metavar="N", help="Another round than the current one.")
]
_Csv = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write it as CSV as well.")]
_Correct = Annotated[bool, typer.Option("--correct", help="Replace a result that was entered before.")]


@app.command()
def new(
    file: _File,
    title: Annotated[str, typer.Option(help="What it is called.")] = "Tournament",
    players: Annotated[Path | None, typer.Option(metavar="CSV", help="Players' names, one a line.")] = None,
    table_size: Annotated[int, typer.Option(min=3, max=6, help="Players at a table, as near as can be.")] = 4,
    fewest: Annotated[
        bool, typer.Option("--fewest", help="The fewest card points win a table, not the most.")
    ] = False,
    seed: Annotated[int, typer.Option(help="What all lots come from.")] = 1,
) -> None:
    """Begin a tournament's book."""
    from referee.faults import InputFault
    from referee.tournament.book import Tournament
    from referee.tournament.csv_rows import read_names
    from referee.tournament.store import write_book

    if file.exists():
        raise InputFault("is there already", where=str(file), mend="name another file, or delete it first")
    book = Tournament(" ".join(title.split()), seed, table_size, "fewest" if fewest else "most")
    if players is not None:
        book = book.with_players(read_names(players), str(players))
    write_book(file, book)
    console().print(
        f"{escape(str(file))}: {len(book.players)} players. Next: `referee tournament pair`.", soft_wrap=True
    )


@app.command(name="players")
def players_(
    file: _File,
    add: Annotated[list[str] | None, typer.Option("--add", metavar="NAME", help="A player more.")] = None,
    leave: Annotated[
        list[str] | None, typer.Option("--leave", metavar="NAME", help="Plays no further round.")
    ] = None,
    csv_file: Annotated[Path | None, typer.Option("--import", metavar="CSV", help="Add names of a file.")] = None,
) -> None:
    """Show who plays; add players, or let them leave."""
    from referee.tournament.csv_rows import read_names
    from referee.tournament.store import read_book, write_book

    before = book = read_book(file)
    if csv_file is not None:
        book = book.with_players(read_names(csv_file), str(csv_file))
    book = book.with_players(add or ())
    for name in leave or ():
        book = book.without(name)
    if book != before:
        write_book(file, book)
    for player in book.players:
        left = "" if player.left_after is None else f"  (left after round {player.left_after})"
        console().print(f"{player.name}{left}", markup=False)


@app.command()
def pair(
    file: _File,
    csv_file: _Csv = None,
    from_csv: Annotated[
        Path | None, typer.Option("--import", metavar="CSV", help="Take the pairing from a file (table,player).")
    ] = None,
) -> None:
    """Pair the next round: as few repeat meetings as can be found, then players of like standing together."""
    from referee.tournament.csv_rows import pairing_csv, read_pairing
    from referee.tournament.pairing import meetings, repeats
    from referee.tournament.pairing import pair as paired
    from referee.tournament.store import read_book, write_book

    book = read_book(file)
    number = len(book.rounds) + 1
    if from_csv is not None:
        after = book.with_round(read_pairing(from_csv, number), str(from_csv))
    else:
        after = book.with_round(() if book.open_tables() else paired(book))
    again = repeats([table.players for table in after.rounds[-1]], meetings(book))
    _write(csv_file, pairing_csv(after, number))
    write_book(file, after)
    _tell_round(after, number)
    console().print(f"Repeat meetings: {again}.")


@app.command()
def show(file: _File, number: _Round = None, csv_file: _Csv = None) -> None:
    """Show a round: who sits where, and the results."""
    from referee.faults import InputFault
    from referee.tournament.csv_rows import pairing_csv
    from referee.tournament.store import read_book

    book = read_book(file)
    number = number or len(book.rounds)
    if not 1 <= number <= len(book.rounds):
        raise InputFault(f"has no round {number or 1}", where=str(file), mend="run `referee tournament pair` first")
    _write(csv_file, pairing_csv(book, number))
    _tell_round(book, number)


@app.command()
def result(
    file: _File,
    table: Annotated[str | None, typer.Option("--table", metavar="NAME", help="Which table, with --points.")] = None,
    points: Annotated[
        str | None, typer.Option("--points", metavar="LIST", help="Card points: Ana=120,Bruno=80,…")
    ] = None,
    csv_file: Annotated[
        Path | None, typer.Option("--import", metavar="CSV", help="Results of many tables (table,player,points).")
    ] = None,
    session: Annotated[
        Path | None, typer.Option("--session", metavar="DIR", help="A recorded session, or the folder of many.")
    ] = None,
    number: _Round = None,
    correct: _Correct = False,
    uncertain: Annotated[
        bool, typer.Option("--uncertain", help="Take sessions' points though a hand was not counted.")
    ] = False,
) -> None:
    """Enter results: of one table, of a CSV file, or out of recorded sessions. All of a file are taken, or none."""
    from referee.cli.tournament_results import with_sessions
    from referee.faults import InputFault
    from referee.tournament.csv_rows import read_results
    from referee.tournament.store import read_book, write_book

    ways = [points is not None and table is not None, csv_file is not None, session is not None]
    if sum(ways) != 1 or (table is None) != (points is None):
        raise InputFault(
            "which result?", where="result", mend="give --table with --points, or --import, or --session"
        )
    book = read_book(file)
    entered: list[str] = []
    if points is not None and table is not None:
        book = book.with_result(table, _points(points), number=number, correct=correct)
    elif csv_file is not None:
        for name, told in read_results(csv_file, number or len(book.rounds)).items():
            book = book.with_result(name, told, number=number, correct=correct, where=str(csv_file))
    elif session is not None:
        if number is not None:
            raise InputFault("sessions are of the current round", where="--round", mend="leave it out")
        book, entered, left_out = with_sessions(book, session, correct=correct, uncertain=uncertain)
        for line in left_out:
            print_fault(line)
    write_book(file, book)
    for line in entered:
        console().print(line, markup=False, soft_wrap=True)
    _tell_round(book, number or len(book.rounds))


@app.command()
def standings(
    file: _File,
    csv_file: _Csv = None,
    html_file: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page to print.")] = None,
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object a player.")] = False,
) -> None:
    """Show who leads, and by which tie-break."""
    from referee.tournament.csv_rows import standings_csv
    from referee.tournament.sheet import tournament_page
    from referee.tournament.standings import TIE_BREAKS
    from referee.tournament.standings import standings as placed
    from referee.tournament.store import read_book
    from referee.tournament.wording import number_text

    book = read_book(file)
    lines = placed(book)
    _write(csv_file, standings_csv(lines))
    _write(html_file, tournament_page(book))
    if json_lines:
        for line in lines:
            print_json(
                {
                    "type": "standing",
                    "place": line.place,
                    "player": line.name,
                    "match_points": float(line.match_points),
                    "card_points": line.card_points,
                    "direct": line.direct,
                    "strength": round(float(line.strength), 4),
                    "tables_won": float(line.won),
                    "rounds": line.rounds,
                    "behind_by": TIE_BREAKS[line.broken_by].partition(":")[0] if line.place > 1 else None,
                }
            )
        return
    grid = Grid("place", "player", "match", "cards", "direct", "strength", "won", "rounds", title=escape(book.title))
    grid.title_justify = "left"
    for line in lines:
        numbers = (
            number_text(line.match_points),
            str(line.card_points),
            str(line.direct),
            number_text(line.strength),
        )
        grid.add_row(str(line.place), escape(line.name), *numbers, number_text(line.won), str(line.rounds))
    out = console()
    out.print(grid)
    out.print("Placed by " + "; then ".join(TIE_BREAKS) + ".", markup=False)
    for written in filter(None, (csv_file, html_file)):
        out.print(f"Written: [bold]{escape(str(written))}[/bold]")


def _points(text: str) -> dict[str, int]:
    from referee.faults import InputFault

    found: dict[str, int] = {}
    for part in text.split(","):
        name, _, count = part.rpartition("=")
        try:
            value = int(count)
        except ValueError:
            name = ""
        if not name.strip():
            raise InputFault(f"{part.strip()!r} is no result", where="--points", mend="write Ana=120,Bruno=80")
        if name.strip() in found:
            raise InputFault(f"{name.strip()} is told twice", where="--points", mend="give each player once")
        found[name.strip()] = value
    return found


def _tell_round(book: Tournament, number: int) -> None:
    grid = Grid("table", "players", title=f"{escape(book.title)}, round {number}", title_justify="left")
    for table in book.rounds[number - 1]:
        told = [name if table.points is None else f"{name} {table.points[name]}" for name in table.players]
        grid.add_row(escape(table.name), escape(", ".join(told)))
    console().print(grid)


def _write(file: Path | None, text: str) -> None:
    from referee.faults import InputFault

    if file is None:
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as fault:
        raise InputFault(f"cannot be written: {fault.strerror}", where=str(file), mend="name another file") from None
