"""What a film's frames show."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from referee.cards import Seat
from referee.synth.film import Film, FilmStyle, film
from referee.synth.film_calibration import calibration_toml
from referee.synth.tabletop import row_of, table_layout
from tests.synth.film_scripts import items

SHORT = "dealer: start R7\nP1: G7\nP2: +1 --\n"


@pytest.fixture(scope="module")
def short() -> Film:
    return film(items(SHORT), FilmStyle(size_px=(480, 360)), seed=5)


def _zone(short: Film, name: str) -> tuple[slice, slice]:
    (left, top), _, (right, bottom), _ = short.layout.zone(name)  # type: ignore[arg-type]
    return slice(round(top), round(bottom)), slice(round(left), round(right))


def test_the_same_seed_gives_the_same_bytes(short: Film) -> None:
    again = film(items(SHORT), FilmStyle(size_px=(480, 360)), seed=5)
    other = film(items(SHORT), FilmStyle(size_px=(480, 360)), seed=6)
    frames = [next(iter(f.frames(from_s=2.6, until_s=2.8))) for f in (short, again, other)]
    assert np.array_equal(frames[0], frames[1])
    assert not np.array_equal(frames[0], frames[2])


def test_a_film_has_as_many_frames_as_its_length_says(short: Film) -> None:
    assert sum(1 for _ in short.frames()) == round(short.duration_s * 10)


def test_before_the_first_play_both_piles_lie_in_their_zones_and_nothing_moves(short: Film) -> None:
    stage = short.stage()
    first, later = stage.frame(0.0), stage.frame(1.9)
    assert np.array_equal(first, later)
    bare = np.abs(first.astype(int) - stage.top).max(axis=2) > 40
    height, width = bare.shape
    outside = np.ones((height, width), dtype=bool)
    for name in ("discard", "draw"):
        assert bare[_zone(short, name)].mean() > 0.25, name
        outside[_zone(short, name)] = False
    assert not bare[outside].any()


def test_the_card_laid_is_seen_at_its_time_and_the_arm_is_gone_before_the_next(short: Film) -> None:
    stage = short.stage()
    laid = next(p for p in short.directed.plan.placed if p.code == "G7")
    before, after = stage.still(laid.from_s - 0.01), stage.still(laid.from_s)
    changed = np.abs(before.astype(int) - after).max(axis=2) > 20
    assert changed[_zone(short, "discard")].any()
    rows, columns = np.nonzero(changed)
    assert abs(columns.mean() - laid.centre_px[0]) < short.layout.card_px[0]
    assert abs(rows.mean() - laid.centre_px[1]) < short.layout.card_px[1]
    reach = short.directed.plan.reaches[0]
    assert np.array_equal(stage.frame(reach.end_s + 0.1), after)


def test_an_arm_comes_from_its_own_side(short: Film) -> None:
    stage = short.stage()
    for reach, edge in zip(short.directed.plan.reaches, ("bottom", "left"), strict=True):
        arrival = reach.keys[1].t_s
        picture = stage.frame(arrival)
        covered = np.abs(picture.astype(int) - stage.still(arrival)).max(axis=2) > 25
        borders = {
            "bottom": covered[-1].mean(),
            "top": covered[0].mean(),
            "left": covered[:, 0].mean(),
            "right": covered[:, -1].mean(),
        }
        assert max(borders, key=lambda side: borders[side]) == edge, borders
        assert sum(share > 0 for share in borders.values()) == 1, borders


def test_while_a_card_is_drawn_a_back_travels_with_the_hand(short: Film) -> None:
    reach = short.directed.plan.reaches[1]
    carry = reach.carries[0]
    assert carry.code == "back"
    assert carry.from_s == short.directed.plan.draws_s[0]
    stage = short.stage()
    with_card = stage.frame(carry.from_s + 0.25)
    covered = np.abs(with_card.astype(int) - stage.still(carry.from_s + 0.25)).max(axis=2) > 25
    assert covered.any()


def test_the_empty_table_has_no_card_but_the_same_light_and_length(short: Film) -> None:
    empty = list(short.frames(until_s=1.0, empty_table=True))
    full = list(short.frames(until_s=1.0))
    assert len(empty) == len(full) == 10
    assert np.abs(empty[0][:40].astype(int) - full[0][:40]).mean() < 1.0
    zone = _zone(short, "discard")
    assert np.abs(full[0][zone].astype(int) - empty[0][zone]).mean() > 15


def test_light_drifts_but_slowly(short: Film) -> None:
    camera, drawn = short.camera(), short.stage().frame(0.0)
    means = [float(camera.picture(drawn, t).mean()) for t in np.arange(0, 60, 2.0)]
    assert 1.0 < max(means) - min(means) < 12.0
    assert max(abs(a - b) for a, b in itertools.pairwise(means)) < 3.0


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_zones_of_every_layout_keep_apart_and_inside_the_picture(seats: int) -> None:
    layout = table_layout(seats)
    quads = [layout.zone("discard"), layout.zone("draw"), *(s.place for s in layout.seats)]
    boxes = [(q[0][0], q[0][1], q[2][0], q[2][1]) for q in quads]
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= 960
        assert 0 <= top < bottom <= 720
    piles = boxes[:2]
    for one in piles:
        for other in boxes:
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert one == other or apart, (one, other)


def test_hands_of_seven_fit_side_by_side_at_every_seat() -> None:
    layout = table_layout(4)
    for place in layout.seats:
        spots = row_of(layout, place.seat, 6)
        assert len(spots) == 6
    assert row_of(layout, Seat.P1, 3)[0][0] < row_of(layout, Seat.P1, 3)[2][0]
    assert row_of(layout, Seat.P3, 3)[0][0] > row_of(layout, Seat.P3, 3)[2][0]


def test_calibration_text_gives_fractions_of_the_frame() -> None:
    import tomllib

    read = tomllib.loads(calibration_toml(table_layout(3)))
    assert read["frame"] == {"width_px": 960, "height_px": 720}
    assert [seat["edge"] for seat in read["seats"].values()] == ["bottom", "left", "top"]
    points = [
        *read["zones"]["discard"],
        *read["zones"]["draw"],
        *(p for s in read["seats"].values() for p in s["place"]),
    ]
    assert len(points) == 20
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in points)
