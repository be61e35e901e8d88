"""Noises of a living room, drawn: babble, music, knocks and cards, hum; and what a room and a microphone add."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from referee.synth.rooms import pink_noise

Sound = NDArray[np.float64]
Clip = Callable[[np.random.Generator], Sound]
"""Draws one spoken clip."""

RATE_HZ = 16000

_HELD_WINDOW, _HELD_HOP = 512, 128

_VOWELS_HZ = (
    (730, 1090, 2440),
    (530, 1840, 2480),
    (270, 2290, 3010),
    (570, 840, 2410),
    (300, 870, 2240),
    (500, 1500, 2500),
)
"""Formants of a, e, i, o, u and of a neutral vowel in a man's voice (Peterson and Barney 1952)."""


def babble(seconds: float, rng: np.random.Generator, clip: Clip, talkers: int) -> Sound:
    """People talking at once, RMS 1; `talkers` 1 is one voice with pauses."""
    count = round(seconds * RATE_HZ)
    total = np.zeros(count)
    for _ in range(talkers):
        at = int(rng.uniform(0, 0.5) * RATE_HZ)
        loudness = float(np.exp(rng.normal(0, 0.4)))
        while at < count:
            part = clip(rng)[: count - at]
            total[at : at + len(part)] += part * loudness
            at += len(part) + int(rng.exponential(0.25 if talkers > 1 else 0.5) * RATE_HZ)
    return levelled(total)


def music(seconds: float, rng: np.random.Generator) -> Sound:
    """A tune over chords, with or without drums, RMS 1."""
    count = round(seconds * RATE_HZ)
    total = np.zeros(count)
    beat_s = float(rng.uniform(0.25, 0.7))
    root = float(rng.uniform(90, 220))
    scale = np.array([0, 2, 4, 5, 7, 9, 11, 12] if rng.random() < 0.6 else [0, 2, 3, 5, 7, 8, 10, 12])
    voices = 1 + int(rng.integers(3))
    brightness = float(rng.uniform(0.8, 2.2))
    for step in range(int(seconds / beat_s) + 1):
        at_s = step * beat_s
        if step % 4 == 0:
            base = int(scale[int(rng.integers(5))])
            for interval in (0, 4, 7)[: 1 + int(rng.integers(3))]:
                tone = _note(root * 2 ** ((base + interval) / 12), beat_s * 4, rng, brightness, 0.1)
                _add(total, at_s, tone * 0.5)
        for _ in range(voices):
            if rng.random() < 0.6:
                pitch = root * 2 ** (int(rng.integers(3)) + scale[int(rng.integers(8))] / 12)
                _add(total, at_s, _note(pitch, beat_s * float(rng.choice([0.5, 1, 2])), rng, brightness, 0.02))
    if rng.random() < 0.6:
        for step in range(int(seconds / beat_s * 2) + 1):
            _add(total, step * beat_s / 2, _drum(rng, step % 4 == 0) * float(rng.uniform(0.4, 1.2)))
    return levelled(total)


def sung(seconds: float, rng: np.random.Generator) -> Sound:
    """A tune sung on vowels, without words: pulses of a drawn pitch through three formants, RMS 1."""
    count = round(seconds * RATE_HZ)
    total = np.zeros(count)
    size, root = float(rng.uniform(0.85, 1.25)), float(rng.uniform(90, 350))
    at_s = 0.0
    while at_s < seconds:
        length_s = float(rng.choice([0.15, 0.25, 0.4, 0.7, 1.2])) * float(rng.uniform(0.8, 1.25))
        if rng.random() < 0.85:
            pitch_hz = root * 2 ** (float(rng.choice([0, 2, 4, 5, 7, 9, 11, 12])) / 12)
            vowels = [_VOWELS_HZ[int(k)] for k in rng.integers(len(_VOWELS_HZ), size=2 if rng.random() < 0.3 else 1)]
            _add(total, at_s, _vowel(pitch_hz, length_s, rng, [tuple(f * size for f in v) for v in vowels]))
        at_s += length_s * float(rng.uniform(0.9, 1.1))
    return levelled(total)


def knocks(seconds: float, rng: np.random.Generator, rate: float = 2.0) -> Sound:
    """Cards laid and shuffled, cups and knuckles on the table: bursts of noise and short tones, RMS 1."""
    count = round(seconds * RATE_HZ)
    total = 0.01 * rng.normal(size=count)
    for at_s in np.cumsum(rng.exponential(1 / rate, size=int(seconds * rate * 2) + 1)):
        kind = rng.random()
        if kind < 0.35:
            burst = _drum(rng, True) * rng.uniform(0.3, 1.5)
        elif kind < 0.7:
            length = int(rng.uniform(0.02, 0.15) * RATE_HZ)
            burst = rng.normal(size=length) * np.exp(-5 * np.arange(length) / length) * rng.uniform(0.2, 1.0)
        elif kind < 0.85:  # a riffle: many small clicks, ever faster
            burst = _riffle(rng) * rng.uniform(0.1, 0.5)
        else:
            pitch_hz = rng.uniform(600, 4500)
            length = int(rng.uniform(0.05, 0.5) * RATE_HZ)
            burst = np.sin(2 * np.pi * pitch_hz * np.arange(length) / RATE_HZ) * np.exp(
                -6 * np.arange(length) / length
            )
        _add(total, float(at_s), burst)
    return levelled(total)


