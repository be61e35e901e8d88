"""The ear on a thread of its own: listening that is slow, stuck or failing never holds the pictures up."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from referee.capture.media import SoundChunk
from referee.observations import CallHeard
from referee.session.pipeline import Ear, Settling
from referee.session.trying import OnSense, Trying

CHUNKS_WAITING = 50
"""Five seconds of sound. Longer waiting sound is not worth hearing: its older half goes, counted and told (C16)."""

HANGS_AFTER_S = 6.0
"""So long on one chunk, on the session clock, and it hangs."""

_CLOSES_WITHIN_S = 5.0
_BREAK_S = 2.0
"""Silence that stands in for sound that was left out, at most: an utterance under way ends in it."""

_JOINED_S = 0.05


class EarThread:
    """An `Ear`, and `Settling`: gives `ear` its sound on another thread and hands its calls back as they come.

    on_sense: told on that thread when the ear fails or works again; also, on the caller's, when it hangs. on_deaf:
    told the span (s) of sound that nobody could listen to, and why. dropped: chunks that were left out.
    """

    def __init__(
        self,
        ear: Ear,
        on_sense: OnSense,
        on_deaf: Callable[[float, float, str], object],
        *,
        room: int = CHUNKS_WAITING,
    ) -> None:
        self.dropped = 0
        self._ear, self._on_sense, self._on_deaf, self._room = ear, on_sense, on_deaf, room
        self._trying = Trying("ear", on_sense)
        self._waiting: deque[SoundChunk] = deque()
        self._changed = threading.Condition()
        self._work: SoundChunk | None = None
        self._hangs = self._ending = False
        self._left_out: tuple[float, float] | None = None
        self._fed_to_s: float | None = None
        self._found: list[CallHeard] = []
        self._settled_then_s = self._settled_s = float("-inf")
        self._thread: threading.Thread | None = None

    @property
    def settled_s(self) -> float:
        """See `Settling`; as of the calls that were handed back."""
        return self._settled_s

    @property
    def working_at_s(self) -> float:
        """When the sound was that it listens to now or next; infinite while there is none."""
        with self._changed:
            begun = self._work or (self._waiting[0] if self._waiting else None)
            return begun.t_s if begun else float("inf")

    def hear(self, chunk: SoundChunk) -> list[CallHeard]:
        """See `Ear`; never waits. What it gives was heard in earlier chunks."""
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._listen, name="ear", daemon=True)
                self._thread.start()
            self._waiting.append(chunk)
            if len(self._waiting) > self._room:
                self._leave_out()
            stuck, told = self._work, self._hangs
            self._hangs = hangs = stuck is not None and chunk.t_s - stuck.t_s > HANGS_AFTER_S
            self._changed.notify_all()
        if stuck is not None and hangs and not told:
            self._on_sense.lost("ear", stuck.t_s, "it hangs")
        return self.heard()

    def heard(self) -> list[CallHeard]:
        """The calls that came since the last time."""
        with self._changed:
            found, self._found = self._found, []
            self._settled_s = self._settled_then_s
            return found

    def close(self) -> list[CallHeard]:
        """See `Ear`; what still waits is heard, if that takes no longer than a few seconds."""
        if self._thread is not None:
            with self._changed:
                self._ending = True
                self._changed.notify_all()
            self._thread.join(_CLOSES_WITHIN_S)
        return self.heard()

    def _leave_out(self) -> None:
        from_s = self._left_out[0] if self._left_out else self._waiting[0].t_s
        while len(self._waiting) > self._room // 2:
            gone = self._waiting.popleft()
            self._left_out = (from_s, gone.t_s + gone.duration_s)
            self.dropped += 1

    def _listen(self) -> None:
        last_s = 0.0
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._ending)
                if not self._waiting:
                    break
                chunk = self._work = self._waiting.popleft()
                left_out, self._left_out = self._left_out, None
            if left_out is not None:
                self._on_deaf(*left_out, "the ear fell behind")
            last_s = chunk.t_s + chunk.duration_s
            if not self._trying.rests(chunk.t_s):
                self._take(self._trying.of(chunk.t_s, partial(self._heard_in, chunk)))
            self._worked(chunk)
        self._take(self._trying.of(last_s, self._ear.close))

    def _heard_in(self, chunk: SoundChunk) -> list[CallHeard]:
        """Chunks follow each other without a gap: silence stands in for what was left out or slept through."""
        missing_s = chunk.t_s - self._fed_to_s if self._fed_to_s is not None else 0.0
        self._fed_to_s = chunk.t_s + chunk.duration_s
        found: list[CallHeard] = []
        if missing_s > _JOINED_S:
            silent = np.zeros(round(min(missing_s, _BREAK_S) * chunk.rate_hz), np.int16)
            found += self._ear.hear(SoundChunk(chunk.t_s - len(silent) / chunk.rate_hz, silent, chunk.rate_hz))
        return found + self._ear.hear(chunk)

    def _take(self, calls: Sequence[CallHeard]) -> None:
        with self._changed:
            self._found += calls
            if isinstance(self._ear, Settling):
                self._settled_then_s = self._ear.settled_s

    def _worked(self, chunk: SoundChunk) -> None:
        with self._changed:
            hung, self._hangs, self._work = self._hangs, False, None
            newest_s = self._waiting[-1].t_s if self._waiting else chunk.t_s
        if hung:
            self._on_sense.regained("ear", newest_s, newest_s - chunk.t_s)
