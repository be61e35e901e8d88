"""Where live picture and sound come from: cameras and microphones, or a film that stands in for them.

A source gives frames and sound with times on the session clock. Frames are stamped when they are grabbed. A source
whose sound is timed only by its arrival says so (`counts_samples` false), and is then fitted to the session clock.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeAlias, runtime_checkable

from referee.capture.media import Frame, MediaFacts, SoundChunk, frames, probe, sound_chunks
from referee.faults import InputFault
from referee.observations.clock import Clock


class PictureSource(Protocol):
    """A camera. `width_px`, `height_px`, `frame_rate_hz`: what it gives, the rate roughly."""

    width_px: int
    height_px: int
    frame_rate_hz: float

    def frames(self) -> Iterator[Frame]:
        """The frames as they come, until the source ends or is stopped; `t_s` on the session clock."""

    def stop(self) -> None:
        """End `frames` soon, from another thread."""


class SoundSource(Protocol):
    """A microphone."""

    rate_hz: int
    counts_samples: bool
    """True: `t_s` of the chunks is exact. False: it is when the first sample is thought to have been taken."""

    def chunks(self) -> Iterator[SoundChunk]:
        """The sound as it comes, mono, until the source ends or is stopped; `t_s` on the session clock."""

    def stop(self) -> None:
        """End `chunks` soon, from another thread."""


@runtime_checkable
class TellsDrift(Protocol):
    """A microphone that fits its own times and says how far its second is off."""

    @property
    def drift_ppm(self) -> float:
        """Millionths of a second a second."""


class InStep:
    """Plays a film as fast as it is judged: its picture and its sound wait for each other, as in life.

    Otherwise sound would be recorded long before the picture that it belongs to, and a crash would leave one of them.
    """

    AHEAD_S = 0.3

    def __init__(self) -> None:
        self._reached_s: dict[int, float] = {}
        self._changed = threading.Condition()

    def join(self) -> int:
        """The number of one more that plays along."""
        number = len(self._reached_s)
        self._reached_s[number] = float("-inf")
        return number

    def wait(self, number: int, until_s: float, stopped: threading.Event) -> None:
        """Wait until nobody else is far behind `until_s`, or `stopped`."""
        with self._changed:
            self._reached_s[number] = until_s
            self._changed.notify_all()
            while not stopped.is_set() and min(self._reached_s.values()) < until_s - self.AHEAD_S:
                self._changed.wait(0.5)

    def leave(self, number: int) -> None:
        """That one is at its end: nobody waits for it."""
        with self._changed:
            self._reached_s[number] = float("inf")
            self._changed.notify_all()


Pacing: TypeAlias = Clock | InStep | None
"""How a film is played: in real time on a clock, in step, or (alone) as fast as it is taken."""


class _Pacer:
    """Holds items back until their time has come."""

    def __init__(self, pacing: Pacing) -> None:
        self._in_step = pacing if isinstance(pacing, InStep) else None
        self._clock = pacing if not isinstance(pacing, InStep) else None
        self._number = self._in_step.join() if self._in_step else 0
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()
        self.end()

    def end(self) -> None:
        if self._in_step is not None:
            self._in_step.leave(self._number)

    def wait(self, until_s: float) -> bool:
        """False once it was stopped."""
        if self._in_step is not None:
            self._in_step.wait(self._number, until_s, self._stopped)
        elif self._clock is not None and not self._stopped.is_set():
            left_s = until_s - self._clock.now_s()
            if left_s > 0:
                self._stopped.wait(left_s)
        return not self._stopped.is_set()


class FilmCamera:
    """A film as a camera. pacing: how fast it is played, the same for its sound.

    from_s: the session time that the film is continued at. Raises InputFault when the file holds no picture.
    """

    def __init__(self, path: Path, pacing: Pacing, from_s: float = 0.0) -> None:
        facts = probe(path)
        if not facts.has_video:
            raise InputFault("holds no picture", where=str(path), mend="give a film of the table")
        self.width_px, self.height_px = facts.width_px, facts.height_px
        self.frame_rate_hz = facts.frame_rate_hz or 15.0
        self._path = path
        self._from_s = from_s
        self._pacer = _Pacer(pacing)

    def frames(self) -> Iterator[Frame]:
        """See `PictureSource`. Times are whole milliseconds, as a recording keeps them."""
        try:
            for frame in frames(self._path):
                if frame.t_s < self._from_s:
                    continue
                if not self._pacer.wait(frame.t_s):
                    return
                yield replace(frame, t_s=round(frame.t_s, 3))
        finally:
            self._pacer.end()

    def stop(self) -> None:
        """See `PictureSource`."""
        self._pacer.stop()


class FilmMicrophone:
    """The sound of a file as a microphone; see `FilmCamera`."""

    counts_samples = True

    def __init__(self, path: Path, pacing: Pacing, from_s: float = 0.0) -> None:
        facts = probe(path)
        if not facts.has_audio:
            raise InputFault("holds no sound", where=str(path), mend="give a recording with sound")
        self.rate_hz = 16_000
        self.channels = 2 if facts.audio_channels == 2 else 1
        self._path = path
        self._from_s = from_s
        self._pacer = _Pacer(pacing)

    def chunks(self) -> Iterator[SoundChunk]:
        """See `SoundSource`. A chunk comes when its last sample was taken."""
        try:
            for chunk in sound_chunks(self._path, self.rate_hz):
                if chunk.t_s < self._from_s:
                    continue
                if not self._pacer.wait(chunk.t_s + chunk.duration_s):
                    return
                yield chunk
        finally:
            self._pacer.end()

    def stop(self) -> None:
        """See `SoundSource`."""
        self._pacer.stop()


class NoCamera:
    """No camera: the table is scored by what is heard and tapped."""

    width_px, height_px, frame_rate_hz = 640, 480, 15.0

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """See `PictureSource`: none ever comes."""
        self._stopped.wait()
        yield from ()

    def stop(self) -> None:
        """See `PictureSource`."""
        self._stopped.set()


class TappedCamera:
    """A camera whose newest frame can be looked at while another takes them all (a slot, never a queue: C16)."""

    def __init__(self, camera: PictureSource) -> None:
        self._camera = camera
        self.width_px, self.height_px = camera.width_px, camera.height_px
        self.frame_rate_hz = camera.frame_rate_hz
        self.newest: Frame | None = None
        self.ended = False

    def frames(self) -> Iterator[Frame]:
        """See `PictureSource`."""
        for frame in self._camera.frames():
            self.newest = frame
            yield frame
        self.ended = True

    def stop(self) -> None:
        """See `PictureSource`."""
        self._camera.stop()


def facts_of(camera: PictureSource, microphone: SoundSource | None) -> MediaFacts:
    """What the two give, in the words that eye and ear are opened with."""
    return MediaFacts(
        duration_s=0.0,
        has_video=True,
        has_audio=microphone is not None,
        width_px=camera.width_px,
        height_px=camera.height_px,
        frame_rate_hz=camera.frame_rate_hz,
        audio_rate_hz=microphone.rate_hz if microphone else 0,
    )
