"""Cuts a clip of picture and sound out of recorded pieces without decoding them: it shows just what was recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from referee.faults import InputFault

FIRST_DECODED_BEFORE_S = 0.1
"""So long before it is shown the first picture is decoded, where the file does not say."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A recorded file whose own time 0 is at `from_s` on the session clock."""

    path: Path
    from_s: float


@dataclass(frozen=True, slots=True)
class Clip:
    """A clip that was cut: its file, and the span of the session clock that it shows.

    It begins at the last whole picture before the wanted moment, so mostly a little earlier.
    """

    path: Path
    from_s: float
    until_s: float


def cut_clip(pieces: Sequence[Piece], from_s: float, until_s: float, out: Path) -> Clip:
    """Copy the packets of `from_s`…`until_s` (session clock) from `pieces`, in order of time, into `out`.

    The container follows from the name (`.mp4` plays in every browser). A piece that was recorded in another size or
    form than the first ends the clip. Raises InputFault when no piece holds a picture of that span.
    """
    import av

    copied: Clip | None = None
    with av.open(str(out), "w", options={"movflags": "+faststart"}) as target:
        copier = _Copier(target, from_s, until_s)
        for piece in pieces:
            if piece.from_s < until_s and not copier.add(piece):
                break
        if copier.begin_s is not None:
            copied = Clip(out, copier.begin_s, copier.end_s)
    if copied is None:
        out.unlink(missing_ok=True)
        raise InputFault(
            f"no recorded picture of {from_s:.1f}-{until_s:.1f} s is left",
            where=str(pieces[0].path.parent) if pieces else "",
            mend="the media were deleted or never recorded there",
        )
    return copied


class _Copier:
    """Takes one piece after another into a container; `begin_s` and `end_s` say what it holds so far."""

    def __init__(self, target: Any, from_s: float, until_s: float) -> None:
        self._target = target
        self._from_s = from_s
        self._until_s = until_s
        self._streams: dict[str, Any] = {}
        self._form: tuple[object, ...] = ()
        self._last_dts: dict[str, int] = {}
        self.begin_s: float | None = None
        self.end_s = from_s

    def add(self, piece: Piece) -> bool:
        """Copy what the piece holds of the span; False if it does not go with those before."""
        begin_s = None
        if self.begin_s is None:
            begin_s = self._first_picture(piece)
            if begin_s is None:
                return True
        with _packets(piece) as (streams, packets):
            form = _form_of(streams)
            if self._form and form != self._form:
                return False
            if begin_s is not None:
                self._form, self.begin_s = form, begin_s
                self._streams = {
                    kind: self._target.add_stream_from_template(stream) for kind, stream in streams.items()
                }
            for packet in packets:
                self._copy(packet, piece.from_s)
        return True

    def _first_picture(self, piece: Piece) -> float | None:
        """Session time of the last whole picture at or before the span's start, else the first within it."""
        whole = []
        with _packets(piece) as (_, packets):
            for packet in packets:
                if packet.stream.type == "video" and packet.is_keyframe and packet.pts is not None:
                    whole.append(piece.from_s + float(packet.pts * packet.time_base))
                if whole and whole[-1] > self._from_s + 1e-6:
                    break
        before = [t_s for t_s in whole if t_s <= self._from_s + 1e-6]
        within = [t_s for t_s in whole if self._from_s < t_s < self._until_s]
        # A piece that is over before the span begins holds nothing of it, whatever its last whole picture.
        if before and (within or _end_s(piece) > self._from_s):
            return before[-1]
        return within[0] if within else None

    def _copy(self, packet: Any, piece_s: float) -> None:
        kind = packet.stream.type
        stream = self._streams.get(kind)
        if stream is None or packet.pts is None or self.begin_s is None:
            return
        base: Fraction = packet.time_base
        t_s = piece_s + float(packet.pts * base)
        if t_s > self._until_s or t_s < self.begin_s - 1e-6:
            return
        shift = round((piece_s - self.begin_s) / base)
        # Matroska keeps no decoding times; for the first pictures of a file they cannot be worked out.
        early = packet.pts - round(FIRST_DECODED_BEFORE_S / base)
        dts = shift + (early if packet.dts is None else packet.dts)
        # Two pieces can meet within a packet's length: the second must not go back in time (S8).
        dts = max(dts, self._last_dts.get(kind, dts - 1) + 1)
        packet.pts, packet.dts = max(packet.pts + shift, dts), dts
        self._last_dts[kind] = dts
        packet.stream = stream
        self._target.mux(packet)
        self.end_s = max(self.end_s, t_s)


def _form_of(streams: dict[str, Any]) -> tuple[object, ...]:
    """What must be alike for packets of two files to follow each other in one stream."""
    found: list[object] = []
    for kind, stream in sorted(streams.items()):
        codec = stream.codec_context
        size = (codec.width, codec.height, bytes(codec.extradata or b"")) if kind == "video" else (codec.sample_rate,)
        found += [kind, codec.name, stream.time_base, *size]
    return tuple(found)


def _end_s(piece: Piece) -> float:
    last_s = piece.from_s
    with _packets(piece) as (_, packets):
        for packet in packets:
            if packet.stream.type == "video" and packet.pts is not None:
                length = float((packet.duration or 0) * packet.time_base)
                last_s = max(last_s, piece.from_s + float(packet.pts * packet.time_base) + length)
    return last_s


@contextmanager
def _packets(piece: Piece) -> Iterator[tuple[dict[str, Any], Iterator[Any]]]:
    """The first video and the first audio stream of a piece, and their packets up to where the file breaks off."""
    import av

    try:
        container = av.open(str(piece.path))
    except (av.error.FFmpegError, OSError) as fault:
        raise InputFault("cannot be read", where=str(piece.path), mend="run `referee repair`") from fault
    try:
        groups = {"video": container.streams.video, "audio": container.streams.audio}
        streams = {kind: group[0] for kind, group in groups.items() if group}

        def all_packets() -> Iterator[Any]:
            try:
                yield from container.demux(*streams.values())
            except av.error.FFmpegError:  # a cut-off file ends here
                return

        yield streams, all_packets()
    finally:
        container.close()
