"""`referee repair SESSION`: puts a session right that was cut off."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import console, print_json


def repair(
    session: Annotated[Path, typer.Argument(metavar="SESSION", help="A session folder.")],
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object a line on stdout.")] = False,
) -> None:
    """Repair a session that was cut off: pieces of media are made whole, the log is checked, the score written anew.

    Nothing is thrown away: what was replaced is kept beside it as `.broken`, half a line of the log as `log.tail-1`.
    """
    from referee.session.repairing import repair_session

    repaired = repair_session(session)
    if json_lines:
        print_json({"type": "repair", "session": str(session), "done": repaired.done, "problems": repaired.problems})
        return
    out = console()
    for done in repaired.done:
        out.print(f"• {done}", markup=False, soft_wrap=True)
    for problem in repaired.problems:
        out.print(f"! {problem}", markup=False, soft_wrap=True)
    if not repaired.done and not repaired.problems:
        out.print("Nothing is broken.")
    out.print(f"game.ugn and score.json in [bold]{session}[/bold] are written anew from the log.")
