"""`referee watch`: referees a table as it is played, and records it if asked to."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import console, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from referee.session.clock import SessionClock
    from referee.session.live_folder import LiveFolder
    from referee.session.plan import SessionPlan
    from referee.session.recorder import Recorder
    from referee.session.source import FilmCamera, FilmMicrophone
    from referee.session.telling import Told
    from referee.session.watching import Watching
    from referee.web.live_table import LiveTable


class Speed(StrEnum):
    """How fast a film that stands in for the devices is played."""

    real = "1"
    most = "max"


def watch(
    camera: Annotated[Path, typer.Option(metavar="FILE", help="The camera: a film, played as if it were live.")],
    microphone: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The microphone: a sound file; else the film's own sound.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Record the session into this new folder.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Go on with a session that was cut off or ended.")
    ] = None,
    profile: Annotated[str | None, typer.Option(metavar="P", help="Rules: a name or a file.")] = None,
    calibration: Annotated[Path | None, typer.Option(metavar="FILE", help="Where piles and seats lie.")] = None,
    players: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Ana,Bruno,…: clockwise from P1. Without it, four seats.")
    ] = None,
    dealer: Annotated[
        str | None, typer.Option(metavar="WHO", help="Who deals, by name or seat; lets hands be counted.")
    ] = None,
    language: Annotated[str | None, typer.Option(metavar="L", help="Phrase pack of the calls.")] = None,
    model: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of the speech model.")] = None,
    speed: Annotated[
        Speed, typer.Option(help="Play a film in real time, or as fast as it can be judged.")
    ] = Speed.real,
    segment_s: Annotated[
        float, typer.Option("--segment", min=10, max=60, metavar="S", help="Length of a piece of the recording.")
    ] = 20.0,
    keep_gb: Annotated[
        float | None,
        typer.Option(
            "--keep", min=0.1, metavar="GB", help="Room for all sessions beside DIR: the oldest media go first."
        ),
    ] = None,
    pages: Annotated[
        bool | None,
        typer.Option("--pages/--no-pages", help="Serve the pages; by default unless a film is played at full speed."),
    ] = None,
    lan: Annotated[bool, typer.Option("--lan", help="Let phones in this network join, by the code shown.")] = False,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port of the pages; 0: any free.")] = None,
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object a line on stdout.")] = False,
) -> None:
    """Referee a table as it is played: see, hear, judge, and write it down. Ctrl-C ends it in order."""
    from referee.faults import InputFault
    from referee.session.clock import SessionClock
    from referee.session.live_folder import LiveFolder
    from referee.session.senses import open_senses
    from referee.session.source import facts_of
    from referee.session.watching import Watching
    from referee.web.live_table import LiveTable, TappedCamera

    if record and resume:
        raise InputFault("--record begins a session, --resume goes on with one", mend="give one of the two")
    if resume and (profile or calibration or players or dealer or language):
        raise InputFault("says who plays and by which rules", where=str(resume), mend="give --resume alone")
    out = console(err=json_lines)
    clock, patient = SessionClock(), speed is Speed.most
    live = LiveFolder.resume(resume, film=True) if resume else None
    try:
        plan = live.plan if live else _plan(record or camera, players, dealer, profile, language, calibration)
        from_s = live.recorded_s if live else 0.0
        eye, ear = _devices(camera, microphone, None if patient else clock, from_s)
        if not json_lines:
            out.print(f"Opening eye and ear for [bold]{plan.title}[/bold] …")
        senses = open_senses(plan, speech_model=model, facts=facts_of(eye, ear))
        if record:
            live = LiveFolder.begin(record, plan, calibration=calibration)
            plan = live.plan
        clock.now_is(from_s)  # opening took its time: the film begins now
        recorder = _recorder(live, eye, ear, segment_s, keep_gb, patient=patient) if live else None
        tapped = TappedCamera(eye)
        watching = Watching(plan, tapped, ear, senses, clock=clock, live=live, recorder=recorder, patient=patient)
    except BaseException:
        if live:
            live.close(0.0)
        raise
    for remark in [*(live.remarks if live else ()), *senses.remarks]:
        out.print(f"[yellow]Note:[/] {remark}")
    if live:
        verb = "Going on with the recording of" if resume else "Recording"
        who = "picture and sound of everyone at this table"
        out.print(f"{verb} {who} into [bold]{live.folder}[/bold]. Tell them so. Ctrl-C ends it.")
    folder = live.folder if live else None
    table = LiveTable(watching, tapped, folder=folder, zones=senses.zones, hears=ear is not None)
    with _ended_by_signals(watching), _served(table, out, lan, port, wanted=not patient if pages is None else pages):
        _tell(watching, table.run(), json_lines)
    if live:
        out.print(f"The session lies in [bold]{live.folder}[/bold]; `referee replay {live.folder}` judges it again.")


def _plan(
    name: Path,
    players: str | None,
    dealer: str | None,
    profile: str | None,
    language: str | None,
    calibration: Path | None,
) -> SessionPlan:
    from referee.session.seating import plan_of_table

    return plan_of_table(
        title=name.resolve().stem,
        players=players,
        dealer=dealer,
        profile=profile,
        language=language,
        calibration=calibration,
    )


def _devices(
    camera: Path, microphone: Path | None, clock: SessionClock | None, from_s: float
) -> tuple[FilmCamera, FilmMicrophone | None]:
    from referee.capture.media import probe
    from referee.session.source import FilmCamera, FilmMicrophone

    eye = FilmCamera(camera, clock, from_s)
    if microphone is None and not probe(camera).has_audio:
        return eye, None
    return eye, FilmMicrophone(microphone or camera, clock, from_s)


def _recorder(
    live: LiveFolder,
    eye: FilmCamera,
    ear: FilmMicrophone | None,
    segment_s: float,
    keep_gb: float | None,
    *,
    patient: bool,
) -> Recorder:
    from referee.session.budget import DiskBudget
    from referee.session.recorder import Recorder

    budget = DiskBudget(live.folder, live.tell, int(keep_gb * 1e9)) if keep_gb else None
    return Recorder(
        live.folder,
        live.tell,
        size_px=(eye.width_px, eye.height_px),
        rate_hz=ear.rate_hz if ear else None,
        frame_rate_hz=eye.frame_rate_hz,
        first_number=live.next_piece,
        segment_s=segment_s,
        make_room=budget.make_room if budget else lambda: None,
        patient=patient,
    )


@contextmanager
def _ended_by_signals(watching: Watching) -> Iterator[None]:
    """The first Ctrl-C (or a polite kill) ends the sitting in order; a second one ends the program."""

    def end(number: int, _frame: object) -> None:
        watching.stop()
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _served(table: LiveTable, out: Console, lan: bool, port: int | None, *, wanted: bool) -> Iterator[None]:
    if not wanted:
        yield
        return
    from referee.cli.serve import tell_links
    from referee.web.server import PageServer

    server = PageServer(table, lan=lan, port=port)
    serving = server.start()
    tell_links(server, out)
    try:
        yield
    finally:
        server.stop()
        serving.join(3.0)


def _tell(watching: Watching, steps: Iterator[Told], json_lines: bool) -> None:
    from referee.cli.timeline import Timeline
    from referee.session.telling import json_records

    if json_lines:
        for told in steps:
            for record in json_records(told):
                print_json(record)
        return
    out = console()
    timeline = Timeline(out, watching.plan, watching.profile.speech.language)
    for told in steps:
        timeline.told(told)
    timeline.summary(watching.standing(), watching.sheet)
