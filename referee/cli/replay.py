"""`referee replay PATH` and `referee demo`: judge a recorded session from its picture and sound."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.bundled import bundled
from referee.cli.output import console, print_json

if TYPE_CHECKING:
    from referee.session.replaying import Replaying

DEMO_SESSION = "fixtures/first-light"

_Profile = Annotated[
    str | None, typer.Option("--profile", metavar="P", help="Judge by these rules: a name or a file.")
]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object a line on stdout, nothing else.")]
_Model = Annotated[Path | None, typer.Option("--model", metavar="DIR", help="Folder of the speech model.")]


def replay(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A session folder, or a video with sound.")],
    profile: _Profile = None,
    seats: Annotated[int | None, typer.Option(min=2, max=10, help="Players at the table, for a bare video.")] = None,
    language: Annotated[str | None, typer.Option(metavar="L", help="Phrase pack of the calls.")] = None,
    model: _Model = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where pictures of fouls, game.ugn and score.json go.")
    ] = None,
    json_lines: _Json = False,
) -> None:
    """Judge a recorded session again, from its pixels and its sound.

    Prints what was seen, heard and ruled, with times, then the score; leaves a picture of each foul.
    """
    _judge(path, profile, seats, language, model, out or Path(f"referee-{path.resolve().stem}"), json_lines)


def demo(
    profile: _Profile = None,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where pictures of fouls, game.ugn and score.json go.")
    ] = Path("referee-demo"),
    json_lines: _Json = False,
) -> None:
    """Judge the bundled session: a drawn film of one round with its fouls and calls. No devices needed."""
    _judge(bundled(DEMO_SESSION), profile, None, None, None, out, json_lines)


def _judge(
    path: Path,
    profile: str | None,
    seats: int | None,
    language: str | None,
    model: Path | None,
    out: Path,
    json_lines: bool,
) -> None:
    from referee.session.plan import open_plan
    from referee.session.replaying import Replaying
    from referee.session.senses import open_senses
    from referee.session.telling import json_records

    plan = open_plan(path, seats=seats, profile=profile, language=language)
    if not json_lines:
        console().print(f"Opening eye and ear for [bold]{plan.title}[/bold] …")
    senses = open_senses(plan, speech_model=model)
    replaying = Replaying(plan, senses, out)
    if json_lines:
        for remark in senses.remarks:
            console(err=True).print(f"referee: {remark}", markup=False)
        for told in replaying.run():
            for record in json_records(told):
                print_json(record)
        return
    _tell(replaying, senses.remarks, senses.facts.duration_s)


def _tell(replaying: Replaying, remarks: tuple[str, ...], duration_s: float) -> None:
    from referee.cli.timeline import Timeline

    out = console()
    plan, profile = replaying.plan, replaying.profile
    players = ", ".join(f"{seat} {name}".strip() for seat, name in plan.players.items())
    out.print(f"Rules: [bold]{profile.title}[/bold] ({profile.name}).  Players: {players}")
    for remark in remarks:
        out.print(f"[yellow]Note:[/] {remark}")
    timeline = Timeline(out, plan, profile.speech.language)
    with _progress(duration_s) as on_time:
        for told in replaying.run(on_time):
            timeline.told(told)
    timeline.summary(replaying.standing(), replaying.sheet)
    out.print(
        f"The game in UGN, the score and a picture of each foul lie in [bold]{replaying.findings.folder}[/bold]."
    )


@contextmanager
def _progress(duration_s: float) -> Iterator[Callable[[float], None]]:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("[dim]judging"), BarColumn(), TextColumn("{task.completed:.0f} s"), TimeRemainingColumn())
    with Progress(*columns, console=console(err=True), transient=True) as progress:
        task = progress.add_task("", total=duration_s or None)
        yield lambda t_s: progress.update(task, completed=t_s)
