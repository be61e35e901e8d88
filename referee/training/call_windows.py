"""Windows for the call spotter: a clip in a room, in noise, through a microphone, and the log-mel picture of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.hearing.features import FRAMES, HOP, RATE_HZ, WINDOW, log_mel
from referee.synth.noises import (
    babble,
    colouring,
    held,
    hum,
    knocks,
    levelled,
    music,
    room_response,
    shouted,
    sung,
)
from referee.synth.table_talk import CALLS
from referee.training.call_clips import Clips

Sound = NDArray[np.float64]

LABELS = ("none", "uno", "challenge", "catch", "colour:R", "colour:Y", "colour:G", "colour:B")
"""The network's classes, in the words of the phrase packs."""

_LABEL_OF_KIND = {kind: 1 + CALLS.index(kind) for kind in CALLS} | {"in_sentence": 1}

SLACK_FRAMES = 8
"""Frames stored beyond a window: training cuts it anew each time, up to 40 ms earlier or later."""
STORED_FRAMES = FRAMES + SLACK_FRAMES

_STORED = (STORED_FRAMES - 1) * HOP + WINDOW
_BEFORE = RATE_HZ  # sound before the window: its echo reaches into it
_SIZE, _STORED_SIZE = 43200, 27648  # of the transforms: no prime factor above 5
_AFTER_S = (0.04, 0.44)
"""How long after the end of a call the window ends, before the cut varies it."""


@dataclass(frozen=True, slots=True)
class WindowSet:
    """Unlevelled pictures float16 (n, STORED_FRAMES, 40), class numbers, and the noise of each in dB below it."""

    pictures: NDArray[np.float16]
    labels: NDArray[np.int64]
    snr_db: NDArray[np.float32]

    def save(self, path: Path) -> None:
        """Write them."""
        part = path.with_suffix(".part.npz")
        np.savez(part, pictures=self.pictures, labels=self.labels, snr_db=self.snr_db)
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> WindowSet:
        """Read them back."""
        with np.load(path) as file:
            return cls(file["pictures"], file["labels"], file["snr_db"])

    @classmethod
    def joined(cls, parts: Sequence[WindowSet]) -> WindowSet:
        """All parts as one set."""
        return cls(
            np.concatenate([part.pictures for part in parts]),
            np.concatenate([part.labels for part in parts]),
            np.concatenate([part.snr_db for part in parts]),
        )


_HELD = 0.25
"""Share of the single words "uno" whose vowels are held."""

NOISE_SHARES = (0.28, 0.2, 0.1, 0.1, 0.1, 0.22)
"""Of babble, one talker, music, song, knocks, hum."""


