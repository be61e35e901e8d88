"""The command `referee` as a user calls it, without the second that starting an interpreter takes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.cli.main import main


@dataclass(frozen=True)
class Done:
    """How a command ended, and all that it and its libraries wrote."""

    returncode: int
    stdout: str
    stderr: str


Referee = Callable[..., Done]


@pytest.fixture
def referee(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Referee:
    """Runs `referee ARGUMENTS` in a folder through the program's own entry point.

    Standard output and error are caught where the system writes them, so that a stray line of a library counts.
    """

    def run(*arguments: str, cwd: Path | None = None) -> Done:
        if cwd is not None:
            monkeypatch.chdir(cwd)
        monkeypatch.setattr(sys, "argv", ["referee", *arguments])
        capfd.readouterr()
        status: object = 0
        try:
            main()
        except SystemExit as end:
            status = end.code
        out, err = capfd.readouterr()
        return Done(int(str(status or 0)), out, err)

    return run
