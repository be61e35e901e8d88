"""What a film's camera makes of its picture: bumps, exposure, flicker."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.synth.film_camera import Bump, Camera, Sensor

SIZE_PX = (320, 240)
MARGIN_PX = 24


def picture(bright: int = 120) -> NDArray[np.uint8]:
    drawn = np.full((SIZE_PX[1] + 2 * MARGIN_PX, SIZE_PX[0] + 2 * MARGIN_PX, 3), bright, np.uint8)
    drawn[100:160, 150:210] = 240
    return drawn


def middle_of_the_patch(seen: NDArray[np.uint8]) -> tuple[float, float]:
    rows, columns = np.nonzero(seen[..., 1] > 170)
    return float(columns.mean()), float(rows.mean())


def test_a_bumped_camera_sees_the_table_shifted_for_good() -> None:
    camera = Camera(SIZE_PX, 1, Sensor(noise=0.0), bumps=(Bump(5.0, (8.0, -6.0), 0.0),), margin_px=MARGIN_PX)
    before, shaken, after, later = (
        middle_of_the_patch(camera.picture(picture(), t_s)) for t_s in (4.9, 5.12, 7.0, 60.0)
    )
    assert np.subtract(after, before) == pytest.approx((8.0, -6.0), abs=0.4)
    assert after == pytest.approx(later, abs=0.4)
    assert shaken != pytest.approx(after, abs=0.8)


def test_a_turned_camera_keeps_its_middle() -> None:
    camera = Camera(SIZE_PX, 1, Sensor(noise=0.0), bumps=(Bump(0.0, (0.0, 0.0), 1.0),), margin_px=MARGIN_PX)
    seen = camera.picture(picture(), 9.0)
    assert seen.shape == (240, 320, 3)


def test_automatic_exposure_takes_back_what_a_bright_arm_adds() -> None:
    fixed, automatic = Camera(SIZE_PX, 1, Sensor(noise=0.0)), Camera(SIZE_PX, 1, Sensor(noise=0.0, auto_exposure=0.7))
    dark = np.full((240, 320, 3), 90, np.uint8)
    bright = dark.copy()
    bright[:, :140] = 230
    for camera in (fixed, automatic):
        camera.picture(dark, 0.0)
    seen = [[float(c.picture(bright, t_s)[:, 250:].mean()) for t_s in (0.1, 1.0, 3.0)] for c in (fixed, automatic)]
    assert max(seen[0]) - min(seen[0]) < 3
    assert seen[1][2] < seen[1][0] - 8


def test_a_flickering_lamp_changes_every_frame_a_little() -> None:
    camera = Camera(SIZE_PX, 1, Sensor(noise=0.0, drift=0.0, flicker=0.015))
    drawn = np.full((240, 320, 3), 150, np.uint8)
    means = [float(camera.picture(drawn, index / 15).mean()) for index in range(30)]
    assert 1.5 < max(means) - min(means) < 8


def test_the_same_seed_gives_the_same_noise() -> None:
    drawn = np.full((240, 320, 3), 150, np.uint8)
    one, same, other = (Camera(SIZE_PX, seed).picture(drawn, 0.0) for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
