"""RLCard's UNO, spoken to in the referee's cards and seats.

RLCard deals and draws for itself; a situation is put on its table by setting what its own dealing would have set.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from referee.cards import Card, Colour, Seat, Symbol, deck_counts
from tests.differential.situations import Situation

_TRAITS = {
    Symbol.SKIP: "skip",
    Symbol.REVERSE: "reverse",
    Symbol.DRAW_TWO: "draw_2",
    Symbol.WILD: "wild",
    Symbol.WILD_DRAW_FOUR: "wild_draw_4",
}
_SYMBOLS = {trait: symbol for symbol, trait in _TRAITS.items()}
_COLOURS = {colour.value.lower(): colour for colour in Colour}


@dataclass(frozen=True, slots=True)
class RlcardEngine:
    """`uno` is the package rlcard.games.uno."""

    uno: Any

    def deal(self, players: int, seed: int) -> RlcardRound:
        """A round as RLCard deals it."""
        game = self.uno.Game(num_players=players)
        game.np_random.seed(seed)
        game.init_game()
        return RlcardRound(game)

    def at(self, situation: Situation) -> RlcardRound:
        """A round in this situation; the cards in no hand are the draw pile, in the order of their codes."""
        found = self.deal(len(situation.hands), seed=0)
        game = found.game
        rest = deck_counts()
        rest.subtract([situation.top, *(card for hand in situation.hands.values() for card in hand)])
        for player, hand in zip(game.players, situation.hands.values(), strict=True):
            player.hand = [self._card(card) for card in hand]
        game.dealer.deck = [self._card(card) for card in sorted(rest.elements(), key=str)]
        game.round.target = self._card(situation.top, situation.colour)
        game.round.played_cards = [game.round.target]
        game.round.direction = situation.direction
        game.round.current_player = situation.turn - 1
        return found

    def _card(self, card: Card, colour: Colour | None = None) -> Any:
        kind = "wild" if card.is_wild else "number" if card.symbol.is_number else "action"
        shown = card.colour or colour or Colour.RED
        return self.uno.card.UnoCard(kind, shown.value.lower(), _TRAITS.get(card.symbol, card.symbol.value))


@dataclass(frozen=True, slots=True)
class RlcardRound:
    """A round on RLCard's table."""

    game: Any

    @property
    def situation(self) -> Situation:
        """What lies and who holds what now."""
        table = self.game.round
        hands = {
            Seat(number): tuple(_face(card) for card in player.hand)
            for number, player in enumerate(self.game.players, start=1)
        }
        target = table.target
        return Situation(hands, _face(target), _COLOURS[target.color], table.direction, self.turn)

    @property
    def turn(self) -> Seat:
        """Whose move it is."""
        return Seat(self.game.round.current_player + 1)

    @property
    def sizes(self) -> dict[Seat, int]:
        """Cards in each hand."""
        return {Seat(number): len(player.hand) for number, player in enumerate(self.game.players, start=1)}

    @property
    def winner(self) -> Seat | None:
        """Who went out."""
        table = self.game.round
        return Seat(table.winner[0] + 1) if table.is_over else None

    @property
    def unseen(self) -> int:
        """Cards in the draw pile."""
        return len(self.game.dealer.deck)

    def legal_faces(self) -> frozenset[Card]:
        """The cards that may be laid; none where RLCard says `draw`. A wild must be on offer in all four colours."""
        offered: Counter[Card] = Counter()
        for action in set(self.game.get_legal_actions()) - {"draw"}:
            offered[_named(action)] += 1
        assert all(times == 4 for card, times in offered.items() if card.is_wild), offered
        return frozenset(offered)

    def lay(self, card: Card, colour: Colour) -> None:
        """The seat to move lays a card; `colour` is the one named with a wild."""
        shown = card.colour or colour
        self.game.step(f"{shown.value.lower()}-{_TRAITS.get(card.symbol, card.symbol.value)}")

    def draw(self) -> None:
        """The seat to move draws; RLCard may lay the drawn card by itself."""
        self.game.step("draw")


def _face(card: Any) -> Card:
    return _named(card.color + "-" + card.trait)


def _named(action: str) -> Card:
    colour, _, trait = action.partition("-")
    symbol = _SYMBOLS.get(trait) or Symbol(trait)
    return Card(symbol, None if symbol.is_wild else _COLOURS[colour])
