"""The score of evenings as a page that can be printed, and as rows for a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import accumulate

from jinja2 import Environment, PackageLoader, StrictUndefined

from referee.session.book import standings
from referee.session.evening import Evening, Round

WIDTH, HEIGHT = 720, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 116, 14, 34
_LINES = (
    ("#1f6feb", ""),
    ("#c2410c", "7 4"),
    ("#15803d", "2 3"),
    ("#7e22ce", "10 3 2 3"),
    ("#a16207", "1 4"),
    ("#0e7490", "12 4"),
    ("#be123c", "5 2"),
    ("#4d7c0f", "3 6"),
    ("#4338ca", "8 2 2 2 2 2"),
    ("#57534e", "1 2"),
)
"""Colour and dashes of each player's line: told apart without colour too."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A player's points over the rounds, in the plot's pixels."""

    name: str
    total: int
    points: tuple[tuple[float, float], ...]
    colour: str
    dashes: str
    label_y: float

    @property
    def path(self) -> str:
        """The line for SVG's `polyline`."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.points)


@dataclass(frozen=True, slots=True)
class Plot:
    """Points over rounds: axis marks as (position px, label) and a curve for each player."""

    curves: tuple[Curve, ...]
    x_marks: tuple[tuple[float, str], ...]
    y_marks: tuple[tuple[float, str], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    bottom: int = HEIGHT - _BOTTOM
    right: int = WIDTH - _RIGHT


def plot_of(evening: Evening) -> Plot | None:
    """The plot of an evening; None before its first round is scored."""
    if not evening.rounds:
        return None
    series = {name: [0, *(line.totals.get(name, 0) for line in evening.rounds)] for name in evening.players}
    count, highest = len(evening.rounds), max(1, *(max(points) for points in series.values()))
    step = next(s for s in (10, 20, 50, 100, 200, 500, 1000, 5000, 10**6) if highest / s <= 6)
    top = -(-highest // step) * step

    def place(number: int, points: int) -> tuple[float, float]:
        x = _LEFT + (WIDTH - _LEFT - _RIGHT) * number / count
        return x, HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * points / top

    ends = _spread({name: place(count, points[-1])[1] for name, points in series.items()})
    curves = tuple(
        Curve(
            name, points[-1], tuple(place(n, p) for n, p in enumerate(points)), *_LINES[i % len(_LINES)], ends[name]
        )
        for i, (name, points) in enumerate(series.items())
    )
    every = -(-count // 12)
    x_marks = tuple((place(n, 0)[0], str(n)) for n in range(0, count + 1, every))
    return Plot(curves, x_marks, tuple((place(0, p)[1], str(p)) for p in range(0, top + 1, step)))


def _spread(wanted: dict[str, float], apart: float = 15.0) -> dict[str, float]:
    """Heights for the names at the lines' ends, near where the lines end, and never over each other."""
    order = sorted(wanted, key=lambda name: wanted[name])
    highest = HEIGHT - _BOTTOM + 4 - apart * (len(order) - 1)
    heights = accumulate((wanted[name] for name in order[1:]), lambda last, own: max(own, last + apart),
                         initial=min(wanted[order[0]], highest))  # fmt: skip
    placed, limit = dict(zip(order, heights, strict=True)), float(HEIGHT - _BOTTOM + 4)
    for name in reversed(order):
        placed[name] = min(placed[name], limit)
        limit = placed[name] - apart
    return placed


def score_page(evenings: Sequence[Evening]) -> str:
    """A page of its own (no outside assets): standings, then each evening's sheet, plot and statistics."""
    loader = PackageLoader("referee.session", "pages")
    pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    sheets = [(evening, plot_of(evening)) for evening in evenings]
    players = standings(evenings)
    tallies = [(player.name, player.tally) for player in players]
    return pages.get_template("score.html").render(sheets=sheets, standings=players, tallies=tallies)


def score_csv(evenings: Sequence[Evening]) -> str:
    """A row for each player and round: session, started, round, player, points, total, winner, certain."""
    out = StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["session", "started", "profile", "round", "player", "points", "total", "won_round", "certain"])
    for evening in evenings:
        for line in evening.rounds:
            rows.writerows(_rows(evening, line))
    return out.getvalue()


def _rows(evening: Evening, line: Round) -> list[list[object]]:
    head = [evening.title, evening.started, evening.profile, line.number]
    return [
        [*head, name, line.points.get(name, 0), line.totals.get(name, 0), int(name == line.winner), int(line.certain)]
        for name in evening.players
    ]
