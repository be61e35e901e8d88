"""What the doctor finds on scripted equipment, each with its remedy."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from referee.capture.camera import Camera
from referee.capture.media import Image
from referee.capture.microphone import Microphone
from referee.session import doctor
from referee.session.doctor import Finding
from referee.session.settings import Settings
from referee.testing.manual_clock import ManualClock
from referee.testing.scripted_camera import ScriptedCamera
from referee.testing.scripted_microphone import ScriptedMicrophone


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def of(findings: list[Finding]) -> dict[str, tuple[str, str]]:
    return {finding.area: (finding.state, finding.remedy) for finding in findings}


def lit(level: int) -> object:
    def picture(_t_s: float, number: int) -> Image:
        return np.random.default_rng(number).integers(level - 5, level + 5, (48, 64, 3)).astype(np.uint8)

    return picture


def look(clock: ManualClock, driver: ScriptedCamera) -> dict[str, tuple[str, str]]:
    return of(list(doctor.camera_findings(lambda: Camera(driver, clock), clock, 15.0)))


def test_a_good_camera(clock: ManualClock) -> None:
    found = look(clock, ScriptedCamera(clock))
    assert {area: state for area, (state, _) in found.items()} == {"camera": "well", "rate": "well", "light": "well"}


@pytest.mark.parametrize(("level", "state", "remedy"), [(30, "note", "more light"), (240, "note", "less light")])
def test_light(clock: ManualClock, level: int, state: str, remedy: str) -> None:
    found = look(clock, ScriptedCamera(clock, picture=lit(level)))  # type: ignore[arg-type]
    assert found["light"][0] == state
    assert remedy in found["light"][1]


@pytest.mark.parametrize(("rate_hz", "state"), [(7.5, "note"), (3.0, "bad")])
def test_c8_the_rate_really_given(clock: ManualClock, rate_hz: float, state: str) -> None:
    found = look(clock, ScriptedCamera(clock, rate_hz=rate_hz))
    assert found["rate"][0] == state
    assert "more light" in found["rate"][1]


def test_no_camera(clock: ManualClock) -> None:
    found = look(clock, ScriptedCamera(clock, ()))
    assert found == {"camera": ("bad", "plug one in, or give a film with --camera FILE")}


def test_c3_a_camera_in_use(clock: ManualClock) -> None:
    driver = ScriptedCamera(clock)
    driver.fault = "Device or resource busy"
    assert look(clock, driver) == {"camera": ("bad", "another program uses it: close that one")}


def silence(_t_s: float, samples: int, _rate_hz: int) -> np.ndarray:
    return np.zeros(samples, np.int16)


def racket(_t_s: float, samples: int, _rate_hz: int) -> np.ndarray:
    return np.random.default_rng(1).integers(-9000, 9000, samples).astype(np.int16)


@pytest.mark.parametrize(
    ("sound", "state", "remedy"),
    [(None, "well", ""), (silence, "bad", "turn it on or up"), (racket, "note", "away from music")],
)
def test_the_microphone_s_level(clock: ManualClock, sound: object, state: str, remedy: str) -> None:
    driver = ScriptedMicrophone(clock, **({"sound": sound} if sound else {}))  # type: ignore[arg-type]
    found = of(list(doctor.microphone_findings(lambda: Microphone(driver, clock), clock)))
    assert found["level"][0] == state
    assert remedy in found["level"][1]


def test_a8_no_portaudio_is_told_with_its_remedy(clock: ManualClock) -> None:
    from referee.faults import InputFault

    def missing() -> Microphone:
        raise InputFault("PortAudio is missing", mend="apt install libportaudio2")

    assert of(list(doctor.microphone_findings(missing, clock))) == {
        "microphone": ("bad", "apt install libportaudio2")
    }


def test_the_shipped_models_are_as_shipped() -> None:
    assert [finding.state for finding in doctor.model_findings()] == ["well"] * 4


@pytest.mark.parametrize(("harm", "says"), [("cut", "one was changed"), ("gone", "one is missing")])
def test_u6_a_model_that_is_not_as_shipped_is_named(tmp_path: Path, harm: str, says: str) -> None:
    (tmp_path / "one.onnx").write_bytes(b"network")
    digest = hashlib.sha256(b"network").hexdigest()
    manifest = tmp_path / "manifest.toml"
    manifest.write_text(f'[[model]]\nname = "one"\nfile = "one.onnx"\nsha256 = "{digest}"\n')
    assert [finding.state for finding in doctor.model_findings(manifest)] == ["well"]
    (tmp_path / "one.onnx").write_bytes(b"net") if harm == "cut" else (tmp_path / "one.onnx").unlink()
    (finding,) = doctor.model_findings(manifest)
    assert finding.state == "bad"
    assert says in finding.says


def test_u2_the_offline_switches_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [finding.state for finding in doctor.offline_findings()] == ["well"]
    monkeypatch.setenv("YOLO_OFFLINE", "false")
    (finding,) = doctor.offline_findings()
    assert (finding.state, finding.remedy) == ("bad", "unset them")


def test_c12_which_opencv_was_loaded() -> None:
    assert any("OpenCV 5" in finding.says for finding in doctor.version_findings())


def test_room_for_recordings() -> None:
    (finding,) = doctor.disk_findings(Settings())
    assert "hours of recording" in finding.says
