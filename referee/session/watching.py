"""Referees a table as it is played: senses, judges, tells, and writes the session folder while it goes."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.capture.media import Frame, SoundChunk
from referee.faults import InputFault
from referee.fusion.desk import Desk
from referee.fusion.time_order import TimeOrder
from referee.observations import CallHeard, Observation
from referee.observations.clock import Clock
from referee.rules.profiles import Profile, load_profile
from referee.rules.ruling import Incident
from referee.rules.scoring import SheetLine
from referee.session.clock import ClockWatch, SoundClock, anchor
from referee.session.continuity import PICTURE_GAP_S, SOUND_GAP_S, Continuity, gap
from referee.session.corrected import CorrectedScribe
from referee.session.corrections import Correction, standing_corrections
from referee.session.ear_thread import EarThread
from referee.session.feeds import Feed, paced
from referee.session.findings import Findings
from referee.session.frame_memory import FrameMemory
from referee.session.live_correcting import LiveAnswer, Request, correct_live
from referee.session.live_folder import LiveFolder, Written
from referee.session.parts import Parts
from referee.session.pipeline import Ear, Eye, Pipeline, Tick
from referee.session.plan import SessionPlan
from referee.session.recorder import Recorder
from referee.session.rejudging import feed, table_start
from referee.session.replaying import FRAME_RATE_HZ
from referee.session.resuming import taken_up
from referee.session.senses import Senses
from referee.session.source import PictureSource, SoundSource, TellsDrift
from referee.session.steady_sound import SteadySound
from referee.session.telling import Teller, Told, json_records

PICTURES_FOLDER = "pictures"
_FRAMES_WAITING = 3
"""A quarter of a second: nothing older is judged (C16). A film at full speed waits instead."""

_CHUNKS_WAITING = 100
_LOOK_S = 0.25
"""So long a picture is waited for before time passes without one."""

_TICK_S = 0.25
_CLOCK_EVERY_S = 60.0


class Watching:
    """One sitting at a table; `run` may be called once. live: the folder it is written to, None to write nothing.

    recorder: what records picture and sound, made for `live`. patient: the sources wait for the judge (a film at full
    speed); otherwise the judge skips frames that it has no time for, which a `gap` line tells. parts: told how
    camera, microphone, recorder, eye and ear are; none of them ends the sitting by failing. on_corrected: told on
    the judge's thread what the whole evening says once something was put right. looking_at_s: the time of the frame
    that is judged now. The ear listens on a thread of its own, unless the sources are patient.
    """

    def __init__(
        self,
        plan: SessionPlan,
        camera: PictureSource,
        microphone: SoundSource | None,
        senses: Senses,
        *,
        clock: Clock,
        live: LiveFolder | None = None,
        recorder: Recorder | None = None,
        patient: bool = False,
        parts: Parts | None = None,
    ) -> None:
        self.plan = plan
        self.parts = parts or Parts()
        self.feeds: list[Feed[Any]] = []
        self.looking_at_s = live.recorded_s if live else 0.0
        self.on_corrected: Callable[[Sequence[Told]], None] = lambda _told: None
        self.profile: Profile = load_profile(plan.profile)
        self._camera, self._microphone, self._senses = camera, microphone, senses
        self._clock, self._live, self._recorder, self._patient = clock, live, recorder, patient
        memory = FrameMemory()
        findings = None
        if recorder is not None:
            recorder.on_state = lambda state, why: self.parts.set("recorder", state, why)
        if live is not None:
            pictures = live.folder / PICTURES_FOLDER
            findings = Findings(pictures, memory, plan, self.profile.speech.language, adding=True)
        before = live.before if live else []
        self._scribe = CorrectedScribe(self.profile, table_start(plan), standing_corrections(before), by_id=True)
        self._picturing = findings.picture_of if findings else None
        self._teller = Teller(plan, self.profile, self._scribe, self._picturing)
        self._requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self._running = self._stopping = self._recorder_failed = False
        self._written = Written(before)
        order = TimeOrder()
        self._take_up(order)
        eye: Eye = senses.eye
        ear: Ear | None = senses.ear
        if live is not None and before:
            eye, ear = taken_up(live, self.plan, senses, self._scribe.desk, list(self._teller.observations.values()))
        self._ear_thread = EarThread(ear, self, self.sound_missing) if ear and not patient else None
        ear = self._ear_thread or ear
        self._pipeline = Pipeline(self._scribe, eye, ear, memory, order, on_sense=self)
        self._pictures = Continuity("picture", PICTURE_GAP_S)
        self._sounds = Continuity("sound", SOUND_GAP_S)
        self._sound_clock = SoundClock(microphone.rate_hz) if microphone and not microphone.counts_samples else None
        self._clock_watch = ClockWatch(clock)
        self._clock_told_s = live.recorded_s if live else 0.0
        self._now_s = live.recorded_s if live else 0.0
        self._skipped: tuple[float, float] | None = None

    def run(self) -> Iterator[Told]:
        """What is noticed, entered and ruled, as it becomes known, until the sources end or `stop` is called."""
        pictures = Feed(
            self._camera.frames(),
            name="camera",
            on_item=self._frame_came,
            wanted=paced(FRAME_RATE_HZ),
            room=_FRAMES_WAITING,
            patient=self._patient,
            on_drop=self._skip,
        )
        self.feeds.append(pictures)
        sounds = None
        if self._microphone is not None:
            sounds = Feed(
                self._timed(self._microphone),
                name="microphone",
                on_item=self._sound_came,
                wanted=lambda _chunk: self._senses.ear is not None,
                room=_CHUNKS_WAITING,
                patient=self._patient,
            )
            self.feeds.append(sounds)
        self._running = True
        self.parts.set("eye", "running")
        self.parts.set("ear", "running" if sounds and self._senses.ear else "off")
        try:
            chunks = self._steady(sounds, self._microphone.rate_hz) if sounds and self._microphone else ()
            for step in self._pipeline.run(self._with_ticks(pictures), chunks, self._on_time):
                for told in self._teller.tell(step):
                    self._write(told)
                    yield told
        finally:
            self._running = False
            self._put_right()
            self.stop()
            for running in (pictures, sounds):
                if running is not None:
                    running.close()
            self._close()

    def stop(self) -> None:
        """End the sitting soon, from any thread or a signal: what was noticed is still judged and written."""
        self._stopping = True
        self._camera.stop()
        if self._microphone is not None:
            self._microphone.stop()

    def correct(self, correction: Correction, timeout_s: float = 10.0) -> LiveAnswer:
        """Put something right while the table is watched, from any thread: one line in the log, all judged again.

        Raises InputFault when it makes no sense, and when this table is not written to a folder or is over.
        """
        if self._live is None or not self._running:
            raise InputFault("nothing can be put right now", mend="use `referee correct` on the recorded session")
        request = Request(correction)
        self._requests.put(request)
        return request.result(timeout_s)

    def sound_missing(self, from_s: float, until_s: float, why: str) -> None:
        """Nobody could hear from `from_s` to `until_s`: who was to call UNO then cannot be said to have been silent.

        From any thread. The log gets a `gap`; the judge is told that a call may have been made.
        """
        self._tell_gap(gap("sound", from_s, until_s, why))
        for t_s in dict.fromkeys((from_s, until_s)):
            name = f"deaf-{round(t_s * 1000)}"
            self._pipeline.hint(
                CallHeard(
                    id=name,
                    t_s=t_s,
                    seen_s=until_s,
                    end_s=until_s,
                    call="uno",
                    confidence=0.0,
                    certainty="maybe",
                    words=why,
                    heard_by="",
                    channel="lost",
                )
            )

    def lost(self, sense: str, t_s: float, why: str) -> None:
        """See `OnSense`."""
        if sense == "ear":
            self.sound_missing(t_s, t_s, why)
        self.part_is(sense, "lost", t_s, why)

    def regained(self, sense: str, t_s: float, away_s: float) -> None:
        """See `OnSense`."""
        if sense == "ear":
            self.sound_missing(t_s - away_s, t_s, "nobody listened")
        self.part_is(sense, "running", t_s, f"it was away for {away_s:.1f} s")

    def part_is(self, part: str, state: str, t_s: float, why: str = "") -> None:
        """A part is in a state (`lost`, `running`): everybody may see it, and the log keeps each change."""
        if self.parts.set(part, state, why) and self._live is not None:
            self._live.tell("state", t_s, {"what": f"{part} {state}", **({"why": why} if why else {})})

    @property
    def now_s(self) -> float:
        """How far it has come, on the session clock."""
        return self._now_s

    @property
    def reached_s(self) -> float:
        """How far eye and ear have come: the time of the picture or the sound that is taken in now."""
        listening_s = self._ear_thread.working_at_s if self._ear_thread else float("inf")
        return min(self.looking_at_s, listening_s)

    @property
    def desk(self) -> Desk:
        """The game as it stands."""
        return self._scribe.desk

    def standing(self) -> tuple[Incident, ...]:
        """The incidents that no later entry took back."""
        return self._teller.standing()

    @property
    def sheet(self) -> tuple[SheetLine, ...]:
        """The score, a line a round."""
        return self._teller.sheet

    def _take_up(self, order: TimeOrder) -> None:
        """Judge what the log of a resumed session holds; write down what its crash kept from being written."""
        if self._live is None or not self._live.before:
            return
        records: list[Mapping[str, Any]] = []
        for step in feed(self._live.before, self._scribe, order):
            for told in self._teller.tell(step):
                if not isinstance(told, Observation):
                    records += json_records(told)
        for record in filter(self._written.lacks, records):
            self._live.tell(str(record["type"]), float(record["t_s"]), _payload(record))

    def _frame_came(self, frame: Frame) -> None:
        self._record(lambda recorder: recorder.picture(frame))
        self._tell_gap(self._pictures.after(frame.t_s))

    def _sound_came(self, chunk: SoundChunk) -> None:
        self._record(lambda recorder: recorder.sound(chunk))
        self._tell_gap(self._sounds.after(chunk.t_s, chunk.duration_s))

    def _record(self, give: Callable[[Recorder], None]) -> None:
        if self._recorder is None or self._recorder_failed:
            return
        try:
            give(self._recorder)
        except Exception as fault:  # refereeing goes on without a recording
            self._recorder_failed = True
            self.part_is("recorder", "lost", self._now_s, f"{type(fault).__name__}: {fault}")

    def _timed(self, microphone: SoundSource) -> Iterator[SoundChunk]:
        for chunk in microphone.chunks():
            if self._sound_clock is None:
                yield chunk
            else:
                t_s = self._sound_clock.stamp(len(chunk.samples), chunk.t_s + chunk.duration_s)
                yield replace(chunk, t_s=t_s)

    def _put_right(self) -> None:
        """Answer what was asked to be put right, between two frames, on the judge's own thread."""
        while not self._requests.empty():
            request = self._requests.get()
            try:
                request.answer(self._corrected(request.correction))
            except InputFault as fault:
                request.refuse(fault)
            except Exception as fault:  # a correction that cannot be judged costs itself, not the game
                request.refuse(InputFault(f"cannot be judged: {fault}", mend="try it in another way"))

    def _corrected(self, correction: Correction) -> LiveAnswer:
        if self._live is None:
            raise InputFault("nothing is written down here", mend="watch with --record")
        judged_to_s = self._pipeline.judged_to_s
        done = correct_live(self._live, self.plan, self.profile, correction, self._now_s, judged_to_s)
        if isinstance(done, LiveAnswer):
            return done
        self._scribe, self._teller = done.scribe, done.teller
        self._teller.picturing = self._picturing
        self._pipeline.go_on_with(done.scribe, done.order)
        self.on_corrected(done.answer.told)
        return done.answer

    def _with_ticks(self, pictures: Feed[Frame]) -> Iterator[Frame | Tick]:
        """The frames, and ticks of the clock while none comes, so that the table is still heard."""
        while True:
            try:
                frame = pictures.next(None if self._patient else _LOOK_S)
            except StopIteration:
                self.looking_at_s = float("inf")
                return
            except Exception as fault:
                if self._patient or isinstance(fault, InputFault):
                    raise
                self.part_is("camera", "lost", self._now_s, f"{type(fault).__name__}: {fault}")
                yield from self._ticks()
                return
            item = Tick(self._clock.now_s()) if frame is None else frame
            self.looking_at_s = item.t_s
            yield item

    def _ticks(self) -> Iterator[Tick]:
        """The clock alone, for a table that is heard and corrected by taps, until the sitting is stopped."""
        while not self._stopping:
            self._clock.sleep(_TICK_S)
            self.looking_at_s = self._clock.now_s()
            yield Tick(self.looking_at_s)

    def _steady(self, sounds: Feed[SoundChunk], rate_hz: int) -> SteadySound:
        return SteadySound(
            sounds,
            self._clock,
            rate_hz,
            patient=self._patient,
            on_deaf=self.sound_missing,
            on_state=lambda state, t_s, why: self.part_is("microphone", state, t_s, why),
        )

    def _skip(self, t_s: float) -> None:
        self._skipped = (self._skipped[0] if self._skipped else t_s, t_s)

    def _on_time(self, t_s: float) -> None:
        self._now_s = t_s
        self._put_right()
        if self._live is None:
            return
        if self._skipped is not None:
            skipped, self._skipped = self._skipped, None
            self._tell_gap(gap("looking", *skipped, "the referee fell behind and skipped frames"))
        if (jump_s := self._clock_watch.jump_s()) is not None:
            self._tell_gap(gap("clock", t_s, t_s, f"the wall clock jumped by {jump_s:+.1f} s; times here did not"))
            self._live.tell("clock", t_s, anchor())
        if t_s - self._clock_told_s >= _CLOCK_EVERY_S:
            self._clock_told_s = t_s
            self._live.tell("clock", t_s, {**anchor(), **self._sound_drift()})

    def _sound_drift(self) -> dict[str, Any]:
        if self._sound_clock is None:
            ear = self._microphone
            return {"drift_ppm": round(ear.drift_ppm, 1)} if isinstance(ear, TellsDrift) else {}
        return {
            "drift_ppm": round(self._sound_clock.drift_ppm, 1),
            "samples": self._sound_clock.samples,
            "residual_ms": round(self._sound_clock.residual_ms(), 2),
        }

    def _tell_gap(self, payload: Mapping[str, Any] | None) -> None:
        if payload is not None and self._live is not None:
            self._live.tell("gap", float(payload["from_s"]), payload)

    def _write(self, told: Told) -> None:
        if self._live is None:
            return
        for record in json_records(told):
            payload = _payload(record)
            if isinstance(told, Observation):
                payload["judged_to_s"] = max(-1.0, round(self._pipeline.judged_to_s, 6))
                name = told.id
                if isinstance(told, CallHeard) and told.phase != "confirmed":
                    name = f"{name}.{told.phase}"  # its end carries the id itself
                payload["id"] = self._live.free_id(name)
            if payload.get("picture"):
                payload["picture"] = f"{PICTURES_FOLDER}/{Path(payload['picture']).name}"
            if not isinstance(told, Observation) and not self._written.lacks(record):
                continue
            self._live.tell(str(record["type"]), float(record["t_s"]), payload)

    def _close(self) -> None:
        if self._recorder is not None:
            self._recorder.close()
        if self._live is not None:
            if self._recorder is not None and (self._recorder.dropped or self._recorder.nudged):
                counts = {"dropped": self._recorder.dropped, "nudged": self._recorder.nudged}
                self._live.tell("state", self._now_s, {"what": "recorder", **counts})
            if self._ear_thread and self._ear_thread.dropped:
                self._live.tell("state", self._now_s, {"what": "ear", "dropped": self._ear_thread.dropped})
            self._live.close(self._now_s)


def _payload(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in ("type", "t_s")}
