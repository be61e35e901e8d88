"""One clock: sound that drifts is fitted to it, a wall clock that jumps does not touch it."""

from __future__ import annotations

import random

import pytest

from referee.session.clock import ClockWatch, SessionClock, SoundClock
from referee.session.continuity import PICTURE_GAP_S, SOUND_GAP_S, Continuity

RATE_HZ = 16_000
CHUNK = 1600


class ManualClock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.t_s = 0.0

    def now_s(self) -> float:
        return self.t_s

    def sleep(self, seconds: float) -> None:
        self.t_s += seconds


@pytest.mark.parametrize("drift_ppm", [-200.0, 0.0, 200.0])
def test_s1_an_hour_of_drifting_sound_stays_in_step(drift_ppm: float) -> None:
    """The sound card is off by 200 ppm: 0.72 s in an hour. Chunks arrive 5 to 45 ms late, some much later."""
    late, sound, worst_s = random.Random(1), SoundClock(RATE_HZ), 0.0
    for i in range(36_000):
        true_begin_s = 3.0 + i * CHUNK / RATE_HZ * (1 + drift_ppm / 1e6)
        true_end_s = 3.0 + (i + 1) * CHUNK / RATE_HZ * (1 + drift_ppm / 1e6)
        delay_s = 0.005 + 0.04 * late.random() + (0.6 if late.random() < 0.002 else 0.0)
        stamped_s = sound.stamp(CHUNK, true_end_s + delay_s)
        if i > 50:
            worst_s = max(worst_s, abs(stamped_s - true_begin_s))
    assert worst_s < 0.02  # half of what is noticed between picture and sound (40 ms)
    assert sound.drift_ppm == pytest.approx(drift_ppm, abs=3)
    assert sound.residual_ms() < 3


def test_samples_that_were_lost_do_not_shift_those_after_them() -> None:
    sound = SoundClock(RATE_HZ)
    for i in range(100):
        sound.stamp(CHUNK, (i + 1) * 0.1)
    sound.lost(CHUNK * 5)
    assert sound.stamp(CHUNK, 10.6) == pytest.approx(10.5, abs=0.01)


@pytest.mark.parametrize(("by_s", "told"), [(3600.0, True), (-40.0, True), (0.5, False)])
def test_s6_the_wall_clock_jumps(by_s: float, told: bool) -> None:
    clock, wall = ManualClock(), 1_000_000.0
    watch = ClockWatch(clock, lambda: wall + clock.t_s)
    clock.t_s = 60.0
    assert watch.jump_s() is None
    wall += by_s
    clock.t_s = 61.0
    jumped_s = watch.jump_s()
    assert (jumped_s is not None) is told
    if jumped_s is not None:
        assert jumped_s == pytest.approx(by_s)
    assert watch.jump_s() is None  # told once
    assert clock.now_s() == 61.0


def test_s6_the_session_clock_is_the_monotonic_one(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = 100.0
    clock = SessionClock(began_at_s=7.5, monotonic=lambda: machine)
    monkeypatch.setattr("time.time", lambda: 0.0)
    machine = 101.25
    assert clock.now_s() == 8.75


@pytest.mark.parametrize(
    ("what", "tolerated_s", "step_s", "hole_s", "told"),
    [
        ("picture", PICTURE_GAP_S, 1 / 15, 3.0, True),
        ("picture", PICTURE_GAP_S, 1 / 15, 0.5, False),
        ("sound", SOUND_GAP_S, 0.1, 0.5, True),
        ("sound", SOUND_GAP_S, 0.1, 0.05, False),
    ],
)
def test_a_hole_is_an_event(what: str, tolerated_s: float, step_s: float, hole_s: float, told: bool) -> None:
    stream = Continuity(what, tolerated_s)
    duration_s = step_s if what == "sound" else 0.0
    for i in range(20):
        assert stream.after(i * step_s, duration_s) is None
    after_s = 20 * step_s + hole_s
    hole = stream.after(after_s, duration_s)
    assert (hole is not None) is told
    if hole is not None:
        before_s = 20 * step_s if what == "sound" else 19 * step_s
        assert (hole["from_s"], hole["until_s"]) == (
            pytest.approx(before_s, abs=1e-3),
            pytest.approx(after_s, abs=1e-3),
        )
