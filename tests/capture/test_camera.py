"""Cameras that hang, repeat themselves, are pulled out and come back: each failure case under its id."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import referee
from referee.capture.camera import Camera, CameraEvent, CameraLost, CameraRegained
from referee.capture.camera_environment import prepare_environment
from referee.capture.camera_names import CameraName
from referee.capture.media import Frame, Image
from referee.capture.opencv_camera import OpenCvDriver
from referee.capture.video_devices import CameraFault, Wish, chosen_camera, remedy_of
from referee.faults import InputFault
from referee.testing.manual_clock import ManualClock
from referee.testing.scripted_camera import TABLE_CAMERA, ScriptedCamera

WISH = Wish()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def opened(driver: ScriptedCamera, clock: ManualClock, name: str | None = None) -> Camera:
    camera = Camera(driver, clock, name)
    camera.open()
    return camera


def watch(camera: Camera, clock: ManualClock, until_s: float) -> tuple[list[Frame], list[CameraEvent]]:
    frames: list[Frame] = []
    events: list[CameraEvent] = []
    while clock.now_s() < until_s:
        for one in camera.poll():
            (frames if isinstance(one, Frame) else events).append(one)  # type: ignore[arg-type]
        clock.sleep(0.02)
    return frames, events


def test_frames_are_stamped_when_they_are_grabbed(clock: ManualClock) -> None:
    frames, events = watch(opened(ScriptedCamera(clock), clock), clock, 2.0)
    assert events == []
    assert [f.t_s for f in frames[:3]] == pytest.approx([0.0, 1 / 15, 2 / 15])
    assert [f.index for f in frames] == list(range(len(frames)))


@pytest.mark.parametrize("how", ["unplugged", "hangs"])
def test_c1_a_camera_without_frames_is_lost_and_regained(clock: ManualClock, how: str) -> None:
    driver = ScriptedCamera(clock)
    gone = driver.unplug if how == "unplugged" else lambda: setattr(driver, "hangs", True)
    back = driver.plug if how == "unplugged" else lambda: setattr(driver, "hangs", False)
    clock.at(5.0, gone)
    clock.at(9.0, back)
    frames, events = watch(opened(driver, clock), clock, 15.0)
    lost, regained = events
    assert isinstance(lost, CameraLost)
    assert lost.t_s == pytest.approx(5.0, abs=0.1)
    assert isinstance(regained, CameraRegained)
    assert 9.0 <= regained.t_s <= 14.0
    assert regained.away_s == pytest.approx(regained.t_s - lost.t_s)
    assert not [f for f in frames if 5.1 < f.t_s < 9.0]
    assert [f for f in frames if f.t_s > regained.t_s]


def test_c1_a_read_that_never_returns_is_abandoned() -> None:
    forever = threading.Event()

    class Hanging(FakeCapture):
        def read(self) -> tuple[bool, Image | None]:
            forever.wait(20)
            return False, None

    running = OpenCvDriver(lambda _source: Hanging()).open(TABLE_CAMERA, WISH, lambda _i: None, lambda _w: None)
    began = time.monotonic()
    running.close()
    assert time.monotonic() - began < 2.0
    forever.set()


def test_c2_the_same_frame_for_ever_is_a_stall(clock: ManualClock) -> None:
    driver = ScriptedCamera(clock)
    clock.at(3.0, lambda: setattr(driver, "frozen", True))
    _, events = watch(opened(driver, clock), clock, 8.0)
    assert isinstance(events[0], CameraLost)
    assert events[0].t_s == pytest.approx(3.0, abs=0.2)


def test_c3_a_camera_that_does_not_open_is_said_so_in_time() -> None:
    forever = threading.Event()

    def make(_source: object) -> object:
        forever.wait(20)
        return FakeCapture()

    with pytest.raises(CameraFault, match="in use by another program"):
        OpenCvDriver(make, open_within_s=0.1).open(TABLE_CAMERA, WISH, lambda _i: None, lambda _w: None)
    forever.set()


def test_c3_no_first_picture(clock: ManualClock) -> None:
    driver = ScriptedCamera(clock)
    driver.hangs = True
    with pytest.raises(InputFault, match="Table camera: no picture comes from it"):
        Camera(driver, clock).open()


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("VIDIOC_STREAMON: No space left on device (errno 28)", "bandwidth"),
        ("V4L2: select() timeout.", "another port or cable"),
        ("can't open camera: Device or resource busy", "another program"),
        ("VIDIOC_QBUF: Permission denied", "privacy settings"),
        ("no such device", "plug it in again"),
        ("something new", "choose another"),
    ],
)
def test_c4_a_named_cause_and_its_remedy(text: str, remedy: str) -> None:
    assert remedy in remedy_of(text)


def test_c5_found_by_its_name_under_another_number(clock: ManualClock) -> None:
    other = CameraName("Laptop camera", 1, "/dev/video1")
    driver = ScriptedCamera(clock, (TABLE_CAMERA, other))
    clock.at(3.0, driver.unplug)
    clock.at(6.0, lambda: driver.plug(index=4))
    camera = opened(driver, clock, "Table")
    _, events = watch(camera, clock, 14.0)
    assert isinstance(events[-1], CameraRegained)
    assert [one.index for one in driver.opened] == [0, 4]


def test_c5_another_camera_never_takes_its_place(clock: ManualClock) -> None:
    driver = ScriptedCamera(clock, (TABLE_CAMERA, CameraName("Laptop camera", 1, "/dev/video1")))
    clock.at(3.0, driver.unplug)
    camera = opened(driver, clock)
    watch(camera, clock, 30.0)
    assert {one.name for one in driver.opened} == {"Table camera"}
    assert not camera.health.seeing


@pytest.mark.parametrize(
    ("name", "path", "found"),
    [(None, "", 0), ("laptop", "", 2), ("/dev/video1", "", 1), ("Webcam", "/dev/video1", 1)],
)
def test_c5_chosen_by_name_or_path(name: str | None, path: str, found: int) -> None:
    there = [CameraName("Webcam", 0, "/dev/video0"), CameraName("Webcam", 1, "/dev/video1"), CameraName("Laptop", 2)]
    assert chosen_camera(there, name, path).index == found


@pytest.mark.parametrize(
    ("there", "name", "says"),
    [
        ([], None, "no camera is connected"),
        ([TABLE_CAMERA], "Tabel camera", "there is 'Table camera'"),
        ([CameraName("Webcam", 0, "/a"), CameraName("Webcam", 1, "/b")], "Webcam", "give the path instead: /a, /b"),
    ],
)
def test_c5_no_camera_or_too_many(there: list[CameraName], name: str | None, says: str) -> None:
    with pytest.raises(InputFault, match=re.escape(says)):
        chosen_camera(there, name)


def test_c6_the_environment_is_set_before_cv2_is_imported() -> None:
    code = (
        "import sys, os\nimport referee.cli.main\nassert 'cv2' not in sys.modules\n"
        "print(os.environ['OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS'])"
    )
    clean = {k: v for k, v in os.environ.items() if not k.startswith("OPENCV_")}
    said = subprocess.run([sys.executable, "-c", code], env=clean, check=True, capture_output=True, text=True)
    assert said.stdout.strip() == "0"


def test_c7_only_the_newest_frame_is_kept(clock: ManualClock) -> None:
    driver = ScriptedCamera(clock)
    camera = opened(driver, clock)
    camera.poll()
    clock.sleep(1.0)  # nobody looks for a second: 15 frames come
    (frame,) = [one for one in camera.poll() if isinstance(one, Frame)]
    assert clock.now_s() - frame.t_s <= 1 / 15 + 1e-6
    assert camera.health.skipped == 14


@pytest.mark.parametrize("rate_hz", [7.5, 15.0, 30.0])
def test_c8_the_rate_is_measured(clock: ManualClock, rate_hz: float) -> None:
    """The property says 0, and a dim room halves the rate without a word."""
    camera = opened(ScriptedCamera(clock, rate_hz=rate_hz), clock)
    watch(camera, clock, 5.0)
    assert camera.health.rate_hz == pytest.approx(rate_hz, rel=0.1)


def sources() -> dict[str, str]:
    root = Path(referee.__file__).parent
    return {str(path.relative_to(root)): path.read_text() for path in root.rglob("*.py")}


def test_c10_opencv_s_writer_which_fails_in_silence_is_not_used() -> None:
    assert [name for name, text in sources().items() if "VideoWriter(" in text] == []


@pytest.mark.parametrize(("system", "first"), [("Darwin", "MainThread"), ("Linux", "camera Table camera")])
def test_c11_macos_asks_its_user_on_the_main_thread_alone(
    monkeypatch: pytest.MonkeyPatch, system: str, first: str
) -> None:
    monkeypatch.setattr("platform.system", lambda: system)
    threads: list[str] = []

    def make(_source: str | int) -> FakeCapture:
        threads.append(threading.current_thread().name)
        return FakeCapture()

    driver = OpenCvDriver(make)
    for _ in range(2):
        driver.open(TABLE_CAMERA, WISH, lambda _image: None, lambda _why: None).close()
    assert threads[0] == first
    assert threads.count("MainThread") == (system == "Darwin")


def test_c12_no_window_of_opencv_is_needed() -> None:
    assert [name for name, text in sources().items() if re.search(r"\b(imshow|waitKey|namedWindow)\(", text)] == []


def test_c14_nothing_that_opencv_5_removed() -> None:
    gone = re.compile(r"estimatePoseSingleMarkers|detectMarkers\(|interpolateCornersCharuco|CharucoBoard_create")
    used = {name for name, text in sources().items() for found in [gone.search(text)] if found}
    detector = {name for name in used if ".detectMarkers(" in sources()[name]}
    assert used - detector == set()


def test_c15_av_is_imported_only_when_a_file_is_opened() -> None:
    code = (
        "import sys\nimport referee.capture.media, referee.capture.clips, referee.capture.camera\n"
        "assert 'av' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_c16_a_slow_looker_gets_fresh_frames_and_nothing_piles_up(clock: ManualClock) -> None:
    camera = opened(ScriptedCamera(clock, rate_hz=30.0), clock)
    ages = []
    for _ in range(60):
        clock.sleep(0.5)
        ages += [clock.now_s() - one.t_s for one in camera.poll() if isinstance(one, Frame)]
    assert max(ages) <= 1 / 30 + 1e-6
    assert camera.health.skipped > 600


def test_pulled_out_ten_times_it_comes_back_ten_times(clock: ManualClock) -> None:
    driver = ScriptedCamera(clock)
    for n in range(10):
        clock.at(20.0 * n + 5, driver.unplug)
        clock.at(20.0 * n + 8, driver.plug)
    _, events = watch(opened(driver, clock), clock, 210.0)
    kinds = [type(event).__name__ for event in events]
    assert kinds == ["CameraLost", "CameraRegained"] * 10


def test_attempts_back_off(clock: ManualClock) -> None:
    driver = ScriptedCamera(clock)
    camera = opened(driver, clock)
    tries: list[float] = []
    driver.cameras = lambda: tries.append(clock.now_s()) or []  # type: ignore[method-assign,func-returns-value]
    driver.hangs = True
    watch(camera, clock, 120.0)
    pauses = [b - a for a, b in itertools.pairwise(tries)]
    assert pauses[:5] == pytest.approx([2, 4, 8, 16, 30], abs=0.1)
    assert len(tries) < 12


class FakeCapture:
    """Stands in for `cv2.VideoCapture`."""

    def __init__(self, frames: int = 3, fault: Exception | None = None) -> None:
        self._left, self._fault = frames, fault
        self.asked: dict[int, float] = {}
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def set(self, what: int, value: float) -> bool:
        self.asked[what] = value
        return True

    def read(self) -> tuple[bool, Image | None]:
        if self._left == 0:
            if self._fault:
                raise self._fault
            return False, None
        self._left -= 1
        return True, np.full((4, 4, 3), self._left, np.uint8)

    def release(self) -> None:
        self.released = True


def drained(capture: FakeCapture) -> tuple[list[Image], list[str]]:
    frames: list[Image] = []
    ends: list[str] = []
    over = threading.Event()

    def end(why: str) -> None:
        ends.append(why)
        over.set()

    make: Callable[[Any], Any] = lambda _source: capture  # noqa: E731
    running = OpenCvDriver(make).open(TABLE_CAMERA, WISH, frames.append, end)
    assert over.wait(5)
    running.close()
    return frames, ends


def test_the_driver_drains_and_tells_the_end() -> None:
    capture = FakeCapture(3)
    frames, ends = drained(capture)
    assert len(frames) == 3
    assert ends == ["it gives no more pictures"]
    assert capture.released


def test_c4_an_error_while_reading_is_told_in_the_library_s_words() -> None:
    _, ends = drained(FakeCapture(1, RuntimeError("select() timeout")))
    assert ends == ["select() timeout"]


def test_a_camera_that_opencv_cannot_open() -> None:
    class Closed(FakeCapture):
        def isOpened(self) -> bool:  # noqa: N802
            return False

    with pytest.raises(CameraFault, match="does not open"):
        OpenCvDriver(lambda _source: Closed()).open(TABLE_CAMERA, WISH, lambda _i: None, lambda _w: None)


def test_what_the_user_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENCV_LOG_LEVEL", "DEBUG")
    prepare_environment()
    assert os.environ["OPENCV_LOG_LEVEL"] == "DEBUG"
