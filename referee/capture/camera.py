"""A camera that never blocks the referee: the newest frame, and what happened to the device, on the session clock.

Nothing here waits on the device. A driver's thread drains it and leaves each frame in a slot (C7, C16); everything
else is judged by the injected clock. A camera that stops, hangs or repeats itself is given up and opened again.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from referee.capture.camera_names import CameraName
from referee.capture.media import Frame, Image
from referee.capture.video_devices import CameraDriver, CameraFault, RunningCamera, Wish, chosen_camera, remedy_of
from referee.faults import InputFault
from referee.observations.clock import Clock

STALLED_AFTER_S = 2.0
"""Without a new picture for so long the camera hangs, whatever it says (C1, C2)."""
RETRY_S = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Pauses between attempts to open it again; the last one holds on."""
STEADY_S = 10.0
POLL_S = 0.01
_RATE_OVER = 31


@dataclass(frozen=True, slots=True)
class CameraLost:
    """No picture comes since `t_s`. why: for people, one line with its remedy."""

    t_s: float
    why: str


@dataclass(frozen=True, slots=True)
class CameraRegained:
    """Pictures come again from `t_s`, after `away_s` seconds and so many attempts."""

    t_s: float
    camera: str
    away_s: float
    attempts: int


CameraEvent = CameraLost | CameraRegained


@dataclass(frozen=True, slots=True)
class CameraHealth:
    """How it is. rate_hz: measured, 0 before two frames; skipped: frames that nobody had time for."""

    camera: str
    seeing: bool
    rate_hz: float
    width_px: int
    height_px: int
    frames: int
    skipped: int
    lost: int


