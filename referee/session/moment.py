"""One moment of a session: the frame with what was seen on it, and what the log says around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from referee.faults import InputFault
from referee.observations import CallHeard, CardLanded, CardLifted, CardsShown, Observation
from referee.session.corrected import observation_of
from referee.session.log import LogLine
from referee.session.moment_picture import Mark, draw_moment
from referee.session.plan import SessionPlan
from referee.session.recording import recorded_frames
from referee.session.times import clock

AROUND_S = 5.0
_SEEN_S = 2.5


@dataclass(frozen=True, slots=True)
class Moment:
    """What there is about `t_s`. picture: where it was written, None where no media are left."""

    t_s: float
    picture: Path | None
    lines: list[LogLine]


def open_moment(plan: SessionPlan, lines: Sequence[LogLine], t_s: float, folder: Path) -> Moment:
    """Draws the frame at `t_s` into `folder` as JPEG, and gathers the log's lines around it.

    Raises InputFault when the session has neither a frame nor a line there.
    """
    near = [line for line in lines if abs(line.t_s - t_s) <= AROUND_S and line.type not in ("segment", "clock")]
    frame = None
    try:
        for candidate in recorded_frames(plan, None, from_s=t_s):
            if candidate.t_s > t_s and frame is not None:
                break
            frame = candidate
    except InputFault:
        frame = None
    if frame is not None and abs(frame.t_s - t_s) > AROUND_S:
        frame = None
    if frame is None:
        if not near:
            raise InputFault(f"has nothing at {t_s:.1f} s", where=str(plan.folder), mend="name another time")
        return Moment(t_s, None, near)
    seen = [o for line in near if (o := _observation(line)) is not None and abs(o.seen_s - t_s) <= _SEEN_S]
    rulings = [line for line in near if line.type == "ruling"]
    said = [str(line.payload.get("text")) for line in rulings]
    picture = draw_moment(
        frame.image_bgr,
        kind=str(rulings[0].payload.get("kind")) if rulings else "note",
        title=said[0] if said else f"The table at {clock(frame.t_s)}",
        lines=[clock(frame.t_s), *said[1:], *_heard(seen)],
        marks=list(_marks(seen)),
    )
    path = folder / f"at-{clock(t_s).replace(':', '-')}.jpg"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise InputFault(f"cannot be made: {fault.strerror}", where=str(folder), mend="name one with --out") from None
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return Moment(t_s, path, near)


def _observation(line: LogLine) -> Observation | None:
    return observation_of(line) if line.type == "observation" else None


def _marks(seen: Iterable[Observation]) -> Iterable[Mark]:
    for observation in seen:
        match observation:
            case CardLanded(reading=reading) | CardLifted(reading=reading):
                yield Mark(reading.quad_px, f"{reading.code}  {reading.confidence:.0%}")
            case CardsShown(readings=readings):
                for reading in readings:
                    yield Mark(reading.quad_px, f"{reading.code}  {reading.confidence:.0%}")


def _heard(seen: Iterable[Observation]) -> list[str]:
    calls = [o for o in seen if isinstance(o, CallHeard) and o.heard_by]
    return [f"heard “{o.call}” at {clock(o.t_s)} ({o.confidence:.0%})" for o in calls]
