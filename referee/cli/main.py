"""The command `referee`: one module a command, heavy libraries imported only inside the command that runs."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any, cast

import typer

from referee import __version__
from referee.capture.camera_environment import prepare_environment
from referee.cli import calibrate, config, deck, models, rules, synth, tournament, train
from referee.cli.accuracy import accuracy
from referee.cli.archive import archive
from referee.cli.devices import devices
from referee.cli.dispute import export, forget, verify
from referee.cli.doctor import doctor
from referee.cli.hall import hall
from referee.cli.hear import hear
from referee.cli.judge import judge
from referee.cli.output import EXIT_BAD_INPUT, print_fault
from referee.cli.read import read
from referee.cli.repair import repair
from referee.cli.replay import demo, replay
from referee.cli.review import correct, review
from referee.cli.score import score
from referee.cli.serve import serve
from referee.cli.setup import setup
from referee.cli.watch import watch
from referee.faults import InputFault

prepare_environment()

app = typer.Typer(
    name="referee",
    help="Referees a real UNO table: reads the cards, hears the calls, judges the plays, keeps the score. Offline.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    if version:
        typer.echo(f"referee {__version__}")
        raise typer.Exit()


app.command()(demo)
app.command()(watch)
app.command()(replay)
app.command()(read)
app.command()(accuracy)
app.command()(hear)
app.command()(judge)
app.command()(score)
app.command()(review)
app.command()(correct)
app.command()(export)
app.command()(verify)
app.command()(forget)
app.command()(repair)
app.command()(archive)
app.command()(serve)
app.command()(hall)
app.command()(setup)
app.command()(devices)
app.command()(doctor)
app.add_typer(deck.app, name="deck")
app.add_typer(models.app, name="models")
app.add_typer(calibrate.app, name="calibrate")
app.add_typer(rules.app, name="rules")
app.add_typer(config.app, name="config")
app.add_typer(tournament.app, name="tournament")
app.add_typer(train.app, name="train")
app.add_typer(synth.app, name="synth")


_UsageError = cast(type[Exception], typer.BadParameter.__bases__[0])
"""What words that name no command, option or value raise: click's class, or that of typer's own copy of it."""


def _wrong_words(fault: Any) -> int:
    """Tell them in one line, as any other fault; no words at all ask for the help page."""
    if type(fault).__name__ == "NoArgsIsHelpError":
        typer.echo(fault.format_message(), nl=False)  # empty where rich has drawn it already
        return EXIT_BAD_INPUT
    asked = f" (`{fault.ctx.command_path} --help`)" if fault.ctx else ""
    print_fault(" ".join(fault.format_message().split()).rstrip(".") + asked)
    return EXIT_BAD_INPUT


def main() -> None:
    """Entry point: runs a command, turns a fault of the input into one line and exit status 2."""
    try:
        sys.exit(app(prog_name="referee", standalone_mode=False) or 0)
    except InputFault as fault:
        print_fault(fault)
        sys.exit(EXIT_BAD_INPUT)
    except _UsageError as fault:
        sys.exit(_wrong_words(fault))
    except typer.Abort:
        print_fault("stopped")
        sys.exit(1)
    except KeyboardInterrupt:
        print_fault("stopped")
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our pipe has gone (`referee … | head`): that is no fault of the input.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


if __name__ == "__main__":
    main()
