"""The adapter of sounddevice on a scripted library: devices, scans, flags, faults, and streams that do not close."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from referee.capture import portaudio
from referee.capture.input_devices import DeviceFault, InputDevice, RawBlock, StreamTimes
from referee.capture.portaudio import PortAudioDriver


class PortAudioError(Exception):
    pass


@dataclass
class Library:
    """What the adapter uses of sounddevice."""

    devices: list[dict[str, Any]]
    apis: list[dict[str, Any]]
    preferred: int = -1
    scans: int = 0
    opened: list[dict[str, Any]] = field(default_factory=list)
    refuse: str = ""
    hang: threading.Event | None = None
    PortAudioError: type[Exception] = PortAudioError

    @property
    def default(self) -> Any:
        return SimpleNamespace(device=(self.preferred, -1))

    def query_devices(self) -> list[dict[str, Any]]:
        return self.devices

    def query_hostapis(self) -> list[dict[str, Any]]:
        return self.apis

    def _terminate(self) -> None:
        pass

    def _initialize(self) -> None:
        self.scans += 1

    def InputStream(self, **how: Any) -> Any:  # noqa: N802 - the library's name
        if self.refuse:
            raise PortAudioError(self.refuse)
        self.opened.append(how)
        return SimpleNamespace(start=lambda: None, abort=self._abort, close=lambda ignore_errors: None)

    def _abort(self, ignore_errors: bool) -> None:
        if self.hang:
            self.hang.wait(5)
            raise PortAudioError("device gone")


def device(name: str, channels: int, api: int = 0) -> dict[str, Any]:
    return {"name": name, "hostapi": api, "max_input_channels": channels, "default_samplerate": 44_100.0}


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    one = Library(
        devices=[device("Loudspeaker", 0), device("Table", 1), device("Webcam", 2, api=1)],
        apis=[{"name": "ALSA", "default_input_device": -1}, {"name": "JACK", "default_input_device": 2}],
    )
    monkeypatch.setitem(sys.modules, "sounddevice", one)
    return one


def quiet(samples: RawBlock, times: StreamTimes, overflowed: bool) -> None:
    pass


def opened(library: Library, on_block: Callable[[RawBlock, StreamTimes, bool], None] = quiet) -> Any:
    driver = PortAudioDriver()
    return driver, driver.open(driver.inputs()[0], 16_000, 1, on_block, lambda: None)


def test_inputs_are_listed_with_their_host_api(library: Library) -> None:
    assert PortAudioDriver().inputs() == [
        InputDevice("Table", "ALSA", 1, 44_100, is_default=False, index=1),
        InputDevice("Webcam", "JACK", 2, 44_100, is_default=True, index=2),
    ]


def test_the_users_choice_of_a_default_comes_first(library: Library) -> None:
    library.preferred = 1
    assert [one.is_default for one in PortAudioDriver().inputs()] == [True, False]


def test_a2_a_scan_never_kills_a_running_stream(library: Library) -> None:
    driver, stream = opened(library)
    driver.inputs()
    assert library.scans == 1
    stream.close()
    driver.inputs()
    assert library.scans == 2


def test_a4_flags_and_times_are_passed_on(library: Library) -> None:
    came: list[tuple[RawBlock, StreamTimes, bool]] = []
    opened(library, lambda *block: came.append(block))
    how = library.opened[0]
    assert (how["device"], how["samplerate"], how["channels"], how["dtype"]) == (1, 16_000, 1, "int16")
    block = np.ones((800, 1), np.int16)
    times = SimpleNamespace(inputBufferAdcTime=3.0, currentTime=3.1)
    how["callback"](block, 800, times, SimpleNamespace(input_overflow=1))
    assert came == [(block, StreamTimes(3.0, 3.1), True)]


def test_a6_a_refused_rate_is_a_device_fault(library: Library) -> None:
    library.refuse = "Invalid sample rate [PaErrorCode -9997]"
    with pytest.raises(DeviceFault, match="-9997"):
        opened(library)


def test_a1_a_stream_that_does_not_close_is_let_go(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing a device that has gone may hang; until it is done, no scan may kill it either."""
    monkeypatch.setattr(portaudio, "_CLOSE_WITHIN_S", 0.05)
    driver, stream = opened(library)
    library.hang = threading.Event()
    stream.close()
    driver.inputs()
    assert library.scans == 1
    library.hang.set()
    for thread in [one for one in threading.enumerate() if one.name == "close-microphone"]:
        thread.join()
    driver.inputs()
    assert library.scans == 2
