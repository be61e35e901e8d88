"""Where a voice comes from: how much later it reaches one of two microphones than the other, learnt seat by seat.

Generalised cross-correlation with the phase transform (Knapp and Carter, "The generalized correlation method for
estimation of time delay", IEEE Transactions on Acoustics, Speech and Signal Processing 24, 1976). The onsets of the
sound count most: they come straight from the mouth, while the room answers later. A pair of microphones cannot tell
front from back; players whose delays are alike are named, never guessed between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.cards import Seat

Sides: TypeAlias = NDArray[np.int16]
"""Two channels of sound, int16 (n, 2)."""

Curve: TypeAlias = NDArray[np.float64]

BAND_HZ = (300.0, 4000.0)
LONGEST_MS = 2.0
"""Microphones up to 0.6 m apart hear one voice no further apart than this."""

_FRAME_S, _HOP_S = 0.032, 0.008
_FINER = 16  # points of the curve for each sample: 4 µs at 16 kHz
_FORGETS_S = 0.08  # in this time the echo of what was said is taken to fall to a third
_OVER_NOISE = 1.0  # what is not so much stronger than the sound before the word does not count
_PEAK_WIDTH_MS = 0.12
_LEAST_SPREAD_MS = 0.012
_LEAST_SHARPNESS = 0.12
_LEAST_COHERENCE = 0.1  # two microphones that hear nothing in common reach half of it
_LEAST_PEAK = 0.3
_LEAST_WIDTH_MS = 0.03
_SWAY = 0.08
_TRUST = 7.0  # set on drawn rooms (benchmarks/hearing_speakers.py): the more, the less a rival peak is believed
_NOBODY = 0.011  # a voice three widths from every seat is as likely nobody's
_APART = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Direction:
    """How well each delay of the second channel against the first goes with a word.

    coherence at lags_ms (negative: the second hears it earlier); 1: every frame and band agrees on that delay.
    """

    lags_ms: Curve
    coherence: Curve

    @property
    def delay_ms(self) -> float:
        """The best delay."""
        return _between(self.coherence, self.lags_ms, int(np.argmax(self.coherence)))

    @property
    def sharpness(self) -> float:
        """0…1: how far the best delay stands out over the next best one; near 0 nothing can be told."""
        best = int(np.argmax(self.coherence))
        away = np.abs(self.lags_ms - self.lags_ms[best]) > _PEAK_WIDTH_MS
        return 1.0 - float(self.coherence[away].max(initial=0.0)) / float(self.coherence[best])

    def peaks(self) -> list[tuple[float, float]]:
        """The delays that may be the voice's: (delay in ms, coherence against the best one's), the best is 1."""
        c = self.coherence / float(self.coherence.max())
        tops = np.flatnonzero((c[1:-1] >= c[:-2]) & (c[1:-1] > c[2:]) & (c[1:-1] > _LEAST_PEAK)) + 1
        return [(_between(self.coherence, self.lags_ms, int(at)), float(c[at])) for at in tops]

    @property
    def rival(self) -> float:
        """0…1: how high the second best delay stands beside the best; 0 where there is none."""
        heights = sorted((height for _, height in self.peaks()), reverse=True)
        return heights[1] if len(heights) > 1 else 0.0


@dataclass(frozen=True, slots=True)
class SeatDelay:
    """What was learnt of a seat from several calls: the delay of its player's voice and how much it varies, in ms."""

    delay_ms: float
    spread_ms: float


def direction_of(sides: Sides, rate_hz: int, before: Sides | None = None) -> Direction | None:
    """Where a word comes from; None where nothing tells: silence, too short a sound, one channel given twice, noise.

    before: what was heard just before the word; voices that go on from then on count less.
    """
    size, hop = round(_FRAME_S * rate_hz), round(_HOP_S * rate_hz)
    if len(sides) < 3 * size or not sides[:, 0].any() or not sides[:, 1].any():
        return None
    if np.array_equal(sides[:, 0], sides[:, 1]):  # a microphone with one ear that pretends to have two
        return None
    direction = _correlated(sides, before, rate_hz, size, hop)
    return direction if direction.coherence.max() > _LEAST_COHERENCE else None


def learn(calls: Sequence[Direction]) -> SeatDelay | None:
    """What several calls of one player say about the seat; None where fewer than two were sharp enough.

    The median, and the deviation from it: one call on which the room was louder must not move a seat.
    """
    sharp = np.array([one.delay_ms for one in calls if one.sharpness >= _LEAST_SHARPNESS])
    if len(sharp) < 2:
        return None
    middle = float(np.median(sharp))
    spread = 1.4826 * float(np.median(np.abs(sharp - middle)))
    return SeatDelay(round(middle, 4), round(max(spread, _LEAST_SPREAD_MS), 4))


