"""The only importer of sounddevice: sound inputs through PortAudio.

The library is loaded when a driver is made, never before: importing it starts PortAudio, which is a system package
on Linux and may be missing (A8).
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

from referee.capture.input_devices import DeviceFault, InputDevice, OnBlock, RawBlock, RunningInput, StreamTimes
from referee.faults import InputFault

BLOCK_S = 0.05
_CLOSE_WITHIN_S = 1.0


class PortAudioDriver:
    """See `InputDriver`. Raises InputFault with the one-line remedy when PortAudio is missing (A8)."""

    def __init__(self) -> None:
        try:
            import sounddevice
        except (ImportError, OSError) as fault:
            raise InputFault(
                "microphones cannot be used: PortAudio is missing",
                mend="install it (Debian: apt install libportaudio2); until then plays are judged, calls are not",
            ) from fault
        self._library: Any = sounddevice
        self._open: set[_Stream] = set()

    def inputs(self) -> list[InputDevice]:
        """The inputs there are now; the list of the last scan while a stream is open (A2)."""
        if not any(stream.running for stream in self._open):
            # PortAudio lists devices once, when it starts; these are sounddevice's own functions for that.
            with contextlib.suppress(self._library.PortAudioError):
                self._library._terminate()
            self._library._initialize()
        apis = self._library.query_hostapis()
        default = self._default_index(apis)
        return [
            InputDevice(
                name=str(device["name"]),
                host_api=str(apis[device["hostapi"]]["name"]),
                channels=int(device["max_input_channels"]),
                rate_hz=round(device["default_samplerate"]),
                is_default=index == default,
                index=index,
            )
            for index, device in enumerate(self._library.query_devices())
            if device["max_input_channels"] > 0
        ]

    def open(
        self, device: InputDevice, rate_hz: int, channels: int, on_block: OnBlock, on_end: Callable[[], None]
    ) -> RunningInput:
        """Start a device. Raises DeviceFault: the rate check of PortAudio passes where opening fails (A6)."""

        def called(samples: RawBlock, frames: int, times: Any, status: Any) -> None:  # noqa: ARG001
            on_block(samples, StreamTimes(times.inputBufferAdcTime, times.currentTime), bool(status.input_overflow))

        try:
            stream = self._library.InputStream(
                device=device.index,
                samplerate=rate_hz,
                channels=channels,
                dtype="int16",
                blocksize=round(BLOCK_S * rate_hz),
                callback=called,
                finished_callback=on_end,
            )
            stream.start()
        except (self._library.PortAudioError, ValueError) as fault:
            raise DeviceFault(str(fault)) from fault
        running = _Stream(stream)
        self._open = {one for one in self._open if one.running} | {running}
        return running

    def _default_index(self, apis: Any) -> int:
        preferred = self._library.default.device[0]
        if preferred is not None and preferred >= 0:
            return int(preferred)
        return next((int(api["default_input_device"]) for api in apis if api["default_input_device"] >= 0), -1)


class _Stream:
    """A running PortAudio stream. Closing one whose device has gone may hang, so it is done beside and let go."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.running = True

    def close(self) -> None:
        closer = threading.Thread(target=self._close, name="close-microphone", daemon=True)
        closer.start()
        closer.join(_CLOSE_WITHIN_S)

    def _close(self) -> None:
        with contextlib.suppress(Exception):  # a stream whose device has gone raises anything; it is over either way
            self._stream.abort(ignore_errors=True)
            self._stream.close(ignore_errors=True)
        self.running = False
