"""Sound inputs that follow a script: they can be pulled out, stall, drop sound, lie about time, and refuse rates.

clock = ManualClock()
driver = ScriptedMicrophone(clock)
clock.at(5.0, driver.unplug)
clock.at(9.0, driver.plug)
microphone = Microphone(driver, clock)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from referee.capture.input_devices import DeviceFault, InputDevice, OnBlock, RawBlock, StreamTimes
from referee.testing.manual_clock import ManualClock

Sound = Callable[[float, int, int], RawBlock]
"""(t_s, samples, rate_hz) -> int16 (samples,) or (samples, channels): what the table sounds like from `t_s` on."""

TABLE_MICROPHONE = InputDevice("Table microphone", "ALSA", channels=1, rate_hz=48_000, is_default=True)


def murmur(t_s: float, samples: int, rate_hz: int) -> RawBlock:
    """A quiet room: a hum 50 dB below full scale, int16 (samples,)."""
    phase = 2 * np.pi * 110 * (t_s + np.arange(samples) / rate_hz)
    return np.asarray(np.round(100 * np.sin(phase)) + 1, np.int16)


class ScriptedMicrophone:
    """An `InputDriver` with `inputs` (the first is the one that the script acts on).

    sound: what is to be heard. fast_ppm: how many parts in a million the device's clock runs fast; a million: twice.
    adc: "good", "zero" (none given) or "stuck" conversion times (A7).
    """

    def __init__(
        self,
        clock: ManualClock,
        inputs: tuple[InputDevice, ...] = (TABLE_MICROPHONE,),
        *,
        sound: Sound = murmur,
        block_s: float = 0.05,
        fast_ppm: float = 0.0,
        adc: str = "good",
        refused_hz: tuple[int, ...] = (),
    ) -> None:
        self.clock = clock
        self.plugged = list(inputs)
        self.sound = sound
        self.block_s = block_s
        self.second_s = 1 / (1 + fast_ppm / 1e6)
        self.adc = adc
        self.refused_hz = set(refused_hz)
        self.opened: list[tuple[str, int, int]] = []
        """Every stream that was opened: label, rate, channels."""
        self.scans = 0
        self._subject = inputs[0] if inputs else TABLE_MICROPHONE
        self._scanned: list[InputDevice] = []
        self._running: list[ScriptedStream] = []

    def inputs(self) -> list[InputDevice]:
        """What was plugged in at the last scan; scanned anew only while nothing is open (A2)."""
        if not any(stream.alive for stream in self._running):
            self.scans += 1
            self._scanned = [replace(device, index=index) for index, device in enumerate(self.plugged)]
        return list(self._scanned)

    def open(
        self, device: InputDevice, rate_hz: int, channels: int, on_block: OnBlock, on_end: Callable[[], None]
    ) -> ScriptedStream:
        """Start a stream; refused for a rate on the list or a device that has gone."""
        if rate_hz in self.refused_hz:
            raise DeviceFault("Invalid sample rate [PaErrorCode -9997]")
        if all(device.label != one.label for one in self.plugged):
            raise DeviceFault("Device unavailable [PaErrorCode -9985]")
        if channels > device.channels:
            raise DeviceFault("Invalid number of channels [PaErrorCode -9998]")
        self.opened.append((device.label, rate_hz, channels))
        stream = ScriptedStream(self, device.label, rate_hz, channels, on_block, on_end)
        self._running = [one for one in self._running if one.alive] + [stream]
        return stream

    def unplug(self) -> None:
        """Pull the first input out: no error, no callbacks, and the others get new indexes (A1, A3)."""
        self.plugged = [one for one in self.plugged if one.label != self._subject.label]
        for stream in self._of_subject():
            stream.stalled = True

    def plug(self) -> None:
        """Put it in again, behind all others."""
        self.unplug()
        self.plugged.append(self._subject)

    def stall(self) -> None:
        """It stays in the list and calls back no more."""
        for stream in self._of_subject():
            stream.stalled = True

    def break_callback(self) -> None:
        """The stream ends as after an exception in its callback (A5)."""
        for stream in self._of_subject():
            stream.stalled = True
            stream.on_end()

    def lose_sound(self, seconds: float, *, flagged: bool = True) -> None:
        """The next `seconds` are never delivered; the block after them says so, or not (A4)."""
        for stream in self._of_subject():
            stream.lost_s += seconds
            stream.flag = flagged

    def hold_back(self, seconds: float) -> None:
        """The machine is busy: callbacks come `seconds` late, all at once."""
        until_s = self.clock.now_s() + seconds
        for stream in self._of_subject():
            stream.held_until_s = until_s

    def _of_subject(self) -> list[ScriptedStream]:
        return [one for one in self._running if one.alive and one.label == self._subject.label]


class ScriptedStream:
    """One open stream of a `ScriptedMicrophone`; `true_s` is when its next sample really sounds."""

    def __init__(
        self,
        driver: ScriptedMicrophone,
        label: str,
        rate_hz: int,
        channels: int,
        on_block: OnBlock,
        on_end: Callable[[], None],
    ) -> None:
        self.driver = driver
        self.label = label
        self.alive = True
        self.stalled = False
        self.flag = False
        self.lost_s = 0.0
        self.held_until_s = 0.0
        self.on_end = on_end
        self.true_s = driver.clock.now_s()
        self._rate_hz, self._channels, self._on_block = rate_hz, channels, on_block
        self._size = round(driver.block_s * rate_hz)
        self._wait()

    def close(self) -> None:
        """Stop."""
        self.alive = False

    def _wait(self) -> None:
        self.true_s += self.lost_s
        self.lost_s = 0.0
        done_s = self.true_s + self._size / self._rate_hz * self.driver.second_s
        self.driver.clock.at(max(done_s, self.held_until_s), self._deliver)

    def _deliver(self) -> None:
        if not self.alive or self.stalled:
            return
        sound = self.driver.sound(self.true_s, self._size, self._rate_hz)
        columns = sound.reshape(self._size, -1)
        block = np.repeat(columns, self._channels, axis=1) if columns.shape[1] == 1 else columns[:, : self._channels]
        flagged, self.flag = (self.flag, False) if not self.lost_s else (False, self.flag)
        self._on_block(np.ascontiguousarray(block), self._times(), flagged)
        self.true_s += self._size / self._rate_hz * self.driver.second_s
        self._wait()

    def _times(self) -> StreamTimes:
        if self.driver.adc == "zero":
            return StreamTimes(0.0, 0.0)
        now_s = 1000.0 + self.driver.clock.now_s()  # the device's clock began long ago
        return StreamTimes(1000.0 if self.driver.adc == "stuck" else 1000.0 + self.true_s, now_s)
