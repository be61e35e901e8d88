"""`referee devices`: names of cameras and microphones; having none is no fault."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from referee.capture import camera_names, portaudio
from referee.capture.camera_names import CameraName, cameras
from referee.cli.main import app
from referee.faults import InputFault
from referee.testing.manual_clock import ManualClock
from referee.testing.scripted_microphone import TABLE_MICROPHONE, ScriptedMicrophone

RUN = CliRunner()


def devices(monkeypatch: pytest.MonkeyPatch, seen: list[CameraName], inputs: Any, *arguments: str) -> Any:
    monkeypatch.setattr(camera_names, "cameras", lambda: seen)
    monkeypatch.setattr(portaudio, "PortAudioDriver", inputs)
    return RUN.invoke(app, ["devices", *arguments])


def scripted(*inputs: Any) -> Any:
    return lambda: ScriptedMicrophone(ManualClock(), inputs)


CAMERA = CameraName("HD Webcam [2]", 4, "/dev/video4")


def test_names_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    result = devices(monkeypatch, [CAMERA], scripted(TABLE_MICROPHONE))
    assert result.exit_code == 0
    told = " ".join(result.stdout.split())
    assert "HD Webcam [2] /dev/video4" in told
    assert "Table microphone ALSA, 1 channel, 48000 Hz the system's own choice" in told


def test_json_has_a_line_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    result = devices(monkeypatch, [CAMERA], scripted(TABLE_MICROPHONE), "--json")
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"type": "camera", "name": "HD Webcam [2]", "path": "/dev/video4"},
        {
            "type": "microphone",
            "name": "Table microphone",
            "host_api": "ALSA",
            "channels": 1,
            "rate_hz": 48_000,
            "default": True,
        },
    ]


def test_none_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    result = devices(monkeypatch, [], scripted())
    assert result.exit_code == 0
    assert result.stdout.count("none is connected") == 2


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_a8_without_portaudio_cameras_are_listed_all_the_same(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    def missing() -> Any:
        raise InputFault("PortAudio is missing", mend="install it")

    result = devices(monkeypatch, [CAMERA], missing, *arguments)
    assert result.exit_code == 0
    assert "HD Webcam" in result.stdout
    assert "PortAudio is missing (install it)" in result.stdout


def lister(by_backend: dict[int, list[Any]]) -> Any:
    return SimpleNamespace(supported_backends=tuple(by_backend), enumerate_cameras=by_backend.__getitem__)


def test_c5_a_camera_that_two_backends_see_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    one = SimpleNamespace(name="Webcam", index=0, path="/dev/video0")
    two = SimpleNamespace(name="Table", index=2, path=None)
    monkeypatch.setitem(sys.modules, "cv2_enumerate_cameras", lister({1: [], 2: [two, one], 3: [one, two]}))
    assert cameras() == [CameraName("Webcam", 0, "/dev/video0"), CameraName("Table", 2, "")]


def test_c5_without_the_package_linux_itself_tells(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for number, name, index in ((0, "Webcam", "0"), (1, "Webcam", "1"), (10, "Table", "0")):
        (tmp_path / f"video{number}").mkdir()
        (tmp_path / f"video{number}/name").write_text(name + "\n")
        (tmp_path / f"video{number}/index").write_text(index + "\n")
    monkeypatch.setitem(sys.modules, "cv2_enumerate_cameras", None)
    monkeypatch.setattr(sys, "platform", "linux")
    assert cameras(tmp_path) == [CameraName("Webcam", 0, "/dev/video0"), CameraName("Table", 10, "/dev/video10")]
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cameras(tmp_path) == []
