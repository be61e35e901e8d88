"""`referee review` and `referee correct`: what was ruled in a recorded evening, and putting it right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table as Grid

from referee.cli.output import console, print_fault, print_json
from referee.session.times import clock, seconds

if TYPE_CHECKING:
    from referee.session.incidents import CaseLine
    from referee.session.plan import SessionPlan
    from referee.session.putting_right import PutRight

_Session = Annotated[Path, typer.Argument(metavar="SESSION", help="The folder of a recorded session.")]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object a line on stdout, nothing else.")]


def review(
    session: _Session,
    uphold: Annotated[int | None, typer.Option(metavar="N", help="The table upholds incident N.")] = None,
    overturn: Annotated[int | None, typer.Option(metavar="N", help="The table overturns incident N.")] = None,
    json_lines: _Json = False,
) -> None:
    """List the incidents of an evening with their moments and what became of them; uphold or overturn one."""
    from referee.session.corrections import Correction
    from referee.session.folder import log_of
    from referee.session.incidents import incidents_of, numbered
    from referee.session.plan import open_plan
    from referee.session.putting_right import put_right

    plan = open_plan(session)
    _warn_of_damage(session)
    for number, word in ((uphold, "upheld"), (overturn, "overturned")):
        if number is not None:
            case = numbered(incidents_of(log_of(session), plan), number, session)
            put_right(session, plan, Correction(word, about=(case.line.id,)))
    cases = incidents_of(log_of(session), plan)
    if json_lines:
        for case in cases:
            print_json(case.to_json())
        return
    if not cases:
        console().print("No fouls and no questions in this session.")
        return
    grid = Grid("", "at", "what", "how sure", "state", box=None, pad_edge=False)
    for case in cases:
        grid.add_row(str(case.number), clock(case.t_s), _said(case), case.line.payload["certainty"], _state(case))
    console().print(grid)
    console().print(
        f"\n`referee replay {session} --at {clock(cases[-1].t_s)}` shows a moment, "
        f"`referee export {session} --incident N` hands a case on.",
        markup=False,
    )


def correct(
    session: _Session,
    said: Annotated[str, typer.Argument(metavar="WORDS", help='"that was a 6", "P3 drew two", "undo" …')],
    at: Annotated[str | None, typer.Option("--at", metavar="M:SS", help="The moment meant; else the last.")] = None,
    incident: Annotated[
        int | None, typer.Option("--incident", metavar="N", help="What incident N of `referee review` rests on.")
    ] = None,
    json_lines: _Json = False,
) -> None:
    """Put right what was seen or heard, in plain words. Everything after it is judged again.

    Say for example "that was a 6", "that was blue", "it was P2", "P3 drew two", "the call was made", "undo".
    Nothing is erased: a correction is one more line of the log.
    """
    from referee.session.folder import log_of
    from referee.session.incidents import incidents_of, numbered
    from referee.session.plan import open_plan
    from referee.session.putting_right import put_right
    from referee.session.spoken_corrections import Moment, correction_of

    plan = open_plan(session)
    _warn_of_damage(session)
    lines = log_of(session)
    at_s, evidence = (seconds(at), ()) if at else (None, ())
    if incident is not None:
        case = numbered(incidents_of(lines, plan), incident, session)
        at_s, evidence = case.t_s, tuple(case.line.payload.get("evidence") or ())
    done = put_right(session, plan, correction_of(said, Moment(lines, plan, at_s, evidence)))
    if json_lines:
        print_json({"type": "correction", "id": done.id, "new": done.new, "score": _totals(done)})
        for change, cases in (("gone", done.gone), ("added", done.added)):
            for case in cases:
                print_json({**case.to_json(), "change": change})
        return
    _tell(done, plan)


def _warn_of_damage(session: Path) -> None:
    from referee.session.folder import seal_of
    from referee.session.log import LOG_FILE, verify

    lines, last_hash = seal_of(session)
    for problem in verify(session / LOG_FILE, lines=lines, last_hash=last_hash):
        print_fault(f"{session / LOG_FILE}: {problem}")


def _said(case: CaseLine) -> str:
    return f"[bold]{case.line.payload.get('kind')}[/bold] {escape(case.text)}"


def _state(case: CaseLine) -> str:
    words = {"open": "[yellow]open[/]", "upheld": "[green]upheld[/]", "overturned": "[red]overturned[/]"}
    return words.get(case.state.value, "[dim]gone after a correction[/]")


def _totals(done: PutRight) -> dict[str, int]:
    sheet = done.judging.sheet
    return {str(seat): points for seat, points in sheet[-1].totals.items()} if sheet else {}


def _tell(done: PutRight, plan: SessionPlan) -> None:
    out = console()
    if not done.new:
        out.print("That was said before and stands: it counts once.")
        return
    out.print(f"Noted ({done.id}). The evening was judged again.")
    for case in done.gone:
        out.print(f"  [dim]no longer stands:[/] {clock(case.t_s)} {escape(case.text)}")
    for case in done.added:
        out.print(f"  [bold]new:[/] {clock(case.t_s)} {escape(case.text)}")
    if not (done.gone or done.added):
        out.print("  No ruling changed.")
    if done.judging.sheet:
        totals = ", ".join(f"{plan.name(s)} {points}" for s, points in done.judging.sheet[-1].totals.items())
        out.print(f"  Score: {escape(totals)}")
