"""The spoken lines of drawn films: which words, in which language's voice, make which call.

The lines were chosen by measuring what the stand-in speech model hears of these voices (see
`benchmarks/hearing.py`, table "spoken lines"); the spelling is the one that makes the voice say the word
("rosciu" in the Italian voice is the Romanian "roșu", "asul" in the Spanish voice the American "azul").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.faults import InputFault
from referee.synth.voices import SPEAKERS, VOICE_RATE_HZ, synthesise

PEAK = 12000
"""Loudest sample of a spoken line: room for noise and a second talker below 32767."""


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """Words spelled for one language's voice, and what a listener at the table would write down."""

    text: str
    language: str
    meaning: str


CALL_LINES: dict[str, tuple[SpokenLine, ...]] = {
    "uno": (SpokenLine("uno", "it-IT", "uno"), SpokenLine("uno", "es-ES", "uno")),
    "catch": (
        SpokenLine("non l'hai detto", "it-IT", "non l'hai detto (you didn't say it)"),
        SpokenLine("penalidad", "es-ES", "¡penalidad! (penalty!)"),
    ),
    "challenge": (SpokenLine("desafio", "it-IT", "desafio (I challenge)"),),
    "colour:R": (SpokenLine("rosciu", "it-IT", "roșu"),),
    "colour:Y": (SpokenLine("amarelo", "es-ES", "amarelo"),),
    "colour:G": (SpokenLine("green", "en-US", "green"), SpokenLine("green", "en-GB", "green")),
    "colour:B": (SpokenLine("asul", "es-ES", "azul"), SpokenLine("azul", "it-IT", "azul")),
    "guilty": (SpokenLine("culpable", "es-ES", "culpable (guilty)"),),
    "innocent": (SpokenLine("innocente", "it-IT", "innocente (innocent)"),),
}
"""The lines of each call, the best heard first."""

CHATTER = (
    SpokenLine("your turn, I think", "en-GB", "your turn, I think"),
    SpokenLine("that was a good one", "en-US", "that was a good one"),
    SpokenLine("espera un momento", "es-ES", "espera un momento"),
    SpokenLine("tocca a te", "it-IT", "tocca a te"),
    SpokenLine("who is next", "en-GB", "who is next"),
    SpokenLine("qué mala suerte", "es-ES", "qué mala suerte"),
)
"""Talk at the table that is no call."""


def speak(
    text_or_call: str,
    speaker: str,
    rate_hz: int = VOICE_RATE_HZ,
    *,
    language: str = "en-GB",
    variant: int = 0,
) -> NDArray[np.int16]:
    """A line in a speaker's voice: int16 mono of shape (n,) at `rate_hz`, peak `PEAK`.

    text_or_call: a call ("uno", "colour:R", "catch" …: then its line and language are taken from
    `CALL_LINES`, `variant` choosing among them) or any text, spoken in `language`.
    speaker: a name of `SPEAKERS`. Raises InputFault for an unknown speaker or a missing synthesiser.
    """
    if speaker not in SPEAKERS:
        raise InputFault(f"no speaker is called {speaker!r}", mend=f"choose one of {', '.join(SPEAKERS)}")
    text = text_or_call
    if lines := CALL_LINES.get(text_or_call):
        line = lines[variant % len(lines)]
        text, language = line.text, line.language
    samples = synthesise(text, language, SPEAKERS[speaker]).astype(np.float64)
    samples = resampled(samples, VOICE_RATE_HZ, rate_hz)
    return np.asarray(samples * (PEAK / np.abs(samples).max()), dtype=np.int16)


def resampled(samples: NDArray[np.float64], from_hz: int, to_hz: int) -> NDArray[np.float64]:
    """The same sound at another rate (band-limited, through its spectrum); for lines of a few seconds."""
    if from_hz == to_hz:
        return samples
    count = round(len(samples) * to_hz / from_hz)
    spectrum = np.fft.rfft(samples)
    kept = np.zeros(count // 2 + 1, dtype=np.complex128)
    shared = min(len(kept), len(spectrum))
    kept[:shared] = spectrum[:shared]
    return np.fft.irfft(kept, n=count) * (count / len(samples))
