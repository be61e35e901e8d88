"""What a session recorded, read back on the session clock: its pieces as one film, decoded once and in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.capture.media import SPEECH_RATE_HZ, Frame, Pace, SoundChunk, frames, sound_chunk, sound_chunks
from referee.capture.resampling import fitted
from referee.faults import InputFault
from referee.session.folder import Segment, log_of, segments_of
from referee.session.log import LOG_FILE
from referee.session.plan import SessionPlan

CHUNK_S = 0.1
_SEAM_SAMPLES = 24
"""Pieces begin at whole milliseconds: sound that is off by no more than this goes on where it was."""


def recorded_frames(
    plan: SessionPlan,
    max_rate_hz: float | None,
    *,
    from_s: float = 0.0,
    on_fault: Callable[[str], None] | None = None,
    if_any: bool = False,
) -> Iterator[Frame]:
    """The frames of `plan` on the session clock, at most so many a second, from the piece that holds `from_s`.

    A piece of a recorded session that cannot be read is told to `on_fault` and passed over. Raises InputFault when a
    given film cannot be read, or when nothing of a recorded session can (unless `if_any`).
    """
    pieces, fault, read, pace = _pieces(plan, from_s), None, False, Pace(max_rate_hz)
    for piece in pieces:
        try:
            for frame in frames(piece.path, begin_s=piece.begin_s if plan.recorded else None, pace=pace):
                read = True
                yield replace(frame, t_s=round(frame.t_s, 3)) if plan.recorded else frame
        except InputFault as unreadable:
            if not plan.recorded:
                raise
            fault = unreadable
            if on_fault:
                on_fault(str(unreadable))
    if not read and not if_any:
        raise fault or InputFault("holds no picture", where=str(plan.folder), mend="use --from-log")


def recorded_sound(plan: SessionPlan, *, from_s: float = 0.0) -> Iterator[SoundChunk]:
    """The sound of `plan` on the session clock, as a microphone gives it: without a hole.

    Silence stands for what is missing between pieces, so that an ear that counts samples keeps the time.
    """
    if not plan.recorded:
        yield from sound_chunks(plan.media[0])
        return
    begin_s, given, held, size = 0.0, 0, np.empty((0, 1), np.int16), round(CHUNK_S * SPEECH_RATE_HZ)
    for samples, t_s in _sound_of(_pieces(plan, from_s)):
        if not given and not len(held):
            begin_s = t_s
        off = round((t_s - begin_s) * SPEECH_RATE_HZ) - given - len(held)
        fresh, channels = samples, samples.shape[1]
        if off > _SEAM_SAMPLES:
            fresh = np.concatenate([np.zeros((off, channels), np.int16), samples])
        elif off < -_SEAM_SAMPLES:
            fresh = samples[-off:]
        held = np.concatenate([fitted(held, channels), fresh])
        while len(held) >= size:
            yield sound_chunk(begin_s + given / SPEECH_RATE_HZ, held[:size], SPEECH_RATE_HZ)
            held, given = held[size:], given + size
    if len(held):
        yield sound_chunk(begin_s + given / SPEECH_RATE_HZ, held, SPEECH_RATE_HZ)


def spoken_spans(plan: SessionPlan) -> list[tuple[float, float]]:
    """When the referee itself spoke, by the session's log: (from, until) in seconds; empty for a film (A9)."""
    if not plan.recorded or plan.folder is None or not (plan.folder / LOG_FILE).is_file():
        return []
    spoken = [line for line in log_of(plan.folder) if line.type == "announcement"]
    return [(line.t_s, float(line.payload.get("until_s", line.t_s))) for line in spoken]


def _sound_of(pieces: list[Segment]) -> Iterator[tuple[NDArray[np.int16], float]]:
    for piece in pieces:
        try:
            for chunk in sound_chunks(piece.path, begin_s=piece.begin_s):
                yield chunk.samples[:, None] if chunk.sides is None else chunk.sides, chunk.t_s
        except InputFault:  # a piece without sound: the microphone was away
            continue


def _pieces(plan: SessionPlan, from_s: float) -> list[Segment]:
    if not plan.recorded or plan.folder is None:
        return [Segment(plan.media[0], 1, 0.0)]
    pieces = segments_of(plan.folder)
    first = max((i for i, piece in enumerate(pieces) if piece.begin_s <= from_s), default=0)
    return pieces[first:]
