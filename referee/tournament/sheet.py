"""The tournament as a page that can be printed: standings, then each round's tables, or one round to hang up."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined

from referee.tournament.book import Tournament
from referee.tournament.pairing import meetings
from referee.tournament.standings import TIE_BREAKS, match_points, standings
from referee.tournament.wording import number_text


def tournament_page(book: Tournament) -> str:
    """A page of its own, with no outside assets."""
    loader = PackageLoader("referee.tournament", "pages")
    pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    lines = standings(book)
    rounds = []
    for number, tables in reversed(list(enumerate(book.rounds, 1))):
        told = [
            (table, {name: number_text(gained) for name, gained in match_points(table, book.counting).items()})
            for table in tables
        ]
        rounds.append((number, told))
    met = sum(count - 1 for count in meetings(book).values())
    return pages.get_template("tournament.html").render(
        book=book, lines=lines, rounds=rounds, ties=TIE_BREAKS, text=number_text, repeats=met
    )
