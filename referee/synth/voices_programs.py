"""Voices of programs that the system may have: espeak-ng, festival, flite, GnuSpeech. Each gives a WAV of a line."""

from __future__ import annotations

import io
import json
import re
import subprocess
import tempfile
import unicodedata
import wave
from collections.abc import Mapping
from pathlib import Path
from shutil import which

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from referee.faults import InputFault
from referee.synth.kept_program import KeptProgram
from referee.synth.speech import resampled
from referee.synth.voices import VOICE_RATE_HZ
from referee.synth.voices_neural import Manner

Sound = NDArray[np.float64]

VARIANTS = (
    "", "+m1", "+m3", "+m5", "+m7", "+f1", "+f2", "+f4", "+f5", "+klatt2", "+klatt4", "+Andy", "+Annie", "+Linda",
    "+Michael", "+Steph", "+Mario", "+Pablo", "+Alicia", "+Hugo", "+Boris", "+grandpa",
)  # fmt: skip
"""Speakers that espeak-ng forms by its own rules."""

FESTIVAL = {"en": ("ked_diphone", "cmu_us_slt_arctic_hts"), "it": ("pc_diphone",)}
"""English voices, and Italian ones that read every other language."""
FESTIVAL_UNHEARD = {"en": ("kal_diphone",), "it": ("lp_diphone",)}
"""Those that are kept for measuring."""
RUSSIAN = "msu_ru_nsh_clunits"
BORROWED = (
    "czech_dita", "czech_krb", "czech_machac", "czech_ph", "hy_fi_mv_diphone", "suo_fi_lj_diphone", "upc_ca_ona_hts",
    RUSSIAN,
)  # fmt: skip
"""Czech, Finnish, Catalan and Russian voices, one of them a child's: they read Italian much as it is written."""

FLITE = ("awb", "rms")

_LIMIT_S = 30.0
_UNO = re.compile(r"\buno\b", re.IGNORECASE)
_FESTIVAL, _DONE = "festival", "line done"
_CYRILLIC = str.maketrans("abcdefghijklmnopqrstuvwxyz", "абкдэфгхийклмнопкрстуввхиз")


def read_in_english(text: str) -> str:
    """The text for a voice with English reading rules, which would make "a no" of the game's name."""
    return _UNO.sub("oono", text)


class Espeak:
    """espeak-ng: any language, formants made by rule."""

    name = "espeak"

    @staticmethod
    def installed() -> bool:
        """Whether the program is."""
        return which("espeak-ng") is not None

    def say(self, text: str, accent: str, rng: np.random.Generator, manner: Manner) -> Sound:
        """The text, float64 (n,) at `VOICE_RATE_HZ`, by a variant drawn from `rng`."""
        pitch = int(np.clip(45 + 90 * np.log(manner.pitch), 0, 99))
        speed = int(np.clip(165 * manner.speed, 90, 320))
        voice = accent + VARIANTS[int(rng.integers(len(VARIANTS)))]
        done = _run(["espeak-ng", "-v", voice, "-p", str(pitch), "-s", str(speed), "--stdout", "--", text])
        return _moved(done, manner)


class Festival:
    """festival with English and Italian voices."""

    name = "festival"

    def __init__(self, voices: Mapping[str, tuple[str, ...]] = FESTIVAL) -> None:
        self._voices = voices

    @staticmethod
    def installed() -> bool:
        """Whether the program is."""
        return which(_FESTIVAL) is not None

    def say(self, text: str, accent: str, rng: np.random.Generator, manner: Manner) -> Sound:
        """The text, float64 (n,) at `VOICE_RATE_HZ`, by a voice drawn from `rng`; other accents than English are
        read by the Italian voices.
        """
        english = accent.startswith("en")
        voices = self._voices["en" if english else "it"]
        spelled = read_in_english(text) if english else text.replace("¡", "")
        return _by_festival(voices[int(rng.integers(len(voices)))], spelled, manner)


class Borrowed:
    """festival with voices of languages that the game is not spoken in here; they lend their speakers."""

    name = "borrowed"

    @staticmethod
    def installed() -> bool:
        """Whether festival is; a voice that is missing refuses its lines."""
        return which(_FESTIVAL) is not None

    def say(self, text: str, accent: str, rng: np.random.Generator, manner: Manner) -> Sound:
        """The text without accents, float64 (n,) at `VOICE_RATE_HZ`, by a voice drawn from `rng`."""
        del accent
        plain = unicodedata.normalize("NFD", text.replace("¡", "")).encode("ascii", "ignore").decode()
        voice = BORROWED[int(rng.integers(len(BORROWED)))]
        return _by_festival(voice, in_cyrillic(plain) if voice == RUSSIAN else plain, manner)


def in_cyrillic(text: str) -> str:
    """A text that is read as in Italian, for a voice with Russian reading rules.

    These make "a" of an "o" without stress: the game's name is two words, and the second one's "o" has it.
    """
    return _UNO.sub("u no", text).casefold().translate(_CYRILLIC)