class WindowDrawer:
    """Draws windows from clips; rooms and minutes of noise are made once and reused in pieces."""

    def __init__(self, clips: Clips, seed: int, noise_minutes: float = 8.0) -> None:
        self._rng = np.random.default_rng(seed)
        self._clips = clips
        kinds = np.array([line.kind for line in clips.lines])
        self._calls = np.flatnonzero([kind in _LABEL_OF_KIND for kind in kinds])
        self._short = np.flatnonzero(np.isin(kinds, [kind for kind in CALLS if kind not in ("catch", "challenge")]))
        self._near = np.flatnonzero(kinds == "near")
        self._talk = np.flatnonzero(np.isin(kinds, ["talk", "chain", "nonsense"]))
        # "Uno, uno!" is two words: its middle is no consonant.
        self._holdable = {
            at for at, line in enumerate(clips.lines) if line.kind == "uno" and line.text.casefold().count("uno") == 1
        }
        self._rooms = [np.fft.rfft(room_response(self._rng), n=_SIZE) for _ in range(80)]
        self._noises = self._made_noises(noise_minutes)

    def draw(self, count: int, on_window: Callable[[], None] = lambda: None, calls: float = 0.5) -> WindowSet:
        """`count` windows, so large a share of them calls."""
        pictures = np.empty((count, STORED_FRAMES, 40), np.float16)
        labels, levels = np.zeros(count, np.int64), np.zeros(count, np.float32)
        for index in range(count):
            sound, labels[index] = self._call() if self._rng.random() < calls else (self._other(), 0)
            mixed, levels[index] = self._in_room(sound)
            pictures[index] = log_mel(mixed)
            on_window()
        return WindowSet(pictures, labels, levels)

    def _call(self) -> tuple[Sound, int]:
        """Dry speech of `_BEFORE` + `_STORED` samples that ends with a call, and its class."""
        total = np.zeros(_BEFORE + _STORED)
        end = len(total) - self._after()
        index = int(self._rng.choice(self._calls))
        self._surround(total, self._place(total, self._said(index), end), end)
        return total, _LABEL_OF_KIND[self._clips.lines[index].kind]

    def _other(self) -> Sound:
        """As long, with words that are no call, the beginning of one, or nobody speaking."""
        rng, kind = self._rng, self._rng.random()
        total = np.zeros(_BEFORE + _STORED)
        if kind < 0.7:
            index = int(rng.choice(self._near if kind < 0.38 else self._talk))
            # Like a call, or anywhere in and behind the window.
            after = self._after() if rng.random() < 0.6 else round(rng.uniform(-0.5, 0.9) * RATE_HZ)
            self._surround(total, self._place(total, self._said(index), len(total) - after), len(total))
        elif kind < 0.76:  # the first third of a call is no call yet
            word = self._said(int(rng.choice(self._short)))
            shown = round(len(word) * rng.uniform(0.1, 0.35))
            total[-shown:] = word[:shown]
            self._surround(total, len(total) - shown, len(total))
        elif kind < 0.81:  # nor is one that was made some time ago
            end = len(total) - round(rng.uniform(0.6, 1.2) * RATE_HZ)
            self._surround(total, self._place(total, self._said(int(rng.choice(self._calls))), end), end)
        return total

    def _after(self) -> int:
        return round(self._rng.uniform(*_AFTER_S) * RATE_HZ)

    def _said(self, index: int) -> Sound:
        """A clip, a little quicker or slower than it was spoken, perhaps shouted or its vowels held; peak 1."""
        rng = self._rng
        sound = self._clips.sound(index)
        if index in self._holdable and rng.random() < _HELD:
            sound = held(sound, rng)
        factor = float(np.exp(rng.normal(0, 0.05)))
        sound = np.interp(np.arange(0, len(sound) - 1, factor), np.arange(len(sound)), sound) / 20000
        return shouted(sound, rng) if rng.random() < 0.35 else sound

    @staticmethod
    def _place(total: Sound, sound: Sound, end: int) -> int:
        """Lay sound so that it ends at sample `end`; returns where it begins (0 when it is cut)."""
        start = end - len(sound)
        first, last = max(start, 0), min(end, len(total))
        if last > first:
            total[first:last] += sound[first - start : last - start]
        return max(start, 0)

    def _surround(self, total: Sound, start: int, end: int) -> None:
        """Now and then other words come before and after, said by anyone."""
        rng = self._rng
        if rng.random() < 0.5:
            gap = round(rng.uniform(0.0, 0.5) * RATE_HZ)
            before = self._said(int(rng.choice(self._talk))) * rng.uniform(0.3, 1.2)
            if start > gap:
                self._place(total, before, start - gap)
        if end < len(total) and rng.random() < 0.2:
            begin = end + round(rng.uniform(0.05, 0.3) * RATE_HZ)
            behind = (self._said(int(rng.choice(self._talk))) * rng.uniform(0.3, 1.0))[: max(len(total) - begin, 0)]
            total[begin : begin + len(behind)] += behind

    def _in_room(self, dry: Sound) -> tuple[NDArray[np.int16], float]:
        rng = self._rng
        spectrum = np.fft.rfft(dry, n=_SIZE)
        if rng.random() < 0.75:
            spectrum *= self._rooms[int(rng.integers(len(self._rooms)))]
        voice = np.fft.irfft(spectrum, n=_SIZE)[_BEFORE : _BEFORE + _STORED]
        snr_db = float(rng.uniform(15, 65) if rng.random() < 0.4 else rng.uniform(2, 22))
        levels = np.abs(voice)
        loud = voice[levels > 0.15 * levels.max(initial=0.0)]
        level = float(np.sqrt(np.mean(loud**2))) if len(loud) and levels.max() > 1e-4 else 0.1
        noise = self._piece() + (0.4 * self._piece() if rng.random() < 0.3 else 0.0)
        mixed = voice + levelled(noise) * level * 10 ** (-snr_db / 20)
        spectrum = np.fft.rfft(mixed, n=_STORED_SIZE)
        mixed = np.fft.irfft(spectrum * colouring(rng, len(spectrum)), n=_STORED_SIZE)[:_STORED]
        target = 32767 * 10 ** (rng.uniform(-38, -1) / 20)
        mixed *= target / max(float(np.abs(mixed).max()), 1e-9)
        if rng.random() < 0.08:
            mixed *= rng.uniform(1.5, 6.0) * 32767 / target  # clipped
        mixed += rng.normal(0, rng.uniform(0.3, 4.0), size=_STORED)
        return np.clip(mixed, -32768, 32767).astype(np.int16), snr_db

    def _piece(self) -> Sound:
        noise = self._noises[int(self._rng.choice(len(self._noises), p=NOISE_SHARES))]
        at = int(self._rng.integers(len(noise) - _STORED))
        return noise[at : at + _STORED]

    def _made_noises(self, minutes: float) -> list[Sound]:
        """Babble, one talker, music, song, knocks, hum: each `minutes` in pieces of ten seconds of equal loudness."""
        rng, others = self._rng, np.concatenate([self._near, self._talk])

        def clip(drawn: np.random.Generator) -> Sound:
            return self._clips.sound(int(drawn.choice(others)))

        makers: tuple[Callable[[], Sound], ...] = (
            lambda: babble(10, rng, clip, int(rng.integers(2, 9))),
            lambda: babble(10, rng, clip, 1),
            lambda: music(10, rng),
            lambda: music(10, rng) + sung(10, rng) * rng.uniform(0.3, 2.0),
            lambda: knocks(10, rng, float(rng.uniform(0.5, 5))),
            lambda: hum(10, rng),
        )
        pieces = max(1, round(minutes * 6))
        return [np.concatenate([make() for _ in range(pieces)]) for make in makers]
