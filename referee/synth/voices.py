"""Pico voices that speak the lines of drawn films (the only importer of the speech synthesiser).

Six languages, one voice each, 16 kHz; a speaker is a pitch and a speed laid over them, so that the players
of one film can be told apart. Nothing here is a recording of a person.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from referee.faults import InputFault

VOICE_RATE_HZ = 16000
"""The synthesiser's own rate."""

LANGUAGES = ("de-DE", "en-GB", "en-US", "es-ES", "fr-FR", "it-IT")
"""The languages that have a voice."""

_QUIET = 300  # of 32767: below this the synthesiser's lead-in and tail count as silence


@dataclass(frozen=True, slots=True)
class Speaker:
    """How one player sounds: factors on the pitch and on the speed of the language's voice (1 = as it is)."""

    name: str
    pitch: float
    speed: float


SPEAKERS = {
    speaker.name: speaker
    for speaker in (
        Speaker("ana", pitch=1.10, speed=1.0),
        Speaker("bruno", pitch=0.80, speed=0.85),
        Speaker("carla", pitch=1.0, speed=1.0),
        Speaker("dario", pitch=0.88, speed=0.95),
        Speaker("elena", pitch=1.2, speed=1.1),
        Speaker("felipe", pitch=0.75, speed=0.9),
    )
}


@lru_cache(maxsize=256)
def synthesise(text: str, language: str, speaker: Speaker) -> NDArray[np.int16]:
    """The text as int16 mono of shape (n,) at `VOICE_RATE_HZ`, without silence at either end; not to be written to.

    The synthesiser's own noise differs a little from call to call (60 dB below the voice), so each line is made once.

    Raises InputFault when the synthesiser is not installed, the language has no voice, or nothing is said.
    """
    if language not in LANGUAGES:
        raise InputFault(f"no voice speaks {language!r}", mend=f"choose one of {', '.join(LANGUAGES)}")
    try:
        from py_nanotts import NanoTTS  # an extra: only drawing films needs it
    except ImportError as error:
        raise InputFault("the voices of drawn films are not installed", mend="install the extra 'synth'") from error
    pcm = NanoTTS().speak(text, voice=language, speed=speaker.speed, pitch=speaker.pitch)
    samples = np.frombuffer(pcm, dtype="<i2").astype(np.int16)
    sounding = np.flatnonzero(np.abs(samples.astype(np.int32)) > _QUIET)
    if len(sounding) == 0:
        raise InputFault(f"the voice {language} says nothing for {text!r}", mend="give it words")
    edge = VOICE_RATE_HZ // 50
    line = samples[max(sounding[0] - edge, 0) : sounding[-1] + edge]
    line.flags.writeable = False
    return line
