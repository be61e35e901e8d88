"""Eye and ear of a session that is taken up again: what was already noticed is not noticed twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from referee.capture.media import Frame, SoundChunk
from referee.cards import Card
from referee.fusion.desk import Desk
from referee.observations import CallHeard, CardLanded, Observation, ViewChanged, ViewState
from referee.session.frame_memory import Image
from referee.session.live_folder import LiveFolder
from referee.session.pipeline import Ear, Eye, Settling
from referee.session.plan import SessionPlan
from referee.session.recording import recorded_frames
from referee.session.replaying import FRAME_RATE_HZ
from referee.session.senses import Senses

WARM_UP_S = 12.0
_FIRST_SIGHT_S = 4.0
"""A watcher that begins to look reports the table as it lies within this time."""

_TWICE_S = 0.5
_UNWATCHED_S = 2.0
"""In less nobody lays a card that is not still seen to come to rest."""

O = TypeVar("O", bound=Observation)  # noqa: E741


class ResumedEye:
    """Looks at the last recorded seconds before it goes on, and keeps to itself what the log already has.

    prefix: keeps its ids apart from earlier ones. top: the card that lay on top when the session was cut off.
    away: (from_s, until_s) in which nobody watched; what was played then is not known, and nobody is accused by it.
    """

    def __init__(
        self,
        eye: Eye,
        prefix: str,
        known: Sequence[Observation],
        top: Card | None,
        away: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        self._eye = eye
        self._prefix = prefix
        self._known = list(known)
        self._known_s = max((o.seen_s for o in known), default=0.0)
        self._warming = False
        self._top = top
        self._began_s: float | None = None
        self._held: list[Observation] = []
        if away[1] - away[0] > _UNWATCHED_S:
            reason = f"nobody watched it for {away[1] - away[0]:.0f} s"
            self._held.append(
                ViewChanged(id="away", t_s=away[0], seen_s=away[1], state=ViewState.LOST, reason=reason)
            )

    @property
    def settled_s(self) -> float:
        """See `Settling`."""
        return self._eye.settled_s if isinstance(self._eye, Settling) else float("-inf")

    def warm_up(self, frames: Iterable[Frame]) -> None:
        """Look at what was recorded; what was noticed in it and never logged is reported with the next frame."""
        self._warming = True
        for frame in frames:
            self._began_s = frame.t_s if self._began_s is None else self._began_s
            self._held += [o for o in self._eye.see(frame.image_bgr, frame.t_s) if self._is_new(o)]
        self._warming = False

    def see(self, image_bgr: Image, t_s: float) -> list[Observation]:
        """See `Eye`."""
        self._began_s = t_s if self._began_s is None else self._began_s
        held, self._held = self._held, []
        return _renamed([*held, *(o for o in self._eye.see(image_bgr, t_s) if self._is_new(o))], self._prefix)

    def close(self, t_s: float) -> list[Observation]:
        """See `Eye`."""
        held, self._held = self._held, []
        return _renamed([*held, *self._eye.close(t_s)], self._prefix)

    def _is_new(self, seen: Observation) -> bool:
        """Whether the log lacks it: the log has all that was known when its last observation was."""
        first_sight = self._began_s is not None and seen.seen_s < self._began_s + _FIRST_SIGHT_S
        if first_sight and self._known and self._warming:
            return False
        if first_sight and isinstance(seen, CardLanded) and seen.seat is None and seen.reading.card == self._top:
            return False
        return seen.seen_s > self._known_s - _TWICE_S and not any(
            type(o) is type(seen) and abs(o.t_s - seen.t_s) <= _TWICE_S for o in self._known[-40:]
        )


class ResumedEar:
    """An ear whose ids are kept apart from earlier ones."""

    def __init__(self, ear: Ear, prefix: str) -> None:
        self._ear = ear
        self._prefix = prefix

    @property
    def settled_s(self) -> float:
        """See `Settling`."""
        return self._ear.settled_s if isinstance(self._ear, Settling) else float("-inf")

    def hear(self, chunk: SoundChunk) -> list[CallHeard]:
        """See `Ear`."""
        return _renamed(self._ear.hear(chunk), self._prefix)

    def close(self) -> list[CallHeard]:
        """See `Ear`."""
        return _renamed(self._ear.close(), self._prefix)


def taken_up(
    live: LiveFolder, plan: SessionPlan, senses: Senses, desk: Desk, known: Sequence[Observation]
) -> tuple[Eye, Ear | None]:
    """Eye and ear that go on with the session in `live`; `known`: what its log says was noticed, up to `desk`."""
    prefix, top = f"r{live.run}", desk.state.top
    away = (live.recorded_s - live.away_s, live.recorded_s)
    eye = ResumedEye(senses.eye, prefix, known, top[0] if top else None, away)
    begin_s = live.recorded_s - WARM_UP_S
    frames = recorded_frames(plan, FRAME_RATE_HZ, from_s=max(0.0, begin_s), if_any=True)
    eye.warm_up(frame for frame in frames if begin_s <= frame.t_s < live.recorded_s)
    return eye, ResumedEar(senses.ear, prefix) if senses.ear else None


def _renamed(observations: Iterable[O], prefix: str) -> list[O]:
    return [replace(o, id=f"{prefix}{o.id}") for o in observations]
