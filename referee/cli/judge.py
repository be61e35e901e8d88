"""`referee judge GAME.ugn`: judges a written game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table as Grid

from referee.cli.output import EXIT_BAD_INPUT, console, print_fault, print_json

if TYPE_CHECKING:
    from referee.rules.record import Record
    from referee.rules.replay import Replay


def judge(
    game: Annotated[Path, typer.Argument(metavar="GAME.ugn", help="The game, written in UGN.")],
    profile: Annotated[
        str | None,
        typer.Option(metavar="P", help="Judge by these rules, not by the game's own: a name or a file."),
    ] = None,
    language: Annotated[str | None, typer.Option(metavar="L", help="Language: en, pt, es or ro.")] = None,
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object a ruling on stdout.")] = False,
) -> None:
    """Judge a written game: what was wrong, how sure, what to do, by which rule; then the score.

    Lines that cannot be read are named and the rest is judged; the status is then 2.
    """
    from referee.faults import InputFault
    from referee.rules.messages import LANGUAGES
    from referee.rules.record import Record

    if language is not None and language not in LANGUAGES:
        raise InputFault(f"{language!r} is no language of the referee", mend=f"choose one of {', '.join(LANGUAGES)}")
    record = Record.read(game)
    try:
        replay = record.replay(profile)
    except InputFault as unfit:
        raise InputFault(unfit.what, where=unfit.where or str(game), mend=unfit.mend) from None
    faults = sorted({*record.errors, *replay.faults}, key=lambda fault: (fault.line, fault.column))
    for fault in faults:
        print_fault(f"{game}:{fault}")
    if json_lines:
        for incident in replay.incidents:
            print_json(incident.to_json(language or replay.profile.speech.language))
        for line in replay.sheet:
            print_json(line.to_json())
    else:
        _tell(record, replay, language or replay.profile.speech.language)
    if faults:
        raise typer.Exit(EXIT_BAD_INPUT)


def _tell(record: Record, replay: Replay, language: str) -> None:
    names = record.tags
    out = console()
    out.print(f"Rules: [bold]{escape(replay.profile.title)}[/bold] ({escape(replay.profile.name)})")
    if replay.incidents:
        grid = Grid("line", "seat", "what", "rule", "how sure", box=None, pad_edge=False, show_edge=False)
        for incident in replay.incidents:
            seat = str(incident.seat) if incident.seat else ""
            player = names.get(seat, "")
            grid.add_row(
                str(incident.line or ""),
                escape(f"{seat} {player}".strip()),
                f"[bold]{incident.kind}[/bold] {escape(incident.say(language))}",
                escape(incident.rule),
                incident.certainty,
            )
        out.print(grid)
    else:
        out.print("No fouls, no questions.")
    for line in replay.remarks:
        out.print(f"[dim]line {line.line}: {escape(line.say(language))}[/dim]")
    _score(record, replay)


def _score(record: Record, replay: Replay) -> None:
    if not replay.sheet:
        return
    names = record.tags
    grid = Grid("round", "won by", *(f"{seat} {names.get(str(seat), '')}".strip() for seat in replay.seats))
    for line in replay.sheet:
        score = line.score
        cells = []
        for seat in replay.seats:
            gained = score.points.get(seat, 0)
            plus = f" (+{gained})" if gained else ""
            cells.append(f"{line.totals.get(seat, 0)}{plus}")
        grid.add_row(str(line.number), str(score.winner), *cells)
    console().print(grid)
    last = replay.sheet[-1]
    if last.over:
        console().print("Game won by " + ", ".join(map(str, last.winners)) + ".")
    if not all(line.score.certain for line in replay.sheet):
        console().print("A hand was not counted: the score may be too low.")
