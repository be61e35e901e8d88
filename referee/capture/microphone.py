"""A microphone that keeps time and survives being unplugged: the same chunks as a file gives, and events beside them.

Nothing here waits on the device: `poll` takes what came, and everything else is judged by the injected clock. Sound
that is missing for whatever reason is filled with silence, so that sample k of the stream always has the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from referee.capture.block_clock import BlockClock
from referee.capture.device_run import Block, DeviceRun
from referee.capture.input_devices import InputDevice, InputDriver, chosen
from referee.capture.levels import SoundMeter, clipping
from referee.capture.media import SPEECH_RATE_HZ, Samples, SoundChunk, sound_chunk
from referee.capture.resampling import fitted
from referee.capture.sound_events import Gap, GapCause, Lost, Regained, SoundEvent
from referee.faults import InputFault
from referee.observations.clock import Clock

LOST_AFTER_S = 1.0
"""Without a callback for so long, the device has gone: nothing else tells (A1)."""
AHEAD_S = 2.0
"""A device that gives so much more sound than time has passed runs at another rate than it says."""
RETRY_S = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Pauses between attempts to open it again; the last one holds on."""
STEADY_S = 10.0
"""After so much sound the pauses start anew."""
POLL_S = 0.02
_BEHIND_S = 0.3  # silence that stands in for a lost microphone stays so far behind the clock


@dataclass(frozen=True, slots=True)
class MicrophoneHealth:
    """How it is: device "" while none was ever open; gaps and lost: how often; gap_s: silence put in, in seconds."""

    device: str
    listening: bool
    rate_hz: int
    drift_ppm: float
    gaps: int
    gap_s: float
    lost: int


