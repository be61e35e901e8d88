"""The call spotter: a small network that looks at sound and says which call ends there, or none.

It listens beside the recogniser: it confirms what that heard, and finds calls that it missed or has no word for.
Its shares are calibrated on synthetic voices that its training never heard (`models/README.md`).
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.bundled import bundled
from referee.faults import InputFault
from referee.hearing.features import HOP, RATE_HZ, WINDOW, Features, log_mel, windows
from referee.hearing.recogniser import Samples

KIND = "call_spotter"
STRIDE = 5
"""Frames between looks: 50 ms."""

_MEND = "install the package again, or train it anew with `referee train hearing`"
_LEAST_FRAMES = 12  # before that hardly a sound has been made


@dataclass(frozen=True, slots=True)
class Track:
    """What the spotter saw along a stretch of sound.

    shares: float32 (n, classes), a row a look; ends_s: the moment at which each look ends, in seconds from the first
    sample; calls: the class names, the first is "none".
    """

    shares: NDArray[np.float32]
    ends_s: NDArray[np.float64]
    calls: tuple[str, ...]

    def smoothed(self) -> Track:
        """Each look averaged with the one before it: a call is seen by several, a chance likeness by one."""
        shares = self.shares.copy()
        shares[1:] = (shares[1:] + shares[:-1]) / 2
        return Track(shares, self.ends_s, self.calls)

    def then(self, later: Track) -> Track:
        """This track and what came after it."""
        return Track(
            np.concatenate([self.shares, later.shares]), np.concatenate([self.ends_s, later.ends_s]), self.calls
        )

    def best(self, call: str, start_s: float = float("-inf"), end_s: float = float("inf")) -> tuple[float, float]:
        """The highest share of a call among looks that end within the span, and when; 0 for an unknown call."""
        inside = (self.ends_s >= start_s) & (self.ends_s <= end_s)
        if call not in self.calls or not inside.any():
            return 0.0, 0.0
        column = np.where(inside, self.shares[:, self.calls.index(call)], -1.0)
        at = int(column.argmax())
        return float(column[at]), float(self.ends_s[at])

    def held(self, call: str, at_s: float, looks: int) -> float:
        """The highest mean share of a call over so many looks in a row, among them the one at `at_s`."""
        if call not in self.calls or not len(self.ends_s):
            return 0.0
        at = int(np.abs(self.ends_s - at_s).argmin())
        near = self.shares[max(at - looks + 1, 0) : at + looks, self.calls.index(call)]
        count = min(looks, len(near))
        return float(np.convolve(near, np.ones(count) / count, "valid").max())

    def peaks(self, call: str, least: float, apart_s: float) -> list[tuple[float, float]]:
        """The highest shares of a call, at least so high and so far apart, best first, and when."""
        if call not in self.calls:
            return []
        column = self.shares[:, self.calls.index(call)].copy()
        found: list[tuple[float, float]] = []
        while len(column) and column.max() >= least:
            at = int(column.argmax())
            found.append((float(column[at]), float(self.ends_s[at])))
            column[np.abs(self.ends_s - self.ends_s[at]) < apart_s] = -1.0
        return found


class CallSpotter:
    """The network with its labels; one thread owns it.

    Raises InputFault when the manifest (the shipped one when None) names no spotter, or its file is missing, was
    changed, or cannot be run.
    """

    def __init__(self, manifest: Path | None = None) -> None:
        path = manifest or bundled("models/manifest.toml")
        table = _entry(path)
        self.calls: tuple[str, ...] = tuple(str(call) for call in table["calls"])
        self._heat = float(table.get("temperature", 1.0))
        self._net = _net(path.parent / str(table["file"]), str(table["sha256"]))

    @property
    def knows(self) -> frozenset[str]:
        """The calls that it can tell."""
        return frozenset(self.calls[1:])

    def track(self, samples: Samples) -> Track:
        """Looks every 50 ms along int16 sound at 16 kHz; an empty track for less than 0.15 s."""
        return self.looks(log_mel(samples))

    def looks(self, frames: Features, after: int = _LEAST_FRAMES) -> Track:
        """Looks every 50 ms along log-mel frames, those that end behind frame `after`; each may look back on all."""
        ends = np.arange(-(-(after + 1) // STRIDE) * STRIDE, len(frames) + 1, STRIDE)
        if not len(ends):
            return Track(np.empty((0, len(self.calls)), np.float32), np.empty(0), self.calls)
        return Track(self.shares(windows(frames, ends)), (ends * HOP + WINDOW - HOP) / RATE_HZ, self.calls)

    def shares(self, pictures: Features) -> NDArray[np.float32]:
        """Calibrated shares (n, classes) of levelled windows (n, 1, 40, FRAMES)."""
        self._net.setInput(pictures)
        logits = np.asarray(self._net.forward(), np.float32).reshape(len(pictures), -1) / np.float32(self._heat)
        logits -= logits.max(axis=1, keepdims=True)
        shares = np.exp(logits)
        return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float32)


def _entry(manifest: Path) -> dict[str, Any]:
    try:
        tables = tomllib.loads(manifest.read_text(encoding="utf-8")).get("model", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise InputFault(f"cannot be read: {fault}", where=str(manifest), mend=_MEND) from fault
    for table in tables:
        if table.get("kind") == KIND and isinstance(table.get("calls"), Sequence):
            return dict(table)
    raise InputFault("names no call spotter", where=str(manifest), mend=_MEND)


def _net(path: Path, sha256: str) -> cv2.dnn.Net:
    try:
        content = path.read_bytes()
    except OSError:
        raise InputFault("the model file is missing", where=str(path), mend=_MEND) from None
    if hashlib.sha256(content).hexdigest() != sha256.lower():
        raise InputFault("the model file is not the one that the manifest names", where=str(path), mend=_MEND)
    try:
        return cv2.dnn.readNetFromONNX(np.frombuffer(content, np.uint8))
    except cv2.error as fault:
        raise InputFault("OpenCV cannot run this model", where=str(path), mend=_MEND) from fault
