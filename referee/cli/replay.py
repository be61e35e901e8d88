"""`referee replay PATH` and `referee demo`: judge a recorded session from its picture and sound."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.bundled import bundled
from referee.cli.differences import report, say_line, table_rulings_of
from referee.cli.output import console, print_fault, print_json, progress

if TYPE_CHECKING:
    from referee.session.log import LogLine
    from referee.session.plan import SessionPlan
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
    from_log: Annotated[
        bool, typer.Option("--from-log", help="Judge what the log says was seen and heard; picture and sound rest.")
    ] = False,
    at: Annotated[
        str | None, typer.Option(metavar="12:31", help="Open one moment: its frame, and what the log says around it.")
    ] = None,
    seats: Annotated[int | None, typer.Option(min=2, max=10, help="Players at the table, for a bare video.")] = None,
    language: Annotated[str | None, typer.Option(metavar="L", help="Phrase pack of the calls.")] = None,
    model: _Model = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where pictures of fouls, game.ugn and score.json go.")
    ] = None,
    frames: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Draw a picture of each event with what was seen into DIR.")
    ] = None,
    json_lines: _Json = False,
) -> None:
    """Judge a recorded session again, from its pixels and its sound, with the corrections made since.

    Prints what was seen, heard and ruled, with times, then the score, and how that differs from what was ruled at the
    table; leaves a picture of each foul. With --profile the session is judged by other rules, and only what changes
    is listed.
    """
    from referee.faults import InputFault
    from referee.session.plan import open_plan

    plan = open_plan(path, seats=seats, language=language)
    lines = _log_lines(plan)
    out = out or Path(f"referee-{path.resolve().stem}")
    if at is not None:
        _open_moment(plan, lines, at, out, json_lines)
    elif from_log:
        if not lines:
            raise InputFault("has no log", where=str(path), mend="leave --from-log out")
        _judge_log(plan, lines, profile, json_lines)
    else:
        _judge(
            plan,
            lines,
            profile,
            model,
            out,
            json_lines,
            only_changes=profile is not None and plan.folder is not None,
            frames=frames,
        )


def demo(
    profile: _Profile = None,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where pictures of fouls, game.ugn and score.json go.")
    ] = Path("referee-demo"),
    json_lines: _Json = False,
) -> None:
    """Judge the bundled session: a drawn film of one round with its fouls and calls. No devices needed."""
    from referee.session.plan import open_plan

    _judge(open_plan(bundled(DEMO_SESSION)), [], profile, None, out, json_lines, only_changes=False)


def _log_lines(plan: SessionPlan) -> list[LogLine]:
    from referee.session.log import LOG_FILE, read_log

    if plan.folder is None or not (plan.folder / LOG_FILE).exists():
        return []
    read = read_log(plan.folder / LOG_FILE)
    for problem in read.problems:
        print_fault(f"{plan.folder / LOG_FILE}: {problem}")
    return read.lines


def _judge(
    plan: SessionPlan,
    lines: list[LogLine],
    profile: str | None,
    model: Path | None,
    out: Path,
    json_lines: bool,
    *,
    only_changes: bool,
    frames: Path | None = None,
) -> None:
    from referee.session.corrections import standing_corrections
    from referee.session.rejudging import judge_log
    from referee.session.replaying import Replaying
    from referee.session.senses import open_senses
    from referee.session.telling import json_records

    rules = replace(plan, profile=profile or plan.profile)
    if not json_lines:
        console().print(f"Opening eye and ear for [bold]{plan.title}[/bold] …")
    senses = open_senses(plan, speech_model=model)
    replaying = Replaying(rules, senses, out, corrections=standing_corrections(lines), frames=frames)
    records: list[dict[str, Any]] = []
    if json_lines:
        for remark in senses.remarks:
            print_fault(remark)
        for told in replaying.run():
            records += json_records(told)
            for record in json_records(told):
                print_json(record)
    else:
        records = _tell(replaying, senses.remarks, senses.facts.duration_s, quiet=only_changes)
    for remark in replaying.remarks:
        print_fault(remark)
    replayed = [record for record in records if record["type"] == "ruling"]
    if only_changes:
        own = judge_log(replaying.noticed, plan, corrections=standing_corrections(lines))
        report(own.ruling_records(), replayed, f"By {plan.profile}", f"by {rules.profile}", json_lines)
    elif lines:
        report(table_rulings_of(lines), replayed, "At the table", "in this replay", json_lines)


def _judge_log(plan: SessionPlan, lines: list[LogLine], profile: str | None, json_lines: bool) -> None:
    from referee.cli.timeline import Timeline
    from referee.session.rejudging import judge_log
    from referee.session.telling import json_records

    judged = judge_log(lines, plan, profile)
    if json_lines:
        for told in judged.told:
            for record in json_records(told):
                print_json(record)
    elif profile is None:
        timeline = Timeline(console(), plan, judged.profile.speech.language)
        for told in judged.told:
            timeline.told(told)
        timeline.summary(judged.standing, judged.sheet)
    if profile is None:
        report(table_rulings_of(lines), judged.ruling_records(), "At the table", "in this replay", json_lines)
        return
    own = judge_log(lines, plan)
    report(own.ruling_records(), judged.ruling_records(), f"By {plan.profile}", f"by {profile}", json_lines)
    if not json_lines:
        Timeline(console(), plan, judged.profile.speech.language).summary(judged.standing, judged.sheet)


def _open_moment(plan: SessionPlan, lines: list[LogLine], at: str, out: Path, json_lines: bool) -> None:
    from referee.session.moment import open_moment
    from referee.session.times import seconds

    moment = open_moment(plan, lines, seconds(at), out)
    told = [{"type": line.type, "id": line.id, "t_s": line.t_s, **line.payload} for line in moment.lines]
    if json_lines:
        print_json({"type": "moment", "t_s": moment.t_s, "picture": moment.picture and str(moment.picture)})
        for record in told:
            print_json(record)
        return
    for record in told:
        say_line(record)
    console().print(f"The frame: [bold]{moment.picture}[/bold]" if moment.picture else "No picture of it is left.")


def _tell(replaying: Replaying, remarks: tuple[str, ...], duration_s: float, *, quiet: bool) -> list[dict[str, Any]]:
    from referee.cli.timeline import Timeline
    from referee.session.telling import json_records

    out = console()
    plan, profile = replaying.plan, replaying.profile
    players = ", ".join(f"{seat} {name}".strip() for seat, name in plan.players.items())
    out.print(f"Rules: [bold]{profile.title}[/bold] ({profile.name}).  Players: {players}")
    for remark in remarks:
        out.print(f"[yellow]Note:[/] {remark}")
    timeline = Timeline(out, plan, profile.speech.language)
    records: list[dict[str, Any]] = []
    with _progress(duration_s) as on_time:
        for told in replaying.run(on_time):
            records += json_records(told)
            if not quiet:
                timeline.told(told)
    timeline.summary(replaying.standing(), replaying.sheet)
    out.print(
        f"The game in UGN, the score and a picture of each foul lie in [bold]{replaying.findings.folder}[/bold]."
    )
    return records


@contextmanager
def _progress(duration_s: float) -> Iterator[Callable[[float], None]]:
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("[dim]judging"), BarColumn(), TextColumn("{task.completed:.0f} s"), TimeRemainingColumn())
    with progress(*columns) as bar:
        task = bar.add_task("", total=duration_s or None)
        yield lambda t_s: bar.update(task, completed=t_s)
