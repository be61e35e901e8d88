"""Seats at the table, P1 to P10 clockwise."""

from __future__ import annotations

import enum


class Seat(enum.IntEnum):
    """A place at the table, numbered clockwise as seen from above."""

    P1 = 1
    P2 = 2
    P3 = 3
    P4 = 4
    P5 = 5
    P6 = 6
    P7 = 7
    P8 = 8
    P9 = 9
    P10 = 10

    @classmethod
    def parse(cls, text: str) -> Seat:
        """The seat written as `P1`…`P10`; ValueError if there is none."""
        try:
            return cls[text.strip().upper()]
        except KeyError:
            raise ValueError(f"{text!r} is not a seat: write P1 to P10") from None

    @classmethod
    def first(cls, count: int) -> tuple[Seat, ...]:
        """The first `count` seats in clockwise order; ValueError outside 1…10."""
        if not 1 <= count <= len(cls):
            raise ValueError(f"a table seats 1 to {len(cls)}, not {count}")
        return tuple(cls(n) for n in range(1, count + 1))

    def __str__(self) -> str:
        return self.name
