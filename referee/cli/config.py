"""`referee config`: the settings of one's own table: checked, shown, and where they lie."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import EXIT_BAD_INPUT, console, print_fault

app = typer.Typer(help="The settings of one's own table.", no_args_is_help=True)

_File = Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A settings file; else your own.")]


@app.command()
def check(file: _File = None) -> None:
    """Tell what is wrong with the settings: line, key, value and what it may be. Ends with status 2 if any is."""
    from referee.session.settings import faults_of, settings_path

    path = file or settings_path()
    if file is None and not path.exists():
        console().print(f"There are no settings of your own ({path}): the defaults hold.", soft_wrap=True)
        return
    faults = faults_of(path)
    for fault in faults:
        print_fault(fault)
    if faults:
        raise typer.Exit(EXIT_BAD_INPUT)
    console().print(f"{path} is well.", markup=False, soft_wrap=True)


@app.command()
def show(file: _File = None) -> None:
    """Print the settings with every key and what it means, as a file to begin from."""
    from referee.session.settings import default_text, settings_path

    path = file or settings_path()
    typer.echo(path.read_text(encoding="utf-8") if path.exists() else default_text(), nl=False)


@app.command()
def path() -> None:
    """Print where your settings lie."""
    from referee.session.settings import settings_path

    typer.echo(settings_path())
