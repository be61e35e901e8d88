"""How many entries a second the judge rules on: `python benchmarks/judge.py [--games 200] [--players 4]`.

With RLCard installed (the extra group of the differential tests), random games are played by RLCard, its `env.step`
is timed, and the same games are judged; else rounds made up by the referee are judged. Times are CPU times of one
thread. Three players or more: with two, RLCard's Reverse does nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from rich.console import Console

from referee.cards import Card, Colour, Seat, Symbol
from referee.rules import entries as e
from referee.rules.random_games import play_round
from referee.rules.table import Table

_TRAITS = {"skip": "S", "reverse": "R", "draw_2": "D", "wild": "W", "wild_draw_4": "W4"}


@dataclass
class Games:
    """Games to judge: how each table starts, and what happened; RLCard's steps and the time they took."""

    tables: list[Callable[[], Table]] = field(default_factory=list)
    items: list[list[e.Entry | e.Result]] = field(default_factory=list)
    steps: int = 0
    step_s: float = 0.0


def made_up(games: int, players: int) -> Games:
    """Rounds made up by the referee itself."""
    found = Games()
    for seed in range(games):
        game = play_round(Random(seed), "classic-108", players)
        found.tables.append(partial(Table, "classic-108", players, game.dealer))
        found.items.append(list(game.items))
    return found


def from_rlcard(games: int, players: int) -> Games:
    """Random games of RLCard, written down as entries; only `env.step` is timed."""
    rlcard: Any = importlib.import_module("rlcard")
    env = rlcard.make("uno", config={"seed": 1})
    env.game.configure({"game_num_players": players})
    rng = Random(1)
    found = Games()
    for _ in range(games):
        state, seat = env.reset()
        position = _position(env.game)
        found.tables.append(partial(Table.from_pos, position))
        items: list[e.Entry | e.Result] = []
        while not env.is_over():
            action = rng.choice(list(state["legal_actions"]))
            said, target = env._decode_action(action), env.game.round.target
            left = len(env.game.dealer.deck)
            begun = time.thread_time_ns()
            state, after = env.step(action)
            found.step_s += (time.thread_time_ns() - begun) / 1e9
            found.steps += 1
            if len(env.game.dealer.deck) > left:
                items.append(e.Entry("table", (e.Reshuffle(),)))
            items += _entries(Seat(seat + 1), said, target, env.game, players)
            seat = after
        found.items.append(items)
    return found


def _position(game: Any) -> str:
    top, arrow = game.round.target, ">" if game.round.direction > 0 else "<"
    hands = " ".join(f"P{number}:{len(player.hand)}" for number, player in enumerate(game.players, start=1))
    return f"{_card(top).code} {top.color[0].upper()} {arrow} P{game.round.current_player + 1} {hands}"


def _card(card: Any) -> Card:
    symbol = _TRAITS.get(card.trait, card.trait)
    return Card.parse(symbol if symbol.startswith("W") else card.color[0].upper() + symbol)


def _entries(seat: Seat, said: str, before: Any, game: Any, players: int) -> list[e.Entry | e.Result]:
    """What one step of RLCard is at a table: a card, or a draw and perhaps that card; then the next one's draws."""
    top = game.round.target
    events: list[e.Event] = [e.Draw(1, "turn")] if said == "draw" else []
    if said == "draw" and top is before:
        return [e.Entry(seat, (*events, e.Pass()))]
    card = _card(top)
    if said == "draw" and card.symbol is Symbol.WILD_DRAW_FOUR:
        card = Card(Symbol.WILD)  # RLCard lays a drawn +4 at once, and nobody draws for it
    events.append(e.Play((card,), colour=Colour(top.color[0].upper()) if card.is_wild else None))
    found: list[e.Entry | e.Result] = [e.Entry(seat, tuple(events))]
    count = {"D": 2, "W4": 4}.get(card.symbol.value)
    if count:
        victim = Seat((seat - 1 + game.round.direction) % players + 1)
        found.append(e.Entry(victim, (e.Draw(count, "d2" if count == 2 else "w4"),)))
    return found


def judge(games: Games) -> tuple[int, float, int]:
    """Entries judged, the seconds it took, and the incidents found."""
    entries = incidents = 0
    spent_s = 0.0
    for start, items in zip(games.tables, games.items, strict=True):
        table = start()
        begun = time.thread_time_ns()
        for item in items:
            table.push(item)
        spent_s += (time.thread_time_ns() - begun) / 1e9
        entries += len(items)
        incidents += len(table.incidents)
    return entries, spent_s, incidents


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=4)
    arguments = parser.parse_args()
    console = Console()
    with_rlcard = importlib.util.find_spec("rlcard") is not None
    games = (from_rlcard if with_rlcard else made_up)(arguments.games, arguments.players)
    entries, spent_s, incidents = judge(games)
    console.print(f"judge: {entries} entries, {entries / spent_s:,.0f} a second, {incidents} incidents")
    if with_rlcard:
        console.print(f"RLCard: {games.steps} steps, {games.steps / games.step_s:,.0f} a second (the same games)")
    else:
        console.print("RLCard is not installed: nothing to compare with")


if __name__ == "__main__":
    main()
