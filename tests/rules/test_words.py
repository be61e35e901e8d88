"""What speech at the table means, and what it does not."""

from __future__ import annotations

import pytest

from referee.cards import Seat
from referee.rules.entries import Subject
from referee.rules.judge.words import is_advice, leaver

P1, P3 = Seat.P1, Seat.P3


@pytest.mark.parametrize(
    ("subject", "text", "seat"),
    [
        (P3, "I have to leave", P3),
        (P3, "out", P3),
        (P3, "I give up", P3),
        (P3, "bye!", P3),
        (P3, "disconnected", P3),
        (P3, "bye bye, blue nine", None),
        (P3, "I'm out!", P3),
        (P3, "I must go home", P3),
        (P3, "desisto", P3),
        (P3, "me voy", P3),
        (P3, "mă retrag", P3),
        ("table", "P1 is out", P1),
        ("dealer", "P3 has left the game", P3),
        ("table", "P1 was removed", P1),
        ("table", "out", None),
        (P3, "one card left", None),
        (P3, "I am out of reds", None),
        (P3, "red is out", None),
        (P3, "P1 is out", None),
        (P3, "sorry, phone", None),
        (P3, "it goes on", None),
    ],
)
def test_g19_who_leaves(subject: Subject, text: str, seat: Seat | None) -> None:
    assert leaver(subject, text) is seat


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("play your green", True),
        ("play blue!", True),
        ("you should play the Skip", True),
        ("change to red", True),
        ("joga a vermelha", True),
        ("juega el verde", True),
        ("joacă roșu", True),
        ("I play the red one", False),
        ("nice play", False),
        ("whose turn is it", False),
        ("the colour is green", False),
    ],
)
def test_g17_what_counts_as_advice(text: str, advice: bool) -> None:
    assert is_advice(text) is advice