class Camera:
    """One camera, chosen by name, and found by it again when it comes back under another number (C5).

    name: None takes the first and then stays with it. Not thread-safe: one thread polls; `stop` from any.
    """

    def __init__(
        self,
        driver: CameraDriver,
        clock: Clock,
        name: str | None = None,
        *,
        path: str = "",
        wish: Wish | None = None,
        on_event: Callable[[CameraEvent], None] = lambda _: None,
    ) -> None:
        self._driver, self._clock, self._wanted = driver, clock, (name, path)
        self._wish = wish or Wish()
        self._on_event = on_event
        self.width_px, self.height_px, self.frame_rate_hz = (
            self._wish.width_px, self._wish.height_px, self._wish.rate_hz,
        )  # fmt: skip
        self._slot: _Slot | None = None
        self._running: RunningCamera | None = None
        self._camera: CameraName | None = None
        self._lost: CameraLost | None = None
        self._attempts, self._since_lost, self._retry_at_s = 0, 0, 0.0
        self._times: deque[float] = deque(maxlen=_RATE_OVER)
        self._last: Image | None = None
        self._fresh_s = self._regained_s = clock.now_s()
        self._index, self._skipped, self._losses = 0, 0, 0
        self._stopping = False

    @property
    def name(self) -> str:
        """Its name; empty before it was opened."""
        return self._camera.name if self._camera else ""

    @property
    def path(self) -> str:
        """Where it is now, which tells two of one name apart; empty where the system does not say."""
        return self._camera.path if self._camera else ""

    @property
    def health(self) -> CameraHealth:
        """How it is now."""
        return CameraHealth(
            camera=self._camera.name if self._camera else "",
            seeing=self._running is not None and self._lost is None,
            rate_hz=self._rate_hz(),
            width_px=self.width_px,
            height_px=self.height_px,
            frames=self._index,
            skipped=self._skipped,
            lost=self._losses,
        )

    def open(self, *, wait_s: float = 8.0) -> None:
        """Open it and wait for the first picture, which tells its true size.

        Raises InputFault when there is no such camera, it cannot be opened, or no picture comes within `wait_s`.
        """
        self._open()
        until_s = self._clock.now_s() + wait_s
        while self._slot is not None and self._slot.newest is None and not self._slot.ended:
            if self._clock.now_s() >= until_s:
                break
            self._clock.sleep(POLL_S)
        image = self._slot.newest[1] if self._slot and self._slot.newest else None
        if image is None:
            why = (self._slot.ended if self._slot else "") or "no picture comes from it"
            self._give_up()
            raise InputFault(why, where=self._name(), mend=remedy_of(why))
        self.height_px, self.width_px = image.shape[:2]
        self._fresh_s = self._clock.now_s()

    def poll(self) -> list[Frame | CameraEvent]:
        """The newest frame if there is one that was not given yet, and what happened; never waits."""
        out: list[Frame | CameraEvent] = []
        if self._slot is None:
            self._try_again()
        if self._slot is not None:
            self._take(self._slot, out)
            if self._slot is not None and (self._slot.ended or self._hangs()):
                self._lose(out)
        return out

    def frames(self) -> Iterator[Frame]:
        """The frames as they come until `stop`; events go to `on_event`."""
        while not self._stopping:
            came = self.poll()
            for one in came:
                if isinstance(one, Frame):
                    yield one
                else:
                    self._on_event(one)
            if not came:
                self._clock.sleep(POLL_S)
        self._give_up()

    def stop(self) -> None:
        """End `frames` soon."""
        self._stopping = True

    def _open(self) -> None:
        camera = chosen_camera(self._driver.cameras(), *self._wanted)
        slot = _Slot(self._clock)
        try:
            self._running = self._driver.open(camera, self._wish, slot.put, slot.end)
        except CameraFault as fault:
            raise InputFault(
                f"this camera cannot be opened: {fault}", where=camera.name, mend=remedy_of(str(fault))
            ) from None
        self._slot, self._camera = slot, camera
        self._wanted = (camera.name, camera.path)
        self._fresh_s = self._clock.now_s()
        self._times.clear()
        self._last = None

    def _try_again(self) -> None:
        if self._lost is None or self._clock.now_s() < self._retry_at_s:
            return
        try:
            self._open()
        except Exception:  # whatever a library makes of a device that is half there: it is tried again later
            self._give_up()
            self._retry_later()

    def _retry_later(self) -> None:
        self._retry_at_s = self._clock.now_s() + RETRY_S[min(self._attempts, len(RETRY_S) - 1)]
        self._attempts += 1
        self._since_lost += 1

    def _take(self, slot: _Slot, out: list[Frame | CameraEvent]) -> None:
        taken, skipped = slot.take()
        self._skipped += skipped
        if taken is None:
            return
        t_s, image = taken
        # A sensor is never still: two pictures alike to the last bit are one that is repeated (C2).
        if self._last is not None and self._last.shape == image.shape and np.array_equal(self._last, image):
            return
        self._last, self._fresh_s = image, t_s
        self.height_px, self.width_px = image.shape[:2]
        if self._lost is not None:
            name = self._camera.name if self._camera else ""
            out.append(CameraRegained(t_s, name, t_s - self._lost.t_s, self._since_lost))
            self._lost, self._since_lost, self._regained_s = None, 0, t_s
        elif self._attempts and t_s - self._regained_s > STEADY_S:
            self._attempts = 0
        self._times.append(t_s)
        out.append(Frame(t_s, self._index, image))
        self._index += 1

    def _hangs(self) -> bool:
        return self._clock.now_s() - self._fresh_s > STALLED_AFTER_S

    def _lose(self, out: list[Frame | CameraEvent]) -> None:
        why = (self._slot.ended if self._slot else "") or "no new picture comes from it"
        self._give_up()
        if self._lost is None:
            self._lost = CameraLost(self._fresh_s, f"{self._name()}: {why}; {remedy_of(why)}")
            self._losses += 1
            out.append(self._lost)
        self._retry_later()

    def _give_up(self) -> None:
        if self._running is not None:
            self._running.close()
        self._running, self._slot = None, None

    def _name(self) -> str:
        return self._camera.name if self._camera else "camera"

    def _rate_hz(self) -> float:
        span_s = self._times[-1] - self._times[0] if len(self._times) > 1 else 0.0
        return (len(self._times) - 1) / span_s if span_s > 0 else 0.0


class _Slot:
    """Where the driver's thread leaves the newest frame. Frames that nobody took are counted, never queued."""

    def __init__(self, clock: Clock) -> None:
        self._now_s = clock.now_s
        self._guard = threading.Lock()
        self.newest: tuple[float, Image] | None = None
        self.ended = ""
        self._skipped = 0
        self._taken = True

    def put(self, image: Image) -> None:
        t_s = self._now_s()
        with self._guard:
            self._skipped += not self._taken
            self.newest, self._taken = (t_s, image), False

    def end(self, why: str) -> None:
        self.ended = why or "it stopped by itself"

    def take(self) -> tuple[tuple[float, Image] | None, int]:
        with self._guard:
            skipped, self._skipped = self._skipped, 0
            if self._taken:
                return None, skipped
            self._taken = True
            return self.newest, skipped
