"""The writing half of the adapter of PyAV: Matroska pieces that a crash cannot spoil, and remuxing of broken ones.

Clusters of a second, every packet flushed at once, an encoder without lookahead: what was given to the writer a
moment ago is in the file (measured: 585 of 600 frames after a kill, nothing lost but the open cluster). Picture is
H.264, sound is FLAC: a dispute hears exactly the samples that the referee heard.
"""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path
from typing import Any

import numpy as np

from referee.capture.media import Image, Samples
from referee.capture.resampling import fitted
from referee.faults import InputFault

MUXER_OPTIONS = {
    "cluster_time_limit": "1000",
    "flush_packets": "1",
    "max_interleave_delta": "500000",  # a silent stream must not hold the other one back (µs)
    "fflags": "+bitexact",
}
ENCODER_OPTIONS: dict[str, object] = {
    "preset": "ultrafast",
    "tune": "zerolatency",
    "crf": "26",
    "g": "30",
    "threads": "1",
}
SOUND_GAP_S = 0.06
"""Sound that is off its place by more was lost (silence fills the gap) or came twice (it is cut)."""


class _Sink(io.RawIOBase):
    """A file that PyAV writes through Python: a full disk is an OSError with its number, not a broken encoder."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0), 0o644)

    def write(self, data: Any) -> int:
        """Write all of `data`; raises OSError."""
        left = memoryview(data)
        while left:
            left = left[os.write(self._file, left) :]
        return len(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        """As a file's."""
        return os.lseek(self._file, offset, whence)

    def tell(self) -> int:
        """As a file's."""
        return os.lseek(self._file, 0, os.SEEK_CUR)

    def seekable(self) -> bool:
        """The header is completed on closing."""
        return True

    def writable(self) -> bool:
        """It is."""
        return True

    def close(self) -> None:
        """Put it onto the disk and close it."""
        if not self.closed:
            with contextlib.suppress(OSError):  # a full disk was told when the bytes were written
                os.fsync(self._file)
            os.close(self._file)
        super().close()