def hum(seconds: float, rng: np.random.Generator) -> Sound:
    """A steady room: pink, brown or white noise, with mains hum now and then, RMS 1."""
    count = round(seconds * RATE_HZ)
    kind = rng.random()
    if kind < 0.5:
        total = pink_noise(count, rng)
    elif kind < 0.75:
        total = levelled(rng.normal(size=count))
    else:
        spectrum = np.fft.rfft(rng.normal(size=count)) / np.maximum(np.arange(count // 2 + 1), 20)
        total = levelled(np.fft.irfft(spectrum, n=count))
    if rng.random() < 0.3:
        t = np.arange(count) / RATE_HZ
        mains = np.sum([np.sin(2 * np.pi * 50 * k * t + k) / k for k in range(1, 8)], axis=0)
        total = levelled(total + levelled(mains) * rng.uniform(0.1, 1.0))
    return total


def room_response(rng: np.random.Generator) -> Sound:
    """An impulse response: the direct sound, early reflections, and a tail that falls in 0.15 to 0.9 s."""
    fall_s = float(rng.uniform(0.15, 0.9))
    length = round(fall_s * RATE_HZ)
    tail = rng.normal(size=length) * 10 ** (-3 * np.arange(length) / length)
    tail = np.convolve(tail, [0.5, 0.3, 0.2])[:length]  # walls take the highs
    tail[: int(rng.uniform(0.002, 0.012) * RATE_HZ)] = 0
    for _ in range(int(rng.integers(2, 8))):
        tail[int(rng.uniform(0.001, 0.03) * RATE_HZ)] += rng.uniform(-0.7, 0.7)
    ratio_db = float(rng.uniform(-4, 16))  # direct against reflected: far away to beside the microphone
    tail *= np.sqrt(10 ** (-ratio_db / 10) / max(float(np.sum(tail**2)), 1e-12))
    tail[0] = 1.0
    return tail


def colouring(rng: np.random.Generator, bins: int) -> Sound:
    """What a microphone does to a spectrum of `bins` from 0 to 8 kHz: a smooth gain, perhaps a narrow band."""
    points = rng.normal(0, 4.0, size=9)
    hertz = np.linspace(0, 8000, bins)
    knots = np.array([0, 150, 400, 800, 1500, 2500, 4000, 6000, 8000])
    gain_db = np.interp(hertz, knots, points)
    if rng.random() < 0.3:
        gain_db -= 24 * np.log2(np.maximum(rng.uniform(120, 400) / np.maximum(hertz, 1), 1))
    if rng.random() < 0.25:
        gain_db -= 60 * np.log2(np.maximum(hertz / rng.uniform(3200, 7000), 1))
    return np.asarray(10 ** (np.maximum(gain_db, -70) / 20))


def shouted(sound: Sound, rng: np.random.Generator) -> Sound:
    """A voice raised: its highs lifted and its loudness pressed together; same length and peak."""
    peak = float(np.abs(sound).max(initial=1e-9))
    lift = float(rng.uniform(0.4, 0.95))
    bright = sound.copy()
    bright[1:] -= lift * sound[:-1]
    bright /= max(float(np.abs(bright).max()), 1e-9)
    drive = float(rng.uniform(1.5, 8.0))
    return np.asarray(np.tanh(drive * bright) / np.tanh(drive) * peak)


def held(sound: Sound, rng: np.random.Generator) -> Sound:
    """A word of two syllables as people shout it, "uuunooooo": its last vowel held, often the first one too.

    A phase vocoder (Flanagan and Golden 1966) that goes slowly through the vowels and plainly through what lies
    between them; same peak.
    """
    window = np.hanning(_HELD_WINDOW + 1)[:-1]
    padded = np.concatenate([np.zeros(_HELD_WINDOW), sound, np.zeros(_HELD_WINDOW)])
    starts = np.arange(0, len(padded) - _HELD_WINDOW, _HELD_HOP)
    spectra = np.fft.rfft(padded[starts[:, None] + np.arange(_HELD_WINDOW)] * window, axis=1)
    place = (starts + _HELD_WINDOW / 2 - _HELD_WINDOW) / max(len(sound), 1)
    factor = np.ones(len(starts))
    factor[(place > 0.65) & (place < 0.92)] = rng.uniform(1.5, 5.0)
    if rng.random() < 0.6:
        factor[(place > 0.08) & (place < 0.36)] = rng.uniform(1.2, 4.0)
    ends = np.cumsum(factor)
    at = np.interp(np.arange(0, ends[-1] - 1), np.concatenate([[0], ends]), np.arange(len(starts) + 1))
    low = np.minimum(at.astype(int), len(starts) - 2)
    part = (at - low)[:, None]
    size = np.abs(spectra[low]) * (1 - part) + np.abs(spectra[low + 1]) * part
    steps = np.angle(spectra[low + 1] * np.conj(spectra[low]))
    expected = 2 * np.pi * _HELD_HOP * np.arange(spectra.shape[1]) / _HELD_WINDOW
    steps = expected + (steps - expected + np.pi) % (2 * np.pi) - np.pi
    phase = np.angle(spectra[0]) + np.concatenate([np.zeros((1, spectra.shape[1])), np.cumsum(steps[:-1], axis=0)])
    frames = np.fft.irfft(size * np.exp(1j * phase), n=_HELD_WINDOW, axis=1) * window
    total = np.zeros(len(at) * _HELD_HOP + _HELD_WINDOW)
    for index, frame in enumerate(frames):
        total[index * _HELD_HOP : index * _HELD_HOP + _HELD_WINDOW] += frame
    total = total[_HELD_WINDOW // 2 : -_HELD_WINDOW // 2]
    return np.asarray(total * (np.abs(sound).max(initial=0.0) / max(float(np.abs(total).max(initial=0.0)), 1e-9)))


def levelled(sound: Sound) -> Sound:
    """The sound at RMS 1; silence stays as it is."""
    rms = float(np.sqrt(np.mean(sound**2)))
    return sound / rms if rms > 0 else sound


def _note(pitch_hz: float, seconds: float, rng: np.random.Generator, brightness: float, attack_s: float) -> Sound:
    count = max(int(seconds * RATE_HZ), 32)
    t = np.arange(count) / RATE_HZ
    sway = 0.004 * np.sin(2 * np.pi * 5.5 * t) if rng.random() < 0.4 else 0.0
    phase = 2 * np.pi * np.cumsum(pitch_hz * (1 + sway) * np.ones(count)) / RATE_HZ
    tone = np.sum([np.sin(k * phase) / k**brightness for k in range(1, 9) if k * pitch_hz < 7500], axis=0)
    shape = (
        np.minimum(t / attack_s, 1)
        * np.exp(-t * rng.uniform(0.5, 5.0))
        * np.minimum((count - np.arange(count)) / 200, 1)
    )
    return np.asarray(tone * shape * rng.uniform(0.3, 1.0))


def _vowel(pitch_hz: float, seconds: float, rng: np.random.Generator, vowels: list[tuple[float, ...]]) -> Sound:
    """One sung note that goes from the first vowel's formants to the last's."""
    count = max(int(seconds * RATE_HZ), 800)
    t = np.arange(count) / RATE_HZ
    sway = 0.01 * np.sin(2 * np.pi * rng.uniform(4.5, 6.5) * t) * np.minimum(t / 0.3, 1)
    phase = 2 * np.pi * np.cumsum(pitch_hz * (1 + sway)) / RATE_HZ
    way = np.clip((t / seconds - 0.3) / 0.4, 0, 1)
    formants_hz = [start + (end - start) * way for start, end in zip(vowels[0], vowels[-1], strict=True)]
    tone = np.zeros(count)
    tilt = float(rng.uniform(0.6, 1.4))
    for k in range(1, int(7000 / (pitch_hz * 1.02)) + 1):
        gain = sum((1.0 / (1 + ((k * pitch_hz - f) / (60 + 0.06 * f)) ** 2) for f in formants_hz), np.zeros(count))
        tone += np.sin(k * phase) * (gain + 0.02) / k**tilt
    shape = np.minimum(t / rng.uniform(0.02, 0.12), 1) * np.minimum((count - np.arange(count)) / 900, 1)
    return np.asarray(levelled(tone) * shape * rng.uniform(0.4, 1.0))


def _drum(rng: np.random.Generator, low: bool) -> Sound:
    count = int((0.15 if low else 0.06) * RATE_HZ)
    t = np.arange(count) / RATE_HZ
    skin = np.sin(2 * np.pi * rng.uniform(50, 220) * t) * np.exp(-t * 25) if low else np.zeros(count)
    return np.asarray(skin * 2 + rng.normal(size=count) * np.exp(-t * rng.uniform(30, 120)) * 0.5)


def _riffle(rng: np.random.Generator) -> Sound:
    gaps = np.linspace(rng.uniform(300, 700), 60, int(rng.integers(15, 50))).astype(int)
    total = np.zeros(int(gaps.sum()) + 60)
    for at in np.cumsum(gaps):
        total[at : at + 60] += rng.normal(size=60) * np.exp(-np.arange(60) / 15)
    return total


def _add(total: Sound, at_s: float, part: Sound) -> None:
    at = round(at_s * RATE_HZ)
    fits = part[: max(len(total) - at, 0)]
    total[at : at + len(fits)] += fits
