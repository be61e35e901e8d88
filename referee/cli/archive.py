"""`referee archive DIR rejudge|replay|accuracy`: judge whole archives of sessions again, here or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.output import EXIT_BAD_INPUT, console, print_fault, print_json, progress

if TYPE_CHECKING:
    from referee.archive.running import ArchiveRun
    from referee.archive.tasks import Action, Outcome


def archive(
    folder: Annotated[
        str, typer.Argument(metavar="DIR", help="A folder of recorded sessions, or a URL of one (extra 'cluster').")
    ],
    action: Annotated[
        str,
        typer.Argument(
            metavar="rejudge|replay|accuracy",
            help="rejudge: from the logs, in moments. replay: look and listen again. accuracy: hold what is judged "
            "against what is known to have happened.",
        ),
    ],
    profile: Annotated[
        str | None, typer.Option("--profile", metavar="P", help="Judge all by these rules: a name or a file.")
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(metavar="W", help="Look with these: a folder of exported models, or a detector's X.pt."),
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="tcp://HOST:8786", help="Work on this Dask cluster (extra 'cluster').")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes on this machine; else one for each core.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where results go; else referee-DIR-ACTION. Run again: goes on."),
    ] = None,
    json_lines: Annotated[
        bool, typer.Option("--json", help="One JSON object a line on stdout, nothing else.")
    ] = False,
) -> None:
    """Judge every session below DIR again and tell what changed against the rulings given at the table.

    Leaves tables of sessions and of changes, as CSV and JSON lines. A session that was finished before is not done
    again; one that is broken is named and stops nothing. Ends with status 2 if a session was not done.
    """
    from referee.archive.keys import tasks_of
    from referee.archive.results import Results
    from referee.archive.running import run_archive
    from referee.archive.shelves import open_shelf

    wanted = _action(action, weights)
    shelf = open_shelf(folder)
    tasks, unreadable = tasks_of(shelf, wanted, profile=_whole_path(profile), weights=_whole_path(weights))
    results = Results(out or Path(f"referee-{Path(shelf.root).name or 'archive'}-{wanted}"))
    total = len(tasks) + len(unreadable)
    with _runner(scheduler, workers) as (runner, where), _progress(total, json_lines) as advance:
        if not json_lines:
            console().print(f"{total} session{'s' * (total != 1)} in {shelf.root}, {wanted}, {where}", markup=False)

        def tell(outcome: Outcome, before: bool) -> None:
            advance(outcome.name)
            if outcome.state != "done":
                print_fault(f"{outcome.name}: {outcome.state}: {outcome.row['reason']}")
            if json_lines:
                print_json({"type": "session", **outcome.row, "before": before})
                for line in outcome.changes:
                    print_json({"type": "change", **line})

        run = run_archive(wanted, tasks, unreadable, runner, results, tell)
    if json_lines:
        print_json({"type": "archive", "action": wanted, "before": run.before, **run.states, "out": str(results.out)})
    else:
        _tell(run, results.out)
    if run.problems:
        raise typer.Exit(EXIT_BAD_INPUT)


def _action(action: str, weights: str | None) -> Action:
    from referee.archive.tasks import ACTIONS
    from referee.faults import InputFault

    found = next((known for known in ACTIONS if known == action), None)
    if found is None:
        raise InputFault(f"unknown action {action!r}", mend=f"use {', '.join(ACTIONS)}")
    if weights and found == "rejudge":
        raise InputFault("looks at no picture", where="rejudge", mend="leave --weights out, or use replay")
    return found


def _whole_path(given: str | None) -> str | None:
    """A file's whole path, so that workers find it wherever they run; a preset's name as it is."""
    return str(Path(given).resolve()) if given and Path(given).exists() else given


@contextmanager
def _runner(scheduler: str | None, workers: int | None) -> Iterator[tuple[Any, str]]:
    if scheduler:
        from referee.archive.cluster import Cluster

        with Cluster(scheduler) as cluster:
            yield cluster.run, f"on {cluster.workers} workers of {scheduler}"
        return
    from referee.archive.pool import cores, run_in_pool

    count = workers or cores()
    yield (lambda tasks: run_in_pool(tasks, count)), f"in {count} process{'es' * (count != 1)}"


@contextmanager
def _progress(total: int, quiet: bool) -> Iterator[Callable[[str], None]]:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("[dim]{task.description}"))
    with progress(*columns, quiet=quiet) as bar:
        task = bar.add_task("judging", total=total)
        yield lambda name: bar.update(task, advance=1, description=name.replace("[", "\\["))


def _tell(run: ArchiveRun, out: Path) -> None:
    from rich.table import Table

    shown = console()
    again = f", {run.before} of them by an earlier run" if run.before else ""
    others = "".join(f", {count} {state}" for state, count in sorted(run.states.items()) if state != "done")
    shown.print(f"{run.states['done']} done{again}{others}.", markup=False)
    done = [outcome.row for outcome in run.outcomes if outcome.state == "done"]
    if run.action == "accuracy" and done:
        _tell_shares(done)
    elif done:
        sums = {name: sum(row[name] for row in done) for name in ("rounds", "plays", "rulings", "fouls", "doubts")}
        shown.print(", ".join(f"{count} {name}" for name, count in sums.items()))
        kinds: dict[str, int] = {}
        for row in done:
            for kind, count in row["kinds"].items():
                kinds[kind] = kinds.get(kind, 0) + count
        table = Table(title="against the rulings given at the table", show_edge=False)
        for heading in ("change", "times"):
            table.add_column(heading, justify="left" if heading == "change" else "right")
        for kind, count in sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0])):
            table.add_row(kind, str(count))
        shown.print(table if kinds else "Nothing changed against the rulings given at the table.")
    shown.print(f"Tables: {out}/sessions.csv and changes.csv, both as .jsonl too.", markup=False, soft_wrap=True)


def _tell_shares(done: list[dict[str, Any]]) -> None:
    for what in ("plays", "draws", "fouls"):
        right, true = (sum(row[f"{what}_{side}"] for row in done) for side in ("right", "true"))
        false = sum(row.get(f"{what}_false", 0) for row in done)
        share = f"{100 * right / true:.1f} %" if true else "none"
        wrong = f"; {false} that did not happen" if what != "draws" else ""
        console().print(f"  {what} judged as they were: {right} of {true} ({share}){wrong}")
