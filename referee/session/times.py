"""Times of an evening as people write and read them."""

from __future__ import annotations

import re

from referee.faults import InputFault

_TIME = re.compile(r"(?:(?:\d+:)?\d{1,3}:)?\d+(?:\.\d+)?")


def clock(t_s: float) -> str:
    """`75.42` as `1:15.4`."""
    minutes, seconds = divmod(max(0.0, round(t_s, 1)), 60)
    return f"{int(minutes)}:{seconds:04.1f}"


def seconds(text: str) -> float:
    """`12:31`, `1:02:03.5` or `75.4` in seconds. Raises InputFault."""
    if not _TIME.fullmatch(text.strip()):
        raise InputFault(f"{text!r} is no time", where="--at", mend="write minutes and seconds: 12:31")
    total = 0.0
    for part in text.split(":"):
        total = total * 60 + float(part)
    return total
