"""Hears the calls in running sound: utterance by utterance, each heard in several takes, with a bar per call."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count
from typing import Protocol

from referee.faults import InputFault
from referee.hearing.phrases import PhrasePack
from referee.hearing.recogniser import Recogniser, Samples, Word
from referee.hearing.takes import TAKES, rendered
from referee.hearing.voice_activity import Utterance, UtteranceCutter
from referee.hearing.votes import Candidate, counted
from referee.observations import CallHeard


class SoundChunk(Protocol):
    """A run of mono sound: int16 (n,), its first sample at `t_s` on the session clock."""

    @property
    def t_s(self) -> float:
        """Seconds."""

    @property
    def samples(self) -> Samples:
        """The sound."""

    @property
    def rate_hz(self) -> int:
        """Samples a second."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Share of the takes that must hear a call: when anything may be said, and when this call is expected."""

    usual: float
    expected: float


# Hearing an "uno" that was not said is mild, missing one that was accuses an honest player: a low bar.
# A catch or a challenge starts a penalty: a high one.
BARS = {
    "uno": Bar(0.20, 0.12),
    "catch": Bar(0.50, 0.34),
    "challenge": Bar(0.50, 0.34),
    "guilty": Bar(0.40, 0.25),
    "innocent": Bar(0.40, 0.25),
}
OTHER_BAR = Bar(0.36, 0.20)

REFRACTORY_S = 1.5
"""The same call again within this time is the same call (A10)."""

_CALL_MOST_S = 3.0  # longer utterances are talk: two takes are enough to tell


class Listener:
    """Takes sound as it comes, gives calls.

    recogniser: owned by this listener's thread. pack: its words are checked against the model's vocabulary; `refused`
    holds the phrases that it cannot hear with the words it lacks, and InputFault is raised when a call has no wording
    left. ids: gives each call its id (default a1, a2, …).
    """

    def __init__(self, recogniser: Recogniser, pack: PhrasePack, *, ids: Callable[[], str] | None = None) -> None:
        numbers = count(1)
        self._ids = ids or (lambda: f"a{next(numbers)}")
        self._recogniser = recogniser
        self._pack, self.refused = pack.known_by(recogniser.knows)
        self._cutter = UtteranceCutter(recogniser.rate_hz)
        self._expected: frozenset[str] | None = None
        self._start_s: float | None = None
        self._last_s: dict[str, float] = {}
        recogniser.listen_for(self._pack.grammar())

    def set_expected(self, calls: Iterable[str] | None) -> None:
        """Listen only for these calls, and more readily; None: for all. Holds from the next utterance on."""
        expected = None if calls is None else frozenset(calls) & self._pack.calls
        if expected != self._expected:
            self._expected = expected
            self._recogniser.listen_for(self._pack.grammar(expected))

    def hear(self, chunk: SoundChunk) -> list[CallHeard]:
        """The calls whose utterance ended in this chunk; chunks follow each other without gap, of any size.

        `seen_s` is the time of the sound that settled the call; a live caller knows it up to one chunk and
        the recogniser's time later. Raises InputFault for sound at another rate than the recogniser's.
        """
        if chunk.rate_hz != self._recogniser.rate_hz:
            raise InputFault(
                f"sound comes at {chunk.rate_hz} Hz", mend=f"resample it to {self._recogniser.rate_hz} Hz"
            )
        if self._start_s is None:
            self._start_s = chunk.t_s
        return self._calls(self._cutter.feed(chunk.samples))

    def close(self) -> list[CallHeard]:
        """The calls of an utterance that the end of the sound cut short."""
        return self._calls(self._cutter.flush())

    def _calls(self, utterances: list[Utterance]) -> list[CallHeard]:
        return [call for utterance in utterances for call in self._in(utterance)]

    def _in(self, utterance: Utterance) -> list[CallHeard]:
        rate_hz = self._recogniser.rate_hz
        few = len(utterance.samples) > _CALL_MOST_S * rate_hz
        takes = [self._heard(utterance.samples, index) for index in range(2 if few else len(TAKES))]
        start_s = (self._start_s or 0.0) + utterance.first / rate_hz
        seen_s = (self._start_s or 0.0) + utterance.decided / rate_hz
        calls = []
        for candidate in sorted(counted(takes, self._pack), key=lambda found: found.start_s):
            if self._passes(candidate) and self._is_new(candidate.call, start_s + candidate.start_s):
                calls.append(
                    CallHeard(
                        id=self._ids(),
                        t_s=round(start_s + candidate.start_s, 3),
                        end_s=round(start_s + candidate.end_s, 3),
                        seen_s=round(seen_s, 3),
                        confidence=round(min(candidate.share, 1.0), 3),
                        call=candidate.call,
                        words=candidate.words,
                    )
                )
        return calls

    def _heard(self, samples: Samples, index: int) -> list[Word]:
        tempo = TAKES[index].tempo
        words = self._recogniser.recognise(rendered(samples, TAKES[index]))
        return [Word(w.text, w.start_s * tempo, w.end_s * tempo, w.confidence) for w in words]

    def _passes(self, candidate: Candidate) -> bool:
        bar = BARS.get(candidate.call, OTHER_BAR)
        if self._expected is None:
            return candidate.share >= bar.usual
        return candidate.call in self._expected and candidate.share >= bar.expected

    def _is_new(self, call: str, t_s: float) -> bool:
        before_s = self._last_s.get(call)
        self._last_s[call] = t_s
        return before_s is None or t_s - before_s >= REFRACTORY_S
