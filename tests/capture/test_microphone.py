"""A microphone on a scripted device: what it hears, unplugging, names, attempts (A1 to A3, A8, A11)."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest

from referee.capture.input_devices import InputDevice, RawBlock, chosen
from referee.capture.microphone import RETRY_S, Microphone
from referee.capture.portaudio import PortAudioDriver
from referee.capture.sound_events import Clipped, Gap, Level, Lost, Regained, Silent, SoundEvent
from referee.faults import InputFault
from referee.testing.manual_clock import ManualClock
from referee.testing.scripted_microphone import TABLE_MICROPHONE, ScriptedMicrophone
from tests.capture.listening import clicks, contiguous, listen, opened

WEBCAM = InputDevice("Webcam", "ALSA", channels=2, rate_hz=44_100)


def test_chunks_are_those_of_a_file() -> None:
    """Mono int16 at 16 kHz in tenths of a second, whatever the device gives; times on the session clock."""
    driver = ScriptedMicrophone(ManualClock(), (WEBCAM,), sound=clicks(1.0, 2.5))
    heard = listen(opened(driver), driver.clock, 4.0)
    assert {(c.rate_hz, c.samples.dtype.name, c.samples.ndim) for c in heard.chunks} == {(16_000, "int16", 1)}
    assert {len(c.samples) for c in heard.chunks[:-1]} == {1600}
    assert heard.clicks_s() == pytest.approx([1.0, 2.5], abs=0.003)
    contiguous(heard)
    assert heard.without_levels() == []


def test_the_level_is_told_twice_a_second() -> None:
    driver = ScriptedMicrophone(ManualClock(), sound=lambda t_s, n, hz: np.full(n, 3277, np.int16))
    levels = listen(opened(driver), driver.clock, 2.2).of(Level)
    assert len(levels) == 4
    assert all(level.rms_dbfs == level.peak_dbfs == -20.0 for level in levels if isinstance(level, Level))


def test_clipping_is_logged_with_its_times() -> None:
    def shout(t_s: float, samples: int, rate_hz: int) -> RawBlock:
        times_s = t_s + np.arange(samples) / rate_hz
        return np.where((times_s >= 1.0) & (times_s < 1.02), 32767, 500).astype(np.int16)

    driver = ScriptedMicrophone(ManualClock(), sound=shout)
    (event,) = listen(opened(driver), driver.clock, 3.0).of(Clipped)
    assert isinstance(event, Clipped)
    assert (event.t_s, event.end_s) == pytest.approx((1.0, 1.02), abs=0.001)
    assert event.samples == 320


def test_a_muted_microphone_is_told_once() -> None:
    """A system that denies access gives zeros, and no error."""
    driver = ScriptedMicrophone(ManualClock(), sound=lambda t_s, n, hz: np.zeros(n, np.int16))
    (event,) = listen(opened(driver), driver.clock, 9.0).without_levels()
    assert isinstance(event, Silent)
    assert event.duration_s >= 3.0


def test_stereo_is_mixed_down() -> None:
    def left_only(t_s: float, samples: int, rate_hz: int) -> RawBlock:
        return np.stack([np.full(samples, 8000), np.zeros(samples)], axis=1).astype(np.int16)

    driver = ScriptedMicrophone(ManualClock(), (WEBCAM,), sound=left_only)
    heard = listen(opened(driver), driver.clock, 1.0)
    assert driver.opened == [("Webcam (ALSA)", 16_000, 2)]
    assert {int(c.samples.max()) for c in heard.chunks} == {4000}


def test_a1_unplugged_and_replugged() -> None:
    """No error and no callback: after a second nobody is listening, and time holds until it is back."""
    clock = ManualClock()
    driver = ScriptedMicrophone(clock, (TABLE_MICROPHONE, WEBCAM), sound=clicks(2.0, 20.0))
    microphone = opened(driver)
    clock.at(5.0, driver.unplug)
    clock.at(12.0, driver.plug)
    heard = listen(microphone, clock, 25.0)
    lost, gone, regained, gap = heard.without_levels()
    assert isinstance(lost, Lost)
    assert lost.t_s == pytest.approx(5.0, abs=0.11)
    assert "nobody is listening" in lost.why
    assert isinstance(gone, Lost)
    assert "no microphone is called 'Table microphone'" in gone.why
    assert isinstance(regained, Regained)
    assert 12.0 < regained.t_s < 12.0 + RETRY_S[3]
    assert regained.device == "Table microphone (ALSA)"
    assert isinstance(gap, Gap)
    assert gap.cause == "lost"
    assert gap.t_s + gap.duration_s == pytest.approx(regained.t_s)
    assert heard.clicks_s() == pytest.approx([2.0, 20.0], abs=0.004)
    contiguous(heard)


def test_a1_health_says_that_nobody_listens() -> None:
    clock = ManualClock()
    driver = ScriptedMicrophone(clock)
    microphone = opened(driver)
    clock.sleep(2.0)
    microphone.poll()
    assert microphone.health.listening
    driver.stall()
    clock.sleep(1.2)
    microphone.poll()
    health = microphone.health
    assert (health.listening, health.lost, health.device) == (False, 1, "Table microphone (ALSA)")


def test_a2_devices_are_scanned_anew_only_while_nothing_is_open() -> None:
    clock = ManualClock()
    driver = ScriptedMicrophone(clock)
    microphone = opened(driver)
    driver.plugged.append(WEBCAM)
    assert [device.name for device in driver.inputs()] == ["Table microphone"]
    clock.at(1.0, driver.unplug)
    clock.at(4.0, driver.plug)
    listen(microphone, clock, 9.0)
    assert driver.scans > 1
    assert [label for label, _, _ in driver.opened] == ["Table microphone (ALSA)"] * 2


def test_a3_another_device_never_takes_its_place() -> None:
    """After a replug the old index points to the webcam."""
    clock = ManualClock()
    driver = ScriptedMicrophone(clock, (TABLE_MICROPHONE, WEBCAM))
    microphone = opened(driver)
    clock.at(1.0, driver.unplug)
    heard = listen(microphone, clock, 60.0)
    assert [label for label, _, _ in driver.opened] == ["Table microphone (ALSA)"]
    assert "there is 'Webcam'" in str(heard.of(Lost)[-1])


def test_a3_the_same_name_under_another_host_api_is_another_device() -> None:
    clock = ManualClock()
    other = InputDevice("Table microphone", "OSS", channels=1, rate_hz=48_000)
    driver = ScriptedMicrophone(clock, (TABLE_MICROPHONE, other))
    microphone = opened(driver, "Table microphone")
    clock.at(1.0, driver.unplug)
    listen(microphone, clock, 10.0)
    assert [label for label, _, _ in driver.opened] == ["Table microphone (ALSA)"]


def test_a3_a_new_card_number_is_the_same_device() -> None:
    """ALSA names end in the number of the card, and a replug changes it."""
    clock = ManualClock()
    before, after = (InputDevice(f"C920: USB Audio (hw:{card},0)", "ALSA", 2, 32_000) for card in (1, 3))
    driver = ScriptedMicrophone(clock, (before, WEBCAM))
    microphone = opened(driver, "C920")
    clock.at(1.0, driver.unplug)
    clock.at(4.0, lambda: driver.plugged.append(after))
    listen(microphone, clock, 12.0)
    assert [label for label, _, _ in driver.opened] == [before.label, after.label]


def test_a8_a_system_without_portaudio_gets_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """`import sounddevice` raises OSError on a Linux without libportaudio2."""

    class Missing:
        def find_spec(self, name: str, path: object = None, target: object = None) -> None:
            if name == "sounddevice":
                raise OSError("PortAudio library not found")

    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    with pytest.raises(
        InputFault, match=r"PortAudio is missing \(.*apt install libportaudio2.*calls are not"
    ) as fault:
        PortAudioDriver()
    assert "\n" not in str(fault.value)


def test_a11_attempts_are_spaced_and_never_end() -> None:
    """Pulled out for ten minutes: some twenty attempts, not thousands, and it is regained all the same."""
    clock = ManualClock()
    driver = ScriptedMicrophone(clock)
    microphone = opened(driver)
    clock.at(1.0, driver.unplug)
    clock.at(601.0, driver.plug)
    heard = listen(microphone, clock, 640.0)
    (regained,) = heard.of(Regained)
    assert isinstance(regained, Regained)
    assert regained.t_s < 601.0 + RETRY_S[-1] + 0.2
    assert 15 <= driver.scans <= 30
    contiguous(heard)


def test_a11_a_microphone_that_flaps_is_not_hammered() -> None:
    clock = ManualClock()
    driver = ScriptedMicrophone(clock)
    microphone = opened(driver)
    for t_s in range(1, 120):
        clock.at(t_s, driver.stall)
    heard = listen(microphone, clock, 120.0)
    assert 5 <= len(driver.opened) <= 9
    contiguous(heard)


def test_no_microphone_at_the_start_is_a_fault_or_waited_for() -> None:
    clock = ManualClock()
    driver = ScriptedMicrophone(clock, ())
    with pytest.raises(InputFault, match="no microphone is connected"):
        opened(driver)
    microphone = Microphone(driver, clock)
    microphone.open(or_wait=True)
    clock.at(5.0, driver.plug)
    heard = listen(microphone, clock, 12.0)
    lost, regained, _gap = heard.without_levels()
    assert isinstance(lost, Lost)
    assert "no microphone is connected" in lost.why
    assert isinstance(regained, Regained)
    assert heard.chunks[0].t_s == pytest.approx(0.0)
    contiguous(heard)


def test_the_stream_runs_until_it_is_stopped() -> None:
    clock = ManualClock()
    told: list[SoundEvent] = []
    microphone = Microphone(ScriptedMicrophone(clock), clock, on_event=told.append)
    microphone.open()
    clock.at(2.0, microphone.stop)
    heard = list(microphone.chunks())
    assert heard[-1].t_s + heard[-1].duration_s == pytest.approx(2.0, abs=0.06)
    assert [type(event) for event in told] == [Level] * 4


INPUTS = (
    TABLE_MICROPHONE,
    WEBCAM,
    InputDevice("Webcam HD", "ALSA", 1, 48_000),
    InputDevice("Webcam", "OSS", 1, 48_000),
)


@pytest.mark.parametrize(
    ("name", "host_api", "found"),
    [
        (None, None, "Table microphone (ALSA)"),
        ("Table microphone", None, "Table microphone (ALSA)"),
        ("table", None, "Table microphone (ALSA)"),
        ("Webcam", None, "Webcam (ALSA)"),  # the whole name wins over a beginning
        ("Webcam", "OSS", "Webcam (OSS)"),
        ("Webcam (OSS)", None, "Webcam (OSS)"),
        ("web", None, "several microphones are called 'web'"),
        ("Webcan", None, "no microphone is called 'Webcan' (there is 'Webcam'"),
        ("xyz", None, "there is 'Table microphone', 'Webcam', 'Webcam HD'"),
    ],
)
def test_a3_devices_go_by_name(name: str | None, host_api: str | None, found: str) -> None:
    if "(ALSA)" in found or "(OSS)" in found:
        assert chosen(INPUTS, name, host_api).label == found
        return
    with pytest.raises(InputFault, match=re.escape(found)):
        chosen(INPUTS, name, host_api)
