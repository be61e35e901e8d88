"""Players, pairings and results as CSV, for spreadsheets: read with every fault by its line, and written."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path

from referee.faults import InputFault
from referee.tournament.book import TableOfRound, Tournament
from referee.tournament.standings import Line
from referee.tournament.wording import number_text

PAIRING = ("round", "table", "player")
RESULT = ("table", "player", "points")
_MOST_BYTES = 2_000_000


def read_names(file: Path) -> list[str]:
    """Players' names: the column `player` or `name`, or the only one."""
    rows = _rows(file)
    if not rows:
        raise InputFault("names nobody", where=str(file), mend="write a name a line")
    head = [cell.strip().casefold() for cell in rows[0][1]]
    column = next((head.index(name) for name in ("player", "name") if name in head), None)
    names = rows if column is None else rows[1:]
    found = [cells[column or 0].strip() if len(cells) > (column or 0) else "" for _, cells in names]
    return [name for name in found if name]


def read_pairing(file: Path, number: int) -> list[TableOfRound]:
    """Tables of round `number` from columns `table` and `player`; a column `round` picks the rows of that round."""
    seats: dict[str, list[str]] = {}
    for line, row in _named(file, ("table", "player")):
        said = row.get("round", "")
        if said and _whole(said, f"{file}:{line}") != number:
            continue
        seats.setdefault(row["table"], []).append(row["player"])
    if not seats:
        raise InputFault(f"seats nobody in round {number}", where=str(file), mend="write a row for each player")
    return [TableOfRound(table, tuple(players)) for table, players in seats.items()]


def read_results(file: Path, number: int) -> dict[str, dict[str, int]]:
    """Card points by table and player from columns `table`, `player`, `points`, of round `number`.

    Raises InputFault by line; for a row of another round too, where there is a column `round`.
    """
    found: dict[str, dict[str, int]] = {}
    for line, row in _named(file, RESULT):
        if row.get("round") and _whole(row["round"], f"{file}:{line}") != number:
            raise InputFault(f"is of round {row['round']}, not {number}", where=f"{file}:{line}", mend="give --round")
        points = found.setdefault(row["table"], {})
        if row["player"] in points:
            raise InputFault(f"{row['player']} is told twice", where=f"{file}:{line}", mend="give one line each")
        points[row["player"]] = _whole(row["points"], f"{file}:{line}")
    if not found:
        raise InputFault("holds no result", where=str(file), mend=f"write rows of {', '.join(RESULT)}")
    return found


def pairing_csv(book: Tournament, number: int) -> str:
    """A row for each seat of a round, with the points where they are known."""
    tables = book.rounds[number - 1]
    rows = [(number, t.name, name, "" if t.points is None else t.points[name]) for t in tables for name in t.players]
    return _csv((*PAIRING, "points"), rows)


def standings_csv(lines: Sequence[Line]) -> str:
    """A row for each player, in the order of the standings."""
    head = ("place", "player", "match_points", "card_points", "direct", "strength", "tables_won", "rounds")
    rows = [
        (
            line.place,
            line.name,
            number_text(line.match_points),
            line.card_points,
            line.direct,
            number_text(line.strength),
            number_text(line.won),
            line.rounds,
        )
        for line in lines
    ]
    return _csv(head, rows)


def _csv(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return out.getvalue()


def _harmless(cell: object) -> object:
    """A name that a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@") and not _is_number(cell) else cell


def _is_number(cell: str) -> bool:
    return cell.lstrip("-").replace(".", "", 1).isdecimal()


def _named(file: Path, wanted: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    rows = _rows(file)
    head = [cell.strip().casefold() for cell in rows[0][1]] if rows else []
    lacking = [name for name in wanted if name not in head]
    if lacking:
        raise InputFault(
            f"has no column {', '.join(lacking)}", where=f"{file}:1", mend=f"the first line is {','.join(wanted)}"
        )
    found = []
    for line, cells in rows[1:]:
        row = {name: cell.strip() for name, cell in zip(head, cells, strict=False)}
        if not all(row.get(name) for name in wanted):
            raise InputFault("a cell is empty", where=f"{file}:{line}", mend=f"give {', '.join(wanted)}")
        found.append((line, row))
    return found


def _rows(file: Path) -> list[tuple[int, list[str]]]:
    """(line, cells) of every line that is not empty; commas or semicolons, with or without a byte-order mark."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise InputFault("is too long for a tournament", where=str(file), mend="name the right file")
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "is no UTF-8 text"
        raise InputFault(f"cannot be read: {why}", where=str(file), mend="name a CSV file") from None
    first = text.partition("\n")[0]
    delimiter = ";" if first.count(";") > first.count(",") else ","
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    try:
        return [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except csv.Error as fault:
        raise InputFault(f"is no CSV: {fault}", where=f"{file}:{reader.line_num}", mend="mend that line") from None


def _whole(cell: str, where: str) -> int:
    try:
        return int(cell)
    except ValueError:
        raise InputFault(f"{cell!r} is no whole number", where=where, mend="give card points as 120") from None
