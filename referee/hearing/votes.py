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
    """A call that some takes heard. Times in seconds of the utterance; share: 0…1 of the votes, by confidence."""

    call: str
    words: str
    start_s: float
    end_s: float
    share: float


def counted(takes: Sequence[Sequence[Word]], pack: PhrasePack) -> list[Candidate]:
    """The calls heard in any take, best first; of two that overlap in time only the better one.

    takes: the words of each take in the utterance's own time. A take votes with the mean confidence of the
    call's words (alternative spellings share theirs); a take full of other words does not vote.
    """
    votes: dict[str, list[tuple[float, float, float, str]]] = {}
    for words in takes:
        best: dict[str, tuple[float, float, float, str]] = {}
        for said in pack.find(words):
            if said.phrase.call is None or len(words) - (said.last - said.first) > MOST_OTHER_WORDS:
                continue
            part = words[said.first : said.last]
            vote = (
                fmean(word.confidence for word in part),
                part[0].start_s,
                part[-1].end_s,
                " ".join(said.phrase.words),
            )
            best[said.phrase.call] = max(vote, best.get(said.phrase.call, vote))
        for call, vote in best.items():
            votes.setdefault(call, []).append(vote)
    candidates = [
        Candidate(
            call=call,
            words=max(given)[3],
            start_s=median(vote[1] for vote in given),
            end_s=median(vote[2] for vote in given),
            share=sum(vote[0] for vote in given) / len(takes),
        )
        for call, given in votes.items()
    ]
    candidates.sort(key=lambda candidate: -candidate.share)
    kept: list[Candidate] = []
    for candidate in candidates:
        if all(candidate.end_s <= k.start_s or candidate.start_s >= k.end_s for k in kept):
            kept.append(candidate)
    return kept
