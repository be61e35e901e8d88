"""The evening's book: scores and statistics over rounds and evenings, in SQLite.

The database is an index only. The session folders are the truth: it may be deleted at any time, and a broken one is
set aside and built anew (S5 of the failure cases: WAL, `synchronous=NORMAL`, one writer, never copied while open).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from referee.faults import InputFault
from referee.session.evening import Evening, Round, Tally, print_of, read_evening
from referee.session.plan import SESSION_FILE

INDEX_FILE = "book.sqlite"
VERSION = 1

_SCHEMA = """
CREATE TABLE evening (id INTEGER PRIMARY KEY, folder TEXT UNIQUE, title TEXT, started TEXT, profile TEXT, print TEXT);
CREATE TABLE player (evening INTEGER REFERENCES evening ON DELETE CASCADE, place INTEGER, name TEXT,
  plays INTEGER, draws INTEGER, fouls INTEGER, calls_made INTEGER, calls_missed INTEGER);
CREATE TABLE round (evening INTEGER REFERENCES evening ON DELETE CASCADE, number INTEGER, winner TEXT,
  certain INTEGER);
CREATE TABLE points (evening INTEGER REFERENCES evening ON DELETE CASCADE, round INTEGER, name TEXT,
  points INTEGER, total INTEGER, won_game INTEGER);
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player over all evenings of the book."""

    name: str
    evenings: int
    rounds_won: int
    games_won: int
    points: int
    tally: Tally

    def to_json(self) -> dict[str, Any]:
        """The standing as one JSON object."""
        return {
            "type": "player",
            "player": self.name,
            "evenings": self.evenings,
            "rounds_won": self.rounds_won,
            "games_won": self.games_won,
            "points": self.points,
            "statistics": self.tally.to_json(),
        }


class Book:
    """The book of all sessions below `root`; closed after `with`. Raises InputFault when it cannot be written."""

    def __init__(self, root: Path, index: Path | None = None) -> None:
        self.root = root
        self.index = index or root / INDEX_FILE
        self.remarks: list[str] = []
        self._db = self._opened()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None
    ) -> None:
        self._db.close()

    def refresh(self) -> None:
        """Read the sessions that are new or whose record changed, and drop those that are gone.

        A session that cannot be read is named in `remarks`; the others are in the book all the same.
        """
        known = dict(self._db.execute("SELECT folder, print FROM evening"))
        found = {}
        for folder in _sessions_below(self.root):
            try:
                found[str(folder)] = print_of(folder)
                if known.get(str(folder)) != found[str(folder)]:
                    self._write(read_evening(folder))
            except InputFault as fault:
                self.remarks.append(str(fault))
        with self._db:
            gone = [(folder,) for folder in known if folder not in found]
            self._db.executemany("DELETE FROM evening WHERE folder = ?", gone)

    def evenings(self) -> list[Evening]:
        """Every evening, oldest first."""
        rows = self._db.execute(
            "SELECT id, folder, title, started, profile, print FROM evening ORDER BY started, folder"
        )
        return [self._evening(*row) for row in rows.fetchall()]

    def standings(self) -> list[Standing]:
        """Every player over all evenings: who won most games, then rounds, then points."""
        return standings(self.evenings())

    def _evening(self, number: int, folder: str, title: str, started: str, profile: str, mark: str) -> Evening:
        def rows(what: str) -> list[tuple[object, ...]]:
            return self._db.execute(what, (number,)).fetchall()

        players = rows(
            "SELECT name, plays, draws, fouls, calls_made, calls_missed FROM player WHERE evening = ? ORDER BY place"
        )
        points: dict[object, list[tuple[object, ...]]] = {}
        for row in rows("SELECT round, name, points, total, won_game FROM points WHERE evening = ? ORDER BY rowid"):
            points.setdefault(row[0], []).append(row)
        rounds = rows("SELECT number, winner, certain FROM round WHERE evening = ? ORDER BY number")
        return Evening(
            Path(folder),
            title,
            started,
            profile,
            tuple(str(row[0]) for row in players),
            tuple(_round(row, points.get(row[0], [])) for row in rounds),
            {str(name): Tally(*(int(str(count)) for count in counts)) for name, *counts in players},
            mark,
        )

    def _write(self, evening: Evening) -> None:
        with self._db:
            self._db.execute("DELETE FROM evening WHERE folder = ?", (str(evening.folder),))
            row = (str(evening.folder), evening.title, evening.started, evening.profile, evening.print)
            into = "INSERT INTO evening (folder, title, started, profile, print) VALUES (?, ?, ?, ?, ?)"
            key = self._db.execute(into, row).lastrowid
            players = [
                (key, place, name, *evening.tallies[name].to_json().values())
                for place, name in enumerate(evening.players)
            ]
            self._db.executemany("INSERT INTO player VALUES (?, ?, ?, ?, ?, ?, ?, ?)", players)
            rounds = [(key, line.number, line.winner, line.certain) for line in evening.rounds]
            self._db.executemany("INSERT INTO round VALUES (?, ?, ?, ?)", rounds)
            points = [
                (key, line.number, name, line.points.get(name, 0), total, name in line.game_winners)
                for line in evening.rounds
                for name, total in line.totals.items()
            ]
            self._db.executemany("INSERT INTO points VALUES (?, ?, ?, ?, ?, ?)", points)

    def _opened(self) -> sqlite3.Connection:
        try:
            return _connected(self.index)
        except sqlite3.DatabaseError as fault:
            if isinstance(fault, sqlite3.OperationalError) and "malformed" not in str(fault):
                raise InputFault(
                    f"cannot be opened: {fault}", where=str(self.index), mend="name a folder that can be written"
                ) from None
            aside = self.index.with_suffix(".broken")
            self.index.replace(aside)
            for suffix in ("-wal", "-shm"):
                self.index.with_name(self.index.name + suffix).unlink(missing_ok=True)
            self.remarks.append(f"{self.index} was broken; set aside as {aside.name} and built anew")
            return _connected(self.index)


def standings(evenings: Iterable[Evening]) -> list[Standing]:
    """Players over some evenings, the most successful first."""
    found: dict[str, Standing] = {}
    for evening in evenings:
        for name in evening.players:
            old = found.get(name) or Standing(name, 0, 0, 0, 0, Tally())
            found[name] = Standing(
                name,
                old.evenings + 1,
                old.rounds_won + sum(line.winner == name for line in evening.rounds),
                old.games_won + sum(name in line.game_winners for line in evening.rounds),
                old.points + sum(line.points.get(name, 0) for line in evening.rounds),
                old.tally + evening.tallies[name],
            )
    return sorted(found.values(), key=lambda s: (-s.games_won, -s.rounds_won, -s.points, s.name))


def _round(row: tuple[object, ...], points: list[tuple[object, ...]]) -> Round:
    number, winner, certain = row
    return Round(
        int(str(number)),
        str(winner),
        {str(name): int(str(gained)) for _, name, gained, _, _ in points if gained},
        {str(name): int(str(total)) for _, name, _, total, _ in points},
        bool(certain),
        tuple(str(name) for _, name, _, _, won in points if won),
    )


def _connected(index: Path) -> sqlite3.Connection:
    index.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(index, timeout=10)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA foreign_keys = ON")
        with closing(db.execute("PRAGMA quick_check")) as check:
            if check.fetchone() != ("ok",):
                raise sqlite3.DatabaseError("malformed")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                db.execute(f'DROP TABLE "{table}"')
            db.executescript(_SCHEMA)
            db.execute(f"PRAGMA user_version = {VERSION}")
    except sqlite3.DatabaseError:
        db.close()
        raise
    return db


def _sessions_below(root: Path) -> Iterator[Path]:
    """Folders at or directly below `root` that hold a session."""
    for folder in (root, *sorted(path for path in root.iterdir() if path.is_dir())):
        if (folder / SESSION_FILE).is_file():
            yield folder
