"""Speaks through espeak-ng, in a process of its own that is given up when it takes too long."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Sequence

from referee.faults import InputFault
from referee.observations.clock import Clock

ENGINE = "espeak-ng"
LONGEST_S = 12.0
MOST_WAITING = 2
"""So many sentences may wait to be said; of what is older nobody wants to hear any more."""

VOICES = {"en": "en", "pt": "pt", "es": "es", "ro": "ro"}
Run = Callable[[Sequence[str], float], None]


class Voice:
    """Says sentences one after another on a thread of its own. Raises InputFault when the engine is not installed.

    on_begin, on_end: told the session time when a sentence begins (with its text) and when it is over, so that the
    listener does not take the referee's own words for a call (A9).
    """

    def __init__(
        self,
        language: str,
        clock: Clock,
        *,
        volume: int = 100,
        on_begin: Callable[[float, str], None] = lambda _t_s, _text: None,
        on_end: Callable[[float, float], None] = lambda _from_s, _until_s: None,
        run: Run | None = None,
    ) -> None:
        if run is None and shutil.which(ENGINE) is None:
            raise InputFault(f"{ENGINE} is not installed", mend=f"apt install {ENGINE}, or let a phone speak")
        self._command = (ENGINE, "-v", VOICES.get(language, "en"), "-a", str(volume), "--")
        self._clock, self._on_begin, self._on_end = clock, on_begin, on_end
        self._run = run or _run
        self._waiting: deque[str] = deque(maxlen=MOST_WAITING)
        self._changed = threading.Condition()
        self._stopping = False
        self.muted = False
        self.failures = 0
        self._thread = threading.Thread(target=self._speak, name="voice", daemon=True)
        self._thread.start()

    def say(self, text: str) -> None:
        """Say it when what is being said is over; never waits. What is muted is not said later either."""
        with self._changed:
            if not self.muted:
                self._waiting.append(text)
                self._changed.notify_all()

    def mute(self, muted: bool) -> None:
        """Fall silent after the sentence that is being said, or speak again."""
        with self._changed:
            self.muted = muted
            self._waiting.clear()

    def stop(self) -> None:
        """Say nothing more."""
        with self._changed:
            self._stopping = True
            self._waiting.clear()
            self._changed.notify_all()
        self._thread.join(1.0)

    def _speak(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._stopping)
                if self._stopping:
                    return
                text = self._waiting.popleft()
            begin_s = self._clock.now_s()
            self._on_begin(begin_s, text)
            try:
                self._run((*self._command, text), LONGEST_S)
            except (OSError, subprocess.SubprocessError):
                self.failures += 1  # a voice that fails never stops a game
            self._on_end(begin_s, self._clock.now_s())


def _run(command: Sequence[str], timeout_s: float) -> None:
    subprocess.run(command, timeout=timeout_s, check=True, stdin=subprocess.DEVNULL, capture_output=True)
