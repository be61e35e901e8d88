"""The only importer of cv2_enumerate_cameras: cameras by name and path, since their numbers change (C5)."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_LINUX = Path("/sys/class/video4linux")


@dataclass(frozen=True, slots=True)
class CameraName:
    """One camera. index: what OpenCV calls it now; path: of the device, "" where the system has none."""

    name: str
    index: int
    path: str = ""


def cameras(linux: Path = _LINUX) -> list[CameraName]:
    """The cameras there are, each once, without opening any. linux: where that system lists them, as a fallback."""
    try:
        import cv2_enumerate_cameras as lister
    except ImportError:  # the package, or what it needs on this system
        return _of_linux(linux) if sys.platform == "linux" else []
    return _each_once(lister.enumerate_cameras(backend) for backend in lister.supported_backends)


def _each_once(by_backend: Iterable[list[Any]]) -> list[CameraName]:
    """Backends list the same devices under the same number; the first that sees any speaks for all."""
    for found in by_backend:
        if found:
            return sorted(
                {CameraName(str(one.name), int(one.index), str(one.path or "")) for one in found},
                key=lambda camera: camera.index,
            )
    return []


def _of_linux(folder: Path) -> list[CameraName]:
    found = []
    for device in folder.glob("video*"):
        number = device.name.removeprefix("video")
        # A camera has several nodes; index 0 is the one that gives pictures.
        if number.isdigit() and _text(device / "index") in ("", "0"):
            found.append(CameraName(_text(device / "name") or device.name, int(number), f"/dev/{device.name}"))
    return sorted(found, key=lambda camera: camera.index)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").strip() if path.is_file() else ""
