"""Frames of a recorded session at given moments, each piece decoded once and in order."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from referee.capture.media import frames
from referee.faults import InputFault
from referee.session.folder import Segment, segments_of
from referee.session.frame_memory import Image

NEAREST_S = 1.0
"""A frame farther from the moment than this does not show it."""


def frames_at(folder: Path, moments_s: Iterable[float]) -> dict[float, Image]:
    """The frame nearest before each moment (session clock), for those of which media are left.

    A piece that cannot be read, or that breaks off, costs only its own moments.
    """
    segments = segments_of(folder)
    wanted: dict[int, list[float]] = {}
    for moment_s in sorted(set(moments_s)):
        holding = [n for n, segment in enumerate(segments) if segment.begin_s <= moment_s + 1e-6]
        if holding:
            wanted.setdefault(holding[-1], []).append(moment_s)
    found: dict[float, Image] = {}
    for n, moments in wanted.items():
        found |= _frames_of(segments[n], moments)
    return found


def _frames_of(segment: Segment, moments: list[float]) -> dict[float, Image]:
    left = list(moments)
    found: dict[float, Image] = {}
    last_s, last = 0.0, None
    try:
        for frame in frames(segment.path):
            now_s = segment.begin_s + frame.t_s
            while left and now_s > left[0] + 1e-3 and last is not None:
                found[left.pop(0)] = last
            if not left:
                return found
            last_s, last = now_s, frame.image_bgr
    except InputFault:
        return found
    if last is not None:
        found |= {moment_s: last for moment_s in left if moment_s - last_s <= NEAREST_S}
    return found
