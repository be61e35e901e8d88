"""Voices of programs that the system may have: espeak-ng, festival, flite. Each is run on a line and gives a WAV."""

from __future__ import annotations

import io
import re
import subprocess
import tempfile
import unicodedata
import wave
from pathlib import Path
from shutil import which

import numpy as np
from numpy.typing import NDArray

from referee.faults import InputFault
from referee.synth.speech import resampled
from referee.synth.voices import VOICE_RATE_HZ
from referee.synth.voices_neural import Manner

Sound = NDArray[np.float64]

VARIANTS = (
    "", "+m1", "+m3", "+m5", "+m7", "+f1", "+f2", "+f4", "+f5", "+klatt2", "+klatt4", "+Andy", "+Annie", "+Linda",
    "+Michael", "+Steph", "+Mario", "+Pablo", "+Alicia", "+Hugo", "+Boris", "+grandpa",
)  # fmt: skip
"""Speakers that espeak-ng forms by its own rules."""

FESTIVAL = {"en-us": ("kal_diphone", "cmu_us_slt_arctic_hts"), "it": ("lp_diphone", "pc_diphone")}
BORROWED = (
    "czech_dita", "czech_krb", "czech_machac", "czech_ph", "hy_fi_mv_diphone", "suo_fi_lj_diphone", "upc_ca_ona_hts",
)  # fmt: skip
"""Czech, Finnish and Catalan voices of festival, one of them a child's: they read Italian much as it is written."""

FLITE = ("awb", "rms")

_LIMIT_S = 30.0
_UNO = re.compile(r"\buno\b", re.IGNORECASE)


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
    """festival with its English or Italian voices."""

    name = "festival"

    @staticmethod
    def installed() -> bool:
        """Whether the program is."""
        return which("text2wave") is not None

    def say(self, text: str, accent: str, rng: np.random.Generator, manner: Manner) -> Sound:
        """The text, float64 (n,) at `VOICE_RATE_HZ`, by a voice drawn from `rng`; other accents are read by the
        Italian voices.
        """
        voices = FESTIVAL["en-us" if accent.startswith("en") else "it"]
        spelled = read_in_english(text) if accent.startswith("en") else text
        return _by_festival(voices[int(rng.integers(len(voices)))], spelled.replace("¡", ""), manner)


class Borrowed:
    """festival with voices of languages that the game is not spoken in here; they lend their speakers."""

    name = "borrowed"

    @staticmethod
    def installed() -> bool:
        """Whether festival is; a voice that is missing refuses its lines."""
        return which("text2wave") is not None

    def say(self, text: str, accent: str, rng: np.random.Generator, manner: Manner) -> Sound:
        """The text without accents, float64 (n,) at `VOICE_RATE_HZ`, by a voice drawn from `rng`."""
        del accent
        plain = unicodedata.normalize("NFD", text.replace("¡", "")).encode("ascii", "ignore").decode()
        return _by_festival(BORROWED[int(rng.integers(len(BORROWED)))], plain, manner, manner.speed)


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


def _by_festival(voice: str, text: str, manner: Manner, speed: float = 1.0) -> Sound:
    with tempfile.TemporaryDirectory() as folder:
        spoken, made = Path(folder) / "line.txt", Path(folder) / "line.wav"
        spoken.write_text(text, encoding="iso-8859-1", errors="replace")
        settings = f"(begin (voice_{voice}) (Parameter.set 'Duration_Stretch {1 / speed:.2f}))"
        _run(["text2wave", "-eval", settings, str(spoken), "-o", str(made)])
        if not made.exists():  # it says nothing, and that it has done well
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
