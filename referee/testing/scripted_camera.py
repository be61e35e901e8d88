"""Cameras that follow a script: they can be unplugged, hang, repeat themselves, and come back under another number.

clock = ManualClock()
driver = ScriptedCamera(clock)
clock.at(5.0, driver.unplug)
clock.at(9.0, driver.plug)
camera = Camera(driver, clock)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from referee.capture.camera_names import CameraName
from referee.capture.media import Image
from referee.capture.video_devices import CameraFault, OnFrame, Wish
from referee.testing.manual_clock import ManualClock

Picture = Callable[[float, int], Image]
"""(t_s, number) -> uint8 (h, w, 3): what the camera sees."""

TABLE_CAMERA = CameraName("Table camera", 0, "/dev/video0")


def noise(_t_s: float, number: int) -> Image:
    """Another grey noise in every frame, as a sensor gives it."""
    return np.random.default_rng(number).integers(90, 110, (48, 64, 3), np.uint8)


class ScriptedCamera:
    """A `CameraDriver` with `cameras_there` (the script acts on the first). rate_hz: what it gives."""

    def __init__(
        self,
        clock: ManualClock,
        cameras_there: tuple[CameraName, ...] = (TABLE_CAMERA,),
        *,
        picture: Picture = noise,
        rate_hz: float = 15.0,
    ) -> None:
        self._clock, self._picture, self.rate_hz = clock, picture, rate_hz
        self._there = list(cameras_there)
        self._plugged = True
        self.fault = ""
        self.hangs = False
        self.frozen = False
        self.opened: list[CameraName] = []
        self.wishes: list[Wish] = []
        self._runs: list[_ScriptedRun] = []

    def cameras(self) -> list[CameraName]:
        """See `CameraDriver`."""
        return list(self._there) if self._plugged else self._there[1:]

    def open(self, camera: CameraName, wish: Wish, on_frame: OnFrame, on_end: Callable[[str], None]) -> _ScriptedRun:
        """See `CameraDriver`. Fails with `fault` while that is set."""
        if self.fault:
            raise CameraFault(self.fault)
        if camera not in self.cameras():
            raise CameraFault("no such device")
        self.opened.append(camera)
        self.wishes.append(wish)
        run = _ScriptedRun(self, on_frame, on_end)
        self._runs = [one for one in self._runs if one.is_open] + [run]  # what was given up holds its last frame
        run.tick()
        return run

    def unplug(self) -> None:
        """Pull it out: no more frames come, and no error either (C1)."""
        self._plugged = False

    def plug(self, *, index: int | None = None) -> None:
        """Put it in again, perhaps under another number (C5)."""
        self._plugged = True
        if index is not None:
            self._there[0] = replace(self._there[0], index=index, path=f"/dev/video{index}")

    def end(self, why: str = "") -> None:
        """The stream ends by itself, with the library's text."""
        for run in self._runs:
            run.end(why)

    def shot(self, number: int) -> Image | None:
        """The frame that comes now, None if none does."""
        if not self._plugged or self.hangs:
            return None
        return self._picture(self._clock.now_s(), 0 if self.frozen else number)


class _ScriptedRun:
    def __init__(self, driver: ScriptedCamera, on_frame: OnFrame, on_end: Callable[[str], None]) -> None:
        self._driver, self._on_frame, self._on_end = driver, on_frame, on_end
        self._number = 0
        self.is_open = True

    def tick(self) -> None:
        if not self.is_open:
            return
        self._number += 1
        image = self._driver.shot(self._number)
        if image is not None:
            self._on_frame(image)
        clock = self._driver._clock
        clock.at(clock.now_s() + 1 / self._driver.rate_hz, self.tick)

    def end(self, why: str) -> None:
        if self.is_open:
            self.is_open = False
            self._on_end(why)

    def close(self) -> None:
        """See `RunningCamera`."""
        self.is_open = False