class SegmentWriter:
    """Writes one piece of a recording; times are on the session clock, the piece begins at `begin_s`.

    size_px: (width, height), None for sound alone. rate_hz: of the sound, None for picture alone. channels: of the
    sound, 1 or 2. frame_rate_hz: nominal, frames keep their own times. Every method may raise OSError (a full disk).
    nudged: frames whose time had to be moved on because it was not after the last (S8). silence_s: how much silence
    fills gaps in the sound.
    """

    def __init__(
        self,
        path: Path,
        *,
        begin_s: float,
        size_px: tuple[int, int] | None,
        rate_hz: int | None,
        channels: int = 1,
        frame_rate_hz: int = 15,
    ) -> None:
        import av

        self.path = path
        self.begin_s = begin_s
        self.nudged = 0
        self.silence_s = 0.0
        self.frames = 0
        self.samples = 0
        self.end_s = begin_s
        self._av = av
        self._sink = _Sink(path)
        self._container = av.open(self._sink, "w", format="matroska", options=MUXER_OPTIONS)
        self._video = self._audio = None
        self._rate_hz = rate_hz
        if size_px is not None:
            self._video = self._container.add_stream("libx264", rate=frame_rate_hz)
            self._video.width, self._video.height = size_px[0] // 2 * 2, size_px[1] // 2 * 2
            self._video.pix_fmt = "yuv420p"
            self._video.options = ENCODER_OPTIONS
            self._video.codec_context.time_base = _millisecond()
        self._channels, self._layout = channels, "stereo" if channels == 2 else "mono"
        if rate_hz is not None:
            self._audio = self._container.add_stream("flac", rate=rate_hz, layout=self._layout)
            self._audio.format = "s16"
        self._last_ms = -1
        self._sound_begin_s: float | None = None

    @property
    def sound_end_s(self) -> float | None:
        """Up to where there is sound, None before the first."""
        if self._sound_begin_s is None or self._rate_hz is None:
            return None
        return self._sound_begin_s + self.samples / self._rate_hz

    def picture(self, image_bgr: Image, t_s: float) -> None:
        """Add the frame taken at `t_s`, uint8 (height, width, 3)."""
        if self._video is None:
            return
        at_ms = round((t_s - self.begin_s) * 1000)
        if at_ms <= self._last_ms:
            self.nudged += 1
            at_ms = self._last_ms + 1
        height, width = self._video.height, self._video.width
        frame = self._av.VideoFrame.from_ndarray(np.ascontiguousarray(image_bgr[:height, :width]), format="bgr24")
        frame.pts, frame.time_base = at_ms, _millisecond()
        self._last_ms = at_ms
        self._mux(self._video.encode(frame))
        self.frames += 1
        self.end_s = max(self.end_s, self.begin_s + at_ms / 1000)

    def sound(self, samples: Samples, t_s: float) -> None:
        """Add sound, int16 (n,) or (n, 2), its first sample taken at `t_s`; one channel fills both of two."""
        if self._audio is None or self._rate_hz is None:
            return
        rate_hz = self._rate_hz
        samples = fitted(samples.reshape(len(samples), -1), self._channels)
        if self._sound_begin_s is None:
            samples = samples[max(0, round((self.begin_s - t_s) * rate_hz)) :]
            self._sound_begin_s = max(t_s, self.begin_s)
        else:
            off_s = t_s - (self._sound_begin_s + self.samples / rate_hz)
            if off_s > SOUND_GAP_S:
                self.silence_s += off_s
                samples = np.concatenate([np.zeros((round(off_s * rate_hz), self._channels), np.int16), samples])
            elif off_s < -SOUND_GAP_S:
                samples = samples[round(-off_s * rate_hz) :]
        if not len(samples):
            return
        frame = self._av.AudioFrame.from_ndarray(samples.reshape(1, -1), format="s16", layout=self._layout)
        frame.rate = rate_hz
        frame.pts = round((self._sound_begin_s - self.begin_s) * rate_hz) + self.samples
        self.samples += len(samples)
        self._mux(self._audio.encode(frame))
        self.end_s = max(self.end_s, self._sound_begin_s + self.samples / rate_hz)

    def close(self) -> None:
        """Flush both encoders and complete the header. The file is closed even where this raises OSError."""
        try:
            for stream in (self._video, self._audio):
                if stream is not None and (self.frames if stream is self._video else self.samples):
                    self._mux(stream.encode(None))
            self._container.close()
        finally:
            self._sink.close()

    def abandon(self) -> None:
        """Close the file as it is: nothing more can be written."""
        self._sink.close()

    def _mux(self, packets: Any) -> None:
        for packet in packets:
            self._container.mux(packet)


def _millisecond() -> Any:
    from fractions import Fraction

    return Fraction(1, 1000)


def remux(source: Path, target: Path) -> tuple[int, int]:
    """Copy what can be read of `source` into a whole Matroska file `target`; returns (frames, sound packets).

    Nothing is coded anew. Raises InputFault when nothing can be read, OSError when `target` cannot be written.
    """
    import av

    counts = [0, 0]
    try:
        broken = av.open(str(source))
    except (av.error.FFmpegError, OSError, ValueError):
        raise InputFault("nothing in it can be read", where=str(source), mend="it is set aside") from None
    with broken, av.open(str(target), "w", format="matroska", options=MUXER_OPTIONS) as whole:
        streams = {s.index: whole.add_stream_from_template(s) for s in broken.streams if s.type in ("video", "audio")}
        last: dict[int, int] = {}
        packets = broken.demux([broken.streams[i] for i in streams])
        while True:
            try:
                packet = next(packets)
            except (StopIteration, av.error.FFmpegError):
                break
            if packet.pts is None or packet.size == 0:
                continue
            if packet.dts is None:  # of a short piece the demuxer does not dare to say it; ours have no B-frames
                packet.dts = packet.pts
            index = packet.stream.index
            if packet.dts <= last.get(index, -(2**62)):
                continue
            last[index] = packet.dts
            is_video = packet.stream.type == "video"
            packet.stream = streams[index]
            whole.mux(packet)
            counts[0 if is_video else 1] += 1
    if not any(counts):
        target.unlink(missing_ok=True)
        raise InputFault("nothing in it can be read", where=str(source), mend="it is set aside")
    return counts[0], counts[1]
