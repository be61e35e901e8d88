"""A microphone on a scripted device: sound keeps its time through gaps, drift and odd rates (A4 to A7)."""

from __future__ import annotations

import numpy as np
import pytest

from referee.capture.input_devices import InputDevice, RawBlock
from referee.capture.media import SoundChunk
from referee.capture.microphone import Microphone
from referee.capture.sound_events import Gap, Lost, Regained
from referee.faults import InputFault
from referee.testing.manual_clock import ManualClock
from referee.testing.scripted_microphone import ScriptedMicrophone
from tests.capture.listening import Heard, clicks, contiguous, listen, opened, sort


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
