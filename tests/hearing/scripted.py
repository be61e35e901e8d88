"""A recogniser that answers from a script, a detector that hears loudness, and sounds made of tones and silence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from referee.hearing.recogniser import Samples, Word

RATE_HZ = 16000


def silence(seconds: float) -> Samples:
    """As a microphone gives it: the last bit moves; nothing but zeros is a dead microphone."""
    return np.resize(np.array([0, 1, 0, -1], np.int16), round(seconds * RATE_HZ))


def zeros(seconds: float) -> Samples:
    """As a muted microphone gives it."""
    return np.zeros(round(seconds * RATE_HZ), np.int16)


def voice(seconds: float, level: float = 6000.0) -> Samples:
    """A buzz with the harmonics of a low voice, which a voice detector takes for speech."""
    t_s = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    buzz = sum(np.sin(2 * np.pi * 140 * k * t_s) / k for k in range(1, 20))
    return (np.asarray(buzz) * (0.6 + 0.4 * np.sin(2 * np.pi * 5 * t_s)) * level / 2).astype(np.int16)


@dataclass(frozen=True)
class Chunk:
    t_s: float
    samples: Samples
    rate_hz: int = RATE_HZ


def chunks(sound: Samples, chunk_s: float, start_s: float = 0.0) -> list[Chunk]:
    size = round(chunk_s * RATE_HZ)
    return [Chunk(start_s + at / RATE_HZ, sound[at : at + size]) for at in range(0, len(sound), size)]


class LoudIsVoice:
    """A detector that calls every frame with sound in it a voice."""

    def is_voice(self, frame: Samples) -> bool:
        return bool(np.abs(frame).max() > 100)


Answer = Callable[[Samples], list[Word]]


class ScriptedRecogniser:
    """Gives the next answer of its script to each utterance, the same to all takes of it (`takes` of them)."""

    def __init__(
        self, script: Sequence[Sequence[Word]] = (), *, takes: int = 6, vocabulary: set[str] | None = None
    ) -> None:
        self.script = [list(words) for words in script]
        self.takes = takes
        self.vocabulary = vocabulary
        self.grammars: list[list[str]] = []
        self.heard: list[Samples] = []

    @property
    def rate_hz(self) -> int:
        return RATE_HZ

    def knows(self, word: str) -> bool:
        return self.vocabulary is None or word in self.vocabulary

    def listen_for(self, phrases: Sequence[str]) -> None:
        self.grammars.append(list(phrases))

    def recognise(self, samples: Samples) -> list[Word]:
        number = len(self.heard) // self.takes
        self.heard.append(samples)
        return self.script[number] if number < len(self.script) else []


def word(text: str, start_s: float = 0.3, end_s: float = 0.6, confidence: float = 1.0) -> Word:
    return Word(text, start_s, end_s, confidence)
