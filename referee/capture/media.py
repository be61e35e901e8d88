"""The only module that imports PyAV: pictures and sound of any file with their own times, and Matroska writing.

`av` is imported inside the functions: beside cv2 it is slow to load and clashes with OpenCV's own FFmpeg (C15).
A file that ends in the middle of a packet is read up to that point: an error at the end of a stream is its end (S3).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.faults import InputFault

Image = NDArray[np.uint8]
Samples = NDArray[np.int16]

SPEECH_RATE_HZ = 16_000


@dataclass(frozen=True, slots=True)
class MediaFacts:
    """What a file holds. `duration_s` is 0 where a broken header does not say; sizes are of the first stream."""

    duration_s: float
    has_video: bool
    has_audio: bool
    width_px: int = 0
    height_px: int = 0
    frame_rate_hz: float = 0.0
    audio_rate_hz: int = 0
    audio_channels: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: `image_bgr` uint8 (height, width, 3), at `t_s` seconds from the start of the file."""

    t_s: float
    index: int
    image_bgr: Image


@dataclass(frozen=True, slots=True)
class SoundChunk:
    """A run of mono sound: `samples` int16 (n,), the first of them at `t_s`.

    sides: both channels, int16 (n, 2), where the source has two; `samples` is their mean.
    """

    t_s: float
    samples: Samples
    rate_hz: int
    sides: Samples | None = None

    @property
    def duration_s(self) -> float:
        """Length of the chunk in seconds."""
        return len(self.samples) / self.rate_hz


def probe(path: Path) -> MediaFacts:
    """What `path` holds. Raises InputFault when it is missing, empty, or not a recording."""
    with _opened(path) as container:
        video = container.streams.video[0] if container.streams.video else None
        audio = container.streams.audio[0] if container.streams.audio else None
        return MediaFacts(
            duration_s=(container.duration or 0) / 1_000_000,
            has_video=video is not None,
            has_audio=audio is not None,
            width_px=video.width if video else 0,
            height_px=video.height if video else 0,
            frame_rate_hz=float(video.average_rate or 0) if video else 0.0,
            audio_rate_hz=audio.rate if audio else 0,
            audio_channels=audio.channels if audio else 0,
        )


class Pace:
    """Picks at most `rate_hz` frames a second, evenly; None picks them all. Live and recorded frames pace alike."""

    def __init__(self, rate_hz: float | None) -> None:
        self._step_s = 1 / rate_hz if rate_hz else 0.0
        self._due_s: float | None = None

    def due(self, t_s: float) -> bool:
        """Whether the frame at `t_s` is one of them; frames come in the order of their times."""
        # A fifth of a step of tolerance keeps 30 -> 15 a second regular in spite of rounded times.
        if self._due_s is not None and t_s + 0.2 * self._step_s < self._due_s:
            return False
        self._due_s = t_s + self._step_s if self._due_s is None else max(self._due_s + self._step_s, t_s)
        return True


def frames(
    path: Path, max_rate_hz: float | None = None, *, begin_s: float | None = None, pace: Pace | None = None
) -> Iterator[Frame]:
    """The pictures of `path` in order, with the file's own times; at most `max_rate_hz` of them a second.

    begin_s: the file is a piece of a longer recording, its time 0 is there; else times count from its first packet.
    pace: keeps step over several pieces, in place of `max_rate_hz`. Raises InputFault when the file has no picture or
    none can be decoded.
    """
    import av

    pace = pace or Pace(max_rate_hz)
    with _opened(path) as container:
        if not container.streams.video:
            raise InputFault("holds no picture", where=str(path), mend="give a video of the table")
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        start_s = _start_s(container) if begin_s is None else -begin_s
        index, last_s = 0, begin_s or 0.0
        for picture in _decoded(container, stream, av.error.FFmpegError):
            t_s = last_s if picture.pts is None else max(0.0, picture.time - start_s)
            last_s = t_s
            if pace.due(t_s):
                yield Frame(t_s, index, picture.to_ndarray(format="bgr24"))
            index += 1
        if index == 0:
            raise InputFault("no picture in it can be decoded", where=str(path), mend="record it again")


def sound_chunks(
    path: Path, rate_hz: int = SPEECH_RATE_HZ, chunk_s: float = 0.1, *, begin_s: float | None = None
) -> Iterator[SoundChunk]:
    """The sound of `path` as a microphone gives it: mono int16 at `rate_hz`, in chunks of `chunk_s`, and both `sides`
    of a recording with two channels.

    Times count samples from the start of the sound, shifted by where it begins in the file (and by `begin_s`, for a
    piece of a longer recording). Raises InputFault when the file has no sound or none can be decoded.
    """
    import av

    with _opened(path) as container:
        if not container.streams.audio:
            raise InputFault("holds no sound", where=str(path), mend="give a recording with sound")
        stream = container.streams.audio[0]
        channels = 2 if stream.channels == 2 else 1
        layout = "stereo" if channels == 2 else "mono"
        resampler = av.AudioResampler(format="s16", layout=layout, rate=rate_hz)
        size = max(1, round(chunk_s * rate_hz))
        first_s: float | None = None
        given = 0
        held = np.empty((0, channels), np.int16)
        start_s = _start_s(container) if begin_s is None else -begin_s
        for block, block_t_s in _resampled(container, stream, resampler, start_s):
            first_s = block_t_s if first_s is None else first_s
            held = np.concatenate([held, block.reshape(-1, channels)])
            while len(held) >= size:
                yield sound_chunk(first_s + given / rate_hz, held[:size].copy(), rate_hz)
                held, given = held[size:], given + size
        if first_s is None:
            raise InputFault("no sound in it can be decoded", where=str(path), mend="record it again")
        if len(held):
            yield sound_chunk(first_s + given / rate_hz, held, rate_hz)


