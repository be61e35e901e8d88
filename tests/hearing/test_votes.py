"""Words of six takes -> calls. A conversation is no call; one take alone weighs little."""

from __future__ import annotations

import pytest

from referee.hearing.phrases import parse_pack
from referee.hearing.recogniser import Word
from referee.hearing.votes import counted
from tests.hearing.scripted import word

PACK = parse_pack(
    """
format = 1
[calls]
uno = ["uno"]
catch = ["you forgot", "penalty"]
"colour:G" = ["green"]
[decoys]
words = ["you know"]
""",
    "x",
)


def said(text: str, confidence: float = 1.0, start_s: float = 0.3) -> list[Word]:
    return [word(t, start_s + 0.3 * i, start_s + 0.3 * i + 0.25, confidence) for i, t in enumerate(text.split())]


@pytest.mark.parametrize(
    ("takes", "expected"),
    [
        (["uno"] * 6, {"uno": 1.0}),
        (["uno", "", "", "", "", ""], {"uno": 1 / 6}),
        (["uno", "uno", "green", "", "", ""], {"uno": 2 / 6}),  # they overlap: the better one stays
        (["you know"] * 6, {}),
        ([""] * 6, {}),  # V3: empty results
        (["penalty", "you forgot", "penalty", "", "", ""], {"catch": 0.5}),  # two wordings, one call
        (["uno penalty"] * 6, {"uno": 1.0, "catch": 1.0}),  # two people, one breath
        (["uno one two"] * 6, {"uno": 1.0}),
        (["uno one two three"] * 6, {"uno": 0.0}),  # a conversation
        (["you forgot one two"] * 6, {"catch": 1.0}),  # the words of the call do not count against it
    ],
)
def test_share_of_the_votes(takes: list[str], expected: dict[str, float]) -> None:
    found = {c.call: c.share for c in counted([said(t) for t in takes], PACK)}
    assert found == pytest.approx(expected)


def test_a_vote_weighs_its_confidence() -> None:
    (found,) = counted([said("uno", 0.5), said("uno", 1.0), []], PACK)
    assert found.share == pytest.approx(0.5)


def test_times_are_the_middle_of_those_given() -> None:
    takes = [said("uno", start_s=at) for at in (0.30, 0.34, 0.90)]
    (found,) = counted(takes, PACK)
    assert found.start_s == pytest.approx(0.34)
    assert found.end_s == pytest.approx(0.59)


def test_the_words_are_those_of_the_surest_take() -> None:
    (found,) = counted([said("penalty", 0.6), said("you forgot", 0.9)], PACK)
    assert found.words == "you forgot"


def test_among_many_other_words_it_is_told_apart_what_was_heard() -> None:
    """Syllables of a sentence are words to some models: the "uno" at its end was in every take, and got no vote."""
    (found,) = counted([said("one two three uno")] * 3 + [said("two uno")] * 3, PACK)
    assert found.share == pytest.approx(0.5)
    assert found.among == pytest.approx(1.0)
    assert found.start_s == pytest.approx(0.6)  # where it was heard with hardly any other word
