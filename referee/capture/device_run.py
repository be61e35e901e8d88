"""One run of a sound device, from opening to closing: what its callback leaves, and the rates it can run at."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from referee.capture.block_clock import BlockClock
from referee.capture.input_devices import DeviceFault, InputDevice, InputDriver, RawBlock, RunningInput, StreamTimes
from referee.capture.resampling import SpeechRate
from referee.faults import InputFault
from referee.observations.clock import Clock

MOST_HELD = 200
"""Blocks that may wait to be taken: ten seconds. The oldest are dropped, and counted as a gap."""


@dataclass(frozen=True, slots=True)
class Block:
    """What one callback brought. first: position of its first sample in the run, dropped ones counted."""

    samples: RawBlock
    times: StreamTimes
    overflowed: bool
    arrived_s: float
    first: int


class DeviceRun:
    """Open input, its waiting blocks, and its own count of time. Raises InputFault when it cannot be opened."""

    def __init__(self, driver: InputDriver, device: InputDevice, clock: Clock, speech_hz: int) -> None:
        self._now_s = clock.now_s
        self._blocks: deque[Block] = deque(maxlen=MOST_HELD)
        self._came = 0
        self.device = device
        self.ended = False
        self.last_s = clock.now_s()
        self.rate_hz, channels, self._input = self._opened(driver, speech_hz)
        self.clock = BlockClock(self.rate_hz)
        self.speech = SpeechRate(self.rate_hz, speech_hz, channels)
        self.taken = 0

    def waiting(self) -> list[Block]:
        """The blocks that came since the last time, oldest first."""
        blocks = []
        while self._blocks:
            blocks.append(self._blocks.popleft())
            self.last_s = blocks[-1].arrived_s
        return blocks

    def close(self) -> None:
        """Stop it."""
        self._input.close()

    def _on_block(self, samples: RawBlock, times: StreamTimes, overflowed: bool) -> None:
        # In the library's thread, where an exception would end the stream and waiting would lose sound (A5).
        self._blocks.append(Block(samples.copy(), times, overflowed, self._now_s(), self._came))
        self._came += len(samples)

    def _on_end(self) -> None:
        self.ended = True

    def _opened(self, driver: InputDriver, speech_hz: int) -> tuple[int, int, RunningInput]:
        # Both channels of a stereo microphone, since some give only one of them when asked for one; and the rate of
        # speech first: where the system refuses it, the device's own (A6).
        channels = [min(2, self.device.channels), 1, self.device.channels]
        ways = [(rate, count) for count in dict.fromkeys(channels) for rate in (speech_hz, self.device.rate_hz)]
        why = ""
        for rate_hz, count in dict.fromkeys(ways):
            try:
                return rate_hz, count, driver.open(self.device, rate_hz, count, self._on_block, self._on_end)
            except DeviceFault as fault:
                why = str(fault)
        raise InputFault(
            f"this microphone cannot be opened: {why}",
            where=self.device.label,
            mend="close other programs that record, or choose another with --device",
        )
