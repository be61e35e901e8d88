"""What the recogniser voted for and what the spotter saw -> calls, doubts, and nothing."""

from __future__ import annotations

import numpy as np
import pytest

from referee.hearing.spotter import Track
from referee.hearing.votes import Candidate
from referee.hearing.weighing import weigh

CALLS = ("none", "uno", "challenge", "catch", "colour:R")
KNOWN = frozenset(("uno", "challenge", "catch", "colour:R", "guilty"))


def saw(**shares: float) -> Track:
    """A spotter that sees these calls end at 0.8 s of an utterance of 1.2 s."""
    looks = np.zeros((24, len(CALLS)), np.float32)
    for call, share in shares.items():
        looks[17:21, CALLS.index(call.replace("red", "colour:R"))] = share
    looks[:, 0] = 1 - looks[:, 1:].sum(axis=1)
    return Track(looks, np.arange(1, 25, dtype=np.float64) * 0.05, CALLS)


def voted(call: str, share: float, words: str = "uno") -> Candidate:
    return Candidate(call, words, 0.3, 0.7, share, share)


UNO = frozenset(("uno",))


@pytest.mark.parametrize(
    ("candidates", "track", "expected", "calls"),
    [
        ([voted("uno", 1.0)], None, None, [("uno", "sure", "vosk")]),
        ([voted("uno", 1.0)], saw(uno=0.9), None, [("uno", "sure", "both")]),
        ([voted("uno", 0.3)], saw(uno=0.35), None, [("uno", "sure", "vosk")]),
        # "you know": the recogniser is sure, the spotter knows better; but nobody is accused on that
        ([voted("uno", 1.0)], saw(uno=0.01), None, [("uno", "maybe", "vosk")]),
        ([voted("uno", 1.0)], saw(uno=0.01), UNO, [("uno", "maybe", "vosk")]),
        # a vote too weak by itself that the spotter bears out
        ([voted("uno", 0.06)], saw(uno=0.55), None, [("uno", "sure", "both")]),
        ([voted("uno", 0.06)], saw(uno=0.04), None, []),
        # a wording of several words is not for a spotter of single words to deny
        ([voted("uno", 1.0, "one card left")], saw(), None, [("uno", "sure", "vosk")]),
        # a shout that the recogniser missed
        ([], saw(uno=0.95), None, [("uno", "sure", "spotter")]),
        ([], saw(uno=0.38), None, [("uno", "likely", "spotter")]),  # enough where somebody is to call it
        ([], saw(uno=0.25), None, [("uno", "maybe", "spotter")]),
        ([], saw(uno=0.38), UNO, [("uno", "sure", "spotter")]),  # likely is enough where it is awaited
        ([], saw(uno=0.25), UNO, [("uno", "maybe", "spotter")]),
        ([], saw(uno=0.01), UNO, []),
        # a table word that the model lacks
        ([], saw(red=0.95), None, [("colour:R", "sure", "spotter")]),
        ([], saw(red=0.95), UNO, []),
        # a catch names the word: the surer of two that overlap stays
        ([voted("uno", 0.4)], saw(catch=0.97, uno=0.02), None, [("catch", "sure", "spotter")]),
        ([voted("guilty", 0.8, "guilty")], saw(), None, [("guilty", "sure", "vosk")]),
        # a catch in words that the recogniser alone made out of a cough: asked about, no penalty
        ([voted("catch", 1.0, "didn't say uno")], saw(), None, [("catch", "likely", "vosk")]),
        ([voted("catch", 1.0, "didn't say uno")], saw(catch=0.3), None, [("catch", "sure", "vosk")]),
        # what starts a penalty, half heard
        ([voted("catch", 0.4, "didn't say uno")], saw(), None, [("catch", "likely", "vosk")]),
        ([], saw(catch=0.5), None, []),
        # where another call may have been said in its place, a call is not sure
        ([voted("colour:R", 0.6, "red")], saw(challenge=0.72, red=0.21), None, [("challenge", "likely", "spotter")]),
        ([voted("colour:R", 0.6, "red")], saw(catch=0.3, red=0.5), None, [("colour:R", "sure", "both")]),
        # the UNO that a catch names is no UNO, and no doubt about one
        ([voted("catch", 0.9, "didn't say uno")], saw(uno=0.3, catch=0.3), None, [("catch", "sure", "vosk")]),
    ],
)
def test_weighing(
    candidates: list[Candidate],
    track: Track | None,
    expected: frozenset[str] | None,
    calls: list[tuple[str, str, str]],
) -> None:
    found = weigh(candidates, track, expected, KNOWN)
    assert [(one.call, one.certainty, one.heard_by) for one in found] == calls


