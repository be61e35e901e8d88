"""Sound inputs by name, and what a library that opens them must offer.

A device's index means nothing: it changes when something is plugged in (A3). A device is its name and the host
API (ALSA, Core Audio …) that offers it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from referee.faults import InputFault
from referee.nearness import nearest

RawBlock = NDArray[np.int16]
"""Sound as a device gives it: int16 (n, channels)."""


@dataclass(frozen=True, slots=True)
class InputDevice:
    """One sound input. index: what the library calls it until the next scan; rate_hz: its native rate."""

    name: str
    host_api: str
    channels: int
    rate_hz: int
    is_default: bool = False
    index: int = -1

    @property
    def label(self) -> str:
        """Name and host API, for people."""
        return f"{self.name} ({self.host_api})"


@dataclass(frozen=True, slots=True)
class StreamTimes:
    """What the device says of a block: when its first sample was converted, and now, on its own clock in seconds.

    0 or nonsense on some systems (A7).
    """

    adc_s: float
    current_s: float


class DeviceFault(Exception):
    """A device cannot be opened in this way; the text is the library's own."""


class RunningInput(Protocol):
    """An open input that calls back."""

    def close(self) -> None:
        """Stop; never blocks for longer than a second, even when the device has gone."""


OnBlock = Callable[[RawBlock, StreamTimes, bool], None]
"""Called in the library's thread with samples (copy them), times, and whether sound was lost before this block."""


class InputDriver(Protocol):
    """The library that knows the devices."""

    def inputs(self) -> list[InputDevice]:
        """The inputs there are. Scanned anew only when none is open: a new scan kills running streams (A2)."""

    def open(
        self, device: InputDevice, rate_hz: int, channels: int, on_block: OnBlock, on_end: Callable[[], None]
    ) -> RunningInput:
        """Start it. `on_end`: the stream has ended by itself. Raises DeviceFault."""


def chosen(inputs: Sequence[InputDevice], name: str | None, host_api: str | None = None) -> InputDevice:
    """The input of that name (its beginning is enough when only one begins so); None: the system's default.

    Raises InputFault when there is none, with near names, or when several fit.
    """
    if not inputs:
        raise InputFault("no microphone is connected", mend="plug one in, or referee without sound")
    if name is None:
        return next((device for device in inputs if device.is_default), inputs[0])
    offered = [device for device in inputs if host_api in (None, device.host_api)]
    exact = [device for device in offered if name in (device.name, device.label)]
    same = exact or [device for device in offered if _plain(device.name) == _plain(name)]
    found = same or [device for device in offered if device.name.casefold().startswith(name.casefold())]
    if not found:
        names = sorted({device.name for device in inputs})
        raise InputFault(
            f"no microphone is called {name!r}",
            mend="there is " + ", ".join(repr(one) for one in nearest(name, names) or names),
        )
    if len({device.name for device in found}) > 1:
        raise InputFault(
            f"several microphones are called {name!r}", mend="; ".join(sorted({device.label for device in found}))
        )
    return next((device for device in found if device.is_default), found[0])


def _plain(name: str) -> str:
    """ALSA puts the number of the card behind the name, and that changes when it is plugged in again."""
    return re.sub(r" \(hw:\d+,\d+\)$", "", name)
