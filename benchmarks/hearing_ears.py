"""The ears that `benchmarks/hearing.py` compares, and how their calls are matched with what was said."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hearing_sounds import RATE_HZ, Marked, Sound

from referee.capture.media import SoundChunk
from referee.hearing.listener import Listener
from referee.hearing.phrases import PhrasePack
from referee.hearing.recogniser import Recogniser, Samples, Word
from referee.hearing.spotter import CallSpotter
from referee.hearing.vosk_recogniser import VoskRecogniser
from referee.observations import CallHeard

SLACK_S = 0.3
"""A call within this time of the spoken word is that word's."""


class Remembering:
    """A recogniser that recognises the same sound under the same phrases once, in this run or, with a file, ever."""

    def __init__(self, inner: VoskRecogniser, file: Path | None = None) -> None:
        self._inner = inner
        self._phrases = ""
        self._file = file
        self._known: dict[str, list[Word]] = {}
        if file is not None and file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                key, words = json.loads(line)
                self._known[key] = [Word(*word) for word in words]
        self.rate_hz = inner.rate_hz

    def knows(self, word: str) -> bool:
        """As the recogniser."""
        return self._inner.knows(word)

    def listen_for(self, phrases: Sequence[str]) -> None:
        """As the recogniser."""
        self._phrases = "|".join(phrases)
        self._inner.listen_for(phrases)

    def recognise(self, samples: Samples) -> list[Word]:
        """As the recogniser."""
        key = hashlib.sha1(self._phrases.encode() + samples.tobytes()).hexdigest()
        if key not in self._known:
            self._known[key] = self._inner.recognise(samples)
            if self._file is not None:
                with self._file.open("a", encoding="utf-8") as kept:
                    line = [key, [[w.text, w.start_s, w.end_s, w.confidence] for w in self._known[key]]]
                    kept.write(json.dumps(line, ensure_ascii=False) + "\n")
        return self._known[key]


@dataclass
class Ear:
    """A listener for each recording, and what the listening cost."""

    recogniser: Recogniser
    pack: PhrasePack
    spotter: CallSpotter | None = None
    partials: bool = False
    heard_s: float = 0.0
    cpu_s: float = 0.0

    def hear(self, sound: Sound, expected: Sequence[str] | None = None) -> list[CallHeard]:
        """All that the listener gives for one recording, fed in chunks of 0.1 s."""
        listener = Listener(self.recogniser, self.pack, spotter=self.spotter, partials=self.partials)
        listener.set_expected(expected)
        began = time.process_time()
        calls: list[CallHeard] = []
        for at in range(0, len(sound), RATE_HZ // 10):
            calls += listener.hear(SoundChunk(at / RATE_HZ, sound[at : at + RATE_HZ // 10], RATE_HZ))
        calls += listener.close()
        self.cpu_s += time.process_time() - began
        self.heard_s += len(sound) / RATE_HZ
        return calls

    def sure(self, sound: Sound, expected: Sequence[str] | None = None) -> list[CallHeard]:
        """The calls that a referee would act on."""
        return acted_on(self.hear(sound, expected))


def acted_on(calls: Sequence[CallHeard]) -> list[CallHeard]:
    """The confirmed, certain ones."""
    return [call for call in calls if call.phase == "confirmed" and call.certainty == "sure"]


def near(calls: Sequence[CallHeard], call: str, mark: Marked) -> bool:
    """Whether the call was heard where it was said."""
    return any(c.call == call and c.t_s < mark.end_s + SLACK_S and c.end_s > mark.start_s - SLACK_S for c in calls)


def share(hits: Sequence[bool]) -> str:
    """A share with the number it rests on left to the heading."""
    return f"{sum(hits) / len(hits):.3f}" if hits else "-"
