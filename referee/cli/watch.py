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
    from socket import socket

    from rich.console import Console

    from referee.session.parts import Parts
    from referee.session.settings import Settings
    from referee.session.sitting import Sitting
    from referee.session.speaking import Speaking
    from referee.session.telling import Told
    from referee.session.watching import Watching
    from referee.web.live_table import LiveTable


class Speed(StrEnum):
    """How fast a film that stands in for the devices is played."""

    real = "1"
    most = "max"


def watch(
    camera: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="A camera, a film played as if live, or `off`; else your settings'."),
    ] = None,
    microphone: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="A microphone, a sound file, or `off`; a film brings its own sound."),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Record the session into this new folder.")
    ] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings of the table; else your own.")] = None,
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
    hall: Annotated[
        str | None,
        typer.Option(
            "--hall", metavar="URL", help="Tell scores, rulings and health to a hall: mqtt://HOST, or mqtts."
        ),
    ] = None,
    hall_table: Annotated[
        str | None, typer.Option("--table", metavar="NAME", help="What this table is called in the hall.")
    ] = None,
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object a line on stdout.")] = False,
) -> None:
    """Referee a table as it is played: see, hear, judge, and write it down. Ctrl-C ends it in order."""
    from referee.capture.steady_memory import keep_memory_steady
    from referee.cli.hall_settings import broker_of, told_to_hall
    from referee.session.remembering import remember_devices
    from referee.session.settings import load_settings
    from referee.session.sitting import Wanted, open_sitting
    from referee.web.live_table import LiveTable

    out = console(err=json_lines)
    settings = load_settings(config)
    broker = broker_of(settings, hall)
    full_speed = speed is Speed.most
    lan = lan or settings.pages.lan
    served = pages or (pages is None and not full_speed)
    own = _bound(lan=lan, port=port, usual=settings.pages.port) if served else None
    keep_memory_steady()
    if not json_lines:
        out.print("Opening eye and ear …")
    sitting = open_sitting(
        Wanted(settings, camera, microphone, record, resume, model, segment_s, keep_gb, full_speed),
        players=players,
        dealer=dealer,
        profile=profile,
        language=language,
        calibration=calibration,
    )
    for remark in sitting.remarks:
        out.print(f"[yellow]Note:[/] {remark}")
    folder = sitting.live.folder if sitting.live else None
    if sitting.recorder:
        verb = "Going on with the recording of" if resume else "Recording"
        who = "picture and sound of everyone at this table"
        out.print(f"{verb} {who} into [bold]{folder}[/bold]. Tell them so. Ctrl-C ends it.")
    table = LiveTable(
        sitting.watching,
        sitting.camera,
        folder=folder,
        zones=sitting.senses.zones,
        parts=sitting.devices.events.parts,
        arms=sitting.senses.eye.arms,
    )
    speaking = _speaking(sitting, settings, out)
    if speaking:
        table.on_mute = speaking.mute
    for remark in remember_devices(sitting.devices, settings, config):
        out.print(f"[dim]{remark}[/dim]", soft_wrap=True)
    name = hall_table or settings.hall.table or sitting.plan.title
    with (
        _ended_by_signals(sitting.watching),
        _served(table, own, out, sitting.watching.parts, lan=lan),
        told_to_hall(broker, name, table, sitting.watching.parts, out),
    ):
        steps = speaking.say_of(table.run()) if speaking else table.run()
        _tell(sitting.watching, steps, json_lines)
    if folder:
        out.print(f"The session lies in [bold]{folder}[/bold]; `referee replay {folder}` judges it again.")


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


def _speaking(sitting: Sitting, settings: Settings, out: Console) -> Speaking | None:
    from referee.faults import InputFault
    from referee.session.speaking import Speaking

    if settings.voice.engine == "off":
        return None
    try:
        return Speaking(sitting, settings, sitting.clock)
    except InputFault as fault:  # a table without a voice of its own is refereed all the same
        out.print(f"[yellow]Note:[/] {fault}")
        return None


def _bound(*, lan: bool, port: int | None, usual: int) -> socket:
    """Where the pages will be: taken before anything is opened, so that a port in use costs no session."""
    from referee.faults import InputFault
    from referee.web.server import bound, host_of

    if port is not None:
        return bound(host_of(lan=lan), port)
    try:
        return bound(host_of(lan=lan), usual)
    except InputFault:  # another table has the usual one
        return bound(host_of(lan=lan), 0)


@contextmanager
def _served(table: LiveTable, own: socket | None, out: Console, parts: Parts, *, lan: bool) -> Iterator[None]:
    if own is None:
        yield
        return
    from referee.cli.serve import tell_links
    from referee.web.server import PageServer

    server = PageServer(table, lan=lan, own=own)
    serving = server.start(lambda state, why: parts.set("pages", state, why))
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
