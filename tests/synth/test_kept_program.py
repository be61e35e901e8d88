"""Programs that are kept running, and which of their voices are kept for measuring."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pytest

from referee.faults import InputFault
from referee.synth import voices_programs
from referee.synth.kept_program import KeptProgram
from referee.synth.voices_neural import Manner
from referee.synth.voices_programs import (
    BODIES,
    BODIES_UNHEARD,
    BORROWED,
    FESTIVAL,
    FESTIVAL_UNHEARD,
    FLITE,
    Festival,
    in_cyrillic,
)

ECHO = """
import sys
for line in sys.stdin:
    if "die" in line:
        sys.exit(1)
    print("heard", line, flush=True)
    print("that was all", flush=True)
"""


@pytest.fixture
def program() -> Iterator[KeptProgram]:
    kept = KeptProgram((sys.executable, "-c", ECHO), "that was all")
    yield kept
    kept.close()


def test_one_program_carries_out_order_after_order(program: KeptProgram) -> None:
    for order in (b"one\n", b"two\n"):
        program.obey(order)
    assert not program.ended


def test_a_line_that_ends_the_program_is_named(program: KeptProgram) -> None:
    """A voice that fell over one line took down the speaking of all others."""
    with pytest.raises(InputFault, match="has ended over b'die"):
        program.obey(b"die\n")
    assert program.ended


def test_a_program_that_is_missing_is_named() -> None:
    with pytest.raises(InputFault, match="no-such-program does not start"):
        KeptProgram(("no-such-program",), "done")


def test_after_a_fall_the_next_line_starts_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voices_programs, "_kept", {})
    monkeypatch.setattr(voices_programs, "_DONE", "that was all")
    command = (sys.executable, "-c", ECHO)
    with pytest.raises(InputFault):
        voices_programs._told(command, b"die\n")
    voices_programs._told(command, b"one\n")
    voices_programs._kept[sys.executable].close()


def test_what_is_said_cannot_give_festival_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    orders: list[bytes] = []
    monkeypatch.setattr(voices_programs, "_told", lambda _command, order: orders.append(order))
    with pytest.raises(InputFault, match="no voice"):
        Festival().say('uno")) (exit', "it", np.random.default_rng(1), Manner())
    assert orders[0].count(b'"') == 6  # around the line, the file, and the word at the end


def test_a_russian_voice_is_told_where_the_stress_lies() -> None:
    """Read as one word the game's name came out as "una", which is a near word."""
    assert in_cyrillic("uno!") == "у но!"
    assert in_cyrillic("Bruno") == "бруно"


def test_no_person_is_heard_in_training_and_measured_on() -> None:
    heard = {voice for voices in FESTIVAL.values() for voice in voices} | set(BORROWED) | set(BODIES)
    kept = {voice for voices in FESTIVAL_UNHEARD.values() for voice in voices} | set(BODIES_UNHEARD) | set(FLITE)
    assert not heard & kept
    # slt and kal speak in flite as well as in festival.
    assert not any(name in voice for name in FLITE for voice in heard)
