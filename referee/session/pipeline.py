"""The one line from picture and sound to rulings. A live table and a replay run this same code."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from referee.capture.media import Frame, SoundChunk
from referee.fusion.scribe import Scribe, Written
from referee.fusion.time_order import TimeOrder
from referee.observations import CallHeard, Observation, ViewChanged, ViewState
from referee.session.frame_memory import FrameMemory, Image
from referee.session.trying import OnSense, Trying

Step: TypeAlias = Observation | Written

LONGEST_BLINK_S = 0.7
"""No card is laid in less time: what lies otherwise after a longer gap between frames may be the work of several."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passes without a picture: the camera is away, and what is heard is judged all the same."""

    t_s: float


@dataclass(frozen=True, slots=True)
class NotYet:
    """No sound is there yet: pictures go on meanwhile, and the order of what is noticed is put right afterwards."""


class Eye(Protocol):
    """Turns frames into observations."""

    def see(self, image_bgr: Image, t_s: float) -> list[Observation]:
        """Take in one frame."""

    def close(self, t_s: float) -> list[Observation]:
        """No more frames."""


class Ear(Protocol):
    """Turns sound into calls."""

    def hear(self, chunk: SoundChunk) -> list[CallHeard]:
        """Take in one run of sound."""

    def close(self) -> list[CallHeard]:
        """No more sound."""


@runtime_checkable
class Settling(Protocol):
    """A sense that says how far it has come. For one that does not, the order waits its longest."""

    @property
    def settled_s(self) -> float:
        """Nothing that the sense still will report happened before this; seconds on the session clock."""


@runtime_checkable
class ListensAside(Protocol):
    """An ear that works on another thread: calls come when they come."""

    def heard(self) -> list[CallHeard]:
        """The calls that came since the last time."""


class Pipeline:
    """Feeds eye and ear in step, orders what they report, and lets the scribe write and judge it.

    order: holds what was noticed and not yet judged when the session was cut off. on_sense: told when eye or ear
    fails and is tried again; without it their faults end the run.
    """

    def __init__(
        self,
        scribe: Scribe,
        eye: Eye,
        ear: Ear | None,
        memory: FrameMemory,
        order: TimeOrder | None = None,
        *,
        on_sense: OnSense | None = None,
    ) -> None:
        self._scribe = scribe
        self._eye, self._looking = eye, Trying("eye", on_sense)
        self._ear, self._listening = ear, Trying("ear", on_sense)
        self._aside: ListensAside | None = ear if isinstance(ear, ListensAside) else None
        self._memory = memory
        self._order = order or TimeOrder()
        self._now_s = 0.0
        self._frame_s: float | None = None
        self._hints: queue.SimpleQueue[Observation] = queue.SimpleQueue()

    def run(
        self,
        frames: Iterable[Frame | Tick],
        chunks: Iterable[SoundChunk | NotYet] = (),
        on_time: Callable[[float], None] = lambda _t_s: None,
    ) -> Iterator[Step]:
        """Observations as they become known, entries with their rulings as soon as their order is certain.

        frames and chunks carry times on the session clock. `on_time` is told how far the recording has come.
        """
        sound = iter(chunks)
        held = next(sound, None)
        for frame in frames:
            if isinstance(held, NotYet):
                held = next(sound, None)
            while isinstance(held, SoundChunk) and held.t_s + held.duration_s <= frame.t_s:
                yield from self._hear(held)
                held = next(sound, None)
            if self._aside is not None:
                yield from self._note(self._aside.heard())
            looked = isinstance(frame, Frame) and not self._looking.rests(frame.t_s)
            if looked:
                yield from self._note(self._blink(frame.t_s))
            while not self._hints.empty():
                yield from self._note([self._hints.get()])
            self._now_s = frame.t_s
            if isinstance(frame, Frame):
                self._memory.keep(frame.image_bgr, frame.t_s)
            if isinstance(frame, Frame) and looked:
                yield from self._note(self._see(frame))
            yield from self._write(self._order.release(self._now_s, self._settled_s))
            on_time(self._now_s)
        while held is not None:
            if isinstance(held, SoundChunk):
                yield from self._hear(held)
            held = next(sound, None)
        yield from self._end()

    def hint(self, observation: Observation) -> None:
        """Take in what neither eye nor ear noticed (a gap in the sound), from any thread."""
        self._hints.put(observation)

    def go_on_with(self, scribe: Scribe, order: TimeOrder) -> None:
        """Another scribe takes over, who was told all that came so far; `order` holds what he was not told yet."""
        self._scribe, self._order = scribe, order

    @property
    def judged_to_s(self) -> float:
        """All that happened up to here was given to the scribe."""
        return self._order.released_s

    @property
    def _settled_s(self) -> float:
        senses = [self._eye] if self._ear is None else [self._eye, self._ear]
        return min(sense.settled_s if isinstance(sense, Settling) else float("-inf") for sense in senses)

    def _blink(self, t_s: float) -> list[Observation]:
        """For so long nobody looked: the camera stood still, or the referee had no time for its frames."""
        before_s, self._frame_s = self._frame_s, t_s
        if before_s is None or t_s - before_s <= LONGEST_BLINK_S:
            return []
        why = f"no picture was looked at for {t_s - before_s:.1f} s"
        name = f"gap-{round(before_s * 1000)}"
        return [ViewChanged(id=name, t_s=before_s, seen_s=t_s, state=ViewState.LOST, reason=why)]

    def _see(self, frame: Frame) -> Sequence[Observation]:
        return self._looking.of(frame.t_s, lambda: self._eye.see(frame.image_bgr, frame.t_s))

    def _hear(self, chunk: SoundChunk) -> Iterator[Step]:
        ear = self._ear
        if ear is not None and not self._listening.rests(chunk.t_s):
            yield from self._note(self._listening.of(chunk.t_s, lambda: ear.hear(chunk)))
        self._now_s = max(self._now_s, chunk.t_s + chunk.duration_s)

    def _end(self) -> Iterator[Step]:
        yield from self._note(self._looking.of(self._now_s, lambda: self._eye.close(self._now_s)))
        if (ear := self._ear) is not None:
            yield from self._note(self._listening.of(self._now_s, ear.close))
        yield from self._write(self._order.flush())
        yield from self._scribe.close(self._now_s)

    def _note(self, observations: Iterable[Observation]) -> Iterator[Step]:
        for observation in observations:
            self._order.put(observation)
            yield observation

    def _write(self, observations: Iterable[Observation]) -> Iterator[Step]:
        for observation in observations:
            yield from self._scribe.take(observation)
