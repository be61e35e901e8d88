"""How commands speak: JSON lines on stdout, everything else through rich; faults as one line on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

EXIT_BAD_INPUT = 2


def console(*, err: bool = False) -> Console:
    """A console on stdout (or stderr) that keeps long words whole and never guesses colour in pipes."""
    return Console(stderr=err, highlight=False, soft_wrap=False)


def progress(*columns: ProgressColumn, quiet: bool = False) -> Progress:
    """A bar on stderr that goes when the work is done; nothing at all where nobody looks on."""
    from rich.progress import Progress

    where = console(err=True)
    where.quiet = quiet or not where.is_terminal  # a bar that is only disabled still ends with an empty line
    return Progress(*columns, console=where, transient=True, disable=where.quiet)


def print_json(record: Mapping[str, Any]) -> None:
    """Write one JSON object as one line on stdout, at once, so that a reader of the pipe sees it."""
    sys.stdout.write(json.dumps(record, ensure_ascii=False, separators=(", ", ": ")) + "\n")
    sys.stdout.flush()


def print_fault(fault: Exception | str) -> None:
    """Write a fault as one line on stderr."""
    sys.stderr.write(f"referee: {fault}\n")
    sys.stderr.flush()
