"""`referee setup`: a page to set one's own table up: players, rules, where things lie, whether everybody is heard."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import console


def setup(
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings to write; else your own.")] = None,
    camera: Annotated[str | None, typer.Option(metavar="NAME|FILE", help="A camera, or a film in its place.")] = None,
    microphone: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="A microphone, a sound file, or `off`.")
    ] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port of the page; 0: any free.")] = None,
) -> None:
    """Set your table up in the browser: who plays by which rules, where piles and seats lie, who is heard.

    What is saved there is what `referee watch` begins with.
    """
    from referee.cli.serve import tell_links
    from referee.hearing.ear import open_listener
    from referee.hearing.voiceprint import voice_encoder
    from referee.session.clock import SessionClock
    from referee.session.devices import open_devices
    from referee.session.settings import load_settings, settings_path
    from referee.vision.reader import open_reader
    from referee.web.server import PageServer
    from referee.web.set_up import SetUp

    file = config or settings_path()
    settings = load_settings(file if file.exists() else None)
    clock = SessionClock()
    devices = open_devices(camera, microphone, settings, clock, pacing=clock)
    ear = encoder = None
    out = console()
    if devices.microphone is not None:
        from referee.faults import InputFault

        try:
            ear = open_listener(settings.speech.pack or settings.table.language)
        except InputFault as fault:
            out.print(f"[yellow]Note:[/] {fault}; the calls cannot be tried")
        try:
            encoder = voice_encoder()
        except InputFault as fault:
            out.print(f"[yellow]Note:[/] {fault}; voices cannot be learnt")
    table = SetUp(file, devices, ear, open_reader(), encoder)
    server = PageServer(table, port=port)
    table.start()
    tell_links(server, out)
    out.print("Open it in a browser on this machine. Ctrl-C ends it.")
    try:
        server.run()
    finally:
        table.stop()
    if file.exists():
        out.print(f"Your settings lie in [bold]{file}[/bold]. Begin with `referee watch`.", soft_wrap=True)
