"""Log-mel frames: where a tone shows, what loudness and chunking change (nothing), what training cuts."""

from __future__ import annotations

import numpy as np
import pytest

from referee.hearing.features import BANDS, FRAMES, HOP, RATE_HZ, SPAN, WINDOW, FrameStream, log_mel, windows
from referee.hearing.recogniser import Samples


def noise(seconds: float, level: float = 1000.0, seed: int = 0) -> Samples:
    return (np.random.default_rng(seed).normal(size=round(seconds * RATE_HZ)) * level).astype(np.int16)


@pytest.mark.parametrize(("hertz", "band"), [(200, 3), (1000, 14), (4000, 30)])
def test_a_tone_shows_in_the_band_of_its_pitch(hertz: float, band: int) -> None:
    """Bands are equally wide in mel: 2595 log10(1 + f / 700)."""
    tone = (8000 * np.sin(2 * np.pi * hertz * np.arange(RATE_HZ) / RATE_HZ)).astype(np.int16)
    assert log_mel(tone).mean(axis=0).argmax() == pytest.approx(band, abs=1)


@pytest.mark.parametrize(
    ("samples", "frames"), [(0, 0), (WINDOW - 1, 0), (WINDOW, 1), (WINDOW + HOP, 2), (SPAN, FRAMES)]
)
def test_frames_of_so_many_samples(samples: int, frames: int) -> None:
    assert log_mel(np.ones(samples, np.int16)).shape == (frames, BANDS)


def test_a_window_does_not_tell_how_loud_it_was() -> None:
    quiet, loud = noise(1.2, 200), (noise(1.2, 200).astype(np.int32) * 20).astype(np.int16)
    ends = np.array([FRAMES])
    assert np.allclose(windows(log_mel(quiet), ends), windows(log_mel(loud), ends), atol=0.02)


def test_a_window_that_reaches_back_too_far_repeats_the_first_frame() -> None:
    (window,) = windows(log_mel(noise(0.5)), np.array([20]))
    assert window.shape == (1, BANDS, FRAMES)
    assert np.allclose(window[0, :, 0], window[0, :, FRAMES - 20])


@pytest.mark.parametrize("size", [37, 160, 1600, 40000])
def test_running_frames_are_those_of_the_whole(size: int) -> None:
    sound = noise(2.0)
    stream = FrameStream()
    for at in range(0, len(sound), size):
        stream.feed(sound[at : at + size])
    frames, first = stream.span(50, 10_000)
    assert first == 50
    assert np.allclose(frames, log_mel(sound)[50:])


def test_running_frames_are_kept_for_ten_seconds() -> None:
    stream = FrameStream()
    for second in range(13):
        stream.feed(noise(1.0, seed=second))
    frames, first = stream.span(0, 10**6)
    assert len(frames) == round(FrameStream.KEPT_S * RATE_HZ / HOP)
    assert first + len(frames) == 1 + (13 * RATE_HZ - WINDOW) // HOP


def test_training_cuts_and_levels_as_the_listener_does() -> None:
    """Stored pictures are half precision: equal to 0.01 of a spread."""
    torch = pytest.importorskip("torch", reason="the extra 'train' is not installed")
    from referee.training.call_mixing import levelled
    from referee.training.call_windows import STORED_FRAMES

    frames = log_mel(noise(STORED_FRAMES / 100 + 0.1))[:STORED_FRAMES]
    for first in (0, 8):
        stored = frames[None, first : first + FRAMES].astype(np.float16)
        trained = levelled(torch.from_numpy(stored).float()).numpy()
        used = windows(frames, np.array([first + FRAMES]))
        assert np.abs(trained - used).max() < 0.01
