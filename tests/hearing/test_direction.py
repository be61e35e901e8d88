"""Delays between two microphones, and what they say about who spoke. Sounds are drawn from seeds."""

import numpy as np
import pytest

from referee.cards import Seat
from referee.hearing.direction import Direction, SeatDelay, Sides, alike, direction_of, learn, shares

RATE_HZ = 16_000
P1, P2, P3 = Seat.first(3)


def word(rng: np.random.Generator, seconds: float = 0.4) -> np.ndarray:
    """Something like a word: noise of a voice's band that swells and falls twice."""
    count = round(seconds * RATE_HZ)
    swell = np.abs(np.sin(np.linspace(0, 2 * np.pi, count)))
    return rng.normal(size=count) * swell * 3000


def sides(delay_ms: float, *, noise: float = 30.0, echo: float = 0.0, echo_ms: float = 0.0, seed: int = 1) -> Sides:
    """A word that the second channel hears later; an echo of it comes from elsewhere."""
    rng = np.random.default_rng(seed)
    size = RATE_HZ
    spectrum = np.fft.rfft(word(rng), n=size)
    hz = np.fft.rfftfreq(size, 1 / RATE_HZ)

    def later(ms: float) -> np.ndarray:
        return np.fft.irfft(spectrum * np.exp(-2j * np.pi * hz * ms / 1000), n=size)

    first = later(5.0) + echo * later(35.0)
    second = later(5.0 + delay_ms) + echo * later(35.0 + echo_ms)
    both = np.stack([first, second], axis=1) + rng.normal(size=(size, 2)) * noise
    return both[: RATE_HZ // 2].astype(np.int16)


@pytest.mark.parametrize("delay_ms", [-1.4, -0.233, -0.05, 0.0, 0.0127, 0.4, 1.7])
def test_the_delay_is_found_between_the_samples(delay_ms: float) -> None:
    found = direction_of(sides(delay_ms), RATE_HZ)
    assert found is not None
    assert found.delay_ms == pytest.approx(delay_ms, abs=0.004)
    assert found.sharpness > 0.5


def test_an_echo_as_loud_as_the_voice_does_not_move_it() -> None:
    found = direction_of(sides(0.3, echo=1.0, echo_ms=-0.6), RATE_HZ)
    assert found is not None
    assert found.delay_ms == pytest.approx(0.3, abs=0.01)


def test_what_was_there_before_the_word_counts_less() -> None:
    """A fan hums at one side, louder than the word."""
    rng = np.random.default_rng(8)
    spectrum = np.fft.rfft(rng.normal(size=RATE_HZ) * 8000)
    hz = np.fft.rfftfreq(RATE_HZ, 1 / RATE_HZ)
    spectrum[(hz < 300) | (hz > 1500)] = 0
    fan = np.stack([np.fft.irfft(spectrum), np.fft.irfft(spectrum * np.exp(2j * np.pi * hz * 0.0008))], axis=1)
    mixed = (sides(0.4) + fan[: RATE_HZ // 2]).astype(np.int16)
    with_it = direction_of(mixed, RATE_HZ, fan[RATE_HZ // 2 :].astype(np.int16))
    without = direction_of(mixed, RATE_HZ)
    assert with_it is not None
    assert without is not None
    assert with_it.delay_ms == pytest.approx(0.4, abs=0.02)
    assert without.delay_ms == pytest.approx(-0.8, abs=0.02)


@pytest.mark.parametrize(
    "sound",
    [
        np.zeros((8000, 2), np.int16),
        np.repeat(sides(0.3)[:, :1], 2, axis=1),
        sides(0.3) * np.array([1, 0], np.int16),
        sides(0.3)[:800],
        (np.random.default_rng(3).normal(size=(8000, 2)) * 1000).astype(np.int16),
    ],
    ids=["silence", "one ear given twice", "a dead channel", "too short", "noise of each channel by itself"],
)
def test_what_has_no_direction(sound: Sides) -> None:
    assert direction_of(sound, RATE_HZ) is None


def heard(*peaks: tuple[float, float]) -> Direction:
    """A direction with peaks (delay in ms, coherence) 0.05 ms wide."""
    lags_ms = np.linspace(-2, 2, 1025)
    tops = [height * np.exp(-0.5 * ((lags_ms - ms) / 0.05) ** 2) for ms, height in peaks]
    return Direction(lags_ms, np.max(tops, axis=0))


def test_a_seat_is_learnt_from_several_calls_and_one_stray_call_does_not_move_it() -> None:
    learnt = learn([heard((ms, 0.6)) for ms in (0.30, 0.32, 0.31, -0.9)])
    assert learnt is not None
    assert learnt.delay_ms == pytest.approx(0.305, abs=0.01)
    assert learnt.spread_ms < 0.05


def test_one_call_or_blurred_ones_teach_nothing() -> None:
    clear, blurred = heard((0.3, 0.6)), heard((0.3, 0.6), (1.2, 0.59))
    assert learn([clear]) is None
    assert learn([clear, blurred, blurred]) is None


SEATS = {P1: SeatDelay(-0.4, 0.02), P2: SeatDelay(0.1, 0.02), P3: SeatDelay(0.12, 0.02)}


def test_the_seat_whose_delay_it_is() -> None:
    (first, share), *_ = shares(heard((-0.39, 0.6), (0.12, 0.2)), SEATS)
    assert first is P1
    assert share > 0.95


def test_seats_that_are_alike_share_the_doubt_and_are_named() -> None:
    found = dict(shares(heard((0.11, 0.6)), SEATS))
    assert found[P2] == pytest.approx(found[P3], abs=0.01)
    assert found[P2] < 0.55
    assert alike(SEATS) == [(P2, P3)]
    assert alike({P1: SEATS[P1], P2: SEATS[P2]}) == []


def test_two_voices_at_once_are_nobodys_for_certain() -> None:
    assert max(share for _, share in shares(heard((-0.4, 0.5), (0.12, 0.45)), SEATS)) < 0.7


def test_a_voice_from_nobodys_seat_is_nobodys() -> None:
    assert sum(share for _, share in shares(heard((0.9, 0.6)), SEATS)) < 0.05
    assert max(share for _, share in shares(heard((0.9, 0.6), (-0.4, 0.3)), SEATS)) < 0.8


def test_where_there_is_no_direction_nobody_is_named() -> None:
    assert shares(None, SEATS) == ()
