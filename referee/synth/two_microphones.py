"""A room heard by two microphones: image sources for the early sound, a diffuse field of many waves for the late.

Allen and Berkley, "Image method for efficiently simulating small-room acoustics", Journal of the Acoustical Society
of America 65, 1979. A drawn room, for training and measuring: no real table sounds exactly like it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

SOUND_M_S = 343.0

Point: TypeAlias = tuple[float, float, float]
"""Metres from a lower corner of the room."""

_FINER = 16  # arrivals are placed on a grid so much finer than the samples: 4 µs
_EARLY_S = 0.06
_WAVES = 64


@dataclass(frozen=True, slots=True)
class Room:
    """A room with two microphones in it. size_m: length, width, height; echo_s: its RT60."""

    size_m: Point
    echo_s: float
    microphones: tuple[Point, Point]

    def heard(
        self, voice: NDArray[np.float64], at: Point, rng: np.random.Generator, rate_hz: int
    ) -> NDArray[np.float64]:
        """What both microphones hear of a mono voice spoken at `at`: (n, 2), as long as the voice and its echo."""
        answer = self.response(at, rng, rate_hz)
        size = len(voice) + len(answer)
        spectra = np.fft.rfft(voice, n=size)[:, None] * np.fft.rfft(answer, n=size, axis=0)
        heard: NDArray[np.float64] = np.fft.irfft(spectra, n=size, axis=0)
        return heard

    def response(self, at: Point, rng: np.random.Generator, rate_hz: int) -> NDArray[np.float64]:
        """What the microphones hear of a click at `at`: (n, 2), the direct sound of level 1 at one metre."""
        count = round((0.03 + self.echo_s) * rate_hz)
        fine = np.zeros((count * _FINER, 2))
        places, bounces = self._images(at)
        lost = 10 ** (-3 * _bounce_s(self.size_m) / self.echo_s)  # each bounce takes what the decay asks for
        for channel, microphone in enumerate(self.microphones):
            away_m = np.linalg.norm(places - np.array(microphone), axis=1)
            grid = np.round(away_m / SOUND_M_S * rate_hz * _FINER).astype(int)
            near = (away_m / SOUND_M_S < _EARLY_S) & (grid < len(fine))
            np.add.at(fine[:, channel], grid[near], (lost**bounces / np.maximum(away_m, 0.1))[near])
        early = np.fft.irfft(np.fft.rfft(fine, axis=0)[: count // 2 + 1], n=count, axis=0) * 1.0
        return early + self._late(early, rng, count, rate_hz)

    def _images(self, at: Point) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Mirror images of the source behind the walls, and how many walls lie between."""
        axes = []
        for length_m, where in zip(self.size_m, at, strict=True):
            order = np.arange(-int(_EARLY_S * SOUND_M_S / length_m) - 1, int(_EARLY_S * SOUND_M_S / length_m) + 2)
            axes.append(
                (np.where(order % 2 == 0, order * length_m + where, (order + 1) * length_m - where), np.abs(order))
            )
        x, y, z = np.meshgrid(*(axis[0] for axis in axes), indexing="ij")
        bounces = sum(np.meshgrid(*(axis[1] for axis in axes), indexing="ij"))
        return np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1), np.asarray(bounces).ravel()

    def _late(
        self, early: NDArray[np.float64], rng: np.random.Generator, count: int, rate_hz: int
    ) -> NDArray[np.float64]:
        """Noise that dies away, from all sides at once: near microphones hear low tones of it alike."""
        times_s = np.arange(count) / rate_hz
        apart = np.array(self.microphones[1]) - np.array(self.microphones[0])
        ways = rng.normal(size=(_WAVES, 3))
        delays_s = ways / np.linalg.norm(ways, axis=1, keepdims=True) @ apart / SOUND_M_S
        hz = np.fft.rfftfreq(count, 1 / rate_hz)
        waves = np.fft.rfft(rng.normal(size=(_WAVES, count)), axis=1)
        second = (waves * np.exp(-2j * np.pi * hz * delays_s[:, None])).sum(axis=0)
        field = np.fft.irfft(np.stack([waves.sum(axis=0), second], axis=1), n=count, axis=0) / np.sqrt(_WAVES)
        fade = 10 ** (-3 * times_s / self.echo_s) * (times_s > 0.5 * _EARLY_S) * np.minimum(times_s / _EARLY_S, 1.0)
        edge = (times_s > 0.5 * _EARLY_S) & (times_s <= _EARLY_S)
        there = float(np.sqrt(np.mean(early[edge] ** 2)))
        middle = float(10 ** (-3 * 0.75 * _EARLY_S / self.echo_s))
        late: NDArray[np.float64] = field * fade[:, None] * there / middle
        return late


def around_table(
    seats: int, centre: Point, radius_m: float, turned_rad: float = 0.0, mouth_m: float = 0.35
) -> list[Point]:
    """Where the mouths of so many players are, clockwise around the table, `mouth_m` above `centre`."""
    angles = turned_rad - 2 * np.pi * np.arange(seats) / seats
    return [
        (centre[0] + radius_m * float(np.cos(a)), centre[1] + radius_m * float(np.sin(a)), centre[2] + mouth_m)
        for a in angles
    ]


def pair_of_microphones(centre: Point, spacing_m: float, turned_rad: float = 0.0) -> tuple[Point, Point]:
    """Two microphones so far apart, in the middle of the table, their axis turned so far."""
    dx, dy = 0.5 * spacing_m * float(np.cos(turned_rad)), 0.5 * spacing_m * float(np.sin(turned_rad))
    return (centre[0] - dx, centre[1] - dy, centre[2]), (centre[0] + dx, centre[1] + dy, centre[2])


def together(parts: Sequence[tuple[int, NDArray[np.float64]]], count: int) -> NDArray[np.float64]:
    """Sounds of two channels laid over each other, each from its first sample on: (count, 2)."""
    total = np.zeros((count, 2))
    for first, part in parts:
        kept = part[: max(0, count - first)]
        total[first : first + len(kept)] += kept
    return total


def _bounce_s(size_m: Point) -> float:
    """The mean time between two walls: the mean free path 4 V / S over the speed of sound."""
    x, y, z = size_m
    return 4 * x * y * z / (2 * (x * y + y * z + x * z)) / SOUND_M_S
