"""Cameras through OpenCV, each drained by a thread of its own, which is abandoned when it hangs (C1, C3)."""

from __future__ import annotations

import platform
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from referee.capture.camera_names import CameraName, cameras
from referee.capture.video_devices import CameraFault, OnFrame, RunningCamera, Wish

OPEN_WITHIN_S = 10.0
CLOSE_WITHIN_S = 1.0


class OpenCvDriver:
    """See `CameraDriver`. make: `cv2.VideoCapture` or what stands in for it; open_within_s: the deadline to open."""

    def __init__(self, make: Callable[..., Any] | None = None, *, open_within_s: float = OPEN_WITHIN_S) -> None:
        self._make = make or _video_capture
        self._open_within_s = open_within_s
        self._asked = False

    def cameras(self) -> list[CameraName]:
        """See `CameraDriver`."""
        return cameras()

    def open(self, camera: CameraName, wish: Wish, on_frame: OnFrame, on_end: Callable[[str], None]) -> RunningCamera:
        """See `CameraDriver`. Opening happens on the camera's thread too, since that can hang (C3)."""
        self._ask_permission(camera)
        running = _Drain(self._make, camera, wish, on_frame, on_end)
        running.start()
        if not running.opened.wait(self._open_within_s):
            running.abandon()
            raise CameraFault(f"it did not open within {self._open_within_s:g} s; is it in use by another program?")
        if running.fault:
            raise CameraFault(running.fault)
        return running

    def _ask_permission(self, camera: CameraName) -> None:
        """macOS asks its user once, and only for the main thread (C11): there it is opened once before."""
        if self._asked or platform.system() != "Darwin" or threading.current_thread() is not threading.main_thread():
            return
        self._asked = True
        with suppress(Exception):  # what is wrong with it is told when it is opened in earnest
            self._make(camera.path or camera.index).release()


class _Drain:
    """Reads a camera as fast as it gives frames, so that none waits in the driver's buffer (C7)."""

    def __init__(
        self,
        make: Callable[..., Any],
        camera: CameraName,
        wish: Wish,
        on_frame: OnFrame,
        on_end: Callable[[str], None],
    ) -> None:
        self._make, self._camera, self._wish = make, camera, wish
        self._on_frame, self._on_end = on_frame, on_end
        self._stop = threading.Event()
        self.opened = threading.Event()
        self.fault = ""
        self._thread = threading.Thread(target=self._run, name=f"camera {camera.name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def abandon(self) -> None:
        """Let the thread end whenever its call comes back; nothing of it is heard any more."""
        self._stop.set()

    def close(self) -> None:
        """See `RunningCamera`."""
        self._stop.set()
        if threading.current_thread() is not self._thread:
            self._thread.join(CLOSE_WITHIN_S)

    def _run(self) -> None:
        device = None
        try:
            device = self._make(self._camera.path or self._camera.index)
            if not device.isOpened():
                self.fault = "it does not open"
            else:
                _ask(device, self._wish)
        except Exception as fault:
            self.fault = str(fault).strip() or "it does not open"
        self.opened.set()
        try:
            if device is not None and not self.fault:
                self._drain(device)
        finally:
            if device is not None:
                device.release()

    def _drain(self, device: Any) -> None:
        while not self._stop.is_set():
            try:
                good, image = device.read()
            except Exception as fault:
                good, image, why = False, None, str(fault).strip()
            else:
                why = "it gives no more pictures"
            if self._stop.is_set():
                return
            if not good or image is None:
                self._on_end(why)
                return
            self._on_frame(np.asarray(image, np.uint8))


def _ask(device: Any, wish: Wish) -> None:
    """Ask for a size and a rate; MJPG leaves room on the USB. What is given is measured, never read back (C8)."""
    import cv2

    device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    device.set(cv2.CAP_PROP_FRAME_WIDTH, wish.width_px)
    device.set(cv2.CAP_PROP_FRAME_HEIGHT, wish.height_px)
    device.set(cv2.CAP_PROP_FPS, wish.rate_hz)
    device.set(cv2.CAP_PROP_BUFFERSIZE, 1)


def _video_capture(source: str | int) -> Any:
    import cv2

    return cv2.VideoCapture(source)
