"""Windows made from windows: what is said stays where it was said, and noise is only ever added."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the extra 'train' is not installed")

import torch

from referee.hearing.features import BANDS, FRAMES
from referee.training import call_mixing
from referee.training.call_mixing import levelled, masked, varied
from referee.training.call_windows import STORED_FRAMES

QUIET = 9.0


def word(count: int = 200, last: int = STORED_FRAMES - 27) -> torch.Tensor:
    """Stored pictures of a sound that ends before frame `last`, in the middle of the stretch of sound."""
    stored = torch.full((count, STORED_FRAMES, BANDS), QUIET)
    stored[:, last - 30 : last, 10:20] = 18.0
    return stored


@pytest.fixture(autouse=True)
def drawn_alike() -> None:
    torch.manual_seed(1)


def test_windows_are_as_the_network_wants_them() -> None:
    windows = levelled(word()[:, :FRAMES])
    assert windows.shape == (200, 1, BANDS, FRAMES)
    assert windows.mean((1, 2, 3)).abs().max() < 1e-4
    made = varied(word(), word())
    assert made.shape == windows.shape
    assert made.isfinite().all()


def test_the_end_of_a_word_stays_within_the_drawn_slack(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slowly it is said: the network must answer at the same moment after it."""
    monkeypatch.setattr(call_mixing, "NOISED", 0.0)
    monkeypatch.setattr(call_mixing, "masked", lambda windows: windows)
    made = varied(word(), word())[:, 0]
    loud = made.amax(1) > (made.amax((1, 2)) + made.amin((1, 2)))[:, None] / 2
    last = torch.where(loud, torch.arange(FRAMES), -1).amax(1)
    first = torch.where(loud, torch.arange(FRAMES), FRAMES).amin(1)
    assert last.max() - last.min() <= STORED_FRAMES - FRAMES + 4
    lengths = (last - first).float()
    assert lengths.max() > 1.5 * lengths.median() > 1.5 * 25


def test_noise_fills_what_was_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    def darkness(share: float) -> float:
        monkeypatch.setattr(call_mixing, "NOISED", share)
        noises = torch.full((200, STORED_FRAMES, BANDS), 15.0)
        made = varied(word(), noises)
        return float((made.amax((1, 2, 3)) - made.quantile(0.2)).mean())

    assert darkness(1.0) < 0.8 * darkness(0.0)


def test_no_window_is_blanked_whole() -> None:
    kept = masked(torch.ones(500, 1, BANDS, FRAMES))
    assert (kept.abs() > 0.5).float().mean((1, 2, 3)).min() > 0.6
