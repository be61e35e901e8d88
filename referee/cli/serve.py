"""`referee serve SESSION`: the pages over a recorded session, to review it and put it right in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import console

if TYPE_CHECKING:
    from rich.console import Console

    from referee.web.server import PageServer


def serve(
    session: Annotated[Path, typer.Argument(metavar="SESSION", help="The folder of a recorded session.")],
    lan: Annotated[bool, typer.Option("--lan", help="Let phones in this network join, by the code shown.")] = False,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="0: any that is free.")] = None,
) -> None:
    """Show a recorded session's pages: score, incidents with their clips, putting right. Ctrl-C ends it."""
    from referee.session.plan import open_plan
    from referee.web.recorded_table import RecordedTable
    from referee.web.server import PageServer

    server = PageServer(RecordedTable(session, open_plan(session)), lan=lan, port=port)
    tell_links(server, console())
    server.run()


def tell_links(server: PageServer, out: Console) -> None:
    """Where the pages are, and for whom."""
    out.print(f"The referee's page: [bold]{server.referee_link}[/bold]", soft_wrap=True)
    if not server.keys.local:
        out.print(f"For phones: {server.address}/join shows the code.", soft_wrap=True)
