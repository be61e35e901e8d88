"""Two hearings of one utterance, the recogniser's votes and the spotter's looks, weighed into calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
    """How much it takes to be sure of a call, and how much where it is one that can mean something just then.

    usual, expected: share of the takes in which the recogniser must hear it. alone: what the spotter must hold if the
    recogniser heard nothing; alone_expected: its highest look then. veto, veto_expected: below this share of the
    spotter a single word that the recogniser heard is not believed.
    """

    usual: float
    expected: float
    alone: float
    alone_expected: float
    veto: float
    veto_expected: float


# A catch or a challenge starts a penalty: a high bar.
BARS = {
    "catch": Bar(0.50, 0.34, 0.60, 0.60, 0.10, 0.05),
    "challenge": Bar(0.50, 0.34, 0.65, 0.60, 0.10, 0.05),
    "guilty": Bar(0.40, 0.25, 2.0, 2.0, 0.0, 0.0),
    "innocent": Bar(0.40, 0.25, 2.0, 2.0, 0.0, 0.0),
}
OTHER_BAR = Bar(0.36, 0.20, 0.50, 0.45, 0.10, 0.05)

DENIED = 0.20
"""Below this look of a spotter that knows the call it is not sure, in however many words the recogniser heard it. On
the benchmark's words 1 of 26 right calls was seen less, and 8 of 10 that nobody made."""

# Hearing an "uno" that was not said is mild, missing one that was accuses an honest player: a low bar.
UNO_BAR = Bar(0.20, 0.12, 0.0, 0.0, 0.0, 0.0)
"""Without a spotter."""

UNO_PAIRS = ((0.20, 0.30), (0.0, 0.40))
UNO_PAIRS_IN_TALK = ((0.20, 0.40), (0.0, 0.50))
UNO_PAIRS_EXPECTED = ((0.12, 0.05), (0.01, 0.20), (0.0, 0.35))
"""Votes and the spotter's share that together make an "uno", any pair of them; chosen on every second of the
benchmark's words and on half of its talk (`models/README.md` tells what the others gave). The share is what the
spotter holds over `HELD_LOOKS`, in talk over `HELD_IN_TALK`; where the call can mean something, the highest look."""

HELD_LOOKS, HELD_IN_TALK = 4, 8
"""A call is seen by many looks in a row (0.2 and 0.4 s): what talk holds by chance, by few."""

IN_TALK_S = 0.4
"""Voice goes on so long after a word: it was said in talk. There is much of it, and calls are followed by a pause."""

ALONE_IN_TALK = 0.90
"""What the spotter alone must hold of another call there."""

UNO_MAYBE = (0.10, 0.20)
"""Votes, or a share of the spotter, that make a doubt."""


APART_S = 1.0
"""Looks nearer together than this saw one call."""

_LEAST_LOOK = 0.1
_LENGTHS_S = {"uno": 0.4, "catch": 1.0, "challenge": 0.6}
_LENGTH_S = 0.4  # of a colour


_RANK = {"sure": 0, "likely": 1, "maybe": 2}


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
    candidates: Sequence[Candidate],
    track: Track | None,
    expected: frozenset[str] | None,
    known: frozenset[str],
    voice_ends_s: float = 0.0,
) -> list[Weighed]:
    """The calls of one utterance in order of time; of two that overlap the surer one.

    candidates: what the recogniser's takes voted for. track: the spotter's looks along the utterance, None without
    one. known: the calls that the phrase pack has a wording for. voice_ends_s: when its last voice was heard, in
    seconds. expected: None where anything may be said: then a call is `sure`, or `likely` (enough where it can mean
    something as the game stands), or an UNO that was perhaps said is `maybe`. With a set only those calls count, and
    what is likely is sure.
    """
    found = [one for candidate in candidates if (one := _confirmed(candidate, track, voice_ends_s))]
    if track is not None:
        for call in track.calls[1:]:
            if call in known:
                mine = [one for one in found if one.call == call and one.certainty != "maybe"]
                seen = _alone(call, track, voice_ends_s)
                found += [new for new in seen if all(abs(new.end_s - one.end_s) >= APART_S for one in mine)]
    if expected is not None:
        found = [_promoted(one) for one in found if one.call in expected]
    kept: list[Weighed] = []
    for one in sorted(found, key=lambda one: (_RANK[one.certainty], -one.confidence)):
        if not any(_overlap(one, other) for other in kept) and not _said(one, kept):
            kept.append(_contested(one, found))
    return sorted(kept, key=lambda one: one.start_s)


def _overlap(one: Weighed, other: Weighed) -> bool:
    return one.start_s < other.end_s and other.start_s < one.end_s


