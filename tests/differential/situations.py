"""Random moments of a round, with real cards in every hand."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from referee.cards import Card, Colour, Seat, Symbol, deck_counts
from referee.rules.table import Table

WILD_DRAW_FOUR = Card(Symbol.WILD_DRAW_FOUR)


@dataclass(frozen=True, slots=True)
class Situation:
    """Hands by seat, the top card with the colour in force, the direction (1 clockwise, -1), and who is to move."""

    hands: dict[Seat, tuple[Card, ...]]
    top: Card
    colour: Colour
    direction: int
    turn: Seat

    @property
    def hand(self) -> tuple[Card, ...]:
        """The hand of the seat to move."""
        return self.hands[self.turn]

    def position(self, *shown: Seat) -> str:
        """The situation as a position; only the hands of `shown` are open, of the others the number is told."""
        told = (
            f"{seat}:{','.join(map(str, hand)) if seat in shown else len(hand)}" for seat, hand in self.hands.items()
        )
        return f"{self.top} {self.colour} {'>' if self.direction > 0 else '<'} {self.turn} {' '.join(told)}"

    def table(self, *shown: Seat) -> Table:
        """A table of the referee in this situation."""
        return Table.from_pos(self.position(*shown))


def random_situation(rng: Random, players: int, *, draw_four_in_hand: bool) -> Situation:
    """A situation of so many players; without `draw_four_in_hand` the seat to move holds no Wild Draw Four.

    Hands of one to nine cards, short ones more often: ends of rounds matter most.
    """
    pile = sorted(deck_counts().elements(), key=str)
    rng.shuffle(pile)
    seats = Seat.first(players)
    turn = rng.choice(seats)
    hands = {}
    for seat in seats:
        size = min(rng.randint(1, 9), rng.randint(1, 9))
        if seat is turn and not draw_four_in_hand:
            pile.sort(key=lambda card: card != WILD_DRAW_FOUR)  # stable: they go to the bottom
        hands[seat] = tuple(pile.pop() for _ in range(size))
    top = pile.pop(rng.randrange(len(pile)))
    colour = top.colour or rng.choice(list(Colour))
    return Situation(hands, top, colour, rng.choice((1, -1)), turn)
