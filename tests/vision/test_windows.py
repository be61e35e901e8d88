"""Windows onto a picture: what they show, where their points lie, and that tiles lose no card."""

from __future__ import annotations

import numpy as np
import pytest

from referee.vision.windows import STRIDE_PX, Window, around, tiles, whole


def spot(width: int, height: int, x: int, y: int, half: int = 8) -> np.ndarray:
    picture = np.zeros((height, width, 3), np.uint8)
    picture[y - half : y + half, x - half : x + half] = 255
    return picture


@pytest.mark.parametrize(
    ("window", "scale"),
    [
        (whole(640, 360, 0.5), 0.5),
        (whole(640, 360, 0.22), 0.22),
        (whole(640, 360, 1.7), 1.7),
        (Window(200, 100, 160, 160), 2.0),
        (Window(250.5, 120.25, 99.5, 80), 3.2),
        (Window(-50, 90, 500, 320), 0.64),
    ],
    ids=["half size", "shrunken", "enlarged", "tile", "tile off the pixel grid", "beyond the left edge"],
)
def test_a_spot_is_seen_where_to_picture_says(window: Window, scale: float) -> None:
    seen = window.seen(spot(640, 360, 280, 160), scale)
    assert seen.shape == (round(window.height_px * scale), round(window.width_px * scale), 3)
    ys, xs = np.nonzero(seen[..., 0] > 200)
    centre = np.array([[xs.mean() + 0.5, ys.mean() + 0.5]], np.float32)
    np.testing.assert_allclose(window.to_picture(centre, scale), [[280, 160]], atol=0.6 / scale)


@pytest.mark.parametrize(("width", "height", "scale"), [(1280, 720, 0.5), (1280, 852, 0.25), (433, 91, 1.3)])
def test_the_whole_picture_is_shown_in_sides_that_the_detector_takes(width: int, height: int, scale: float) -> None:
    seen = whole(width, height, scale).seen(np.zeros((height, width, 3), np.uint8), scale)
    assert [side % STRIDE_PX for side in seen.shape[:2]] == [0, 0]
    assert 0 <= seen.shape[1] - width * scale < STRIDE_PX
    assert 0 <= seen.shape[0] - height * scale < STRIDE_PX


def test_margins_are_grey() -> None:
    seen = whole(640, 360, 0.5).seen(np.zeros((360, 640, 3), np.uint8), 0.5)
    assert seen.shape == (192, 320, 3)
    assert (seen[:5] == 114).all()
    assert (seen[7:185] == 0).all()


@pytest.mark.parametrize("size", [(1280, 852), (640, 480), (4000, 3000), (300, 300)])
@pytest.mark.parametrize("card_px", [45, 160, 700])
def test_every_place_for_a_card_is_whole_in_some_tile(size: tuple[int, int], card_px: int) -> None:
    windows = tiles(*size, side_px=3 * card_px, shared_px=1.1 * card_px)
    rng = np.random.default_rng(1)
    for x, y in rng.uniform(0, 1, (60, 2)) * (np.array(size) - card_px).clip(0):
        assert any(
            w.x_px <= x and x + card_px <= w.x_px + w.width_px and w.y_px <= y and y + card_px <= w.y_px + w.height_px
            for w in windows
        ) or card_px > min(size)


@pytest.mark.parametrize(
    ("x", "cut"),
    [(50, False), (2, False), (170, True)],
    ids=["in the middle", "at the picture's edge", "at a border inside the picture"],
)
def test_cuts_only_at_borders_inside_the_picture(x: float, cut: bool) -> None:
    quad = np.array([[x, 40], [x + 29, 40], [x + 29, 80], [x, 80]], np.float32)
    assert Window(0, 0, 200, 200).cuts(quad, 640, 200) is cut


def test_around_centres_the_card() -> None:
    quad = np.array([[100, 40], [140, 40], [140, 100], [100, 100]], np.float32)
    assert around(quad, 200) == Window(20, -30, 200, 200)
