"""A microphone on a scripted device: sound keeps its time through gaps, drift and unplugging (A1 to A8, A11)."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from referee.capture.input_devices import InputDevice, RawBlock, chosen
from referee.capture.media import SoundChunk
from referee.capture.microphone import RETRY_S, Microphone
from referee.capture.portaudio import PortAudioDriver
from referee.capture.sound_events import Clipped, Gap, Level, Lost, Regained, Silent, SoundEvent
from referee.faults import InputFault
from referee.testing.manual_clock import ManualClock
from referee.testing.scripted_microphone import TABLE_MICROPHONE, ScriptedMicrophone, murmur

WEBCAM = InputDevice("Webcam", "ALSA", channels=2, rate_hz=44_100)
CLICK = 20_000


def clicks(*at_s: float) -> Callable[[float, int, int], RawBlock]:
    """A quiet room with a click of 5 ms at each of these session times."""

    def sound(t_s: float, samples: int, rate_hz: int) -> RawBlock:
        if not any(t_s < one_s + 1 and one_s < t_s + samples / rate_hz + 1 for one_s in at_s):
            return np.full(samples, 50, np.int16)
        block = murmur(t_s, samples, rate_hz)
        times_s = t_s + np.arange(samples) / rate_hz
        for one_s in at_s:
            block[(times_s >= one_s) & (times_s < one_s + 0.005)] = CLICK
        return block

    return sound


@dataclass
class Heard:
    chunks: list[SoundChunk] = field(default_factory=list)
    events: list[SoundEvent] = field(default_factory=list)

    def clicks_s(self) -> list[float]:
        """When a click begins, by the chunks' own times."""
        found: list[float] = []
        for chunk in self.chunks:
            for at in np.flatnonzero(np.abs(chunk.samples) > CLICK // 2):
                t_s = chunk.t_s + at / chunk.rate_hz
                if not found or t_s - found[-1] > 0.05:
                    found.append(float(t_s))
        return found

    def of(self, kind: type[SoundEvent]) -> list[SoundEvent]:
        return [event for event in self.events if isinstance(event, kind)]

    def without_levels(self) -> list[SoundEvent]:
        return [event for event in self.events if not isinstance(event, Level)]


def listen(microphone: Microphone, clock: ManualClock, until_s: float, poll_s: float = 0.1) -> Heard:
    heard = Heard()
    while clock.now_s() < until_s:
        clock.sleep(poll_s)
        sort(microphone.poll(), heard)
    sort(microphone.close(), heard)
    return heard


def sort(came: list[SoundChunk | SoundEvent], heard: Heard) -> None:
    for one in came:
        if isinstance(one, SoundChunk):
            heard.chunks.append(one)
        else:
            heard.events.append(one)


def opened(driver: ScriptedMicrophone, name: str | None = None) -> Microphone:
    microphone = Microphone(driver, driver.clock, name)
    microphone.open()
    return microphone


def contiguous(heard: Heard) -> None:
    """The chunks follow each other: sample k of the stream has one time."""
    for before, after in zip(heard.chunks, heard.chunks[1:], strict=False):
        assert after.t_s == pytest.approx(before.t_s + before.duration_s, abs=0.004)


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


@pytest.mark.parametrize(
    ("flagged", "adc", "cause"),
    [
        (True, "good", "overflow"),
        (False, "good", "missing"),  # the flag is not always set
        (False, "zero", "missing"),  # nor are the times
    ],
)
def test_a4_lost_sound_is_a_gap_and_time_holds(flagged: bool, adc: str, cause: str) -> None:
    clock = ManualClock()
    driver = ScriptedMicrophone(clock, sound=clicks(1.0, 8.0), adc=adc)
    microphone = opened(driver)
    clock.at(3.0, lambda: driver.lose_sound(0.7, flagged=flagged))
    heard = listen(microphone, clock, 10.0)
    (gap,) = heard.without_levels()
    assert isinstance(gap, Gap)
    assert gap.cause == cause
    assert gap.t_s == pytest.approx(3.0, abs=0.11)
    assert gap.duration_s == pytest.approx(0.7, abs=0.02)
    assert heard.clicks_s() == pytest.approx([1.0, 8.0], abs=0.02)
    contiguous(heard)


def test_a4_an_overflow_of_unknown_length_is_still_told() -> None:
    clock = ManualClock()
    driver = ScriptedMicrophone(clock, adc="zero")
    microphone = opened(driver)
    clock.at(3.0, lambda: driver.lose_sound(0.01))
    (gap,) = listen(microphone, clock, 6.0).without_levels()
    assert isinstance(gap, Gap)
    assert gap.t_s == pytest.approx(3.05, abs=0.06)
    assert (gap.duration_s, gap.cause) == (0.0, "overflow")


def test_a4_callbacks_that_come_late_are_no_gap() -> None:
    """A busy machine calls back late and then all at once: nothing is missing."""
    clock = ManualClock()
    driver = ScriptedMicrophone(clock, sound=clicks(1.0, 3.2, 8.0), adc="zero")
    microphone = opened(driver)
    clock.at(3.0, lambda: driver.hold_back(0.6))
    heard = listen(microphone, clock, 10.0)
    assert heard.without_levels() == []
    assert heard.clicks_s() == pytest.approx([1.0, 3.2, 8.0], abs=0.02)


def test_a4_sound_that_nobody_takes_is_counted() -> None:
    """The queue is bounded: what is dropped from it is a gap of known length."""
    clock = ManualClock()
    driver = ScriptedMicrophone(clock, sound=clicks(1.0, 20.0))
    microphone = opened(driver)
    heard = Heard()
    for pause_s in (3.0, 14.0, 6.0):
        clock.sleep(pause_s)
        sort(microphone.poll(), heard)
    (gap,) = heard.without_levels()
    assert isinstance(gap, Gap)
    assert (gap.t_s, gap.duration_s) == pytest.approx((3.0, 4.0), abs=0.11)
    assert gap.cause == "not taken in time"
    assert heard.clicks_s() == pytest.approx([1.0, 20.0], abs=0.004)


def test_a5_a_broken_callback_is_a_lost_microphone() -> None:
    """sounddevice ends the stream with a trace on stderr and nothing else."""
    clock = ManualClock()
    driver = ScriptedMicrophone(clock)
    microphone = opened(driver)
    clock.at(2.0, driver.break_callback)
    heard = listen(microphone, clock, 5.0)
    lost, regained, _gap = heard.without_levels()
    assert isinstance(lost, Lost)
    assert "stopped by itself" in lost.why
    assert isinstance(regained, Regained)
    assert regained.t_s == pytest.approx(3.1, abs=0.2)


def test_a5_the_callback_only_copies() -> None:
    """The device reuses its buffer: what was heard must not change afterwards."""
    clock = ManualClock()
    shared = np.zeros(1, np.int16)

    def reused(t_s: float, samples: int, rate_hz: int) -> RawBlock:
        nonlocal shared
        if len(shared) != samples:
            shared = np.zeros(samples, np.int16)
        shared[:] = 1000 if t_s < 0.5 else -1000
        return shared

    driver = ScriptedMicrophone(clock, sound=reused)
    microphone = opened(driver)
    clock.sleep(1.0)
    chunks = [one for one in microphone.poll() if isinstance(one, SoundChunk)]
    assert chunks[0].samples[0] == 1000


@pytest.mark.parametrize("native_hz", [8_000, 44_100, 48_000])
def test_a6_a_refused_rate_is_resampled(native_hz: int) -> None:
    """The check passes and opening fails with -9997."""
    device = InputDevice("Table microphone", "ALSA", channels=1, rate_hz=native_hz)
    driver = ScriptedMicrophone(ManualClock(), (device,), sound=clicks(1.0, 3.0), refused_hz=(16_000,))
    heard = listen(opened(driver), driver.clock, 4.0)
    assert driver.opened == [("Table microphone (ALSA)", native_hz, 1)]
    assert heard.clicks_s() == pytest.approx([1.0, 3.0], abs=0.003)
    assert {c.rate_hz for c in heard.chunks} == {16_000}
    assert sum(len(c.samples) for c in heard.chunks) == pytest.approx(4.0 * 16_000, abs=1000)


def test_a6_a_device_that_refuses_everything_is_named() -> None:
    driver = ScriptedMicrophone(ManualClock(), refused_hz=(16_000, 48_000))
    with pytest.raises(
        InputFault, match=r"Table microphone \(ALSA\): this microphone cannot be opened: Invalid sample"
    ):
        opened(driver)


@pytest.mark.parametrize("adc", ["zero", "stuck"])
def test_a7_without_conversion_times_arrival_counts(adc: str) -> None:
    clock = ManualClock()
    driver = ScriptedMicrophone(clock, sound=clicks(1.0, 30.0), adc=adc)
    heard = listen(opened(driver), clock, 31.0)
    assert heard.without_levels() == []
    assert heard.clicks_s() == pytest.approx([1.0, 30.0], abs=0.01)


@pytest.mark.parametrize(("fast_ppm", "adc"), [(200.0, "good"), (-200.0, "zero")])
def test_a7_drift_is_followed_and_told(fast_ppm: float, adc: str) -> None:
    """By count alone the last click would be 0.24 s off after twenty minutes; and nothing is taken for a gap."""
    clock = ManualClock()
    driver = ScriptedMicrophone(
        clock,
        (InputDevice("Slow", "ALSA", 1, 16_000),),
        sound=clicks(10.0, 1190.0),
        block_s=0.5,
        fast_ppm=fast_ppm,
        adc=adc,
    )
    microphone = Microphone(driver, clock, chunk_s=1.0)
    microphone.open()
    heard = listen(microphone, clock, 1200.0, poll_s=5.0)
    assert heard.without_levels() == []
    assert heard.clicks_s() == pytest.approx([10.0, 1190.0], abs=0.02)
    assert microphone.health.drift_ppm == pytest.approx(-fast_ppm, rel=0.05)


def test_a6_a_device_at_another_rate_than_it_says_is_not_believed() -> None:
    """Twice as much sound as time: nothing in it has a right time."""
    driver = ScriptedMicrophone(ManualClock(), fast_ppm=1e6)
    microphone = opened(driver)
    events = listen(microphone, driver.clock, 10.0).without_levels()
    assert isinstance(events[0], Lost)
    assert "more sound than time passes" in events[0].why


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
