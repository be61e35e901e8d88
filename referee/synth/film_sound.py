"""The sound of a drawn film: its spoken calls, each player in a voice of his own, in a room with noise."""

from __future__ import annotations

import zlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from referee.cards import Seat
from referee.synth.film_music import music
from referee.synth.film_plan import FilmPlan
from referee.synth.film_style import FilmStyle
from referee.synth.rooms import mix_room
from referee.synth.speech import CHATTER, speak
from referee.synth.voices import SPEAKERS, VOICE_RATE_HZ

_VOICE_LEVEL = 2500.0  # of a room in which nobody speaks, as `mix_room` has it
_CHATTER_APART_S = 2.6  # no talk begins so near to a call
_CLAP_LEVEL = 500.0  # of 32767: a card put down on wood, well below a voice


def speaker_of(seat: Seat) -> str:
    """The voice of a seat."""
    names = tuple(SPEAKERS)
    return names[(seat - 1) % len(names)]


def film_sound(plan: FilmPlan, seed: int, style: FilmStyle) -> NDArray[np.int16]:
    """Mono int16 at `VOICE_RATE_HZ`, as long as the film. Raises InputFault when the voices are not installed."""
    lines = [(spoken.t_s, _line(spoken.call, speaker_of(spoken.seat))) for spoken in plan.spoken]
    lines += [(t_s, _talk(number)) for t_s, number in chatter_of(plan, seed, style.chatter)]
    sound = mix_room(lines, plan.duration_s, seed, snr_db=style.snr_db).astype(np.float64)
    if style.music > 0:
        spoken = np.concatenate([line for _, line in lines]) if lines else np.full(1, _VOICE_LEVEL)
        noise = float(np.sqrt(np.mean(spoken.astype(np.float64) ** 2))) * 10 ** (-style.snr_db / 20)
        tune = music(plan.duration_s, seed, VOICE_RATE_HZ)[: len(sound)]
        sound[: len(tune)] += tune * noise * style.music
    for number, card in enumerate(plan.placed):
        if card.from_s > 0:
            _add(sound, card.from_s - 0.03, _clap(seed, number))
    return np.clip(sound, -32768, 32767).astype(np.int16)


def chatter_of(plan: FilmPlan, seed: int, per_minute: float) -> list[tuple[float, int]]:
    """When talk that is no call is heard, and which line of `CHATTER`: never within a call's time."""
    rng = np.random.default_rng([zlib.crc32(b"chatter"), seed])
    count = rng.poisson(per_minute * plan.duration_s / 60) if per_minute else 0
    times = sorted(rng.uniform(1.0, max(plan.duration_s - 3.0, 1.1), count))
    found: list[tuple[float, int]] = []
    for t_s in times:
        clear = all(abs(spoken.t_s - t_s) > _CHATTER_APART_S for spoken in plan.spoken)
        if clear and (not found or t_s - found[-1][0] > _CHATTER_APART_S):
            found.append((float(t_s), int(rng.integers(len(CHATTER)))))
    return found


@lru_cache(maxsize=64)
def _line(call: str, speaker: str) -> NDArray[np.int16]:
    return speak(call, speaker)


@lru_cache(maxsize=16)
def _talk(number: int) -> NDArray[np.int16]:
    line = CHATTER[number]
    return speak(line.text, tuple(SPEAKERS)[number % len(SPEAKERS)], language=line.language)


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