def shares(heard: Direction | None, seats: Mapping[Seat, SeatDelay]) -> tuple[tuple[Seat, float], ...]:
    """How probable each seat is to have spoken, the likeliest first; what is missing to 1 is nobody of them.

    Empty where the sound says nothing. Seats whose delays are alike share the probability.
    """
    if heard is None or not seats:
        return ()
    width_ms = _width(seats)
    likely = dict.fromkeys(seats, 0.0)
    nobody = 0.0
    for delay_ms, height in heard.peaks():
        weight = float(np.exp(_TRUST * (height - 1)))
        nobody += weight * _NOBODY
        for seat, learnt in seats.items():
            off = (delay_ms - learnt.delay_ms) / max(learnt.spread_ms, width_ms)
            likely[seat] += weight * float(np.exp(-0.5 * off * off))
    total = sum(likely.values()) + nobody
    if not total:
        return ()
    return tuple(sorted(((seat, round(one / total, 3)) for seat, one in likely.items()), key=lambda one: -one[1]))


def alike(seats: Mapping[Seat, SeatDelay]) -> list[tuple[Seat, Seat]]:
    """The pairs of seats that these microphones cannot tell apart: mirrored front and back, or too near."""
    order, width_ms = sorted(seats), _width(seats)
    return [
        (one, other)
        for at, one in enumerate(order)
        for other in order[at + 1 :]
        if abs(seats[one].delay_ms - seats[other].delay_ms)
        < _APART * max(seats[one].spread_ms, seats[other].spread_ms, width_ms)
    ]


def _width(seats: Mapping[Seat, SeatDelay]) -> float:
    """How much a player's delay varies at least, in ms: a mouth moves, and that shows the more the wider the pair."""
    return _LEAST_WIDTH_MS + _SWAY * max((abs(learnt.delay_ms) for learnt in seats.values()), default=0.0)


def _correlated(sides: Sides, before: Sides | None, rate_hz: int, size: int, hop: int) -> Direction:
    hz = np.fft.rfftfreq(2 * size, 1 / rate_hz)
    band = (hz >= BAND_HZ[0]) & (hz <= BAND_HZ[1])
    crossed = _crossed(sides, size, hop)[:, band]
    strength = np.abs(crossed)
    weights = _newness(strength, hop / rate_hz)
    if before is not None and len(before) >= 2 * size:
        around = np.abs(_crossed(before, size, hop)[:, band]).mean(axis=0)
        weights *= np.clip(1 - _OVER_NOISE * around / np.maximum(strength, 1e-9), 0.0, 1.0)
    summed = np.zeros(len(hz), np.complex128)
    summed[band] = (crossed / np.maximum(strength, 1e-9) * weights).sum(axis=0)
    long = 2 * size * _FINER
    curve = np.fft.irfft(np.conj(summed), n=long)
    reach = round(LONGEST_MS * rate_hz / 1000 * _FINER)
    curve = np.concatenate([curve[-reach:], curve[: reach + 1]]) * long / (2 * float(weights.sum()) + 1e-9)
    return Direction(np.arange(-reach, reach + 1) / (_FINER * rate_hz) * 1000, curve)


def _crossed(sides: Sides, size: int, hop: int) -> NDArray[np.complex128]:
    """The cross-spectrum of each frame, (frames, bins)."""
    frames = np.lib.stride_tricks.sliding_window_view(sides.astype(np.float64), size, axis=0)[::hop]
    spectra = np.fft.rfft(frames * np.hanning(size), n=2 * size, axis=-1)  # (frames, 2, bins)
    crossed: NDArray[np.complex128] = spectra[:, 0] * np.conj(spectra[:, 1])
    return crossed


def _newness(strength: Curve, hop_s: float) -> Curve:
    """How much of each band of each frame is new sound rather than the room's echo of what came before: 0…1.

    Quiet frames weigh little: they are the room itself.
    """
    fall = np.exp(-2 * hop_s / _FORGETS_S)
    echo = np.zeros(strength.shape[1])
    fresh = np.zeros_like(strength)
    loudest = np.sqrt(strength.max(axis=0) * strength.max()) + 1e-9
    for index, now in enumerate(strength):
        fresh[index] = np.clip(1 - echo / np.maximum(now, 1e-9), 0.0, 1.0) * np.sqrt(now / loudest)
        echo = np.maximum(echo, now) * fall
    return fresh


def _between(curve: Curve, lags_ms: Curve, best: int) -> float:
    """The top of the parabola through the best point and its neighbours."""
    if not 0 < best < len(curve) - 1:
        return float(lags_ms[best])
    left, top, right = curve[best - 1 : best + 2]
    bend = left - 2 * top + right
    shift = 0.0 if bend == 0 else 0.5 * (left - right) / bend
    return float(lags_ms[best] + shift * (lags_ms[1] - lags_ms[0]))
