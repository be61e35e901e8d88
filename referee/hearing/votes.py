"""From the words of several takes of one utterance to the calls in it: each take votes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from referee.hearing.phrases import PhrasePack
from referee.hearing.recogniser import Word

MOST_OTHER_WORDS = 2
"""A call stands alone or nearly: more words around it are a conversation."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A call that some takes heard. Times in seconds of the utterance; shares: 0…1 of the votes, by confidence.

    share: of takes that heard hardly anything else. among: of all takes, those full of other words too; what they
    heard is a call only where the spotter saw one there as well.
    """

    call: str
    words: str
    start_s: float
    end_s: float
    share: float
    among: float


_Vote = tuple[float, float, float, str]  # confidence, start, end, words


def counted(takes: Sequence[Sequence[Word]], pack: PhrasePack) -> list[Candidate]:
    """The calls heard in any take, best first; of two that overlap in time only the better one.

    takes: the words of each take in the utterance's own time. A take votes with the mean confidence of the
    call's words (alternative spellings share theirs).
    """
    votes: dict[str, list[_Vote]] = {}
    alone: dict[str, list[_Vote]] = {}
    for words in takes:
        for call, (vote, others) in _of_take(words, pack).items():
            votes.setdefault(call, []).append(vote)
            if others <= MOST_OTHER_WORDS:
                alone.setdefault(call, []).append(vote)
    candidates = [
        Candidate(
            call=call,
            words=max(given)[3],
            start_s=median(vote[1] for vote in given),
            end_s=median(vote[2] for vote in given),
            share=sum(vote[0] for vote in alone.get(call, ())) / len(takes),
            among=sum(vote[0] for vote in votes[call]) / len(takes),
        )
        for call, given in (votes | alone).items()
    ]
    candidates.sort(key=lambda candidate: (-candidate.share, -candidate.among))
    kept: list[Candidate] = []
    for candidate in candidates:
        if all(candidate.end_s <= k.start_s or candidate.start_s >= k.end_s for k in kept):
            kept.append(candidate)
    return kept


def _of_take(words: Sequence[Word], pack: PhrasePack) -> dict[str, tuple[_Vote, int]]:
    """By call the surest hearing of it in one take, with the number of other words there."""
    best: dict[str, tuple[_Vote, int]] = {}
    for said in pack.find(words):
        if said.phrase.call is None:
            continue
        part = words[said.first : said.last]
        text = " ".join(said.phrase.words)
        vote = fmean(word.confidence for word in part), part[0].start_s, part[-1].end_s, text
        found = vote, len(words) - len(part)
        best[said.phrase.call] = max(found, best.get(said.phrase.call, found))
    return best
