"""Camera and microphone are remembered by name and path, never by number (C5, A3)."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from referee.session.clock import SessionClock
from referee.session.devices import LiveDevices, open_devices
from referee.session.remembering import remember_devices
from referee.session.settings import Settings, default_text, load_settings
from referee.testing.manual_clock import ManualClock
from referee.testing.scripted_camera import ScriptedCamera
from referee.testing.scripted_microphone import ScriptedMicrophone


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text("# Friday's table\n" + default_text(), encoding="utf-8")
    return path


def opened(cameras: ScriptedCamera, clock: ManualClock, settings: Settings) -> LiveDevices:
    return open_devices(
        None,
        None,
        settings,
        clock,
        pacing=cast(SessionClock, clock),
        cameras=lambda: cameras,
        microphones=lambda: ScriptedMicrophone(clock),
    )


def test_c5_what_was_opened_is_remembered_and_found_under_another_number(file: Path) -> None:
    clock = ManualClock()
    cameras = ScriptedCamera(clock)
    settings = load_settings(file)
    done = remember_devices(opened(cameras, clock, settings), settings, file)
    assert done == [
        "Camera: Table camera, remembered by name.",
        "Microphone: Table microphone, remembered by name.",
    ]
    kept = load_settings(file)
    assert (kept.camera.name, kept.camera.path) == ("Table camera", "/dev/video0")
    assert (kept.microphone.name, kept.microphone.host_api) == ("Table microphone", "ALSA")
    assert file.read_text(encoding="utf-8").startswith("# Friday's table\n")
    cameras.plug(index=3)
    again = opened(cameras, clock, kept)
    assert cameras.opened[-1].index == 3
    assert remember_devices(again, kept, file) == ["Camera: Table camera, remembered by name."]
    assert load_settings(file).camera.path == "/dev/video3"
    assert remember_devices(again, load_settings(file), file) == []


def test_a_camera_chosen_for_once_does_not_take_the_place_of_one_s_own(file: Path) -> None:
    clock = ManualClock()
    cameras = ScriptedCamera(clock)
    own = Settings.model_validate({"camera": {"name": "Another camera"}, "microphone": {"name": "Another one"}})
    devices = open_devices(
        "Table camera", "off", own, clock, pacing=cast(SessionClock, clock), cameras=lambda: cameras
    )
    before = file.read_bytes()
    assert remember_devices(devices, own, file) == []
    assert file.read_bytes() == before


def test_settings_that_cannot_be_written_are_a_line(tmp_path: Path) -> None:
    clock = ManualClock()
    broken = tmp_path / "table.toml"
    broken.write_text("[camera\n", encoding="utf-8")
    (line,) = remember_devices(opened(ScriptedCamera(clock), clock, Settings()), Settings(), broken)
    assert line.startswith("The devices cannot be remembered: ")
    assert broken.read_text(encoding="utf-8") == "[camera\n"
