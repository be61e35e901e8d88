"""The one exception for input that cannot be used. Foul play is never an exception: it is a ruling."""

from __future__ import annotations


class InputFault(Exception):
    """Something given to the referee cannot be read or used.

    what: the fault in a few words; where: file, line, key or device; mend: how the person can put it right.
    The command line prints `str(fault)` as one line and ends with status 2.
    """

    def __init__(self, what: str, *, where: str = "", mend: str = "") -> None:
        self.what = what
        self.where = where
        self.mend = mend
        super().__init__(str(self))

    def __str__(self) -> str:
        line = f"{self.where}: {self.what}" if self.where else self.what
        if self.mend:
            line += f" ({self.mend})"
        return " ".join(line.split())
