"""Calls that are still being said: given once they are stable, confirmed or withdrawn at the utterance's end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.hearing.spotter import Track
from referee.hearing.votes import Candidate
from referee.hearing.weighing import AFTER_WORD_S, Weighed
from referee.observations import CallHeard

PARTIAL_EVERY_S = 0.2
"""How often the recogniser hears the utterance under way as far as it has come."""

STABLE_SHARE = 0.6
"""The spotter's share, over two looks, that makes a call provisional."""

_MOST_PARTIALS = 9  # a longer utterance is talk


class Provisionals:
    """What has been given of the utterance under way; one utterance at a time."""

    def __init__(self) -> None:
        self._given: list[CallHeard] = []
        self._partial: dict[str, Candidate] = {}
        self._stable: dict[str, Candidate] = {}
        self._first = -1
        self._next = 0.0
        self._partials = 0

    def wants_partial(self, first: int, decided: int, every: float) -> bool:
        """Whether it is time for another partial hearing. first, decided: of the utterance, in samples."""
        if first != self._first:
            self.silence()
            self._first, self._next = first, first + 2 * every
        if decided < self._next or self._partials >= _MOST_PARTIALS:
            return False
        self._next = decided + every
        self._partials += 1
        return True

    def partial(self, candidates: Sequence[Candidate]) -> None:
        """Take the calls of a partial hearing; those that the one before it held too are stable."""
        now = {candidate.call: candidate for candidate in candidates if candidate.share > 0.5}
        self._stable |= {call: found for call, found in now.items() if call in self._partial}
        self._partial = now

    def stable(self, track: Track | None, expected: frozenset[str] | None, known: frozenset[str]) -> list[Weighed]:
        """The calls that have become stable and were not given yet."""
        found = [
            Weighed(call, one.start_s, one.end_s, min(one.share, 1.0), one.words, "vosk", "sure")
            for call, one in self._stable.items()
        ]
        if track is not None:
            for call in track.calls[1:]:
                share, at_s = track.best(call)
                if share >= STABLE_SHARE and call in known and call not in self._stable:
                    end_s = max(at_s - AFTER_WORD_S, 0.0)
                    found.append(Weighed(call, max(end_s - 0.4, 0.0), end_s, share, "", "spotter", "sure"))
        given = {call.call for call in self._given}
        return [one for one in found if one.call not in given and (expected is None or one.call in expected)]

    def given(self, call: CallHeard) -> CallHeard:
        """Note a provisional call as given."""
        self._given.append(call)
        return call

    def borne_out(self, call: str) -> CallHeard | None:
        """The provisional call that the end of the utterance confirms; None if it was not given before."""
        early = next((one for one in self._given if one.call == call), None)
        if early:
            self._given.remove(early)
        return early

    def withdrawn(self, seen_s: float | None = None) -> list[CallHeard]:
        """The utterance has ended: what it did not bear out."""
        left = [replace(call, phase="withdrawn", seen_s=max(call.seen_s, seen_s or 0.0)) for call in self._given]
        self._given = []
        self.silence()
        return left

    def silence(self) -> None:
        """Forget what was half heard; what was given stays until it is confirmed or withdrawn."""
        self._partial, self._stable, self._partials, self._first = {}, {}, 0, -1
