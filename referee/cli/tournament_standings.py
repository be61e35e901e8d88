"""A tournament's standings for the hall's board: read again when the book has changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.faults import InputFault

if TYPE_CHECKING:
    from referee.web.hall_board import Place


class StandingsFile:
    """The standings in a tournament's book. Raises InputFault when it cannot be read at first."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._mark: tuple[int, int] | None = None
        self._kept: tuple[str, tuple[Place, ...], str] = ("", (), "")
        self._read()

    def now(self) -> tuple[str, tuple[Place, ...], str]:
        """Title, standings, and why the book cannot be read just now: the last standings are kept then."""
        try:
            self._read()
        except InputFault as fault:
            self._mark = None
            self._kept = (*self._kept[:2], str(fault))
        return self._kept

    def _read(self) -> None:
        from referee.tournament.standings import standings
        from referee.tournament.store import read_book
        from referee.tournament.wording import number_text
        from referee.web.hall_board import Place

        try:
            facts = self._file.stat()
            mark = (facts.st_mtime_ns, facts.st_size)
        except OSError:
            mark = None
        if mark is not None and mark == self._mark:
            return
        book = read_book(self._file)
        places = tuple(
            Place(line.place, line.name, number_text(line.match_points), line.card_points, line.rounds)
            for line in standings(book)
        )
        self._mark, self._kept = mark, (book.title, places if book.rounds else (), "")
