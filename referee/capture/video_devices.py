"""Cameras by name and path, and what a library that opens them must offer.

A camera's number means nothing: it changes when something is plugged in, and from backend to backend (C5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from referee.capture.camera_names import CameraName
from referee.capture.media import Image
from referee.faults import InputFault
from referee.nearness import nearest


class CameraFault(Exception):
    """A camera cannot be opened or has failed; the text is the library's own."""


class RunningCamera(Protocol):
    """An open camera that calls back."""

    def close(self) -> None:
        """Stop; never blocks for longer than a second, even when the device hangs (C1)."""


OnFrame = Callable[[Image], None]
"""Called in the driver's thread with each frame, uint8 (h, w, 3), as soon as it is grabbed."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked of a camera; it may give something else, and what it really gives is measured (C8)."""

    width_px: int = 1280
    height_px: int = 720
    rate_hz: float = 15.0


class CameraDriver(Protocol):
    """The library that knows the cameras."""

    def cameras(self) -> list[CameraName]:
        """The cameras there are now."""

    def open(self, camera: CameraName, wish: Wish, on_frame: OnFrame, on_end: Callable[[str], None]) -> RunningCamera:
        """Start it. on_end: it has ended by itself, and why. Raises CameraFault, after a deadline too (C3)."""


def chosen_camera(cameras: Sequence[CameraName], name: str | None, path: str = "") -> CameraName:
    """The camera of that name (its beginning is enough when only one begins so) or path; None: the first.

    path: where it was last; decides between two of one name. Raises InputFault when there is none, with near names,
    or when several fit.
    """
    if not cameras:
        raise InputFault("no camera is connected", mend="plug one in, or give a film with --camera FILE")
    if name is None:
        return cameras[0]
    exact = [camera for camera in cameras if name in (camera.name, camera.path)]
    found = exact or [camera for camera in cameras if camera.name.casefold().startswith(name.casefold())]
    if not found:
        names = sorted({camera.name for camera in cameras})
        near = nearest(name, names) or names
        raise InputFault(f"no camera is called {name!r}", mend="there is " + ", ".join(repr(one) for one in near))
    if len(found) > 1:
        same = [camera for camera in found if path and camera.path == path]
        if not same:
            paths = ", ".join(camera.path or f"number {camera.index}" for camera in found)
            raise InputFault(f"several cameras are called {name!r}", mend=f"give the path instead: {paths}")
        found = same
    return found[0]


_REMEDIES = (
    (("errno 28", "no space left on device", "not enough bandwidth", "bandwidth"),
     "the USB port has not enough bandwidth: use another port, without a hub, or a smaller size"),
    (("select() timeout", "select timeout"),
     "no picture comes: another port or cable, a smaller size, or fewer USB devices"),
    (("busy", "resource busy", "errno 16", "in use"), "another program uses it: close that one"),
    (("permission", "denied", "errno 13", "not authorized"),
     "this program may not use the camera: allow it in the system's privacy settings (or join the group video)"),
    (("no such device", "errno 19", "errno 2", "not found"), "it was unplugged: plug it in again"),
)  # fmt: skip


def remedy_of(text: str) -> str:
    """What to do about a fault that a camera library reports (C3, C4)."""
    lower = text.lower()
    for signs, remedy in _REMEDIES:
        if any(sign in lower for sign in signs):
            return remedy
    return "close other programs that use the camera, plug it in again, or choose another with --camera"
