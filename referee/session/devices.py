"""Opens what a table is watched with: cameras and microphones by name, or films and sound files in their place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from referee.capture.camera import Camera, CameraEvent, CameraLost, CameraRegained
from referee.capture.input_devices import InputDriver
from referee.capture.media import probe
from referee.capture.microphone import Microphone
from referee.capture.sound_events import Clipped, Gap, Level, Lost, Regained, SoundEvent
from referee.capture.video_devices import CameraDriver, Wish
from referee.faults import InputFault
from referee.observations.clock import Clock
from referee.session.parts import Parts
from referee.session.settings import Settings
from referee.session.source import FilmCamera, FilmMicrophone, NoCamera, Pacing, PictureSource, SoundSource

CAMERA, MICROPHONE = "camera", "microphone"
OFF = "off"
FILM_SUFFIXES = frozenset({".avi", ".m4v", ".mkv", ".mov", ".mp4", ".webm"})
"""What no camera's name ends in."""


class DeviceEvents:
    """What happens to camera and microphone, told to `parts` and to those who must know.

    on_state: told a part, its state, when, and why. on_deaf: told the span in which nobody could hear, and why.
    on_level: how loud it is. Set them when there is somebody to be told.
    """

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.on_state: Callable[[str, str, float, str], object] = lambda part, state, _t_s, why: parts.set(
            part, state, why
        )
        self.on_deaf: Callable[[float, float, str], None] = lambda _from_s, _until_s, _why: None
        self.on_level: Callable[[Level], None] = lambda _level: None

    def of_camera(self, event: CameraEvent) -> None:
        """A camera was lost or is back."""
        match event:
            case CameraLost(t_s=t_s, why=why):
                self.on_state(CAMERA, "lost", t_s, why)
            case CameraRegained(t_s=t_s, away_s=away_s):
                self.on_state(CAMERA, "running", t_s, f"it was away for {away_s:.1f} s")

    def of_sound(self, event: SoundEvent) -> None:
        """A microphone was lost or is back, or sound is missing or distorted."""
        match event:
            case Lost(t_s=t_s, why=why):
                self.on_state(MICROPHONE, "lost", t_s, why)
                self.on_deaf(t_s, t_s, why)
            case Regained(t_s=t_s, away_s=away_s):
                self.on_state(MICROPHONE, "running", t_s, f"it was away for {away_s:.1f} s")
                self.on_deaf(t_s - away_s, t_s, "the microphone was away")
            case Gap(t_s=t_s, duration_s=duration_s, cause=cause) if cause != "lost":
                self.on_deaf(t_s, t_s + duration_s, f"sound is missing: {cause}")
            case Clipped(t_s=t_s, end_s=end_s):
                self.on_deaf(t_s, end_s, "the sound was cut off at its loudest")
            case Level():
                self.on_level(event)
            case _:
                pass


@dataclass(frozen=True, slots=True)
class LiveDevices:
    """Camera and microphone of a table. remarks: what is missing, a line each."""

    camera: PictureSource
    microphone: SoundSource | None
    events: DeviceEvents
    remarks: tuple[str, ...] = ()


def open_devices(
    camera: str | None,
    microphone: str | None,
    settings: Settings,
    clock: Clock,
    *,
    pacing: Pacing,
    from_s: float = 0.0,
    cameras: Callable[[], CameraDriver] | None = None,
    microphones: Callable[[], InputDriver] | None = None,
) -> LiveDevices:
    """Open both. camera, microphone: a file, or a device's name; None for what the settings say, `off` for none.

    A film brings its own sound. pacing: how films are played. Raises InputFault when there is no camera and none was
    said to be `off`; without a microphone the table is refereed by sight, and a remark says so.
    """
    events = DeviceEvents(Parts())
    film = _film(camera)
    eye: PictureSource
    if camera == OFF:
        eye = NoCamera()
    elif film is not None:
        eye = FilmCamera(film, pacing, from_s)
    else:
        eye = _camera(camera, settings, clock, cameras or _opencv, events)
    ear: SoundSource | None = None
    remarks: list[str] = []
    if camera == OFF:
        remarks.append("no camera: what is heard and what is tapped on the page `put right` makes the score")
    file = Path(microphone) if microphone is not None and Path(microphone).is_file() else None
    if film is not None and microphone is None:
        file = film if probe(film).has_audio else None
    elif file is None and microphone != OFF and (settings.microphone.on or microphone is not None):
        ear = _microphone(microphone, settings, clock, microphones or _portaudio, events, remarks)
    if file is not None:
        ear = FilmMicrophone(file, pacing, from_s)
    events.parts.set(CAMERA, "off" if camera == OFF else "running")
    events.parts.set(MICROPHONE, "running" if ear is not None else "off")
    return LiveDevices(eye, ear, events, tuple(remarks))


def _film(camera: str | None) -> Path | None:
    """The file that stands in for a camera. Raises InputFault for the name of a film that is not there."""
    if camera is None:
        return None
    path = Path(camera)
    if path.suffix.lower() in FILM_SUFFIXES and not path.exists():
        raise InputFault("is not there", where=camera, mend="check the name")
    return path if path.is_file() else None


def _camera(
    name: str | None, settings: Settings, clock: Clock, driver: Callable[[], CameraDriver], events: DeviceEvents
) -> Camera:
    wanted = settings.camera
    wish = Wish(wanted.width_px, wanted.height_px, wanted.rate_hz)
    path = wanted.path if name is None else ""
    camera = Camera(driver(), clock, name or wanted.name or None, path=path, wish=wish, on_event=events.of_camera)
    camera.open()
    return camera


def _microphone(
    name: str | None,
    settings: Settings,
    clock: Clock,
    driver: Callable[[], InputDriver],
    events: DeviceEvents,
    remarks: list[str],
) -> Microphone | None:
    wanted = settings.microphone
    try:
        microphone = Microphone(
            driver(),
            clock,
            name or wanted.name or None,
            host_api=(wanted.host_api or None) if name is None else None,
            on_event=events.of_sound,
        )
        microphone.open()
    except InputFault as fault:
        if name is not None:
            raise
        remarks.append(f"{fault}; plays are refereed, calls are not")
        return None
    return microphone


def _opencv() -> CameraDriver:
    from referee.capture.opencv_camera import OpenCvDriver

    return OpenCvDriver()


def _portaudio() -> InputDriver:
    from referee.capture.portaudio import PortAudioDriver

    return PortAudioDriver()