def test_a_call_that_the_language_has_no_word_for_is_not_heard() -> None:
    assert weigh([], saw(red=0.95), None, frozenset(("uno",))) == []


def test_a_call_seen_by_the_spotter_alone_ends_before_its_look() -> None:
    (call,) = weigh([], saw(uno=0.95), None, KNOWN)
    assert call.end_s == pytest.approx(0.75, abs=0.1)
    assert 0.2 < call.end_s - call.start_s < 0.6


def test_in_long_talk_a_call_is_seen_as_often_as_it_comes() -> None:
    looks = np.zeros((80, len(CALLS)), np.float32)
    for at in (20, 52):
        looks[at : at + 3, 1] = (0.6, 0.8, 0.7)
    track = Track(looks, np.arange(1, 81, dtype=np.float64) * 0.05, CALLS)
    assert [round(call.end_s, 1) for call in weigh([], track, None, KNOWN)] == [0.9, 2.5]
    # what the recogniser heard at the first of them is not given twice
    both = weigh([voted("uno", 1.0)], track, None, KNOWN)
    assert [(call.heard_by, round(call.end_s, 1)) for call in both] == [("both", 0.7), ("spotter", 2.5)]


def test_a_colour_hides_no_uno_that_was_said_after_it() -> None:
    """A wild as the last card but one: "red … UNO" in one breath lost the doubt about the UNO."""
    looks = np.zeros((40, len(CALLS)), np.float32)
    looks[32:35, 1] = 0.3
    looks[13:18, CALLS.index("colour:R")] = 0.6
    track = Track(looks, np.arange(1, 41, dtype=np.float64) * 0.05, CALLS)
    found = weigh([voted("colour:R", 1.0, "it is red")], track, None, KNOWN)
    assert [(one.call, one.certainty) for one in found] == [("colour:R", "sure"), ("uno", "maybe")]


@pytest.mark.parametrize(
    ("looks", "votes", "among", "voice_ends_s", "certainty"),
    [
        # what talk holds by chance it holds for a moment: read speech and Spanish prompts said "uno" so
        (1, 0.0, 0.0, 0.8, "likely"),
        (5, 0.0, 0.0, 0.8, "sure"),
        (4, 0.0, 0.0, 2.0, "likely"),  # no pause after it
        (9, 0.0, 0.0, 2.0, "sure"),  # under another talker
        # "gata … uno!": other words before it, and the recogniser heard it among them
        (2, 0.0, 1.0, 0.8, "sure"),
        (5, 0.0, 1.0, 2.0, "sure"),
        (2, 0.1, 0.1, 2.0, "likely"),
    ],
)
def test_in_talk_an_uno_must_be_seen_for_longer(
    looks: int, votes: float, among: float, voice_ends_s: float, certainty: str
) -> None:
    shares = np.zeros((40, len(CALLS)), np.float32)
    shares[16 - looks : 16, 1] = 0.85
    track = Track(shares, np.arange(1, 41, dtype=np.float64) * 0.05, CALLS)
    heard = [Candidate("uno", "uno", 0.2, 0.6, votes, among)] if among else []
    (call,) = weigh(heard, track, None, KNOWN, voice_ends_s)
    assert (call.call, call.certainty) == ("uno", certainty)


@pytest.mark.parametrize(("voice_ends_s", "calls"), [(0.8, ["colour:R"]), (2.0, [])])
def test_in_talk_other_calls_of_the_spotter_alone_must_be_surer(voice_ends_s: float, calls: list[str]) -> None:
    found = weigh([], saw(red=0.7), None, KNOWN, voice_ends_s)
    assert [call.call for call in found if call.certainty == "sure"] == calls
