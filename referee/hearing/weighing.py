"""Two hearings of one utterance, the recogniser's votes and the spotter's looks, weighed into calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.hearing.spotter import Track
from referee.hearing.votes import Candidate

AFTER_WORD_S = 0.2
"""The spotter is surest when it looks this long after the end of a word (the middle of what it was trained on)."""

HEARD = 0.5
"""The share from which the spotter counts as having heard a call itself."""

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


# A catch or a challenge starts a penalty: a high bar.
BARS = {
    "catch": Bar(0.50, 0.34, 0.80, 0.60, 0.10, 0.05),
    "challenge": Bar(0.50, 0.34, 0.80, 0.60, 0.10, 0.05),
    "guilty": Bar(0.40, 0.25, 2.0, 2.0, 0.0, 0.0),
    "innocent": Bar(0.40, 0.25, 2.0, 2.0, 0.0, 0.0),
}
OTHER_BAR = Bar(0.36, 0.20, 0.60, 0.45, 0.10, 0.05)

# Hearing an "uno" that was not said is mild, missing one that was accuses an honest player: a low bar.
UNO_BAR = Bar(0.20, 0.12, 0.0, 0.0, 0.0, 0.0)
"""Without a spotter."""

UNO_PAIRS = ((0.20, 0.30), (0.01, 0.40), (0.0, 0.50))
UNO_PAIRS_EXPECTED = ((0.12, 0.05), (0.01, 0.20), (0.0, 0.35))
"""Votes and the spotter's share that together make an "uno", any pair of them; chosen on every second of the
benchmark's synthetic words (`models/README.md` tells what the others gave)."""

UNO_MAYBE = (0.10, 0.20)
"""Votes, or a share of the spotter, that make a doubt."""


APART_S = 1.0
"""Looks nearer together than this saw one call."""

_LEAST_LOOK = 0.1
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
        heard = [one for one in found if one.certainty == "sure"]
        for call in track.calls[1:]:
            if call in known and (expected is None or call in expected):
                mine = [one for one in heard if one.call == call]
                seen = _alone(call, track, expected)
                found += [new for new in seen if all(abs(new.end_s - one.end_s) >= APART_S for one in mine)]
    if any(one.certainty == "sure" for one in found):
        found = [one for one in found if one.certainty == "sure"]  # what was said is known: no doubt about it
    found.sort(key=lambda one: -one.confidence)
    kept: list[Weighed] = []
    for one in found:
        if all(one.end_s <= other.start_s or one.start_s >= other.end_s for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start_s)


def _confirmed(candidate: Candidate, track: Track | None, expected: frozenset[str] | None) -> Weighed | None:
    """What the recogniser heard, if it is enough and the spotter does not deny it."""
    if expected is not None and candidate.call not in expected:
        return None
    single = " " not in candidate.words
    if candidate.call == "uno" and track is not None and single:
        look, _ = track.best("uno", candidate.start_s, candidate.end_s + AROUND_S)
        certainty = _uno_certainty(candidate.share, look, expected)
        heard_by = "both" if look >= HEARD else "vosk"
        confidence = min(max(candidate.share, look), 1.0)
        return _weighed(candidate, confidence, heard_by, certainty) if certainty else None
    bar = UNO_BAR if candidate.call == "uno" else BARS.get(candidate.call, OTHER_BAR)
    passes = candidate.share >= (bar.usual if expected is None else bar.expected)
    heard_by, denied, seen = "vosk", False, 0.0
    if track is not None and candidate.call in track.calls:
        seen, _ = track.best(candidate.call, candidate.start_s, candidate.end_s + AROUND_S)
        heard_by = "both" if seen >= HEARD else "vosk"
        # A wording of several words says more than the spotter knows: it was not trained on all of them.
        denied = single and seen < (bar.veto if expected is None else bar.veto_expected)
    confidence = min(max(candidate.share, seen), 1.0)
    return _weighed(candidate, confidence, heard_by, "sure") if passes and not denied else None


def _uno_certainty(votes: float, look: float, expected: frozenset[str] | None) -> str:
    pairs = UNO_PAIRS if expected is None else UNO_PAIRS_EXPECTED
    if any(votes >= least and look >= seen for least, seen in pairs):
        return "sure"
    return "maybe" if votes >= UNO_MAYBE[0] or look >= UNO_MAYBE[1] else ""


def _weighed(candidate: Candidate, confidence: float, heard_by: str, certainty: str) -> Weighed:
    return Weighed(
        candidate.call, candidate.start_s, candidate.end_s, confidence, candidate.words, heard_by, certainty
    )


def _alone(call: str, track: Track, expected: frozenset[str] | None) -> list[Weighed]:
    """What only the spotter saw; in long talk a call may come more than once."""
    found = []
    for share, at_s in track.peaks(call, _LEAST_LOOK, APART_S):
        if call == "uno":
            certainty = _uno_certainty(0.0, share, expected)
        else:
            bar = BARS.get(call, OTHER_BAR)
            certainty = "sure" if share >= (bar.alone if expected is None else bar.alone_expected) else ""
        if certainty:
            end_s = max(at_s - AFTER_WORD_S, 0.0)
            start_s = max(end_s - _LENGTHS_S.get(call, _LENGTH_S), 0.0)
            found.append(Weighed(call, start_s, end_s, share, "", "spotter", certainty))
    return found
