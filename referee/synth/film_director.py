"""Directs a script: when each beat happens, who waits for whom, when the calls are said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.cards import Seat
from referee.synth.film_between import Deck, deal_again, turn_up
from referee.synth.film_habits import Habits
from referee.synth.film_manners import NEAT, Manners
from referee.synth.film_plan import FilmPlan, Pace, Planner
from referee.synth.film_refill import refill
from referee.synth.film_script import Beat, Call, Draw, Lay, NextRound, Refill, Show, Start, TakeBack
from referee.synth.film_view import FilmView
from referee.synth.tabletop import Layout

UNO_BEFORE_S = -0.8
UNO_AFTER_S = 0.3
COLOUR_AFTER_S = 0.4
CATCH_AFTER_S = 1.0
CHALLENGE_AFTER_S = 2.1
"""When a call begins, counted from the moment the card came to rest: nobody talks over another."""
LINE_S = 1.3
"""No spoken line is longer; the next arm waits for it."""
NOTICE_S = 0.7
"""How long the table needs to see that a card does not fit."""


@dataclass(frozen=True, slots=True)
class Directed:
    """A plan and the time of each entry of the record: at rest for a card, begin of the first word for a call.

    beat_s: the same for each beat of the script.
    """

    plan: FilmPlan
    entry_s: dict[int, float]
    beat_s: tuple[float, ...] = ()


def direct(
    beats: Sequence[Beat],
    layout: Layout,
    pace: Pace,
    seed: int,
    view: FilmView | None = None,
    manners: Manners = NEAT,
    decks: Sequence[Deck] = (),
) -> Directed:
    """Plan a script on a table. The same seed gives the same film. ValueError if a hand does not fit its place.

    decks: what is dealt in each round after the first.
    """
    planner = Planner(layout, pace, np.random.default_rng([67, seed]), view=view)
    habits = Habits(planner, manners, np.random.default_rng([79, seed]))
    entry_s: dict[int, float] = {}
    beat_s: list[float] = []
    rest_s = 0.0
    waiting = list(decks)
    for number, beat in enumerate(beats):
        following = beats[number + 1] if number + 1 < len(beats) else None
        if not isinstance(beat, Start | NextRound | Call):
            planner.clock_s = max(planner.clock_s, planner.busy_until_s.get(beat.seat, 0.0))
        match beat:
            case Start(dealer=None):
                at = planner.start(beat.card)
            case Start(dealer=Seat() as dealer):
                at = turn_up(planner, dealer, beat.card)
            case NextRound():
                at = deal_again(planner, beat.seat, waiting.pop(0))
                habits.anew()
            case Lay():
                at = rest_s = habits.lay(beat, following)
                _say_with(planner, beat, rest_s)
            case TakeBack():
                planner.clock_s += NOTICE_S
                at = planner.take_back(beat.seat)
            case Draw():
                at = planner.draw(beat.seat, beat.count)[0]
            case Refill():
                at = refill(planner, beat.seat)
            case Call():
                at = _call(planner, beat, rest_s)
            case Show():
                at = planner.show(beat.seat, beat.cards)
                if not beat.stays:
                    planner.clock_s = max(planner.clock_s, at + pace.shown_s)
                    planner.gather(beat.seat)
        beat_s.append(at)
        if isinstance(beat, Show) and beat.stays:
            entry_s[beat.entry] = at  # the round is counted when the last hand lies open
        if not isinstance(beat, NextRound):
            entry_s.setdefault(beat.entry, at)
        if isinstance(following, TakeBack | Show) and isinstance(beat, Lay | Call):
            planner.clock_s += NOTICE_S / 2
        habits.after(beat, following)
    return Directed(planner.finish(), entry_s, tuple(beat_s))


def _say_with(planner: Planner, beat: Lay, rest_s: float) -> None:
    said_until = rest_s
    if beat.uno is not None:
        at = rest_s + (UNO_BEFORE_S if beat.uno == "before" else UNO_AFTER_S)
        planner.say(beat.seat, "uno", at)
        said_until = max(said_until, at + LINE_S)
    if beat.colour is not None:
        at = max(rest_s + COLOUR_AFTER_S, said_until if beat.uno == "after" else 0.0)
        planner.say(beat.seat, f"colour:{beat.colour}", at)
        said_until = at + LINE_S
    if said_until > rest_s:
        planner.clock_s = max(planner.clock_s, said_until)


def _call(planner: Planner, beat: Call, rest_s: float) -> float:
    after = CHALLENGE_AFTER_S if beat.call == "challenge" else CATCH_AFTER_S
    last_said = max((spoken.t_s for spoken in planner.spoken), default=0.0)
    at = max(rest_s + after, last_said + LINE_S)
    planner.say(beat.seat, beat.call, at)
    planner.clock_s = max(planner.clock_s, at + LINE_S)
    return at
