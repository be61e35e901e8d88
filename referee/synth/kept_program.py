"""A program that is kept running and told one thing after the other: starting it takes longer than what it does."""

from __future__ import annotations

import atexit
import subprocess
from collections.abc import Sequence

from referee.faults import InputFault


class KeptProgram:
    """Commands on standard input; the program prints the line `done` after each.

    Raises InputFault when it does not start.
    """

    def __init__(self, command: Sequence[str], done: str) -> None:
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
        except OSError as fault:
            raise InputFault(f"{command[0]} does not start: {fault}", mend="install it") from fault
        self._name, self._done = command[0], done.encode()
        atexit.register(self.close)

    def obey(self, order: bytes) -> None:
        """Have one order carried out, ended by a line of its own.

        Raises InputFault when the program ends over it.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(order)
            stdin.flush()
            while (line := stdout.readline()) and self._done not in line:
                pass
        except OSError:
            line = b""
        if not line:
            self.close()
            raise InputFault(f"{self._name} has ended over {order[:200]!r}", mend="give it another line")

    @property
    def ended(self) -> bool:
        """Whether it no longer runs."""
        return self._process.poll() is not None

    def close(self) -> None:
        """End it."""
        atexit.unregister(self.close)
        if self._process.poll() is None:
            self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not pipe.closed:
                try:
                    pipe.close()
                except OSError:
                    continue
        self._process.wait()
