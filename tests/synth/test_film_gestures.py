"""What hands do besides laying cards neatly: each habit alone, and all of them together."""

from __future__ import annotations

import itertools
import math

import pytest

from referee.cards import Seat
from referee.synth.film import Film, FilmStyle, film
from referee.synth.film_manners import LIVELY, NEAT, Manners, manners_of
from referee.synth.film_plan import NEVER_S
from tests.synth.film_scripts import FIRST_LIGHT, items

SHORT = "dealer: start R7\nP1: R5\nP2: R2\nP3: R4\nP1: R9\nP2: R1\nP3: R8\n"


def lively(manners: Manners, seed: int = 5, text: str = SHORT) -> Film:
    return film(items(text), FilmStyle(manners=manners), seed=seed)


def kinds(made: Film) -> set[str]:
    return {gesture.kind for gesture in made.directed.plan.gestures}


def top_at(made: Film, t_s: float) -> str:
    """The top card of the discard pile."""
    layout = made.layout
    lying = [p for p in made.directed.plan.placed if p.from_s <= t_s < p.until_s]
    on_pile = [p for p in lying if math.dist(p.centre_px, layout.discard_px) < layout.card_px[1] * 0.6]
    return max(enumerate(on_pile), key=lambda numbered: (numbered[1].from_s, numbered[0]))[1].code


@pytest.mark.parametrize(
    "habit", ["slide", "drop", "toss", "hesitate", "fumble", "square", "adjust", "overlap", "idle"]
)
def test_every_habit_leaves_the_game_as_it_is(habit: str) -> None:
    """However the cards come to lie, the top card from one event to the next is the record's."""
    chances = {habit: 1.0, "toss": 1.0} if habit == "adjust" else {habit: 1.0}
    made = lively(Manners(**chances))
    laid = [(item.time_s, item.events[0].card.code) for item in made.truth() if getattr(item, "time_s", None)]  # type: ignore[union-attr]
    assert len(laid) == 6
    assert [code for _, code in laid] == ["R5", "R2", "R4", "R9", "R1", "R8"]
    for (t_s, code), (later_s, _) in itertools.pairwise([*laid, (made.duration_s, "")]):
        assert t_s is not None
        assert later_s is not None
        assert top_at(made, t_s + 0.06) == code
        assert top_at(made, later_s - 0.06) == code


@pytest.mark.parametrize(
    ("chances", "kind"),
    [
        ({"slide": 1.0}, "slid"),
        ({"drop": 1.0}, "dropped"),
        ({"toss": 1.0}, "tossed"),
        ({"toss": 1.0, "tumble": 1.0}, "tumbled"),
        ({"toss": 1.0, "adjust": 1.0}, "adjusted"),
        ({"hesitate": 1.0}, "hesitated"),
        ({"fumble": 1.0}, "fumbled"),
        ({"square": 1.0}, "squared"),
        ({"idle": 1.0}, "waited"),
    ],
)
def test_a_habit_is_seen_and_told(chances: dict[str, float], kind: str) -> None:
    assert kind in kinds(lively(Manners(**chances)))


def test_a_neat_table_has_no_gestures() -> None:
    made = lively(NEAT)
    assert made.directed.plan.gestures == ()
    assert made.directed.plan.flights == ()


def test_a_tossed_card_flies_from_the_hand_to_where_it_lies() -> None:
    plan = lively(Manners(toss=1.0)).directed.plan
    assert len(plan.flights) == 6
    for flight in plan.flights:
        lies = next(p for p in plan.placed if p.from_s == flight.until_s)
        landed = flight.pose(flight.until_s)
        assert (landed.centre_px, landed.height_px) == (lies.centre_px, 0.0)
        assert landed.turn_deg == pytest.approx(lies.turn_deg)
        reach = next(r for r in plan.reaches if any(c.until_s == flight.from_s for c in r.carries))
        assert math.dist(flight.start_px, lies.centre_px) > 80
        assert reach.carried(flight.from_s) is None


def test_a_tumbling_card_shows_its_back_in_the_air() -> None:
    flight = lively(Manners(toss=1.0, tumble=1.0)).directed.plan.flights[0]
    turns = [
        flight.pose(flight.from_s + share * (flight.until_s - flight.from_s)).tumble_deg for share in (0, 0.33, 1)
    ]
    assert turns[0] == 0
    assert 90 < turns[1] < 270
    assert turns[2] == 360


def test_a_squared_pile_lies_within_a_few_pixels() -> None:
    made = lively(Manners(square=1.0))
    squared = [g for g in made.directed.plan.gestures if g.kind == "squared"][-1]
    pile = [p for p in made.directed.plan.placed if p.from_s <= squared.until_s + 0.01 < p.until_s]
    assert len(pile) >= 5
    assert max(math.dist(p.centre_px, pile[0].centre_px) for p in pile) < 6


def test_a_fumbled_card_lies_beside_the_pile_and_is_picked_up() -> None:
    made = lively(Manners(fumble=1.0))
    beside = [p for p in made.directed.plan.placed if p.until_s != NEVER_S]
    assert len(beside) == 6
    (left, top), _, (right, bottom), _ = made.layout.zone("discard")
    for card in beside:
        assert not (left < card.centre_px[0] < right and top < card.centre_px[1] < bottom)
        assert card.until_s - card.from_s < 2


@pytest.mark.parametrize("seed", range(6))
def test_no_seat_has_two_arms_over_the_table_and_no_more_than_two_arms_come_to_the_piles(seed: int) -> None:
    script = items((FIRST_LIGHT / "truth.ugn").read_text(encoding="utf-8"), tags="")
    made = film(script, FilmStyle(manners=LIVELY), seed=seed)
    reaches = sorted(made.directed.plan.reaches, key=lambda r: r.begin_s)
    for seat in Seat.first(3):
        own = [r for r in reaches if r.seat is seat]
        assert all(a.end_s <= b.begin_s + 1e-6 for a, b in itertools.pairwise(own)), seat
    for reach in reaches:
        assert sum(r.begin_s <= reach.begin_s < r.end_s for r in reaches) <= 3


@pytest.mark.parametrize("seed", range(4))
def test_lively_hands_never_come_between_a_card_and_the_call_it_waits_for(seed: int) -> None:
    script = items((FIRST_LIGHT / "truth.ugn").read_text(encoding="utf-8"), tags="")
    plan = film(script, FilmStyle(manners=LIVELY), seed=seed).directed.plan
    stray = [g for g in plan.gestures if g.kind in ("squared", "adjusted", "hesitated")]
    for spoken in plan.spoken:
        if spoken.call in ("catch", "challenge"):
            before = max(p.from_s for p in plan.placed if p.from_s < spoken.t_s)
            assert not [g for g in stray if before < g.t_s < spoken.t_s]


@pytest.mark.parametrize(("text", "manners"), [("neat", NEAT), ("lively", LIVELY), ("toss=0.5", Manners(toss=0.5))])
def test_manners_are_given_in_words(text: str, manners: Manners) -> None:
    assert manners_of(text) == manners


@pytest.mark.parametrize(
    ("text", "why"), [("juggle=1", "no habit"), ("toss", "needs a chance"), ("toss=3", "no chance")]
)
def test_wrong_words_are_told(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        manners_of(text)
