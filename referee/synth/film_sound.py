"""The sound of a drawn film: its spoken calls, each player in a voice of his own, in a room with noise."""

from __future__ import annotations

import zlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from referee.cards import Seat
from referee.synth.film_plan import FilmPlan
from referee.synth.rooms import mix_room
from referee.synth.speech import speak
from referee.synth.voices import SPEAKERS, VOICE_RATE_HZ

_CLAP_LEVEL = 500.0  # of 32767: a card put down on wood, well below a voice


def speaker_of(seat: Seat) -> str:
    """The voice of a seat."""
    names = tuple(SPEAKERS)
    return names[(seat - 1) % len(names)]


def film_sound(plan: FilmPlan, seed: int, snr_db: float = 26.0) -> NDArray[np.int16]:
    """Mono int16 at `VOICE_RATE_HZ`, as long as the film. Raises InputFault when the voices are not installed."""
    lines = [(spoken.t_s, _line(spoken.call, speaker_of(spoken.seat))) for spoken in plan.spoken]
    sound = mix_room(lines, plan.duration_s, seed, snr_db=snr_db).astype(np.float64)
    for number, card in enumerate(plan.placed):
        if card.from_s > 0:
            _add(sound, card.from_s - 0.03, _clap(seed, number))
    return np.clip(sound, -32768, 32767).astype(np.int16)


@lru_cache(maxsize=64)
def _line(call: str, speaker: str) -> NDArray[np.int16]:
    return speak(call, speaker)


def _clap(seed: int, number: int) -> NDArray[np.float64]:
    """A card put down: a short, dull burst of noise."""
    rng = np.random.default_rng([zlib.crc32(b"clap"), seed, number])
    length = VOICE_RATE_HZ // 25
    noise = np.convolve(rng.normal(size=length), np.ones(7) / 7, mode="same")
    return noise * np.exp(-9 * np.arange(length) / length) * _CLAP_LEVEL * rng.uniform(0.6, 1.3)


def _add(sound: NDArray[np.float64], at_s: float, part: NDArray[np.float64]) -> None:
    at = max(0, round(at_s * VOICE_RATE_HZ))
    part = part[: max(len(sound) - at, 0)]
    sound[at : at + len(part)] += part