class Flite:
    """flite with its English voices."""

    name = "flite"

    @staticmethod
    def installed() -> bool:
        """Whether the program is."""
        return which("flite") is not None

    def say(self, text: str, accent: str, rng: np.random.Generator, manner: Manner) -> Sound:
        """The text, float64 (n,) at `VOICE_RATE_HZ`, by a voice drawn from `rng`; everything is read as English."""
        del accent
        voice = FLITE[int(rng.integers(len(FLITE)))]
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "line.wav"
            _run(["flite", "-voice", voice, "-t", read_in_english(text), "-o", str(made)])
            return _moved(made.read_bytes(), manner)


BODIES = ("male", "female", "small_child", "baby")
"""Vocal tracts that GnuSpeech blows air through."""
BODIES_UNHEARD = ("large_child",)
"""The one that is kept for measuring."""

_TUBES = """
const { synthesize } = await import(process.argv[1])
const { writeFileSync } = await import("fs")
const lines = (await import("readline")).createInterface({ input: process.stdin })
for await (const line of lines) {
  const { text, voice, tempo, made } = JSON.parse(line)
  try { writeFileSync(made, (await synthesize(text, { voice, tempo })).audioData) } catch {}
  console.log("%s")
}
"""


class GnuSpeech:
    """GnuSpeech (npm package @echogarden/gnuspeech-wasm): English of vocal tracts from a man's to a baby's."""

    name = "gnuspeech"

    def __init__(self, bodies: tuple[str, ...] = BODIES) -> None:
        self._bodies = bodies

    @staticmethod
    def folder() -> Path:
        """Where `npm install --prefix` of this folder puts the package."""
        return user_cache_path("referee") / "gnuspeech"

    @classmethod
    def _program(cls) -> Path:
        return cls.folder() / "node_modules/@echogarden/gnuspeech-wasm/dist/exports/GnuSpeech.js"

    @classmethod
    def installed(cls) -> bool:
        """Whether the package and node are."""
        return which("node") is not None and cls._program().exists()

    def say(self, text: str, accent: str, rng: np.random.Generator, manner: Manner) -> Sound:
        """The text, float64 (n,) at `VOICE_RATE_HZ`, by a body drawn from `rng`; everything is read as English."""
        del accent
        body = self._bodies[int(rng.integers(len(self._bodies)))]
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "line.wav"
            line = {"text": read_in_english(text), "voice": body, "tempo": round(manner.speed, 2), "made": str(made)}
            command = ("node", "--input-type=module", "-e", _TUBES % _DONE, str(self._program()))
            _told(command, json.dumps(line).encode() + b"\n")
            if not made.exists():
                raise InputFault(f"GnuSpeech cannot say {text!r}", mend="give it another line")
            return _moved(made.read_bytes(), manner)


_kept: dict[str, KeptProgram] = {}


def _told(command: tuple[str, ...], order: bytes) -> None:
    """Have a kept program carry out an order; one that ended over an earlier order is started again."""
    program = _kept.get(command[0])
    if program is None or program.ended:
        program = _kept[command[0]] = KeptProgram(command, _DONE)
    program.obey(order)


def _by_festival(voice: str, text: str, manner: Manner) -> Sound:
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "line.wav"
        said = text.replace("\\", " ").replace('"', " ")
        # A voice that is missing would leave its line to the one before.
        order = f"""
        (begin (voice_{voice}) (Parameter.set 'Duration_Stretch {1 / manner.speed:.2f})
        (utt.save.wave (utt.synth (Utterance Text "{said}")) "{made}" 'riff))
        (format t "{_DONE}\\n")
        (fflush nil)
        """
        _told((_FESTIVAL, "--pipe"), order.encode("utf-8" if voice == RUSSIAN else "iso-8859-1", "replace"))
        if not made.exists():
            raise InputFault(f"festival has no voice {voice}", mend="install its festvox package")
        return _moved(made.read_bytes(), manner)


def _run(command: list[str]) -> bytes:
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=_LIMIT_S)
    except (OSError, subprocess.SubprocessError) as fault:
        raise InputFault(f"the voice program {command[0]} failed: {fault}", mend="install it again") from fault
    return done.stdout


def _moved(wav: bytes, manner: Manner) -> Sound:
    """The sound of a WAV at `VOICE_RATE_HZ`, pitch and formants moved together by `manner.formants`."""
    with wave.open(io.BytesIO(wav)) as file:
        rate_hz = file.getframerate()
        # A program that writes to a pipe cannot know the length: read what is there.
        data = wav[44:] if file.getnframes() > len(wav) else file.readframes(file.getnframes())
    sound = np.frombuffer(data[: len(data) // 2 * 2], "<i2").astype(np.float64) / 32768
    return resampled(sound, round(rate_hz * manner.formants), VOICE_RATE_HZ)
