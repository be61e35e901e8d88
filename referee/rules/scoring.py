"""Points of a round (rows L1 to L5, N1): the hands that were left, and whose account they go to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.cards import Card, Seat
from referee.rules.entries import Result
from referee.rules.hand import Hand
from referee.rules.profiles import CardValues, Profile


@dataclass(frozen=True, slots=True)
class RoundScore:
    """One round on the sheet.

    hands: points left in each hand that could be counted. points: what is written for each seat this round.
    certain: False if a hand could not be counted, so that the points may be too low. line: of the result's entry.
    """

    winner: Seat
    hands: Mapping[Seat, int]
    points: Mapping[Seat, int]
    certain: bool = True
    line: int | None = None
    entry: int = -1


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A round with the totals after it.

    out: seats that the elimination has put out so far. duel: the two left play on by two-player rules. over: the game
    is won. winners: who won it (several: partners, or a tie that is shared).
    """

    number: int
    score: RoundScore
    totals: Mapping[Seat, int]
    over: bool = False
    winners: tuple[Seat, ...] = ()
    out: tuple[Seat, ...] = ()
    duel: bool = False
    tied: tuple[Seat, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """The line as one JSON object, as `--json` prints it."""
        score = self.score
        return {
            "type": "score",
            "line": score.line,
            "round": self.number,
            "winner": str(score.winner),
            "hands": {str(seat): points for seat, points in score.hands.items()},
            "points": {str(seat): points for seat, points in score.points.items()},
            "totals": {str(seat): points for seat, points in self.totals.items()},
            "certain": score.certain,
            "out": [str(seat) for seat in self.out],
            "game_over": self.over,
            "game_winners": [str(seat) for seat in self.winners],
        }


def hand_points(values: CardValues, cards: Iterable[Card]) -> int:
    """Points of the cards left in a hand."""
    return sum(map(values.of, cards))


def team_of(profile: Profile, seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """The seats that score together with `seat`: itself, and its partner opposite where partners play (row N1)."""
    if not profile.partners.enabled or len(seats) != 4:
        return (seat,)
    return tuple(seats[(seats.index(seat) + step) % 4] for step in (0, 2))


def score_round(
    profile: Profile,
    result: Result,
    ledger: Mapping[Seat, Hand],
    seats: tuple[Seat, ...],
    *,
    entry: int = -1,
) -> RoundScore:
    """Count a round. seats: who played it. ledger: what is known of the hands that nobody counted.

    Cards laid open are counted by the profile's values, whatever was said; points said count where no cards were
    shown; a hand known card by card counts too. Any other hand leaves the score uncertain.
    """
    values = profile.score.values
    said = {hand.seat: hand for hand in result.hands}
    hands: dict[Seat, int] = {}
    certain = True
    for seat in seats:
        counted, known = said.get(seat), ledger.get(seat)
        if counted is not None and counted.cards is not None:
            hands[seat] = hand_points(values, counted.cards)
        elif seat is result.winner:
            continue
        elif counted is not None:
            hands[seat] = counted.points
        elif known is not None and known.complete:
            hands[seat] = hand_points(values, known.known)
        else:
            certain = False
    return RoundScore(
        result.winner, hands, _points(profile, result.winner, hands, seats), certain, result.line, entry
    )


def _points(profile: Profile, winner: Seat, hands: Mapping[Seat, int], seats: tuple[Seat, ...]) -> dict[Seat, int]:
    if profile.score.to == "nobody":
        return {}
    team = team_of(profile, seats, winner) if winner in seats else (winner,)
    if profile.score.to == "round_winner":
        total = sum(points for seat, points in hands.items() if seat not in team)
        return dict.fromkeys(team, total)
    own = {seat: 0 if seat is winner else hands.get(seat, 0) for seat in seats}
    teams = {seat: team_of(profile, seats, seat) for seat in seats}
    return {seat: sum(own[mate] for mate in teams[seat]) for seat in seats}
