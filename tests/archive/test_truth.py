"""What was judged is held against what happened."""

from __future__ import annotations

import pytest

from referee.archive.truth import Truth, held_against
from referee.rules.record import Record

OPENED = "@0:00.0 dealer: start R7\n"


def draws_right(true: str, said: str) -> tuple[int, int]:
    truth = Truth("truth.ugn", Record.read(OPENED + true).items, [])
    held = held_against(truth, Record.read(OPENED + said).items, [])
    return held["draws_right"], held["draws_true"]


@pytest.mark.parametrize(
    ("true", "said", "right"),
    [
        ("@0:20.0 P2: +2:d2", "@0:20.0 P2: +2:d2", (1, 1)),
        ("@0:20.0 P2: +2:d2", "@0:20.1 P2: +1:d2\n@0:21.6 P2: +1:d2", (1, 1)),  # seen card by card
        ("@0:20.0 P2: +2:d2", "@0:20.1 P2: +1:d2", (0, 1)),
        ("@0:20.0 P2: +2:d2", "@0:20.1 P2: +1..2:d2", (1, 1)),  # the truth within the bounds
        ("@0:20.0 P2: +2:d2", "@0:20.1 P3: +2:d2", (0, 1)),
        ("@0:20.0 P2: +2:d2", "@0:29.0 P2: +2:d2", (0, 1)),  # another moment
        # A play lies between: two draws, not one of two cards.
        ("@0:20.0 P2: +1\n@0:21.0 P2: R4\n@0:23.0 P2: +1", "@0:20.0 P2: +1\n@0:21.0 P2: R4\n@0:23.0 P2: +1", (2, 2)),
    ],
)
def test_draws(true: str, said: str, right: tuple[int, int]) -> None:
    assert draws_right(true, said) == right
