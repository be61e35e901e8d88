"""A tournament's book as one TOML file that people can read and mend; written whole or not at all."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from referee.faults import InputFault
from referee.tournament.book import LARGEST, SMALLEST, Counting, Player, TableOfRound, Tournament, checked_round

_HEAD = "# A tournament's book. `referee tournament standings FILE` tells who leads; mend a slip here if need be.\n"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Player(_Part):
    name: Annotated[str, Field(min_length=1, max_length=80)]
    left_after: Annotated[int, Field(ge=0)] | None = None


class _Table(_Part):
    name: Annotated[str, Field(min_length=1, max_length=80)]
    players: list[str]
    points: list[int] | None = None


class _Round(_Part):
    table: list[_Table] = []


class _Book(_Part):
    format: Literal[1]
    title: str
    seed: int
    table_size: Annotated[int, Field(ge=SMALLEST, le=LARGEST)]
    counting: Counting
    player: list[_Player] = []
    round: list[_Round] = []


def read_book(file: Path) -> Tournament:
    """The tournament in `file`. Raises InputFault for what is no book, or a book that cannot be true."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputFault(
            "is not there", where=str(file), mend="begin one with `referee tournament new FILE`"
        ) from None
    except (OSError, UnicodeDecodeError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "is no UTF-8 text"
        raise InputFault(f"cannot be read: {why}", where=str(file), mend="name a tournament's book") from None
    try:
        data = tomllib.loads(text)
        said = data.get("format")
        if said != 1:
            raise InputFault(f"has format {said!r}, this referee reads 1", where=str(file), mend="update the referee")
        book = _Book.model_validate(data)
    except tomllib.TOMLDecodeError as fault:
        raise InputFault(f"is not TOML: {fault}", where=str(file), mend="mend that line") from None
    except ValidationError as wrong:
        first = wrong.errors()[0]
        place = ".".join(str(part + 1 if isinstance(part, int) else part) for part in first["loc"])
        raise InputFault(f"{place}: {first['msg']}", where=str(file), mend="mend that key") from None
    return _tournament(book, str(file))


def write_book(file: Path, book: Tournament) -> None:
    """Write the book; the file is the old or the new one whatever happens. Raises InputFault when it cannot be."""
    half = file.with_name(f".{file.name}.{os.getpid()}.new")
    try:
        with half.open("w", encoding="utf-8") as out:
            out.write(book_text(book))
            out.flush()
            os.fsync(out.fileno())
        half.replace(file)
    except OSError as fault:
        half.unlink(missing_ok=True)
        raise InputFault(f"cannot be written: {fault.strerror}", where=str(file), mend="check its rights") from None


def book_text(book: Tournament) -> str:
    """The book as TOML."""
    facts = (("title", book.title), ("counting", book.counting))
    lines = [_HEAD, "format = 1", *(f"{key} = {_quoted(value)}" for key, value in facts)]
    lines += [f"seed = {book.seed}", f"table_size = {book.table_size}"]
    for player in book.players:
        lines += ["", "[[player]]", f"name = {_quoted(player.name)}"]
        lines += [] if player.left_after is None else [f"left_after = {player.left_after}"]
    for number, tables in enumerate(book.rounds, 1):
        lines += ["", f"[[round]]  # {number}"]
        for table in tables:
            lines += ["", "[[round.table]]", f"name = {_quoted(table.name)}"]
            lines.append(f"players = [{', '.join(map(_quoted, table.players))}]")
            if table.points is not None:
                lines.append(f"points = [{', '.join(str(table.points[name]) for name in table.players)}]")
    return "\n".join(lines) + "\n"


def _tournament(data: _Book, where: str) -> Tournament:
    """The book that was read, held to the same rules as one that is written."""
    book = Tournament(data.title, data.seed, data.table_size, data.counting)
    book = book.with_players((player.name for player in data.player), where)
    rounds = []
    for number, one in enumerate(data.round, 1):
        here = f"{where}: round {number}"
        tables = []
        for table in one.table:
            players = tuple(book.known(name, here) for name in table.players)
            if table.points is not None and len(table.points) != len(players):
                raise InputFault(
                    f"table {table.name}: not one result for each player", where=here, mend="mend that line"
                )
            points = None if table.points is None else dict(zip(players, table.points, strict=True))
            tables.append(TableOfRound(table.name, players, points))
        checked_round(tuple(tables), {player for table in tables for player in table.players}, here)
        if number < len(data.round) and any(table.points is None for table in tables):
            raise InputFault("a table has no result, and a later round is paired", where=here, mend="enter it")
        rounds.append(tuple(tables))
    seated = tuple(Player(name, given.left_after) for name, given in zip(book.names, data.player, strict=True))
    return Tournament(data.title, data.seed, data.table_size, data.counting, seated, tuple(rounds))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in escaped) + '"'
