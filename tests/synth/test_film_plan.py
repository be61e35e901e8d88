"""When things happen in a film: order, rests, and where cards come to lie."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from referee.cards import Seat
from referee.synth.film import Film, film
from referee.synth.film_plan import NEVER_S
from tests.synth.film_scripts import FIRST_LIGHT, items

SHORT = "dealer: start R7\nP1: R5\nP2: W>G\nP3: G2\nP1: +2:foul\n"
FORTY_FOUR = " ".join(colour + sign for colour in "RYGB" for sign in "12345689SRD")


@pytest.fixture(scope="module")
def first_light() -> Film:
    return film(items((FIRST_LIGHT / "truth.ugn").read_text(encoding="utf-8"), tags=""), seed=7)


def test_the_table_rests_after_every_landing_before_the_next_arm_comes(first_light: Film) -> None:
    reaches = sorted(first_light.directed.plan.reaches, key=lambda r: r.begin_s)
    gaps = [later.begin_s - earlier.end_s for earlier, later in itertools.pairwise(reaches)]
    assert min(gaps) >= 0.7


def test_two_seconds_of_still_table_at_both_ends(first_light: Film) -> None:
    plan = first_light.directed.plan
    assert min(r.begin_s for r in plan.reaches) >= 2.0
    assert plan.duration_s - max(r.end_s for r in plan.reaches) >= 2.0


def test_no_line_is_said_while_another_is_spoken(first_light: Film) -> None:
    pytest.importorskip("py_nanotts")
    from referee.synth.film_sound import speaker_of
    from referee.synth.speech import speak

    spoken = first_light.directed.plan.spoken
    ends = [s.t_s + len(speak(s.call, speaker_of(s.seat))) / 16000 for s in spoken]
    assert len(spoken) >= 5
    for end, later in zip(ends, spoken[1:], strict=False):
        assert end + 0.2 <= later.t_s


def test_every_card_on_the_pile_lies_whole_inside_the_discard_zone(first_light: Film) -> None:
    layout = first_light.layout
    (left, top), _, (right, bottom), _ = layout.zone("discard")
    half_w, half_h = (side / 2 for side in layout.card_px)
    on_pile = [p for p in first_light.directed.plan.placed if math.dist(p.centre_px, layout.discard_px) < half_h]
    assert len(on_pile) == 25  # the first card and 24 that were laid, the blue six twice
    for placed in on_pile:
        turn = math.radians(placed.turn_deg)
        reach_x = abs(half_w * math.cos(turn)) + abs(half_h * math.sin(turn))
        reach_y = abs(half_w * math.sin(turn)) + abs(half_h * math.cos(turn))
        assert left <= placed.centre_px[0] - reach_x
        assert placed.centre_px[0] + reach_x <= right
        assert top <= placed.centre_px[1] - reach_y
        assert placed.centre_px[1] + reach_y <= bottom


def test_laid_open_hands_do_not_overlap(first_light: Film) -> None:
    plan, layout = first_light.directed.plan, first_light.layout
    shown = [p for p in plan.placed if math.dist(p.centre_px, layout.discard_px) > layout.card_px[1] and p.from_s > 0]
    assert len(shown) == 2 + 4 + 5
    at_the_end = [p for p in shown if p.until_s == NEVER_S]
    assert len(at_the_end) == 4 + 5  # the challenged hand was taken back
    for index, one in enumerate(at_the_end):
        assert all(math.dist(one.centre_px, other.centre_px) >= layout.card_px[0] for other in at_the_end[:index])


@pytest.mark.parametrize(("seed", "other"), [(1, 2), (7, 8)])
def test_the_seed_makes_the_film(seed: int, other: int) -> None:
    plans = [film(items(SHORT), seed=s).directed for s in (seed, seed, other)]
    assert plans[0] == plans[1]
    assert plans[0] != plans[2]


def test_truth_gives_each_entry_the_time_at_which_it_is_seen_or_heard() -> None:
    made = film(items(SHORT), seed=3)
    plan = made.directed.plan
    times = [getattr(item, "time_s", None) for item in made.truth() if hasattr(item, "time_s")]
    rests = sorted(p.from_s for p in plan.placed if p.from_s > 0)
    assert times == [0.0, *(round(t, 1) for t in rests), round(plan.draws_s[0], 1)]
    assert [(s.seat, s.call) for s in plan.spoken] == [(Seat.P2, "colour:G")]
    assert 0.2 <= plan.spoken[0].t_s - rests[1] <= 1.0


def test_the_draw_pile_gives_one_card_at_each_visit_of_the_hand() -> None:
    plan = film(items(SHORT), seed=3).directed.plan
    assert len(plan.draws_s) == 2
    assert plan.draws_s[1] - plan.draws_s[0] >= 1.0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("dealer: start R7\nP1: R1\nP2: W4? show(R1)\n", "before any Wild Draw Four"),
        (
            "dealer: start R7\nP1: +37\nwins P2 P1=0("
            + " ".join(c + s for c in "RYGB" for s in "12345689SRD")
            + ")\n",
            "44 cards do not fit",
        ),
    ],
)
def test_what_cannot_be_filmed_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        film(items(text))


def test_a_refill_takes_the_pile_up_lays_it_down_as_draw_pile_and_its_top_card_again() -> None:
    made = film(items("dealer: start R7\nP1: R5\nP2: +1 --\ntable: reshuffle\nP3: R2\nP1: +1 --\n"), seed=3)
    plan, stage = made.directed.plan, made.stage()
    (laid_s, count), rests_s = plan.refills[0], made.truth()[-3].time_s  # type: ignore[union-attr]
    assert count == 1
    assert rests_s is not None
    assert plan.draws_s[0] < laid_s < rests_s < plan.draws_s[1]
    bare = [p for p in plan.placed if p.from_s <= laid_s < p.until_s]
    assert bare == []
    assert [p.code for p in plan.placed if p.from_s <= rests_s + 0.1 < p.until_s] == ["R5"]
    x, y = (round(v) for v in made.layout.draw_px)
    pictures = [stage.still(t_s)[y, x].astype(int) for t_s in (0.0, laid_s - 0.1, laid_s)]
    empty = [bool(np.abs(picture - stage.top[y, x]).max() < 3) for picture in pictures]
    assert empty == [False, True, False]


def test_seats_must_be_named() -> None:
    with pytest.raises(ValueError, match="names no seats"):
        film(items("dealer: start R7\nP1: R5\n", tags='[UGN "1"]\n'))
