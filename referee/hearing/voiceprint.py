"""Voiceprints: 256 numbers that tell one player's voice from another's, from a word of half a second. A hint only.

The network is the voice encoder of the package resemblyzer (Apache-2.0), a long short-term memory over 40 mel bands
that was trained on real talkers: only the file of its weights is read, so that none of what that package needs has to
be installed. Source: Wan et al., "Generalized end-to-end loss for speaker verification", ICASSP 2018.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import pickle
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.cards import Seat
from referee.faults import InputFault
from referee.hearing.recogniser import Samples

VoicePrint: TypeAlias = NDArray[np.float32]
"""(256,), of length 1."""

PACKAGE, FILE = "resemblyzer", "pretrained.pt"
SHA256 = "39373b86598fa3da9fcddee6142382efe09777e8d37dc9c0561f41f0070f134e"
MEND = "pip install --no-deps resemblyzer==0.1.4"

RATE_HZ = 16_000
LEAST_S, MOST_S = 0.25, 1.6

MARGIN, LIKE = 0.12, 0.80
"""A voice is somebody's for certain if it is so much more alike to it than to the next, and so alike at all.

Measured on half a second of 24 people reading, four of them at a table (benchmarks/hearing_voices.py): none of 3,200
words was taken for another player's, a stranger's was for a player's in 1 %; 33 % were told in quiet, 5 % in babble.
"""

_BANDS, _WINDOW, _HOP, _HIDDEN = 40, 400, 160, 256
_LOUDNESS = 10 ** (-30 / 20)


class VoiceEncoder:
    """Turns a word into a voiceprint. Raises InputFault when the file of its weights is missing or another one."""

    def __init__(self, weights: Path) -> None:
        state = _weights(weights)
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        self._layers = [tuple(state[f"lstm.{name}_l{layer}"] for name in names) for layer in range(3)]
        self._last = state["linear.weight"], state["linear.bias"]

    def print_of(self, samples: Samples) -> VoicePrint | None:
        """The voiceprint of int16 sound (n,) at 16 kHz; None for too short a sound, or silence."""
        sound = samples[: round(MOST_S * RATE_HZ)].astype(np.float64) / 32768
        level = float(np.sqrt(np.mean(sound**2))) if len(sound) else 0.0
        if len(sound) < LEAST_S * RATE_HZ or not level:
            return None
        steps = mel_power(sound * max(_LOUDNESS / level, 1.0))
        for weight_in, weight_back, bias_in, bias_back in self._layers:
            steps = _recurrent(steps, weight_in, weight_back, bias_in + bias_back)
        weight, bias = self._last
        found = np.maximum(weight @ steps[-1] + bias, 0.0)
        return np.asarray(found / max(float(np.linalg.norm(found)), 1e-9), np.float32)


def mean_print(prints: Sequence[VoicePrint]) -> VoicePrint:
    """What several words of one player have in common."""
    mean = np.mean(prints, axis=0)
    return np.asarray(mean / np.linalg.norm(mean), np.float32)


def voice_of(heard: VoicePrint | None, known: Mapping[Seat, VoicePrint]) -> Seat | None:
    """Whose voice it is for certain; None where it may be another's, or fewer than two are known."""
    if heard is None or len(known) < 2:
        return None
    ranked = sorted(((float(heard @ one), seat) for seat, one in known.items()), reverse=True)
    (best, seat), (next_best, _) = ranked[:2]
    return seat if best >= LIKE and best - next_best >= MARGIN else None


@lru_cache(maxsize=1)
def voice_encoder() -> VoiceEncoder | None:
    """The encoder, where its weights are installed. Raises InputFault for weights of another version."""
    spec = importlib.util.find_spec(PACKAGE)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        if (weights := Path(place) / FILE).is_file():
            return VoiceEncoder(weights)
    return None


def mel_power(sound: NDArray[np.float64]) -> NDArray[np.float64]:
    """Power in 40 mel bands, (steps, 40), a step each 10 ms; the encoder wants no logarithm."""
    padded = np.pad(sound, _WINDOW // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::_HOP]
    power = np.abs(np.fft.rfft(frames * np.hanning(_WINDOW + 1)[:-1])) ** 2
    return np.asarray(power @ _mel_bands().T)


@lru_cache(maxsize=1)
def _mel_bands() -> NDArray[np.float64]:
    """Triangles of equal area on Slaney's mel scale: linear to 1 kHz, logarithmic above."""
    per_step = np.log(6.4) / 27
    mels = np.linspace(0, 15 + np.log(8.0) / per_step, _BANDS + 2)
    edges_hz = np.where(mels < 15, mels * 200 / 3, 1000 * np.exp(per_step * (mels - 15)))
    bins_hz = np.fft.rfftfreq(_WINDOW, 1 / RATE_HZ)
    low, middle, high = edges_hz[:-2, None], edges_hz[1:-1, None], edges_hz[2:, None]
    rising, falling = (bins_hz - low) / (middle - low), (high - bins_hz) / (high - middle)
    return np.asarray(np.maximum(0, np.minimum(rising, falling)) * 2 / (high - low))


def _recurrent(
    steps: NDArray[np.float64], weight_in: Any, weight_back: Any, bias: NDArray[np.float64]
) -> NDArray[np.float64]:
    """One layer of long short-term memory: (steps, bands) to (steps, 256)."""
    driven = steps @ weight_in.T + bias
    hidden, cell = np.zeros(_HIDDEN), np.zeros(_HIDDEN)
    found = np.empty((len(steps), _HIDDEN))
    for at, now in enumerate(driven):
        gates = now + weight_back @ hidden
        take, keep, give = (1 / (1 + np.exp(-gates[first : first + _HIDDEN])) for first in (0, 256, 768))
        cell = keep * cell + take * np.tanh(gates[512:768])
        hidden = give * np.tanh(cell)
        found[at] = hidden
    return found


def _weights(path: Path) -> dict[str, NDArray[np.float64]]:
    """The tensors of a file in PyTorch's older form, read without it and without running anything in it (U6)."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise InputFault("is not the voice encoder that is known", where=str(path), mend=MEND)
    file = io.BytesIO(content)
    for _ in range(3):  # magic number, protocol, byte order
        pickle.load(file)
    shapes = _Tensors(file).load()["model_state"]
    stored: dict[str, NDArray[np.float64]] = {}
    for key in pickle.load(file):
        count = int.from_bytes(file.read(8), "little")
        stored[key] = np.frombuffer(file.read(4 * count), "<f4").astype(np.float64)
    return {
        name: stored[key][first : first + int(np.prod(size))].reshape(size)
        for name, (key, first, size) in shapes.items()
    }


class _Tensors(pickle.Unpickler):
    """Gives each tensor as (key of its storage, offset, size)."""

    def persistent_load(self, pid: Any) -> str:
        return str(pid[2])

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if name == "_rebuild_tensor_v2":
            return lambda key, first, size, *_: (key, first, size)
        if name.endswith("Storage"):
            return name
        raise pickle.UnpicklingError(f"{module}.{name} is no tensor")
