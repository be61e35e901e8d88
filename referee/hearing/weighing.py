"""Two hearings of one utterance, the recogniser's votes and the spotter's looks, weighed into calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.hearing.spotter import Track
from referee.hearing.votes import Candidate

AFTER_WORD_S = 0.2
"""The spotter is surest when it looks this long after the end of a word (the middle of what it was trained on)."""

AROUND_S = 0.5
"""A look belongs to a word that the recogniser heard if it ends up to this long after it."""


@dataclass(frozen=True, slots=True)
class Bar:
    """How much it takes, when anything may be said and when this call is expected.

    usual, expected: share of the takes in which the recogniser must hear it. alone, alone_expected: share of the
    spotter if the recogniser heard nothing. veto, veto_expected: below this share of the spotter a single word that
    the recogniser heard is not believed.
    """

    usual: float
    expected: float
    alone: float
    alone_expected: float
    veto: float
    veto_expected: float


# Hearing an "uno" that was not said is mild, missing one that was accuses an honest player: a low bar.
# A catch or a challenge starts a penalty: a high one.
BARS = {
    "uno": Bar(0.20, 0.12, 0.80, 0.50, 0.10, 0.03),
    "catch": Bar(0.50, 0.34, 0.90, 0.75, 0.05, 0.02),
    "challenge": Bar(0.50, 0.34, 0.90, 0.75, 0.05, 0.02),
    "guilty": Bar(0.40, 0.25, 2.0, 2.0, 0.0, 0.0),
    "innocent": Bar(0.40, 0.25, 2.0, 2.0, 0.0, 0.0),
}
OTHER_BAR = Bar(0.36, 0.20, 0.88, 0.65, 0.05, 0.02)

MAYBE = 0.12
"""The spotter's share of "uno", or any vote of the recogniser, that makes a doubt where an "uno" is expected."""

_LENGTHS_S = {"uno": 0.4, "catch": 1.0, "challenge": 0.6}
_LENGTH_S = 0.4  # of a colour


@dataclass(frozen=True, slots=True)
class Weighed:
    """A call with its span in seconds of the utterance, as `CallHeard` wants it."""

    call: str
    start_s: float
    end_s: float
    confidence: float
    words: str
    heard_by: str
    certainty: str


def weigh(
    candidates: Sequence[Candidate], track: Track | None, expected: frozenset[str] | None, known: frozenset[str]
) -> list[Weighed]:
    """The calls of one utterance in order of time; of two that overlap the surer one.

    candidates: what the recogniser's takes voted for. track: the spotter's looks along the utterance, None without
    one. expected: the calls that count, None for all. known: the calls that the phrase pack has a wording for.
    """
    found = [one for candidate in candidates if (one := _confirmed(candidate, track, expected))]
    if track is not None:
        heard = {one.call for one in found if one.certainty == "sure"}
        for call in track.calls[1:]:
            if call in known and call not in heard and (expected is None or call in expected):
                found += _alone(call, track, expected)
    found.sort(key=lambda one: (one.certainty != "sure", -one.confidence))
    kept: list[Weighed] = []
    for one in found:
        if all(one.end_s <= other.start_s or one.start_s >= other.end_s for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start_s)


def _confirmed(candidate: Candidate, track: Track | None, expected: frozenset[str] | None) -> Weighed | None:
    """What the recogniser heard, if it is enough and the spotter does not deny it."""
    bar = BARS.get(candidate.call, OTHER_BAR)
    if expected is not None and candidate.call not in expected:
        return None
    passes = candidate.share >= (bar.usual if expected is None else bar.expected)
    heard_by, denied, seen = "vosk", False, 0.0
    if track is not None and candidate.call in track.calls:
        seen, _ = track.best(candidate.call, candidate.start_s, candidate.end_s + AROUND_S)
        if seen >= 0.5:
            heard_by = "both"
        # A wording of several words says more than the spotter knows: it was not trained on all of them.
        denied = " " not in candidate.words and seen < (bar.veto if expected is None else bar.veto_expected)
    confidence = min(max(candidate.share, seen), 1.0)
    if passes and not denied:
        return _weighed(candidate, confidence, heard_by, "sure")
    if candidate.call == "uno" and expected is not None:
        return _weighed(candidate, confidence, heard_by, "maybe")
    return None


def _weighed(candidate: Candidate, confidence: float, heard_by: str, certainty: str) -> Weighed:
    return Weighed(
        candidate.call, candidate.start_s, candidate.end_s, confidence, candidate.words, heard_by, certainty
    )


def _alone(call: str, track: Track, expected: frozenset[str] | None) -> list[Weighed]:
    """What only the spotter saw."""
    bar = BARS.get(call, OTHER_BAR)
    share, at_s = track.best(call)
    sure = share >= (bar.alone if expected is None else bar.alone_expected)
    maybe = call == "uno" and expected is not None and share >= MAYBE
    if not sure and not maybe:
        return []
    end_s = max(at_s - AFTER_WORD_S, 0.0)
    start_s = max(end_s - _LENGTHS_S.get(call, _LENGTH_S), 0.0)
    return [Weighed(call, start_s, end_s, share, "", "spotter", "sure" if sure else "maybe")]
