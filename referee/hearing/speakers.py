"""Tells with each call from which seat it came: a listener's ear with the last seconds of both channels beside it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Protocol

import numpy as np

from referee.cards import Seat
from referee.hearing.direction import Direction, SeatDelay, direction_of, shares
from referee.hearing.recogniser import Samples
from referee.hearing.voiceprint import VoicePrint, voice_of
from referee.observations import CallHeard

KEEPS_S = 12.0
"""So much of both channels is kept; a call is known at most some seconds after it was said."""

BEFORE_S = 0.6
RIVAL = 0.5
"""So high a second direction is a second voice. In drawn rooms (four seats, 30 cm, echoes of .2 and .5 s) it is told
of two in three voices 6 dB below the word and of one in three as loud as it; of 5 % of words alone, of 37 % in babble
at 10 dB."""

_AROUND_S = 0.05
_LONGEST_S = 1.5  # a word's onset tells; what follows may be another's


class TwoSided(Protocol):
    """A run of sound, with both channels where its source has two."""

    @property
    def t_s(self) -> float:
        """Seconds on the session clock."""

    @property
    def samples(self) -> Samples:
        """Mono."""

    @property
    def rate_hz(self) -> int:
        """Samples a second."""

    @property
    def sides(self) -> Samples | None:
        """int16 (n, 2), or None."""


class TellingEar(Protocol):
    """The listener that is given its speakers."""

    def hear(self, chunk: TwoSided) -> list[CallHeard]:
        """Take in one run of sound."""

    def close(self) -> list[CallHeard]:
        """No more sound."""

    @property
    def settled_s(self) -> float:
        """No call that is still to come begins before this."""

    def set_expected(self, calls: Iterable[str] | None) -> None:
        """Which calls can mean something now."""

    def speaking(self, start_s: float, end_s: float = float("inf")) -> None:
        """The referee itself speaks."""

    @property
    def refused(self) -> Mapping[str, list[str]]:
        """The phrases it cannot hear."""


class Encoder(Protocol):
    """See `VoiceEncoder`."""

    def print_of(self, samples: Samples) -> VoicePrint | None:
        """The voiceprint of a word."""


class LastSound:
    """The last `KEEPS_S` of a sound of one or two channels."""

    def __init__(self) -> None:
        self._kept: deque[tuple[float, int, Samples]] = deque()

    def keep(self, t_s: float, samples: Samples, rate_hz: int) -> None:
        """Take in what begins at `t_s`."""
        self._kept.append((t_s, rate_hz, samples))
        while self._kept[0][0] < t_s - KEEPS_S:
            self._kept.popleft()

    def span(self, from_s: float, until_s: float) -> tuple[int, Samples] | None:
        """Rate and samples of a span, as far as they were kept."""
        found: list[Samples] = []
        rate_hz = 0
        for t_s, rate_hz, samples in self._kept:
            first, last = round((from_s - t_s) * rate_hz), round((until_s - t_s) * rate_hz)
            if last > 0 and first < len(samples):
                found.append(samples[max(first, 0) : last])
        return (rate_hz, np.concatenate(found)) if found else None


class BothSides:
    """The last seconds of a source with two channels."""

    def __init__(self) -> None:
        self._kept = LastSound()

    def keep(self, chunk: TwoSided) -> None:
        """Take in a chunk; one channel alone says nothing, and nothing of it is kept."""
        if chunk.sides is not None:
            self._kept.keep(chunk.t_s, chunk.sides, chunk.rate_hz)

    def direction(self, from_s: float, until_s: float) -> Direction | None:
        """Where what was heard from `from_s` to `until_s` came from; None where that cannot be told."""
        word = self._word(from_s, until_s)
        before = self._kept.span(from_s - BEFORE_S, from_s - 2 * _AROUND_S)
        return direction_of(word[1], word[0], None if before is None else before[1]) if word else None

    def talks_too(self, from_s: float, until_s: float) -> bool:
        """Whether a second voice sounds from elsewhere at the same time: two directions stand out.

        Here a voice that was there before counts too: it is just that which may hide a word.
        """
        word = self._word(from_s, until_s)
        direction = direction_of(word[1], word[0]) if word else None
        return direction is not None and direction.rival >= RIVAL

    def _word(self, from_s: float, until_s: float) -> tuple[int, Samples] | None:
        return self._kept.span(from_s - _AROUND_S, min(until_s, from_s + _LONGEST_S) + _AROUND_S)


class SpeakerEar:
    """An ear whose calls say how probable each seat is to have spoken, and whose voice an UNO is.

    seats: what was learnt of their directions at set-up. voices: and of their players' voices, with the encoder.
    """

    def __init__(
        self,
        ear: TellingEar,
        seats: Mapping[Seat, SeatDelay],
        voices: Mapping[Seat, VoicePrint] | None = None,
        encoder: Encoder | None = None,
    ) -> None:
        self._ear, self._seats, self._both = ear, dict(seats), BothSides()
        self._voices, self._encoder, self._sound = dict(voices or {}), encoder, LastSound()
        self.set_expected: Callable[[Iterable[str] | None], None] = ear.set_expected
        self.speaking: Callable[..., None] = ear.speaking

    @property
    def settled_s(self) -> float:
        """See `Listener`."""
        return self._ear.settled_s

    @property
    def refused(self) -> Mapping[str, list[str]]:
        """See `Listener`."""
        return self._ear.refused

    def hear(self, chunk: TwoSided) -> list[CallHeard]:
        """See `Listener`."""
        self._both.keep(chunk)
        if self._voices:
            self._sound.keep(chunk.t_s, chunk.samples, chunk.rate_hz)
        return [self._told(call) for call in self._ear.hear(chunk)]

    def close(self) -> list[CallHeard]:
        """See `Listener`."""
        return [self._told(call) for call in self._ear.close()]

    def _told(self, call: CallHeard) -> CallHeard:
        if call.phase != "confirmed" or not call.heard_by:
            return call
        direction = self._both.direction(call.t_s, call.end_s)
        told = replace(call, speakers=shares(direction, self._seats))
        if call.channel == "clear" and self._both.talks_too(call.t_s, call.end_s):
            return replace(told, channel="overlapped")
        if call.call != "uno" or call.channel != "clear" or self._encoder is None or not self._voices:
            return told
        return replace(told, voice=voice_of(word_print(self._sound, call, self._encoder), self._voices))


def word_print(sound: LastSound, call: CallHeard, encoder: Encoder) -> VoicePrint | None:
    """The voiceprint of a call."""
    word = sound.span(call.t_s - _AROUND_S, min(call.end_s, call.t_s + _LONGEST_S) + _AROUND_S)
    return encoder.print_of(word[1]) if word else None
