"""Listens to a scripted microphone and keeps what came, with clicks by which its times are checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from referee.capture.input_devices import RawBlock
from referee.capture.media import SoundChunk
from referee.capture.microphone import Microphone
from referee.capture.sound_events import Level, SoundEvent
from referee.testing.manual_clock import ManualClock
from referee.testing.scripted_microphone import ScriptedMicrophone, murmur

CLICK = 20_000


def clicks(*at_s: float) -> Callable[[float, int, int], RawBlock]:
    """A quiet room with a click of 5 ms at each of these session times."""

    def sound(t_s: float, samples: int, rate_hz: int) -> RawBlock:
        if not any(t_s < one_s + 1 and one_s < t_s + samples / rate_hz + 1 for one_s in at_s):
            return np.full(samples, 50, np.int16)
        block = murmur(t_s, samples, rate_hz)
        times_s = t_s + np.arange(samples) / rate_hz
        for one_s in at_s:
            block[(times_s >= one_s) & (times_s < one_s + 0.005)] = CLICK
        return block

    return sound


@dataclass
class Heard:
    chunks: list[SoundChunk] = field(default_factory=list)
    events: list[SoundEvent] = field(default_factory=list)

    def clicks_s(self) -> list[float]:
        """When a click begins, by the chunks' own times."""
        found: list[float] = []
        for chunk in self.chunks:
            for at in np.flatnonzero(np.abs(chunk.samples) > CLICK // 2):
                t_s = chunk.t_s + at / chunk.rate_hz
                if not found or t_s - found[-1] > 0.05:
                    found.append(float(t_s))
        return found

    def of(self, kind: type[SoundEvent]) -> list[SoundEvent]:
        return [event for event in self.events if isinstance(event, kind)]

    def without_levels(self) -> list[SoundEvent]:
        return [event for event in self.events if not isinstance(event, Level)]


def listen(microphone: Microphone, clock: ManualClock, until_s: float, poll_s: float = 0.1) -> Heard:
    heard = Heard()
    while clock.now_s() < until_s:
        clock.sleep(poll_s)
        sort(microphone.poll(), heard)
    sort(microphone.close(), heard)
    return heard


def sort(came: list[SoundChunk | SoundEvent], heard: Heard) -> None:
    for one in came:
        if isinstance(one, SoundChunk):
            heard.chunks.append(one)
        else:
            heard.events.append(one)


def opened(driver: ScriptedMicrophone, name: str | None = None) -> Microphone:
    microphone = Microphone(driver, driver.clock, name)
    microphone.open()
    return microphone


def contiguous(heard: Heard) -> None:
    """The chunks follow each other: sample k of the stream has one time."""
    for before, after in zip(heard.chunks, heard.chunks[1:], strict=False):
        assert after.t_s == pytest.approx(before.t_s + before.duration_s, abs=0.004)
