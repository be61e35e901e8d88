"""Camera and microphone are remembered by name and path in the settings, never by their number (C5, A3)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.capture.camera import Camera
from referee.capture.microphone import Microphone
from referee.faults import InputFault
from referee.session.devices import LiveDevices
from referee.session.settings import Settings, save_settings, settings_path


def remember_devices(devices: LiveDevices, settings: Settings, file: Path | None) -> list[str]:
    """Write the devices in use into the settings where those name none yet, or know the camera by another path.

    file: the settings in use, None for one's own. Films are not remembered, and no device takes the place of one that
    the settings name. Returns what was done, a line each; a file that cannot be written is a line too.
    """
    changes: dict[str, dict[str, Any]] = {}
    camera, microphone = devices.camera, devices.microphone
    if isinstance(camera, Camera) and settings.camera.name in ("", camera.name):
        found = {"name": camera.name, "path": camera.path}
        if found != {"name": settings.camera.name, "path": settings.camera.path}:
            changes["camera"] = found
    if isinstance(microphone, Microphone) and settings.microphone.name == "":
        changes["microphone"] = {"name": microphone.name, "host_api": microphone.host_api}
    if not changes:
        return []
    try:
        save_settings(file or settings_path(), changes)
    except InputFault as fault:
        return [f"The devices cannot be remembered: {fault}"]
    return [f"{part.capitalize()}: {found['name']}, remembered by name." for part, found in changes.items()]
