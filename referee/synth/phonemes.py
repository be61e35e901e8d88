"""Text to the phonetic alphabet, by espeak-ng's rules, for voices that read phonemes in any language."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from shutil import which

import numpy as np

from referee.faults import InputFault

PROGRAM = "espeak-ng"

_FRONTED = 0.35
_FRONT_VOWELS = ("ɨː", "yː", "ɨuː")

_KOKORO = {
    "eɪ": "A", "aɪ": "I", "oʊ": "O", "əʊ": "Q", "aʊ": "W", "ɔɪ": "Y", "tʃ": "ʧ", "dʒ": "ʤ", "ts": "ʦ", "dz": "ʣ",
    "g": "ɡ", "ɝ": "ɜɹ", "ɚ": "əɹ", "ɫ": "l", "ɱ": "m", "ɐ̃": "ɐ̃", "͡": "", "̩": "", "ʔ": "", "ʉ": "ɨ",
}  # fmt: skip
"""How the alphabet of the Kokoro voices writes what espeak-ng writes otherwise."""


@lru_cache(maxsize=4096)
def ipa(text: str, accent: str) -> str:
    """The text in the phonetic alphabet with stress marks; its last punctuation mark is kept.

    accent: a voice of espeak-ng (`es-419`, `pt-br`, `ro` …). Raises InputFault when the program is missing or
    does not know the accent.
    """
    if which(PROGRAM) is None:
        raise InputFault(f"the program {PROGRAM} is not installed", mend=f"install the system package {PROGRAM}")
    done = subprocess.run(
        [PROGRAM, "-q", "--ipa", "-v", accent, text], capture_output=True, text=True, check=False, timeout=30
    )
    if done.returncode:
        raise InputFault(f"{PROGRAM} cannot read in {accent!r}", mend="choose one of its voices")
    end = text.rstrip()[-1:] if text.rstrip()[-1:] in "!?.," else ""
    return ", ".join(line.strip() for line in done.stdout.splitlines() if line.strip()) + end


def spoken_ipa(text: str, accent: str, rng: np.random.Generator) -> str:
    """As `ipa`, English now and then with its "u" far to the front, as many Americans say "uno" and "you know"."""
    phonemes = ipa(text, accent)
    if not accent.startswith("en") or rng.random() >= _FRONTED:
        return phonemes
    phonemes = phonemes.replace("uː", _FRONT_VOWELS[int(rng.integers(len(_FRONT_VOWELS)))])
    return phonemes.replace("oʊ", "əʊ") if rng.random() < 0.5 else phonemes


def kokoro_spelling(phonemes: str) -> str:
    """Phonemes as the Kokoro voices and their descendants spell them."""
    for theirs, ours in _KOKORO.items():
        phonemes = phonemes.replace(theirs, ours)
    return phonemes
