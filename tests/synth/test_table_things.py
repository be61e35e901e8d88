"""Sleeves over cards, and prints and papers that lie about: they cover what they should, and are no UNO cards."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from referee.synth.sleeves import SLEEVE_SCALE, draw_sleeve
from referee.synth.table_prints import marker, picture_card, sprig, token


def test_a_sleeve_is_nearly_clear_and_a_little_larger_than_the_card() -> None:
    sleeves = [draw_sleeve(np.random.default_rng(seed), 120) for seed in range(12)]
    assert all(sleeve.shape == (120, 79, 4) for sleeve in sleeves)
    assert max(int(sleeve[..., 3].max()) for sleeve in sleeves) <= 120, "what lies in it must stay readable"
    assert min(float(sleeve[..., 3].mean()) for sleeve in sleeves) > 1
    assert (SLEEVE_SCALE > 1).all()
    assert (SLEEVE_SCALE < 1.1).all()


@pytest.mark.parametrize("draw", [sprig, token, marker, picture_card])
def test_things_are_drawn_from_their_seed_and_differ(draw: Callable[[np.random.Generator, int], np.ndarray]) -> None:
    first, again, other = (draw(np.random.default_rng(seed), 80) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert first.shape[0] == 80
    assert first.shape[2] == 4
    assert first.shape != other.shape or not np.array_equal(first, other)


@pytest.mark.parametrize(("draw", "least", "most"), [(sprig, 0.01, 0.6), (token, 0.15, 0.8), (marker, 0.95, 1.0)])
def test_how_much_of_its_square_a_thing_covers(
    draw: Callable[[np.random.Generator, int], np.ndarray], least: float, most: float
) -> None:
    covered = [(draw(np.random.default_rng(seed), 80)[..., 3] > 127).mean() for seed in range(20)]
    assert least < float(np.mean(covered)) <= most
