"""Films of rounds made up by chance: the same number gives the same film, and its truth is what the rules say."""

from __future__ import annotations

import pytest

from referee.rules.entries import Entry, Opening, Play, Reshuffle, Result, Tag
from referee.synth.film import FilmStyle, film
from referee.synth.film_random import RandomScript, random_script
from referee.synth.film_style import hard_style
from referee.synth.film_truth import truth_json


@pytest.fixture(scope="module")
def script() -> RandomScript:
    return random_script(7, 4, foul_rate=0.4, hand_size=4, moves=(12, 24))


def test_the_same_number_gives_the_same_round(script: RandomScript) -> None:
    assert random_script(7, 4, foul_rate=0.4, hand_size=4, moves=(12, 24)) == script
    assert random_script(8, 4, foul_rate=0.4, hand_size=4, moves=(12, 24)) != script


def test_a_round_is_whole_and_can_be_seen(script: RandomScript) -> None:
    entries = [item for item in script.items if isinstance(item, Entry)]
    opening = entries[0].events[0]
    assert isinstance(opening, Opening)
    assert not opening.card.is_wild
    assert isinstance(script.items[-1], Result)
    assert not any(isinstance(event, Reshuffle) for entry in entries for event in entry.events)
    assert [item.value for item in script.items if isinstance(item, Tag) and item.name in ("P1", "P4")] == [
        "Ana",
        "Dario",
    ]


def test_another_number_of_cards_dealt_is_a_profile_of_its_own(script: RandomScript) -> None:
    assert script.profile.setup.hand_size == 4
    assert script.profile_toml is not None
    assert "hand_size = 4" in script.profile_toml
    assert random_script(7, 4, moves=(20, 90)).profile_toml is None


def test_a_length_that_no_round_has_is_refused() -> None:
    with pytest.raises(ValueError, match="no round of 2 to 2 moves"):
        random_script(1, 4, hand_size=7, moves=(2, 2), most_tries=10)


def test_the_truth_tells_every_event_arm_and_foul(script: RandomScript) -> None:
    made = film(script.items, FilmStyle(bumps=1), seed=3, profile=script.profile)
    truth = truth_json(made)
    laid = [event for event in truth["events"] if event["kind"] == "play"]
    plays = [e for item in script.items if isinstance(item, Entry) for e in item.events if isinstance(e, Play)]
    assert [event["card"] for event in laid] == [play.card.code for play in plays]
    assert all(0 < event["t_s"] < truth["duration_s"] for event in laid)
    draws = [event for event in truth["events"] if event["kind"] == "draw"]
    assert all(len(draw["times_s"]) == draw["count"] for draw in draws)
    assert len(truth["bumps"]) == 1
    at_piles = [arm for arm in truth["arms"] if set(arm["at"]) & {"discard", "draw"}]
    lifted = sum(event["kind"] == "taken back" for event in truth["events"])
    assert len(at_piles) == len(laid) + len(draws) + lifted
    assert truth["fouls"]
    assert {foul["certainty"] for foul in truth["fouls"]} <= {"sure", "heard", "likely", "hidden"}


@pytest.mark.parametrize("seed", range(3))
def test_a_hard_style_is_the_seeds_and_can_be_filmed(seed: int) -> None:
    style = hard_style(seed)
    assert style == hard_style(seed)
    assert style != hard_style(seed + 1)
    script = random_script(seed, 3 + seed, hand_size=3, moves=(8, 24))
    made = film(script.items, style, seed, profile=script.profile)
    frame = next(iter(made.frames(from_s=2.6, until_s=2.7)))
    assert frame.shape == (720, 960, 3)
