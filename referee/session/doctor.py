"""Looks a table's equipment over before the game: what is well, what is not, and what to do about it."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import shutil
import statistics
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from referee import __version__
from referee.bundled import bundled
from referee.capture.camera import Camera
from referee.capture.media import Frame, SoundChunk
from referee.capture.microphone import Microphone
from referee.capture.sound_events import Clipped, Level, Silent
from referee.faults import InputFault
from referee.observations.clock import Clock
from referee.session.settings import Settings, sessions_folder

State = Literal["well", "note", "bad"]
LOOK_S = 3.0
"""So long camera and microphone are watched."""

DIM, BRIGHT = 60.0, 215.0
"""Mean brightness (0…255) of a picture below and above which cards get hard to read."""

QUIET_DBFS, NOISY_DBFS = -70.0, -35.0
"""Below: the microphone is hardly open; above: the room drowns a call spoken at the table."""

HOUR_BYTES = 500_000_000
"""What an hour of recording takes, about (benchmarks/recording.py)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. remedy: what to do, empty where nothing is to be done."""

    area: str
    state: State
    says: str
    remedy: str = ""

    def to_json(self) -> dict[str, Any]:
        """The finding as one JSON object."""
        return {"type": "finding", "area": self.area, "state": self.state, "says": self.says, "remedy": self.remedy}


def camera_findings(make: Callable[[], Camera], clock: Clock, wanted_hz: float) -> Iterator[Finding]:
    """The camera opened and watched: size, the rate really given, light, sharpness."""
    try:
        camera = make()
        camera.open()
    except InputFault as fault:
        yield Finding("camera", "bad", _says(fault), fault.mend)
        return
    try:
        frames = _watched(camera.poll, clock, Frame)
        health = camera.health
    finally:
        camera.stop()
        for _ in camera.frames():
            break
    size = f"{health.width_px}x{health.height_px}"
    yield Finding("camera", "well", f"{health.camera}: {size}, {len(frames)} pictures in {LOOK_S:.0f} s")
    rate = health.rate_hz
    if rate < 0.7 * wanted_hz:
        remedy = "give the table more light: in the dark a camera takes its time; or use another USB port"
        yield Finding(
            "rate", "bad" if rate < 5 else "note", f"{rate:.1f} pictures a second, not {wanted_hz:g}", remedy
        )
    else:
        yield Finding("rate", "well", f"{rate:.1f} pictures a second")
    if frames:
        yield from _light([frame.image_bgr for frame in frames[-5:]])


def microphone_findings(make: Callable[[], Microphone], clock: Clock) -> Iterator[Finding]:
    """The microphone opened and listened to: level, noise, clipping, drift."""
    try:
        microphone = make()
        microphone.open()
    except InputFault as fault:
        yield Finding("microphone", "bad", _says(fault), fault.mend)
        return
    try:
        heard = _watched(microphone.poll, clock, (Level, Silent, Clipped, SoundChunk))
        health = microphone.health
    finally:
        microphone.close()
    yield Finding("microphone", "well", f"{health.device}, {health.rate_hz} Hz")
    levels = [one.rms_dbfs for one in heard if isinstance(one, Level)]
    if any(isinstance(one, Silent) for one in heard) or not levels or max(levels) < QUIET_DBFS:
        remedy = "turn it on or up in the system's sound settings, and allow this program to use it"
        yield Finding("level", "bad", "nothing is heard", remedy)
        return
    noise = statistics.median(levels)
    if any(isinstance(one, Clipped) for one in heard):
        yield Finding("level", "note", "the sound is cut off at its loudest", "turn the microphone down")
    if noise > NOISY_DBFS:
        remedy = "put the microphone on the table, away from music and fans"
        yield Finding("level", "note", f"the room is loud ({noise:.0f} dB below full)", remedy)
    else:
        yield Finding("level", "well", f"the room is at {noise:.0f} dB below full")


def model_findings(manifest: Path | None = None) -> Iterator[Finding]:
    """The models that ship: there, and as they were shipped."""
    path = manifest or bundled("models/manifest.toml")
    remedy = "install the package again"
    for model in tomllib.loads(path.read_text(encoding="utf-8")).get("model", []):
        name, file = str(model["name"]), path.parent / str(model["file"])
        if not file.is_file():
            yield Finding("models", "bad", f"{name} is missing: {file}", remedy)
        elif hashlib.sha256(file.read_bytes()).hexdigest() != model["sha256"]:
            yield Finding("models", "bad", f"{name} was changed: {file}", remedy)
        else:
            yield Finding("models", "well", f"{name} is as shipped ({model['sha256'][:12]}…)")


def speech_findings(settings: Settings) -> Iterator[Finding]:
    """The phrase pack and its speech model: there, and which wordings it cannot hear."""
    from referee.hearing.ear import open_listener

    pack = settings.speech.pack or settings.table.language
    try:
        ear = open_listener(pack, Path(settings.speech.model) if settings.speech.model else None)
    except InputFault as fault:
        remedy = fault.mend or f"fetch it once with `referee models get {settings.table.language}`"
        yield Finding("speech", "bad", _says(fault), remedy)
        return
    if ear.refused:
        words = ", ".join(repr(words) for words in list(ear.refused)[:5])
        yield Finding("speech", "note", f"the model lacks words of {words}", "say it in another wording of the pack")
    else:
        yield Finding("speech", "well", f"every wording of {pack!r} can be heard")


def disk_findings(settings: Settings) -> Iterator[Finding]:
    """Room for recordings."""
    folder = sessions_folder(settings)
    there = next(path for path in (folder, *folder.parents) if path.exists())
    hours = shutil.disk_usage(there).free / HOUR_BYTES
    says = f"room for about {hours:.0f} hours of recording in {folder}"
    if not settings.recording.on:
        yield Finding("disk", "note", "nothing is recorded", "set recording.on to settle disputes by replay")
    elif hours < 4:
        yield Finding("disk", "bad" if hours < 1 else "note", says, "make room, or set recording.folder")
    else:
        yield Finding("disk", "well", says)


def version_findings() -> Iterator[Finding]:
    """What runs: versions, and which OpenCV was loaded (C12)."""
    import cv2

    found = [f"referee {__version__}", f"Python {sys.version.split()[0]}"]
    for name in ("opencv-python", "vosk", "av", "sounddevice", "ultralytics"):
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"no {name}")
    yield Finding("versions", "well", ", ".join(found))
    installed = [d for d in ("opencv-python", "opencv-python-headless", "opencv-contrib-python") if _installed(d)]
    says = f"OpenCV {cv2.__version__} from {Path(cv2.__file__).parent}"
    if len(installed) > 1:
        yield Finding(
            "versions", "note", f"{says}; several are installed: {', '.join(installed)}", "uninstall all but one"
        )
    else:
        yield Finding("versions", "well", says)


def offline_findings() -> Iterator[Finding]:
    """The switches that keep Ultralytics off the network (U1, U2)."""
    from referee.vision.yolo import OFFLINE

    wrong = {name: os.environ[name] for name, value in OFFLINE.items() if os.environ.get(name, value) != value}
    wrong.pop("OMP_WAIT_POLICY", None)
    wrong.pop("YOLO_CONFIG_DIR", None)
    if wrong:
        says = ", ".join(f"{name}={value}" for name, value in wrong.items())
        yield Finding("offline", "bad", f"set otherwise in your environment: {says}", "unset them")
    else:
        yield Finding("offline", "well", "nothing is sent or fetched while the referee runs")


def _watched(poll: Callable[[], list[Any]], clock: Clock, kinds: type | tuple[type, ...]) -> list[Any]:
    until_s, found = clock.now_s() + LOOK_S, []
    while clock.now_s() < until_s:
        found += [one for one in poll() if isinstance(one, kinds)]
        clock.sleep(0.02)
    return found


def _light(images: list[Any]) -> Iterator[Finding]:
    bright = float(np.mean([image.mean() for image in images]))
    if bright < DIM:
        remedy = "more light on the table: a lamp from the side, not straight over the cards"
        yield Finding("light", "note", f"the picture is dark ({bright:.0f} of 255)", remedy)
    elif bright > BRIGHT:
        yield Finding(
            "light", "note", f"the picture is too bright ({bright:.0f} of 255)", "less light, or turn the lamp"
        )
    else:
        yield Finding("light", "well", f"brightness {bright:.0f} of 255")


def _installed(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _says(fault: InputFault) -> str:
    return f"{fault.where}: {fault.what}" if fault.where else fault.what