class Microphone:
    """One input, chosen by name and host API and never silently replaced by another (A3).

    name: None takes the system's default and then stays with it. driver: the library that opens it. clock: the
    session clock; chunks carry its times. chunk_s: length of a chunk. Not thread-safe: one thread polls.
    """

    counts_samples = True
    """Its times need no more fitting."""

    def __init__(
        self,
        driver: InputDriver,
        clock: Clock,
        name: str | None = None,
        *,
        host_api: str | None = None,
        rate_hz: int = SPEECH_RATE_HZ,
        chunk_s: float = 0.1,
        on_event: Callable[[SoundEvent], None] = lambda _: None,
    ) -> None:
        self._driver = driver
        self._clock = clock
        self._wanted = (name, host_api)
        self._on_event = on_event
        self.rate_hz = rate_hz
        self._size = round(chunk_s * rate_hz)
        self._run: DeviceRun | None = None
        self._device: InputDevice | None = None
        self._times = BlockClock(rate_hz, clock.now_s())
        self._held: Samples = np.empty((0, 1), np.int16)
        self._first = 0  # where `_held` begins, in samples from the beginning of `_times`
        self._too_early = 0  # samples of a device that is back, over which silence has gone already
        self._meter = SoundMeter()
        self._lost: Lost | None = None
        self._untold: list[SoundChunk | SoundEvent] = []
        self._attempts = 0
        self._attempts_since_lost = 0
        self._retry_at_s = 0.0
        self._regained_s = clock.now_s()
        self._stopping = False
        self._gaps, self._gap_s, self._losses = 0, 0.0, 0

    @property
    def name(self) -> str:
        """Its name; empty before it was opened."""
        return self._device.name if self._device else ""

    @property
    def host_api(self) -> str:
        """Which sound system offers it; empty before it was opened."""
        return self._device.host_api if self._device else ""

    @property
    def channels(self) -> int:
        """2 where it gives two channels, and directions can be told; else 1."""
        return self._run.speech.channels if self._run else 1

    @property
    def drift_ppm(self) -> float:
        """How far the device's second is off the session clock's, in millionths, as fitted so far."""
        return self._times.drift_ppm

    @property
    def health(self) -> MicrophoneHealth:
        """How it is now."""
        return MicrophoneHealth(
            device=self._device.label if self._device else "",
            listening=self._run is not None and self._lost is None,
            rate_hz=self._run.rate_hz if self._run else 0,
            drift_ppm=self.drift_ppm,
            gaps=self._gaps,
            gap_s=round(self._gap_s, 3),
            lost=self._losses,
        )

    def open(self, *, or_wait: bool = False) -> None:
        """Open the device. Raises InputFault when there is none or it cannot be opened; `or_wait`: keeps trying."""
        try:
            self._open()
        except InputFault as fault:
            if not or_wait:
                raise
            self._lost = Lost(self._clock.now_s(), str(fault))
            self._untold.append(self._lost)
            self._retry_later()

    def poll(self) -> list[SoundChunk | SoundEvent]:
        """What came since the last call, in the order of time; never waits."""
        out, self._untold = self._untold, []
        if self._run is None:
            self._try_again(out)
        if self._run is not None:
            for block in self._run.waiting():
                self._take(self._run, block, out)
            if why := self._failing(self._run):
                self._lose(self._run, why, out)
        if self._lost:
            until_s = self._clock.now_s() - _BEHIND_S
            missing = int((until_s - self._end_s()) * self.rate_hz) // self._size * self._size
            self._push(np.zeros((max(0, missing), 1), np.int16), out)
        return out

    def stream(self) -> Iterator[SoundChunk | SoundEvent]:
        """Everything as it comes, until `stop` or `close`; what was still held comes last."""
        while not self._stopping:
            came = self.poll()
            yield from came
            if not came:
                self._clock.sleep(POLL_S)
        yield from self.close()

    def chunks(self) -> Iterator[SoundChunk]:
        """The sound alone, as `stream` gives it; the events go to `on_event`."""
        for one in self.stream():
            if isinstance(one, SoundChunk):
                yield one
            else:
                self._on_event(one)

    def stop(self) -> None:
        """End `stream` and `chunks` soon; from any thread."""
        self._stopping = True

    def close(self) -> list[SoundChunk | SoundEvent]:
        """Stop, and give what was still held."""
        out = self.poll() if self._run else []
        if self._run:
            self._run.close()
            self._push(self._run.speech.convert(np.zeros((0, 1), np.int16), last=True), out)
            self._run = None
        if len(self._held):
            out.append(sound_chunk(self._times.at(self._first / self.rate_hz), self._held, self.rate_hz))
            self._first += len(self._held)
            self._held = self._held[:0]
        self._stopping = True
        return out

    def _open(self) -> None:
        device = chosen(self._driver.inputs(), *self._wanted)
        self._run = DeviceRun(self._driver, device, self._clock, self.rate_hz)
        self._device = device
        self._wanted = (device.name, device.host_api)

    def _try_again(self, out: list[SoundChunk | SoundEvent]) -> None:
        if self._lost is None or self._clock.now_s() < self._retry_at_s:
            return
        try:
            self._open()
        except InputFault as fault:
            if str(fault) != self._lost.why and self._attempts_since_lost == 1:
                out.append(Lost(self._lost.t_s, str(fault)))
            self._retry_later()

    def _retry_later(self) -> None:
        self._retry_at_s = self._clock.now_s() + RETRY_S[min(self._attempts, len(RETRY_S) - 1)]
        self._attempts += 1
        self._attempts_since_lost += 1

    def _take(self, run: DeviceRun, block: Block, out: list[SoundChunk | SoundEvent]) -> None:
        if dropped := block.first - run.taken:
            self._gap(run.clock.skip(dropped), dropped, "not taken in time", run, out)
        run.taken = block.first + len(block.samples)
        place = run.clock.place(len(block.samples), block.arrived_s, block.times, overflowed=block.overflowed)
        if self._times is not run.clock:
            self._join(run, place.t_s, out)
        if place.missing or block.overflowed:
            self._gap(
                place.since_s if place.missing else place.t_s,
                place.missing,
                "overflow" if block.overflowed else "missing",
                run,
                out,
            )
        if clipped := clipping(block.samples, place.t_s, run.rate_hz):
            out.append(clipped)
        self._push(run.speech.convert(block.samples), out)
        if self._attempts and place.t_s - self._regained_s > STEADY_S:
            self._attempts = 0

    def _join(self, run: DeviceRun, t_s: float, out: list[SoundChunk | SoundEvent]) -> None:
        """The first sound of a run: from here on its clock gives the times."""
        end_s = self._end_s()
        if self._lost:
            out.append(Regained(t_s, run.device.label, t_s - self._lost.t_s, self._attempts_since_lost))
            out.append(Gap(self._lost.t_s, t_s - self._lost.t_s, "lost"))
            self._gaps, self._gap_s = self._gaps + 1, self._gap_s + t_s - self._lost.t_s
            self._push(np.zeros((max(0, round((t_s - end_s) * self.rate_hz)), 1), np.int16), out)
            self._too_early = max(0, round((end_s - t_s) * self.rate_hz))
            self._lost, self._attempts_since_lost, self._regained_s = None, 0, t_s
        self._times = run.clock
        self._first = self._too_early - len(self._held)

    def _failing(self, run: DeviceRun) -> str:
        now_s = self._clock.now_s()
        if run.ended:
            return "it stopped by itself"
        if now_s - run.last_s > LOST_AFTER_S:
            return "no sound comes from it"
        if max(run.clock.slowed_s, self._end_s() - now_s if self._times is run.clock else 0.0) > AHEAD_S:
            return "it gives more sound than time passes"
        return ""

    def _lose(self, run: DeviceRun, why: str, out: list[SoundChunk | SoundEvent]) -> None:
        run.close()
        self._push(run.speech.convert(np.zeros((0, 1), np.int16), last=True), out)
        self._run = None
        if self._lost is None:
            self._lost = Lost(self._end_s(), f"{run.device.label}: {why}; nobody is listening")
            self._losses += 1
            out.append(self._lost)
        self._retry_later()

    def _gap(
        self, t_s: float, missing: int, cause: GapCause, run: DeviceRun, out: list[SoundChunk | SoundEvent]
    ) -> None:
        out.append(Gap(t_s, missing / run.rate_hz, cause))
        self._gaps, self._gap_s = self._gaps + 1, self._gap_s + missing / run.rate_hz
        self._push(run.speech.convert(np.zeros((missing, 1), np.int16)), out, heard=False)

    def _push(self, samples: Samples, out: list[SoundChunk | SoundEvent], *, heard: bool = True) -> None:
        early = min(self._too_early, len(samples)) if self._times is self._clock_of_run() else 0
        self._too_early -= early
        channels = self._run.speech.channels if self._run else self._held.shape[1]
        self._held = np.concatenate([fitted(self._held, channels), fitted(samples[early:], channels)])
        while len(self._held) >= self._size:
            chunk = sound_chunk(self._times.at(self._first / self.rate_hz), self._held[: self._size], self.rate_hz)
            self._held, self._first = self._held[self._size :], self._first + self._size
            out.append(chunk)
            if heard and not self._lost:
                out += self._meter.of(chunk)

    def _clock_of_run(self) -> BlockClock | None:
        return self._run.clock if self._run else None

    def _end_s(self) -> float:
        return self._times.at((self._first + len(self._held)) / self.rate_hz)
