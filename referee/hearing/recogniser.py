"""What the listener asks of a speech recogniser, whoever makes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.int16]
"""Mono sound, int16 of shape (n,)."""


@dataclass(frozen=True, slots=True)
class Word:
    """One recognised word; times in seconds from the first sample of its utterance, confidence 0…1."""

    text: str
    start_s: float
    end_s: float
    confidence: float


class Recogniser(Protocol):
    """Turns one whole utterance into words out of a closed list of phrases.

    It is busy only inside `recognise`: so phrases can be changed between any two calls, and never while an
    utterance runs (which would end the process, see `vosk_recogniser`). One thread owns it.
    """

    @property
    def rate_hz(self) -> int:
        """Samples a second that `recognise` expects."""

    def knows(self, word: str) -> bool:
        """Whether the word is in the model's vocabulary."""

    def listen_for(self, phrases: Sequence[str]) -> None:
        """From now on hear only these phrases (words separated by spaces) and "something else"."""

    def recognise(self, samples: Samples) -> list[Word]:
        """The words of one utterance in order; something else is left out."""
