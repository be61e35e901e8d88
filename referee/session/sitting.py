"""Opens everything that a table is watched with, in the right order, and closes what was opened if a part fails."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict, Unpack

from referee.faults import InputFault
from referee.session.budget import DiskBudget
from referee.session.clock import SessionClock
from referee.session.devices import LiveDevices, open_devices
from referee.session.live_folder import LiveFolder
from referee.session.plan import SessionPlan
from referee.session.recorder import Recorder
from referee.session.seating import folder_for, plan_of_settings
from referee.session.senses import Senses, open_senses
from referee.session.settings import Settings
from referee.session.source import FilmCamera, InStep, TappedCamera, facts_of
from referee.session.watching import Watching


class Said(TypedDict, total=False):
    """What the command line says otherwise than the settings."""

    players: str | None
    dealer: str | None
    profile: str | None
    language: str | None
    calibration: Path | None


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table about to be watched. live: its folder, None where nothing is written. camera: with its newest frame."""

    plan: SessionPlan
    watching: Watching
    camera: TappedCamera
    devices: LiveDevices
    senses: Senses
    live: LiveFolder | None
    recorder: Recorder | None
    clock: SessionClock

    @property
    def remarks(self) -> list[str]:
        """What is missing or was mended, a line each."""
        mended = self.live.remarks if self.live else []
        return [*mended, *self.devices.remarks, *self.senses.remarks]


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a table is to be watched. camera, microphone: as `open_devices` takes them. full_speed: films only."""

    settings: Settings
    camera: str | None = None
    microphone: str | None = None
    record: Path | None = None
    resume: Path | None = None
    speech_model: Path | None = None
    segment_s: float = 20.0
    keep_gb: float | None = None
    full_speed: bool = False


def open_sitting(wanted: Wanted, **said: Unpack[Said]) -> Sitting:
    """Open camera, microphone, eye, ear, folder and recorder. Raises InputFault, with nothing left open."""
    if wanted.record and wanted.resume:
        raise InputFault("--record begins a session, --resume goes on with one", mend="give one of the two")
    if wanted.resume and any(said.values()):
        raise InputFault("says who plays and by which rules", where=str(wanted.resume), mend="give --resume alone")
    film = wanted.camera is not None and Path(wanted.camera).is_file()
    live = LiveFolder.resume(wanted.resume, film=film) if wanted.resume else None
    try:
        return _opened(wanted, live, said)
    except BaseException:
        if live:
            live.close(0.0)
        raise


def _opened(wanted: Wanted, live: LiveFolder | None, said: Said) -> Sitting:
    from_s = live.recorded_s if live else 0.0
    settings, clock = wanted.settings, SessionClock(from_s)
    plan = live.plan if live else plan_of_settings(settings, wanted.record, wanted.camera, **said)
    pacing = InStep() if wanted.full_speed else clock
    devices = open_devices(wanted.camera, wanted.microphone, settings, clock, pacing=pacing, from_s=from_s)
    model = wanted.speech_model or (Path(settings.speech.model) if settings.speech.model else None)
    senses = open_senses(plan, speech_model=model, facts=facts_of(devices.camera, devices.microphone))
    record = wanted.record or folder_for(settings, plan, wanted.camera)
    begun = None
    if record and live is None:
        live = begun = LiveFolder.begin(record, plan, calibration=plan.calibration)
        plan = live.plan
    try:
        if isinstance(devices.camera, FilmCamera):
            clock.now_is(from_s)  # opening took its time: the film begins now
        recorder = _recorder(wanted, live, devices) if live and settings.recording.media else None
        devices.events.parts.set("recorder", "running" if recorder else "off")
        camera = TappedCamera(devices.camera)
        watching = Watching(
            plan,
            camera,
            devices.microphone,
            senses,
            clock=clock,
            live=live,
            recorder=recorder,
            patient=wanted.full_speed,
            parts=devices.events.parts,
        )
    except BaseException:
        if begun:
            begun.close(0.0)
        raise
    devices.events.on_deaf, devices.events.on_state = watching.sound_missing, watching.part_is
    return Sitting(plan, watching, camera, devices, senses, live, recorder, clock)


def _recorder(wanted: Wanted, live: LiveFolder, devices: LiveDevices) -> Recorder:
    own_folder = wanted.record is None and wanted.resume is None
    keep_gb = wanted.keep_gb or (wanted.settings.recording.keep_gb if own_folder else None)
    budget = DiskBudget(live.folder, live.tell, int(keep_gb * 1e9)) if keep_gb else None
    eye, ear = devices.camera, devices.microphone
    return Recorder(
        live.folder,
        live.tell,
        size_px=(eye.width_px, eye.height_px),
        rate_hz=ear.rate_hz if ear else None,
        frame_rate_hz=eye.frame_rate_hz,
        first_number=live.next_piece,
        segment_s=wanted.segment_s,
        make_room=budget.make_room if budget else lambda: None,
        patient=wanted.full_speed,
        channels=getattr(ear, "channels", 1),
    )
