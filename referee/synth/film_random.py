"""Rounds made up by chance as scripts of films: what the rules room plays, as far as a camera and ears can see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from referee.rules.entries import Draw, Entry, Event, Item, Opening, Play, Reshuffle, Show, Tag
from referee.rules.judge.bench import deck_of
from referee.rules.profiles import Profile, load_profile
from referee.rules.random_games import FoulKind, RandomGame, play_round

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
) -> RandomScript:
    """A whole round that can be filmed, with tags and without times.

    moves: fewest and most cards laid and drawn in it, which make its length (about 2.6 s each). The same arguments
    give the same round. ValueError when the deck is too small or no round of that length is found.
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
    for number in range(most_tries):
        rng = Random(f"film {seed} {number}")
        game = play_round(rng, profile, seats, foul_rate=foul_rate, foul_kinds=FILMED_FOULS, most_entries=200)
        if game.finished and moves[0] <= _moves(game) <= moves[1] and _can_be_filmed(game):
            tags = [Tag("UGN", "1"), Tag("Profile", named)]
            tags += [Tag(str(seat), NAMES[seat - 1]) for seat in game.seats]
            return RandomScript((*tags, Tag("Dealer", str(game.dealer)), *game.items), profile, text)
    raise ValueError(
        f"no round of {moves[0]} to {moves[1]} moves was found: allow more, or deal another number of cards"
    )


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
