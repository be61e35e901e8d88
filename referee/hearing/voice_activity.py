"""Cuts sound into utterances: when somebody speaks, and when they have stopped (sole importer of webrtcvad).

A long-lived recogniser loses most calls in noise; a recogniser that gets short utterances, each finished
with a final result, keeps them. So everything depends on this cut. A frame counts as voice when WebRTC's
detector says so and when it stands out of the room's own level, which is followed as it changes: the
detector alone calls the murmur of a room one endless speech.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from referee.faults import InputFault
from referee.hearing.recogniser import Samples

FRAME_S = 0.02
_QUIET_ROOM_DB = 30.0  # of a mean square of int16 samples: 60 dB below full scale


@dataclass(frozen=True, slots=True)
class Cut:
    """When an utterance begins and ends; all in seconds but `strictness` (0…3, WebRTC's mode)."""

    strictness: int = 1
    over_room_db: float = 6.0
    """A voice is at least this much louder than the room."""
    room_window_s: float = 3.0
    """The room's level is the one that a fifth of the frames of this window stay below."""
    begin_s: float = 0.06
    """Voice within the last 0.1 s that opens an utterance."""
    hangover_s: float = 0.3
    """Silence that ends it."""
    pre_roll_s: float = 0.3
    """Sound from before the opening that belongs to it: weak first consonants."""
    least_voice_s: float = 0.1
    """Utterances with less voice are clicks and are dropped."""
    most_s: float = 6.0
    """An utterance that goes on is cut here."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A stretch of speech. Sample positions count from the first sample ever given to the cutter.

    first: position of `samples[0]`; decided: position up to which sound had come when its end was known. voiced:
    whether there was voice, a value for each `FRAME_S`.
    """

    samples: Samples
    first: int
    decided: int
    voiced: tuple[bool, ...] = ()

    @property
    def voice_ends_s(self) -> float:
        """When its last voice was heard, in seconds from the first sample; 0 without any."""
        return (max((at for at, voice in enumerate(self.voiced) if voice), default=-1) + 1) * FRAME_S


class VoiceDetector(Protocol):
    """Says of one frame of `FRAME_S` whether it sounds like a voice."""

    def is_voice(self, frame: Samples) -> bool:
        """True for a voiced frame, int16 (n,)."""


class WebRtcDetector:
    """WebRTC's voice-activity detector. Raises InputFault when its package is missing."""

    def __init__(self, rate_hz: int, strictness: int) -> None:
        try:
            import webrtcvad
        except (ImportError, OSError) as error:
            raise InputFault(
                "voice detection is not available", where="webrtcvad", mend="install webrtcvad-wheels"
            ) from error
        self._vad = webrtcvad.Vad(strictness)
        self._rate_hz = rate_hz

    def is_voice(self, frame: Samples) -> bool:
        """True for a voiced frame."""
        return bool(self._vad.is_speech(frame.astype("<i2").tobytes(), self._rate_hz))


class UtteranceCutter:
    """Takes sound in chunks of any size, gives utterances; the result does not depend on the chunks."""

    def __init__(self, rate_hz: int, cut: Cut | None = None, detector: VoiceDetector | None = None) -> None:
        self.cut = cut or Cut()
        self._detector = detector or WebRtcDetector(rate_hz, self.cut.strictness)
        self._frame = round(FRAME_S * rate_hz)
        self._held: Samples = np.empty(0, np.int16)
        self._taken = 0  # samples in whole frames so far
        # A file may begin in the middle of a word: until 0.8 s have come, the room is taken as quiet.
        self._levels_db = deque([_QUIET_ROOM_DB] * _frames(0.2), _frames(self.cut.room_window_s))
        self._pre_roll: deque[tuple[Samples, bool]] = deque(maxlen=_frames(self.cut.pre_roll_s))
        self._recent: deque[bool] = deque(maxlen=_frames(0.1))
        self._open: list[tuple[Samples, bool]] = []
        self._open_first = 0
        self._voiced = 0
        self._silent = 0

    @property
    def settled(self) -> int:
        """Position, counted as in `Utterance`, before which no utterance that is still to come can begin."""
        return self._open_first if self._open else self._taken - self._frame * len(self._pre_roll)

    @property
    def open_utterance(self) -> Utterance | None:
        """The utterance under way as far as it has come; None while nobody speaks or too little was voice."""
        if not self._open or self._voiced < _frames(self.cut.least_voice_s):
            return None
        return _utterance(self._open, self._open_first, self._taken)

    def feed(self, samples: Samples) -> list[Utterance]:
        """The utterances that ended within these samples."""
        self._held = np.concatenate([self._held, samples])
        done = []
        whole = len(self._held) // self._frame * self._frame
        for at in range(0, whole, self._frame):
            if utterance := self._step(self._held[at : at + self._frame]):
                done.append(utterance)
        self._held = self._held[whole:]
        return done

    def flush(self) -> list[Utterance]:
        """The utterance that was still open when the sound ended; the cutter starts anew after it."""
        self._taken += len(self._held)
        if self._open:
            self._open.append((self._held, False))
        self._held = np.empty(0, np.int16)
        utterance = self._closed()
        return [utterance] if utterance else []

    def _step(self, frame: Samples) -> Utterance | None:
        self._taken += self._frame
        voice = self._is_voice(frame)
        self._recent.append(voice)
        if not self._open:
            self._pre_roll.append((frame, voice))
            if sum(self._recent) >= _frames(self.cut.begin_s):
                self._open = list(self._pre_roll)
                self._open_first = self._taken - self._frame * len(self._open)
                self._voiced, self._silent = sum(self._recent), 0
                self._pre_roll.clear()
            return None
        self._open.append((frame, voice))
        self._voiced += voice
        self._silent = 0 if voice else self._silent + 1
        if self._silent >= _frames(self.cut.hangover_s) or len(self._open) >= _frames(self.cut.most_s):
            return self._closed()
        return None

    def _closed(self) -> Utterance | None:
        parts, voiced = self._open, self._voiced
        self._open, self._voiced, self._silent = [], 0, 0
        self._recent.clear()
        self._pre_roll.extend(parts)  # its end is what comes before the next one
        if not parts or voiced < _frames(self.cut.least_voice_s):
            return None
        return _utterance(parts, self._open_first, self._taken)

    def _is_voice(self, frame: Samples) -> bool:
        level_db = 10 * float(np.log10(np.mean(frame.astype(np.float64) ** 2) + 1.0))
        self._levels_db.append(level_db)
        room_db = float(np.partition(self._levels_db, len(self._levels_db) // 5)[len(self._levels_db) // 5])
        return level_db > room_db + self.cut.over_room_db and self._detector.is_voice(frame)


def _utterance(parts: Sequence[tuple[Samples, bool]], first: int, decided: int) -> Utterance:
    samples, voiced = zip(*parts, strict=True)
    return Utterance(np.concatenate(samples), first, decided, voiced)


def _frames(seconds: float) -> int:
    return max(1, round(seconds / FRAME_S))
