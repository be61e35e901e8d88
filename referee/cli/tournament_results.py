"""Results of a tournament's tables out of recorded sessions: the last totals on their score sheets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from referee.faults import InputFault

if TYPE_CHECKING:
    from referee.session.evening import Evening
    from referee.tournament.book import Tournament


def with_sessions(
    book: Tournament, folder: Path, *, correct: bool = False, uncertain: bool = False
) -> tuple[Tournament, list[str], list[str]]:
    """The book with the results of every session in `folder` (or of the one session that it is).

    A session belongs to the table of the current round at which exactly its players sit. Returns the book, what was
    entered, and what was left out and why, a line each. Raises InputFault when nothing could be entered.
    """
    entered: list[str] = []
    left_out: list[str] = []
    for session in _sessions(folder):
        try:
            name, points = _result(book, session, uncertain=uncertain)
            book = book.with_result(name, points, correct=correct, where=str(session))
        except InputFault as fault:
            left_out.append(str(fault))
            continue
        told = ", ".join(f"{player} {count}" for player, count in points.items())
        entered.append(f"table {name}: {told} ({session.name})")
    if not entered:
        first = left_out[0] if left_out else "holds no session"
        raise InputFault(first, where="" if left_out else str(folder), mend="" if left_out else "name a session")
    return book, entered, left_out


def _result(book: Tournament, session: Path, *, uncertain: bool) -> tuple[str, dict[str, int]]:
    from referee.session.evening import read_evening
    from referee.tournament.book import key_of

    evening = read_evening(session)
    if not evening.rounds:
        raise InputFault("no round was finished", where=str(session), mend="play on, or enter the points by hand")
    sitting = {key_of(name) for name in evening.players}
    tables = book.rounds[-1] if book.rounds else ()
    table = next((one for one in tables if {key_of(name) for name in one.players} == sitting), None)
    if table is None:
        who = ", ".join(evening.players)
        raise InputFault(
            f"{who}: no table of round {len(book.rounds)} seats just these",
            where=str(session),
            mend="check the names",
        )
    doubtful = [str(line.number) for line in evening.rounds if not line.certain]
    if doubtful and not uncertain:
        raise InputFault(
            f"a hand was not counted in round {', '.join(doubtful)}: the points may be too low",
            where=str(session),
            mend="enter them by hand, or take them as they are with --uncertain",
        )
    _same_counting(book, evening)
    totals = evening.rounds[-1].totals
    return table.name, {name: totals.get(name, 0) for name in evening.players}


def _same_counting(book: Tournament, evening: Evening) -> None:
    """Raises InputFault when the session counts the fewest points and the tournament the most, or otherwise."""
    from referee.rules.profiles import load_profile

    try:
        to = load_profile(evening.profile).score.to
    except InputFault:  # house rules that lie elsewhere: the tournament's word is taken
        return
    counting = "most" if to == "round_winner" else "fewest"
    if to != "nobody" and counting != book.counting:
        raise InputFault(
            f"by {evening.profile} the {counting} points win, in this tournament the {book.counting}",
            where=str(evening.folder),
            mend="enter the points by hand",
        )


def _sessions(folder: Path) -> Iterator[Path]:
    from referee.session.plan import SESSION_FILE

    if not folder.is_dir():
        raise InputFault("is no folder", where=str(folder), mend="name a session or the folder of your sessions")
    for path in (folder, *sorted(path for path in folder.iterdir() if path.is_dir())):
        if (path / SESSION_FILE).is_file():
            yield path
