"""Rounds made up by chance as scripts of films: what the rules room plays, as far as a camera and ears can see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from referee.cards import Seat
from referee.rules.entries import Draw, Entry, Event, Item, Opening, Play, Reshuffle, Show, Tag
from referee.rules.judge.bench import deck_of
from referee.rules.profiles import Profile, load_profile
from referee.rules.random_games import FoulKind, RandomGame, play_round
from referee.rules.table import Table

NAMES = ("Ana", "Bruno", "Carla", "Dario", "Elena", "Felipe")
"""Who sits at P1, P2, …"""

BASE_PROFILE = "classic-108"
PROFILE_FILE = "table.toml"

FILMED_FOULS: tuple[FoulKind, ...] = ("wrong_card", "wrong_seat", "two_cards", "too_many", "missed")
"""A pass without a draw is silent: no camera sees it."""

_LARGEST_HAND = 9  # more cards do not lie side by side at a place


@dataclass(frozen=True, slots=True)
class RandomScript:
    """A round to film. profile_toml: the text of the profile file that the session needs, None for a preset."""

    items: tuple[Item, ...]
    profile: Profile
    profile_toml: str | None


def random_script(
    seed: int,
    seats: int,
    *,
    foul_rate: float = 0.0,
    hand_size: int = 7,
    moves: tuple[int, int] = (10, 32),
    most_tries: int = 1000,
    rounds: int = 1,
) -> RandomScript:
    """A whole round that can be filmed, or several one after the other, with tags and without times.

    moves: fewest and most cards laid and drawn in each, which make its length (about 2.6 s each). The same arguments
    give the same rounds. ValueError when the deck is too small or no round of that length is found.
    """
    base = load_profile(BASE_PROFILE)
    profile, text, named = base, None, BASE_PROFILE
    if hand_size != base.setup.hand_size:
        profile = replace(base, setup=replace(base.setup, hand_size=hand_size))
        text = f'extends = "{BASE_PROFILE}"\n\n[setup]\nhand_size = {hand_size}\n'
        named = PROFILE_FILE
    cards = sum(deck_of(profile).values())
    if seats * hand_size >= cards // 2 + 20:
        raise ValueError(f"a deck of {cards} cards is too small to deal {hand_size} to each of {seats} players")

    def one_round(what: str, dealer: Seat | None) -> RandomGame:
        for number in range(most_tries):
            rng = Random(f"{what} {number}")
            game = play_round(
                rng,
                profile,
                seats,
                foul_rate=foul_rate,
                foul_kinds=FILMED_FOULS,
                most_entries=200,
                dealer=dealer,
            )
            if game.finished and moves[0] <= _moves(game) <= moves[1] and _can_be_filmed(game):
                return game
        raise ValueError(
            f"no round of {moves[0]} to {moves[1]} moves was found: allow more, or deal another number of cards"
        )

    games = [one_round(f"film {seed}", None)]
    for number in range(1, rounds):
        games.append(one_round(f"film {seed} round {number + 1}", _next_dealer(games[-1])))
    tags = [Tag("UGN", "1"), Tag("Profile", named)]
    tags += [Tag(str(seat), NAMES[seat - 1]) for seat in games[0].seats]
    items = [item for game in games for item in game.items]
    return RandomScript((*tags, Tag("Dealer", str(games[0].dealer)), *items), profile, text)


def _next_dealer(game: RandomGame) -> Seat:
    """Who deals the round after `game`, by its profile."""
    table = Table(game.profile, game.seats, dealer=game.dealer)
    for item in game.items:
        table.push(item)
    table.deal()
    return table.state.dealer or game.dealer


def _events(game: RandomGame) -> list[Event]:
    return [event for item in game.items if isinstance(item, Entry) for event in item.events]


def _moves(game: RandomGame) -> int:
    events = _events(game)
    return sum(isinstance(e, Play) for e in events) + sum(e.count for e in events if isinstance(e, Draw))


def _can_be_filmed(game: RandomGame) -> bool:
    """No wild card turned up first (nobody's arm names its colour), no empty draw pile, no hand too large to show."""
    events = _events(game)
    if any(isinstance(e, Reshuffle) or (isinstance(e, Opening) and e.card.is_wild) for e in events):
        return False
    shown = [len(e.cards) for e in events if isinstance(e, Show)]
    result = game.items[-1]
    if not isinstance(result, Entry):
        shown += [len(hand.cards) for hand in result.hands if hand.cards is not None]
    return max(shown, default=0) <= _LARGEST_HAND
