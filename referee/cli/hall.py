"""`referee hall`: one board page for all tables of a club night."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import console


def hall(
    broker: Annotated[
        str | None, typer.Option("--broker", metavar="URL", help="mqtt://HOST or mqtts://HOST; else your settings'.")
    ] = None,
    user: Annotated[str | None, typer.Option("--user", metavar="NAME", help="Who enters the broker.")] = None,
    tournament: Annotated[
        Path | None,
        typer.Option("--tournament", metavar="FILE", help="A tournament's book: its standings are shown."),
    ] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings; else your own.")] = None,
    host: Annotated[
        str | None, typer.Option("--host", metavar="ADDRESS", help="Address to serve on; else this machine alone.")
    ] = None,
    lan: Annotated[bool, typer.Option("--lan", help="Let others in this network see it, by the code shown.")] = False,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port of the page; 0: any that is free.")] = None,
) -> None:
    """Show all tables of a hall on one page: who needs the referee, who is offline, scores. Ctrl-C ends it."""
    from rich.markup import escape

    from referee.cli.hall_settings import broker_of
    from referee.faults import InputFault
    from referee.hall.listening import Listening
    from referee.session.clock import SessionClock
    from referee.session.settings import load_settings
    from referee.web.hall_board import HallBoard, HallLink
    from referee.web.server import PageServer

    found = broker_of(load_settings(config), broker, user=user)
    if found is None:
        raise InputFault("names no broker", where="the hall", mend="give --broker mqtt://HOST, or set [hall] broker")
    standings = None
    if tournament:
        from referee.cli.tournament_standings import StandingsFile

        standings = StandingsFile(tournament)
    out = console()

    def told(state: str, why: str) -> None:
        note = f"{found.address}: connected." if state == "running" else f"{found.address}: {why}. Trying again …"
        out.print(escape(note), soft_wrap=True)

    listening = Listening(found, clock=SessionClock(), on_state=told)

    def look() -> HallBoard:
        title, places, fault = standings.now() if standings else ("", (), "")
        return HallBoard(listening.overview(), found.address, title, places, fault)

    listening.start()
    try:
        link = HallLink(look)
        server = PageServer(link, lan=lan, host=host, port=port)
        page = server.address if server.keys.local else f"{server.address}/enter?key={server.keys.viewer}"
        out.print(f"The hall's page: [bold]{page}[/bold]", soft_wrap=True)
        if not server.keys.local:
            out.print(f"For others: {server.address}/join shows the code.", soft_wrap=True)
        link.start()
        with suppress(KeyboardInterrupt):
            server.run()
        link.stop()
    finally:
        listening.stop()
