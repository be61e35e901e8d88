"""Rooms for spoken lines: hum, murmur from the next table, shuffled chairs and cards, and a little echo.

Everything is drawn from a seed; the murmur is speech of the same voices run backwards, so that no word of
the game is ever said in it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from referee.synth.speech import CHATTER, resampled
from referee.synth.voices import SPEAKERS, VOICE_RATE_HZ, synthesise

_ECHO_S = 0.30  # time in which the echo falls by 60 dB: a furnished living room
_ECHO_SHARE = 0.08  # energy of the echo against the direct sound: a microphone on the table
_CLICKS_PER_S = 0.5


def mix_room(
    lines: Sequence[tuple[float, NDArray[np.int16]]],
    duration_s: float,
    seed: int,
    snr_db: float = 20.0,
    rate_hz: int = VOICE_RATE_HZ,
) -> NDArray[np.int16]:
    """Lines (start in seconds, int16 mono) in a room: int16 mono of `duration_s` at `rate_hz`.

    snr_db: level of the spoken stretches against the noise, both as RMS. A line that would reach beyond the
    end is cut. Without lines the room alone is heard, at the level it would have beside a line.
    """
    rng = np.random.default_rng(seed)
    count = round(duration_s * rate_hz)
    dry = np.zeros(count)
    spoken = np.zeros(count, dtype=bool)
    for start_s, line in lines:
        at = round(start_s * rate_hz)
        part = line[: max(count - at, 0)]
        dry[at : at + len(part)] += part
        spoken[at : at + len(part)] = True
    level = float(np.sqrt(np.mean(dry[spoken] ** 2))) if spoken.any() else 2500.0
    noise = pink_noise(count, rng)
    noise += 0.7 * murmur(duration_s, rng, rate_hz) + 0.5 * rustle(count, rng, rate_hz)
    noise *= level * 10 ** (-snr_db / 20) / np.sqrt(np.mean(noise**2))
    mixed = echoed(dry, rng, rate_hz) + noise
    return np.clip(mixed, -32768, 32767).astype(np.int16)


def pink_noise(count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Noise whose power falls with frequency, RMS 1."""
    spectrum = np.fft.rfft(rng.normal(size=count))
    spectrum /= np.sqrt(np.maximum(np.arange(len(spectrum)), 1))
    return _levelled(np.fft.irfft(spectrum, n=count))


def murmur(duration_s: float, rng: np.random.Generator, rate_hz: int) -> NDArray[np.float64]:
    """Several people talking elsewhere, not to be understood (backward speech), RMS 1."""
    count = round(duration_s * rate_hz)
    speakers = list(SPEAKERS.values())
    talk = [
        resampled(
            synthesise(line.text, line.language, speakers[index % len(speakers)])[::-1].astype(np.float64),
            VOICE_RATE_HZ,
            rate_hz,
        )
        for index, line in enumerate(CHATTER)
    ]
    total = np.zeros(count)
    for _talker in range(4):
        at = 0
        while at < count:
            part = talk[int(rng.integers(len(talk)))][: count - at]
            total[at : at + len(part)] += part * rng.uniform(0.4, 1.0)
            at += len(part) + int(rng.uniform(0.1, 0.9) * rate_hz)
    return _levelled(total)


def rustle(count: int, rng: np.random.Generator, rate_hz: int) -> NDArray[np.float64]:
    """Cards put down and chairs moved: short bursts of noise that die away, RMS about 1."""
    total = np.zeros(count)
    for at in np.flatnonzero(rng.random(count) < _CLICKS_PER_S / rate_hz).tolist():
        length: int = min(int(rng.uniform(0.02, 0.12) * rate_hz), count - at)
        fall = np.exp(-5 * np.arange(length) / max(length, 1))
        total[at : at + length] += rng.normal(size=length) * fall * rng.uniform(0.5, 2.0)
    return _levelled(total)


def echoed(dry: NDArray[np.float64], rng: np.random.Generator, rate_hz: int) -> NDArray[np.float64]:
    """The sound with the room's echo behind it, same length."""
    length = round(_ECHO_S * rate_hz)
    tail = rng.normal(size=length) * 10 ** (-3 * np.arange(length) / length)
    tail[: rate_hz // 200] = 0.0
    tail *= np.sqrt(_ECHO_SHARE / np.sum(tail**2))
    tail[0] = 1.0
    size = len(dry) + length
    return np.fft.irfft(np.fft.rfft(dry, n=size) * np.fft.rfft(tail, n=size), n=size)[: len(dry)]


def _levelled(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    rms = float(np.sqrt(np.mean(samples**2)))
    return samples / rms if rms > 0 else samples
