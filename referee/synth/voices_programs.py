"""Voices of programs that the system may have: espeak-ng, festival, flite. Each is run on a line and gives a WAV."""

from __future__ import annotations

import io
import subprocess
import tempfile
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
FLITE = ("awb", "rms")

_LIMIT_S = 30.0


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
        voice = voices[int(rng.integers(len(voices)))]
        with tempfile.TemporaryDirectory() as folder:
            spoken = Path(folder) / "line.txt"
            spoken.write_text(text.replace("¡", ""), encoding="iso-8859-1", errors="replace")
            made = Path(folder) / "line.wav"
            _run(["text2wave", "-eval", f"(voice_{voice})", str(spoken), "-o", str(made)])
            return _moved(made.read_bytes(), manner)


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
            _run(["flite", "-voice", voice, "-t", text, "-o", str(made)])
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
