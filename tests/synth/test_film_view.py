"""Where a film's camera stands: what it sees of the table, and the calibration that says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.synth.film import FilmStyle, film
from referee.synth.film_calibration import calibration_toml
from referee.synth.film_view import FilmView, deep_enough, straight_above
from referee.vision.zones import TableZones
from tests.synth.film_scripts import items

SHORT = "dealer: start R7\nP1: R5\nP2: R2\n"


def oblique(elevation_deg: float, azimuth_deg: float = 0.0) -> FilmView:
    deep = deep_enough(960, (960, 720), elevation_deg)
    return FilmView((960.0, float(deep)), (960, 720), elevation_deg, azimuth_deg, margin_px=8)


def test_from_straight_above_the_layout_is_the_picture() -> None:
    view = straight_above((960, 720))
    assert view.straight
    for point in ((0.0, 0.0), (960.0, 720.0), (437.0, 423.0)):
        assert view.point(point) == pytest.approx(point)
    assert view.scale_at((100, 600)) == pytest.approx(1.0)


@pytest.mark.parametrize("elevation_deg", [30, 45, 60, 89])
@pytest.mark.parametrize("azimuth_deg", [-9, 0, 9])
def test_the_whole_layout_lies_in_the_picture_and_fills_it(elevation_deg: float, azimuth_deg: float) -> None:
    view = oblique(elevation_deg, azimuth_deg)
    width, height = view.table_px
    seen = np.array([view.point(p) for p in ((0, 0), (width, 0), (width, height), (0, height))])
    assert seen.min() >= 0
    assert (seen.max(axis=0) <= (960, 720)).all()
    spread = np.ptp(seen, axis=0)
    assert spread[0] == pytest.approx(960 - 16, abs=0.01) or spread[1] == pytest.approx(720 - 16, abs=0.01)


def test_what_is_far_is_smaller_and_what_is_high_is_seen_further_up() -> None:
    view = oblique(45)
    width, height = view.table_px
    assert view.scale_at((width / 2, 0)) < 0.8 * view.scale_at((width / 2, height))
    assert view.point((width / 2, height / 2), 60)[1] < view.point((width / 2, height / 2))[1] - 20


@pytest.mark.parametrize("elevation_deg", [35.0, 60.0, 90.0])
def test_the_calibration_says_where_the_zones_are_seen(elevation_deg: float, tmp_path: Path) -> None:
    made = film(items(SHORT), FilmStyle(elevation_deg=elevation_deg, azimuth_deg=4.0), seed=2)
    path = tmp_path / "calibration.toml"
    path.write_text(calibration_toml(made.layout, made.view), encoding="utf-8")
    zones = TableZones.from_toml(path)
    assert zones.frame_px == (960, 720)
    assert zones.plane is not None
    to_table = zones.plane.to_table()
    width, height = zones.plane.size_px
    for index, name in enumerate(("discard", "draw")):
        polygon = (zones.discard, zones.draw)[index]
        assert polygon is not None
        corners = made.layout.zone(name)  # type: ignore[arg-type]
        for (x, y), corner in zip(polygon, corners, strict=True):
            seen = to_table @ np.array([*made.view.point(corner), 1.0])
            assert (seen[0] / seen[2], seen[1] / seen[2]) == pytest.approx((x * width, y * height), abs=1.0)


def test_a_card_is_drawn_where_the_view_says() -> None:
    made = film(items(SHORT), FilmStyle(size_px=(480, 360), elevation_deg=50.0), seed=2)
    stage = made.stage()
    laid = made.directed.plan.placed[1]
    before, after = stage.still(laid.from_s - 0.01), stage.still(laid.from_s)
    rows, columns = np.nonzero(np.abs(before.astype(int) - after).max(axis=2) > 40)
    x, y = made.view.point(laid.centre_px)
    assert abs(np.median(columns) - x) < 12
    assert abs(np.median(rows) - y) < 12


@pytest.mark.parametrize(("elevation_deg", "seats"), [(32.0, 3), (60.0, 6), (90.0, 4)])
def test_before_it_comes_and_after_it_left_no_arm_is_seen(elevation_deg: float, seats: int) -> None:
    tags = '[UGN "1"] ' + " ".join(f'[P{n} "N{n}"]' for n in range(1, seats + 1)) + "\n"
    text = "dealer: start R7\n" + "".join(f"P{n}: R{n}\n" for n in range(1, seats + 1))
    made = film(items(text, tags=tags), FilmStyle(size_px=(480, 360), elevation_deg=elevation_deg), seed=3)
    stage = made.stage()
    for reach in made.directed.plan.reaches:
        for t_s in (reach.begin_s, reach.end_s - 1e-6):
            changed = np.abs(stage.frame(t_s).astype(int) - stage.still(t_s)).max(axis=2) > 60
            assert changed.mean() < 0.003, (reach.seat, t_s)
