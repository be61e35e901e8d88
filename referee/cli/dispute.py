"""`referee export`, `verify` and `forget`: hand a case on, check what was recorded, delete it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import EXIT_BAD_INPUT, console, print_fault
from referee.faults import InputFault

_Session = Annotated[Path, typer.Argument(metavar="SESSION", help="The folder of a recorded session.")]


def export(
    session: _Session,
    incident: Annotated[int, typer.Option("--incident", metavar="N", help="Number in `referee review`.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The bundle; else case-N.zip here.")] = None,
) -> None:
    """Write a case bundle: clip, frames, observations, ruling, rule and sources, versions and hashes, in one zip.

    It opens in any browser, without this software. The recording of the moment is marked to be kept.
    """
    from referee.session.case_bundle import write_case
    from referee.session.folder import log_of
    from referee.session.incidents import incidents_of, numbered
    from referee.session.keeping import keep_moment
    from referee.session.plan import open_plan

    plan = open_plan(session)
    case = numbered(incidents_of(log_of(session), plan), incident, session)
    keep_moment(session, case)
    lines = log_of(session)
    out = out or Path(f"case-{incident}.zip")
    for remark in write_case(session, plan, lines, case, out):
        print_fault(f"note: {remark}")
    console().print(f"Written: [bold]{out}[/bold]. Unpack it and open index.html; `referee verify {out}` checks it.")


def verify(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A session's folder, or a case bundle.")],
) -> None:
    """Check that a session or a case bundle is as it was written. Ends with status 2 if not."""
    from referee.session.checking import check_case, check_session

    problems = check_session(path) if path.is_dir() else check_case(path)
    for problem in problems:
        print_fault(f"{path}: {problem}")
    if problems:
        raise typer.Exit(EXIT_BAD_INPUT)
    console().print(f"{path} is as it was written.", markup=False)


def forget(
    session: Annotated[
        Path | None, typer.Argument(metavar="SESSION", help="The folder of a recorded session.")
    ] = None,
    voices: Annotated[bool, typer.Option("--voices", help="Delete the voices that were learnt instead.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Delete log and score too: the whole folder.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete picture and sound of a session; the log stays, so that it can still be judged."""
    from referee.session.forgetting import forget_all, forget_media
    from referee.session.voiceprints import forget_voices

    if voices == bool(session):
        raise InputFault("nothing to forget, or too much", mend="name a session, or give --voices")
    if session is None:
        if not yes and not typer.confirm("Delete the voices of all players?"):
            raise typer.Exit(1)
        console().print(f"Forgotten: {', '.join(forget_voices()) or 'no voice was known'}", markup=False)
        return
    what = "the whole session, its log and score too" if everything else "all picture and sound"
    if not yes and not typer.confirm(f"Delete {what} of {session}?"):
        raise typer.Exit(1)
    size = (forget_all if everything else forget_media)(session)
    console().print(f"Deleted {size / 1e6:.1f} MB.")