def sound_chunk(t_s: float, channels: Samples, rate_hz: int) -> SoundChunk:
    """A chunk of (n, channels): mono is their mean, and of two both are kept."""
    if channels.shape[1] == 1:
        return SoundChunk(t_s, channels[:, 0], rate_hz)
    mean = np.round(channels.mean(axis=1)).astype(np.int16)
    return SoundChunk(t_s, mean, rate_hz, channels if channels.shape[1] == 2 else None)


def _resampled(container: Any, stream: Any, resampler: Any, start_s: float) -> Iterator[tuple[Samples, float]]:
    import av

    t_s = 0.0
    for frame in _decoded(container, stream, av.error.FFmpegError):
        t_s = t_s if frame.pts is None else max(0.0, frame.time - start_s)
        frame.pts = None  # the resampler counts for itself; gaps inside one file are not sound
        for block in resampler.resample(frame):
            yield block.to_ndarray().reshape(-1), t_s
    for block in resampler.resample(None):
        yield block.to_ndarray().reshape(-1), t_s


def _decoded(container: Any, stream: Any, fault: type[Exception]) -> Iterator[Any]:
    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets)
        except StopIteration:
            return
        except fault:  # a cut-off file ends here
            return
        try:
            yield from packet.decode()
        except fault:  # one damaged packet costs its own pictures, not the rest
            continue


def _start_s(container: Any) -> float:
    return (container.start_time or 0) / 1_000_000


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    if not path.exists():
        raise InputFault("is not there", where=str(path), mend="check the name")
    if path.is_dir():
        raise InputFault("is a folder, not a recording", where=str(path), mend="name a file in it")
    if path.stat().st_size == 0:
        raise InputFault("is empty (0 bytes)", where=str(path), mend="record it again")
    import av

    try:
        container = av.open(str(path))
    except (av.error.FFmpegError, OSError, ValueError) as fault:
        raise InputFault(
            "cannot be read as video or sound", where=str(path), mend="give a video or sound file"
        ) from fault
    try:
        yield container
    finally:
        container.close()


class MediaWriter:
    """Writes pictures and sound into one Matroska file, picture as H.264, sound as Opus.

    Clusters of a second flushed at once, so that a killed recorder loses no more than that (libraries.md, 3.3).
    video_preset: of x264; `veryfast` takes less than half the time of `medium`.
    """

    def __init__(
        self,
        path: Path,
        *,
        width_px: int,
        height_px: int,
        frame_rate_hz: int,
        audio_rate_hz: int = SPEECH_RATE_HZ,
        video_crf: int = 28,
        video_preset: str = "medium",
        audio_bit_rate: int = 24_000,
    ) -> None:
        import av

        self._av = av
        options = {"cluster_time_limit": "1000", "flush_packets": "1", "fflags": "+bitexact"}  # no random ids
        self._container = av.open(str(path), "w", format="matroska", options=options)
        self._video = self._container.add_stream("libx264", rate=frame_rate_hz)
        self._video.width, self._video.height = width_px, height_px
        self._video.pix_fmt = "yuv420p"
        # One thread and no frame lookahead across threads: the same frames give the same bytes.
        self._video.options = {"crf": str(video_crf), "preset": video_preset, "threads": "1"}
        self._audio = self._container.add_stream("libopus", rate=48_000, layout="mono")
        self._audio.bit_rate = audio_bit_rate
        self._resampler = av.AudioResampler(format="s16", layout="mono", rate=48_000)
        self._audio_rate_hz = audio_rate_hz
        self._frames = 0
        self._samples = 0

    def picture(self, image_bgr: Image) -> None:
        """Append one frame, uint8 (height, width, 3)."""
        frame = self._av.VideoFrame.from_ndarray(image_bgr, format="bgr24")
        frame.pts = self._frames
        self._frames += 1
        for packet in self._video.encode(frame):
            self._container.mux(packet)

    def sound(self, samples: Samples) -> None:
        """Append mono sound, int16 (n,), at the rate given."""
        frame = self._av.AudioFrame.from_ndarray(samples.reshape(1, -1), format="s16", layout="mono")
        frame.rate = self._audio_rate_hz
        frame.pts = self._samples
        self._samples += len(samples)
        for block in self._resampler.resample(frame):
            for packet in self._audio.encode(block):
                self._container.mux(packet)

    def close(self) -> None:
        """Flush both encoders and close the file."""
        for block in self._resampler.resample(None):
            for packet in self._audio.encode(block):
                self._container.mux(packet)
        for stream in (self._video, self._audio):
            for packet in stream.encode(None):
                self._container.mux(packet)
        self._container.close()

    def __enter__(self) -> MediaWriter:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()