def _contested(one: Weighed, found: Sequence[Weighed]) -> Weighed:
    """A call is not sure where another one may have been said in its place; an UNO is believed all the same."""
    rivals = [other for other in found if other.call not in (one.call, "uno") and _overlap(one, other)]
    if one.call == "uno" or one.certainty != "sure" or all(other.certainty == "maybe" for other in rivals):
        return one
    return replace(one, certainty="likely")


def _said(one: Weighed, kept: Sequence[Weighed]) -> bool:
    """Whether this doubt is about what is known already: the same call, or the UNO that a catch names."""
    about = {one.call, "catch"} if one.call == "uno" else {one.call}
    return one.certainty == "maybe" and any(other.call in about for other in kept)


def _promoted(one: Weighed) -> Weighed:
    return replace(one, certainty="sure") if one.certainty == "likely" else one


def _confirmed(candidate: Candidate, track: Track | None, voice_ends_s: float) -> Weighed | None:
    """What the recogniser heard, if it is enough and the spotter does not deny it."""
    single = " " not in candidate.words
    if candidate.call == "uno" and track is not None and single:
        look, at_s = track.best("uno", candidate.start_s, candidate.end_s + AROUND_S)
        heard_by = "both" if look >= HEARD else "vosk"
        votes, after_s = (candidate.share, candidate.among), voice_ends_s - candidate.end_s
        certainty = _uno_certainty(votes, track, look, at_s, after_s)
        return _weighed(candidate, max(candidate.share, look), heard_by, certainty)
    bar = UNO_BAR if candidate.call == "uno" else BARS.get(candidate.call, OTHER_BAR)
    heard_by, seen, veto, veto_expected, denied = "vosk", 0.0, 0.0, 0.0, 0.0
    if track is not None and candidate.call in track.calls:
        seen, _ = track.best(candidate.call, candidate.start_s, candidate.end_s + AROUND_S)
        heard_by, denied = "both" if seen >= HEARD else "vosk", DENIED if candidate.call != "uno" else 0.0
        if single:  # a wording of several words says more than the spotter knows: it was not trained on all of them
            veto, veto_expected = bar.veto, bar.veto_expected
    certainty = ""
    if candidate.share >= bar.usual and seen >= max(veto, denied):
        certainty = "sure"
    elif candidate.share >= bar.expected and seen >= veto_expected:
        certainty = "likely"
    return _weighed(candidate, max(candidate.share, seen), heard_by, certainty)


def _uno_certainty(votes: tuple[float, float], track: Track, look: float, at_s: float, after_s: float) -> str:
    """votes: the recogniser's, among hardly any other words and among any; look: the spotter's best one, at `at_s`;
    after_s: so long voice goes on after the word.
    """
    in_talk = after_s > IN_TALK_S
    held = track.held("uno", at_s, HELD_IN_TALK if in_talk else HELD_LOOKS)
    if any(votes[1] >= least and held >= seen for least, seen in (UNO_PAIRS_IN_TALK if in_talk else UNO_PAIRS)):
        return "sure"
    if any(votes[0] >= least and look >= seen for least, seen in UNO_PAIRS_EXPECTED):
        return "likely"
    return "maybe" if votes[0] >= UNO_MAYBE[0] or look >= UNO_MAYBE[1] else ""


def _weighed(candidate: Candidate, confidence: float, heard_by: str, certainty: str) -> Weighed | None:
    if not certainty:
        return None
    span = candidate.start_s, candidate.end_s
    return Weighed(candidate.call, *span, min(confidence, 1.0), candidate.words, heard_by, certainty)


def _alone(call: str, track: Track, voice_ends_s: float) -> list[Weighed]:
    """What only the spotter saw; in long talk a call may come more than once."""
    found = []
    for share, at_s in track.peaks(call, _LEAST_LOOK, APART_S):
        end_s = max(at_s - AFTER_WORD_S, 0.0)
        if call == "uno":
            certainty = _uno_certainty((0.0, 0.0), track, share, at_s, voice_ends_s - end_s)
        else:
            bar = BARS.get(call, OTHER_BAR)
            in_talk = voice_ends_s - end_s > IN_TALK_S
            held = track.held(call, at_s, HELD_IN_TALK if in_talk else HELD_LOOKS)
            least = max(bar.alone, ALONE_IN_TALK) if in_talk else bar.alone
            certainty = "sure" if held >= least else "likely" if share >= bar.alone_expected else ""
        if certainty:
            start_s = max(end_s - _LENGTHS_S.get(call, _LENGTH_S), 0.0)
            found.append(Weighed(call, start_s, end_s, share, "", "spotter", certainty))
    return found
