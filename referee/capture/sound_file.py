"""A recording as if it were a microphone: the same chunks and the same events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.capture.levels import SoundMeter, clipping
from referee.capture.media import SPEECH_RATE_HZ, SoundChunk, sound_chunks
from referee.capture.sound_events import SoundEvent


def file_sound(path: Path, rate_hz: int = SPEECH_RATE_HZ, chunk_s: float = 0.1) -> Iterator[SoundChunk | SoundEvent]:
    """The sound of any file as `Microphone.stream` gives it. Raises what `sound_chunks` does.

    One chunk is held at a time, however long the recording is.
    """
    meter = SoundMeter()
    for chunk in sound_chunks(path, rate_hz, chunk_s):
        if clipped := clipping(chunk.samples, chunk.t_s, chunk.rate_hz):
            yield clipped
        yield chunk
        yield from meter.of(chunk)
