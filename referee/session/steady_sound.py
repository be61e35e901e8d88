"""The sound for the judge as it comes: a microphone that is late, hangs or fails never holds the pictures up."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from referee.capture.media import SoundChunk
from referee.observations.clock import Clock
from referee.session.feeds import Feed
from referee.session.pipeline import NotYet

HANGS_AFTER_S = 1.5
"""Without sound for so long its thread hangs: from then on silence stands in for it, at once."""
_LEAST_S = 0.05
_LOOK_S = 0.005


class SteadySound:
    """Iterates the chunks of `sounds`, and `NotYet` while none is there. patient: its source is waited for.

    on_deaf: told the span in which nothing could be heard, and why. on_state: told `lost` or `running`, and why. It
    ends with its source; when that fails, both are told and it ends too.
    """

    def __init__(
        self,
        sounds: Feed[SoundChunk],
        clock: Clock,
        rate_hz: int,
        *,
        patient: bool,
        on_deaf: Callable[[float, float, str], object],
        on_state: Callable[[str, float, str], object],
    ) -> None:
        self._sounds, self._clock, self._rate_hz, self._patient = sounds, clock, rate_hz, patient
        self._on_deaf, self._on_state = on_deaf, on_state
        self._begin_s = clock.now_s()
        self._until_s = float("-inf")  # what came before anybody asked is heard too
        self._deaf_s: float | None = None

    def __iter__(self) -> Iterator[SoundChunk | NotYet]:
        """The chunks, and silence in the place of what has not come for too long."""
        while True:
            try:
                chunk = self._sounds.next(None if self._patient else _LOOK_S)
            except StopIteration:
                return
            except Exception as fault:
                why = f"{type(fault).__name__}: {fault}"
                ended_s = max(self._until_s, self._begin_s)
                self._on_deaf(ended_s, ended_s, why)
                self._on_state("lost", ended_s, why)
                return
            if chunk is None:
                late_s = self._clock.now_s() - max(self._until_s, self._begin_s)
                yield self._silence() if late_s > (HANGS_AFTER_S if self._deaf_s is None else _LEAST_S) else NotYet()
            elif chunk.t_s + chunk.duration_s > self._until_s or self._patient:
                self._hears_again(chunk.t_s)
                self._until_s = chunk.t_s + chunk.duration_s
                yield chunk

    def _silence(self) -> SoundChunk:
        from_s = max(self._until_s, self._begin_s)
        if self._deaf_s is None:
            self._deaf_s = from_s
            self._on_deaf(from_s, from_s, "the microphone hangs")
            self._on_state("lost", from_s, "it hangs")
        samples = round((self._clock.now_s() - from_s) * self._rate_hz)
        self._until_s = from_s + samples / self._rate_hz
        return SoundChunk(from_s, np.zeros(samples, np.int16), self._rate_hz)

    def _hears_again(self, t_s: float) -> None:
        if self._deaf_s is not None:
            self._on_deaf(self._deaf_s, t_s, "the microphone hung")
            self._on_state("running", t_s, "")
            self._deaf_s = None
