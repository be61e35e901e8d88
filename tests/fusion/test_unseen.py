"""Whole rounds of rough play, seen perfectly or but for one card or draw: every foul is told, and nothing else is."""

from __future__ import annotations

from random import Random

import pytest

from referee.cards import Colour, Seat
from referee.fusion.desk import Judged
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import CardLanded, CardsDrawn, Observation, Zone
from referee.rules import entries as e
from referee.rules.random_games import FoulKind, RandomGame, play_round
from referee.rules.table import Table
from tests.fusion.scripted import drew, laid, lifted, reached, said, showed

STEP_S = 8.0
ROUNDS = range(20)
KINDS: tuple[FoulKind, ...] = ("wrong_card", "wrong_seat", "too_many")
Foul = tuple[str, str, int]


@pytest.fixture(scope="module")
def rounds() -> list[RandomGame]:
    return [play_round(Random(n), seats=3 + n % 3, foul_rate=0.3, foul_kinds=KINDS, most_entries=40) for n in ROUNDS]


def seen(event: e.Event, who: str | None, t_s: float) -> list[Observation]:
    """What perfect eyes and ears report of one event."""
    match event:
        case e.Opening():
            return [laid(None, event.card.code, t_s, found=True)]
        case e.Play() if who:
            named = [said(f"colour:{event.colour.value}", t_s + 0.3)] if isinstance(event.colour, Colour) else []
            return [reached(who, Zone.DISCARD, t_s - 0.3), laid(who, event.card.code, t_s), *named]
        case e.Draw() if who:
            times = [t_s + 1.2 * n for n in range(event.count)]
            return [o for at_s in times for o in (reached(who, Zone.DRAW, at_s - 0.3), drew(who, at_s))]
        case e.TakeBack() if who:
            return [lifted(who, event.card.code, t_s)]
        case e.SayUno():
            return [said("uno", t_s + 0.1)]
        case e.ColourCall() if isinstance(event.colour, Colour):
            return [said(f"colour:{event.colour.value}", t_s)]
        case e.Catch():
            return [said("catch", t_s)]
        case e.Challenge():
            return [said("challenge", t_s)]
        case e.Verdict() if event.word in ("guilty", "innocent"):
            return [said(event.word, t_s)]
        case e.Show() if who:
            return [showed(who, " ".join(card.code for card in event.cards), t_s)]
        case _:
            return []


def observed(game: RandomGame) -> list[Observation]:
    found: list[Observation] = []
    for index, item in enumerate(game.items):
        if isinstance(item, e.Entry):
            who = str(item.subject) if isinstance(item.subject, Seat) else None
            for number, event in enumerate(item.events):
                found += seen(event, who, index * STEP_S + 0.01 * number)
    return sorted(found, key=lambda o: o.t_s)


def told(game: RandomGame, observations: list[Observation]) -> set[Foul]:
    scribe = Scribe(game.profile, TableStart(game.seats, game.dealer))
    written = [w for o in observations for w in scribe.take(o) if isinstance(w, Judged)]
    return {
        (i.code, str(i.seat), int((w.t_s + 1) // STEP_S))
        for w in written
        for i in w.ruling.incidents
        if i.kind == "foul"
    }


def on_purpose(game: RandomGame) -> set[Foul]:
    """The fouls that the judge finds in the true record."""
    table = Table(game.profile, game.seats, game.dealer)
    return {
        (i.code, str(i.seat), index)
        for index, item in enumerate(game.items)
        for i in table.push(item).incidents
        if i.kind == "foul"
    }


def test_what_is_seen_whole_is_ruled_whole(rounds: list[RandomGame]) -> None:
    """All but what shows only once it is known that a player who drew had silently passed."""
    wanted, found = [on_purpose(game) for game in rounds], [told(game, observed(game)) for game in rounds]
    assert all(some <= all_of_it for some, all_of_it in zip(found, wanted, strict=True))
    assert sum(map(len, found)) >= 0.97 * sum(map(len, wanted)) > 20


def test_one_move_that_nobody_saw_makes_hardly_anyone_a_culprit(rounds: list[RandomGame]) -> None:
    """The hand was seen at the pile, the card was not: what then looks like fouls is asked about."""
    accused: list[tuple[int, float, set[Foul]]] = []
    trials = 0
    for number, game in enumerate(rounds):
        whole, wanted = observed(game), on_purpose(game)
        moves = [n for n, o in enumerate(whole) if isinstance(o, CardLanded | CardsDrawn) and o.t_s > STEP_S]
        for at in Random(number).sample(moves, min(6, len(moves))):
            trials += 1
            if more := told(game, [o for n, o in enumerate(whole) if n != at]) - wanted:
                accused.append((number, whole[at].t_s, more))
    assert trials > 60
    assert len(accused) <= 0.03 * trials, accused
