"""Recorded people who may be learnt from: telephone prompts and syllables out of free Debian packages.

French and Russian prompts of asterisk-core-sounds-{fr,ru}-g722 (CC BY-SA 3.0) and asterisk-prompt-fr-armelle (BSD)
say no call; klettres-data (GPL-2+) holds letters and syllables in many voices, of which four say "u" and "no";
ktuberling-data (GPL-2+) holds the names of things, by a speaker for each of 25 languages.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.capture.media import sound_chunks
from referee.faults import InputFault
from referee.synth.speech import resampled
from referee.synth.voices import VOICE_RATE_HZ
from referee.synth.voices_neural import Manner

Sound = NDArray[np.float64]

ROOT = Path("/usr/share")
PROMPTS = ("asterisk/sounds/fr_CA_f_June", "asterisk/sounds/ru_RU_f_IvrvoiceRU", "asterisk/sounds/fr")
SYLLABLES = "klettres"
WORDS = "ktuberling/sounds"
SPLICED = ("es", "it", "pt_BR", "ru")
"""Languages of `SYLLABLES` in which somebody says "u" and "no" for themselves: joined they are an "uno"."""

_SUFFIXES = (".g722", ".gsm", ".ogg", ".opus", ".wav")
_LONGEST_S = 3.5
_NAMES = 0.5
"""Share of the recordings without a call that are names of things."""

_JOINT_S = 0.02
_VOWEL_S = (0.1, 0.3)  # how much of the "u" is used


class Recorded:
    """Recordings in place of a voice: they cannot be told what to say, so only the kind of line counts.

    A text with "uno" gives a joined one, a single word a syllable or a thing's name, any other a prompt or several
    names.
    """

    name = "recorded"

    def __init__(self, root: Path = ROOT) -> None:
        self._prompts = _sounds(root, PROMPTS)
        self._syllables = _sounds(root, (SYLLABLES,))
        self._words = [
            _sounds(root, (str(folder.relative_to(root)),)) for folder in sorted((root / WORDS).glob("*/"))
        ]
        self._pairs = [
            (folder / "alpha" / "u.ogg", folder / "syllab" / "no.ogg")
            for folder in (root / SYLLABLES / language for language in SPLICED)
        ]

    @staticmethod
    def installed(root: Path = ROOT) -> bool:
        """Whether all the packages are."""
        return all((root / folder).is_dir() for folder in (*PROMPTS, SYLLABLES, WORDS))

    def say(self, text: str, accent: str, rng: np.random.Generator, manner: Manner) -> Sound:
        """A drawn recording, float64 (n,) at `VOICE_RATE_HZ`; pitch and formants moved by `manner.formants`."""
        del accent
        if "uno" in text.casefold():
            vowel, syllable = self._pairs[int(rng.integers(len(self._pairs)))]
            sound = joined(_loaded(vowel), _loaded(syllable), rng)
        elif rng.random() < _NAMES:
            words = self._words[int(rng.integers(len(self._words)))]
            count = int(rng.integers(2, 6)) if " " in text else 1
            sound = np.concatenate([_loud(_loaded(words[int(at)])) for at in rng.integers(len(words), size=count)])
        else:
            paths = self._prompts if " " in text else self._syllables
            sound = _loud(_loaded(paths[int(rng.integers(len(paths)))]))
        longest = int(_LONGEST_S * VOICE_RATE_HZ)
        start = int(rng.integers(max(len(sound) - longest, 0) + 1))
        sound = sound[start : start + longest]
        return resampled(sound, round(VOICE_RATE_HZ * manner.formants), VOICE_RATE_HZ)


def joined(vowel: Sound, syllable: Sound, rng: np.random.Generator) -> Sound:
    """A stretch out of the middle of a vowel, faded into a syllable that begins with a consonant, as loud."""
    vowel, syllable = _loud(vowel), _loud(syllable)
    length = min(int(rng.uniform(*_VOWEL_S) * VOICE_RATE_HZ), len(vowel) * 3 // 4)
    start = int((len(vowel) - length) * rng.uniform(0.1, 0.5))
    vowel = vowel[start : start + length]
    vowel = vowel * (_rms(syllable) / max(_rms(vowel), 1e-9) * rng.uniform(0.7, 1.4))
    joint = min(int(_JOINT_S * VOICE_RATE_HZ), length // 2, len(syllable) // 2)
    fade = np.linspace(0, 1, joint)
    vowel[:joint] *= fade
    middle = vowel[length - joint :] * (1 - fade) + syllable[:joint] * fade
    return np.concatenate([vowel[: length - joint], middle, syllable[joint:]])


def _sounds(root: Path, folders: Sequence[str]) -> list[Path]:
    found = [
        path
        for folder in folders
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in _SUFFIXES and path.parent.name not in ("silence", "icons", "pics")
    ]
    if not found:
        raise InputFault(
            "recordings are missing", where=str(root), mend="install the packages that the model card names"
        )
    return [path for path in found if "tone" not in path.stem and "beep" not in path.stem]


@lru_cache(maxsize=4096)
def _loaded(path: Path) -> Sound:
    return np.concatenate([chunk.samples for chunk in sound_chunks(path, VOICE_RATE_HZ)]).astype(np.float64) / 32768


def _loud(sound: Sound) -> Sound:
    """The sound without its quiet ends."""
    loud = np.flatnonzero(np.abs(sound) > 0.06 * float(np.abs(sound).max(initial=1e-9)))
    return sound[int(loud[0]) : int(loud[-1]) + 1] if len(loud) else sound


def _rms(sound: Sound) -> float:
    return float(np.sqrt(np.mean(sound**2))) if len(sound) else 0.0
