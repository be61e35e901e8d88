"""Mends the media of a session that was cut off: copies what can be read of a broken piece into a whole one (S3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.capture.media import probe
from referee.capture.segment_writer import remux
from referee.faults import InputFault
from referee.session.folder import MEDIA_FOLDER, Segment, segments_of
from referee.session.log import LogLine
from referee.session.pieces import hash_of


@dataclass
class Mended:
    """until_s: where the media end. lines: what the log is to be told. remarks: the same for people."""

    until_s: float = 0.0
    lines: list[tuple[str, float, dict[str, Any]]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def mend_media(folder: Path, lines: Iterable[LogLine]) -> Mended:
    """Mend the pieces in `folder` that the log does not know as whole; what is replaced is kept as `….broken`.

    Raises InputFault when a piece cannot be written.
    """
    whole = {str(l.payload.get("file")): l for l in lines if l.type == "segment"}  # noqa: E741
    mended = Mended()
    for segment in segments_of(folder, empty=True):
        line = whole.get(f"{MEDIA_FOLDER}/{segment.path.name}")
        if line is not None and line.payload.get("bytes") == segment.path.stat().st_size:
            mended.until_s = max(mended.until_s, float(line.payload["until_s"]))
            continue
        try:
            _mend(segment, mended)
        except OSError as fault:
            raise InputFault(
                f"cannot be written: {fault.strerror}", where=str(segment.path), mend="make room on the disk"
            ) from None
    return mended


def _mend(segment: Segment, mended: Mended) -> None:
    path = segment.path
    aside = path.with_name(path.name + ".broken")
    half = path.with_name(path.name + ".new")
    file = f"{MEDIA_FOLDER}/{path.name}"
    try:
        frames, packets = remux(path, half)
        duration_s = probe(half).duration_s
    except InputFault:
        half.unlink(missing_ok=True)
        path.replace(aside)
        mended.remarks.append(f"{file}: nothing in it can be read; it is set aside as {aside.name}")
        mended.lines.append(("state", segment.begin_s, {"what": "piece set aside", "file": f"{file}.broken"}))
        return
    path.replace(aside)
    half.replace(path)
    until_s = round(segment.begin_s + duration_s, 3)
    mended.until_s = max(mended.until_s, until_s)
    mended.remarks.append(f"{file}: was cut off; {frames} frames up to {until_s:.2f} s are kept")
    record = {
        "file": file,
        "from_s": segment.begin_s,
        "until_s": until_s,
        "frames": frames,
        "sound_packets": packets,
        "mended": True,
        "bytes": path.stat().st_size,
        "sha256": hash_of(path),
    }
    mended.lines.append(("segment", segment.begin_s, record))
