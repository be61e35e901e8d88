"""Whole rounds made up by chance, with real cards in hidden hands: for films, and for tests of the judge.

A round follows its profile, so that a judge has nothing to say about it, unless `foul_rate` asks for fouls. Each foul
is put right at once, as a table with a referee would.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeAlias, get_args

from referee.cards import Card, Colour, Seat, Symbol
from referee.rules import entries as e
from referee.rules.judge.bench import deck_of
from referee.rules.profiles import Profile, load_profile
from referee.rules.table import Table

FoulKind: TypeAlias = Literal["wrong_card", "wrong_seat", "two_cards", "too_many", "pass_at_once", "missed"]
FOUL_KINDS: tuple[FoulKind, ...] = get_args(FoulKind)


@dataclass(frozen=True, slots=True)
class RandomGame:
    """A round: who was dealt what, and all that happened.

    drawn: for every entry that draws, the true cards in order, whatever the entry says was seen. fouls: index into
    `items` and code of each foul that was made on purpose. finished: somebody went out and the hands were counted.
    """

    profile: Profile
    seats: tuple[Seat, ...]
    dealer: Seat
    deal: Mapping[Seat, tuple[Card, ...]]
    items: tuple[e.Entry | e.Result, ...]
    drawn: Mapping[int, tuple[Card, ...]]
    fouls: tuple[tuple[int, str], ...]
    finished: bool


def play_round(
    rng: Random,
    profile: Profile | str = "classic-108",
    seats: int = 4,
    *,
    foul_rate: float = 0.0,
    foul_kinds: Sequence[FoulKind] = FOUL_KINDS,
    most_entries: int = 400,
    watch: Callable[[Table, Mapping[Seat, list[Card]]], None] | None = None,
    dealer: Seat | None = None,
) -> RandomGame:
    """Make up one round.

    foul_rate: chance of a foul at each move, of one of `foul_kinds`. most_entries: where a round that drags on is
    broken off. watch: called after every entry with the judge's table and the true hands. dealer: chosen by chance
    when None.
    """
    rules = load_profile(profile) if isinstance(profile, str) else profile
    game = _Round(rng, rules, seats, foul_rate, foul_kinds, watch, dealer)
    return game.play(most_entries)


class _NothingLeft(Exception):
    """Both piles are empty: the end of a round, not an error."""


class _Round:
    """A round being played."""

    def __init__(
        self,
        rng: Random,
        profile: Profile,
        seats: int,
        foul_rate: float,
        foul_kinds: Sequence[FoulKind],
        watch: Callable[[Table, Mapping[Seat, list[Card]]], None] | None,
        dealer: Seat | None,
    ) -> None:
        self.rng = rng
        self.profile = profile
        self.foul_rate = foul_rate
        self.foul_kinds = foul_kinds
        self.watch = watch
        self.table = Table(profile, seats, dealer=dealer or Seat(rng.randint(1, seats)))
        self.pile = list(Counter(deck_of(profile)).elements())
        rng.shuffle(self.pile)
        ring = self.table.state.seats
        self.hands = {seat: [self.pile.pop() for _ in range(profile.setup.hand_size)] for seat in ring}
        self.deal = {seat: tuple(hand) for seat, hand in self.hands.items()}
        self.discard: list[Card] = []
        self.items: list[e.Entry | e.Result] = []
        self.drawn: dict[int, tuple[Card, ...]] = {}
        self.fouls: list[tuple[int, str]] = []

    def play(self, most_entries: int) -> RandomGame:
        """Play until somebody goes out, nothing is left to draw, or the round drags on."""
        finished = False
        dealer = self.table.state.dealer or self.table.state.seats[-1]
        try:
            self._open()
            while len(self.items) < most_entries and not finished:
                self._serve_debts()
                if not all(self.hands.values()):
                    self._count_hands()
                    finished = True
                elif not (self.foul_rate and self.rng.random() < self.foul_rate and self._foul()):
                    self._move()
        except _NothingLeft:
            finished = False
        items, drawn, fouls = tuple(self.items), dict(self.drawn), tuple(self.fouls)
        return RandomGame(self.profile, self.table.state.seats, dealer, self.deal, items, drawn, fouls, finished)

    # what lies and what is held

    def _push(self, subject: e.Subject, *events: e.Event) -> None:
        entry = e.Entry(subject, events)
        self.items.append(entry)
        self.table.push(entry)
        if self.watch:
            self.watch(self.table, self.hands)

    def _take(self, count: int) -> list[Card]:
        cards = []
        for _ in range(count):
            if not self.pile:
                self._refill()
            cards.append(self.pile.pop())
        return cards

    def _refill(self) -> None:
        kept = self.discard[-1:] if self.profile.reshuffle.keep_top else []
        self.pile = self.discard[: len(self.discard) - len(kept)]
        self.discard = list(kept)
        if not self.pile:
            raise _NothingLeft
        self.rng.shuffle(self.pile)
        self._push("table", e.Reshuffle(len(self.pile)))
        if not kept:
            self._turn_up()

    def _turn_up(self) -> None:
        """Turn up a number: what an action card does after a refill no sheet says."""
        place = next((i for i in reversed(range(len(self.pile))) if not self.pile[i].is_action), None)
        if place is None:
            raise _NothingLeft
        card = self.pile.pop(place)
        self.discard.append(card)
        self._push("dealer", e.Opening(card))

    def _open(self) -> None:
        while True:
            card = self.pile[-1]
            effect = (
                "number" if not card.is_action else str(self.profile.value(f"start_card.{card.symbol.name.lower()}"))
            )
            if effect not in ("redraw", "first_player_names_colour_and_swaps"):
                break
            self.pile.insert(self.rng.randrange(len(self.pile) // 2), self.pile.pop())
        self.discard.append(self.pile.pop())
        self._push("dealer", e.Opening(card, self._colour(None) if card.is_wild else None))

    def _draw(self, seat: Seat, count: int, cause: e.Cause | None, *more: e.Event) -> list[Card]:
        cards = self._take(count)
        self.hands[seat] += cards
        self.drawn[len(self.items)] = tuple(cards)
        self._push(seat, e.Draw(count, cause), *more)
        return cards

    def _serve_debts(self) -> None:
        while self.table.owed:
            debt = self.table.owed[0]
            if debt.loses_turn and self._stack(debt.seat):
                continue
            count = debt.left if self.rng.random() < 0.7 else 1
            done = count == debt.left and debt.loses_turn and self.rng.random() < 0.5
            self._draw(debt.seat, count, debt.cause, *([e.Pass()] if done else []))

    def _stack(self, seat: Seat) -> bool:
        cards = self.table.legal(seat, self.hands[seat])
        if not cards or self.rng.random() < 0.3:
            return False
        self._lay(seat, self.rng.choice(cards))
        return True

    # moves by the rules

    def _move(self) -> None:
        if self._jump_in():
            return
        seat = self._mover()
        cards = self.table.legal(seat, self.hands[seat])
        must = not self.profile.turn.may_decline
        if cards and (must or self.rng.random() < 0.9):
            self._lay(seat, self.rng.choice(cards))
        else:
            self._draw_and_go_on(seat)

    def _mover(self) -> Seat:
        """Whose move it is: after a player who drew and said nothing, the next one's."""
        state = self.table.state
        return state.following(state.turn) if state.drawn else state.turn

    def _draw_and_go_on(self, seat: Seat) -> None:
        turn = self.profile.turn
        drawn = self._draw(seat, 1, "turn" if self.rng.random() < 0.5 else None)
        while turn.draw == "until_playable" and not self._playable(seat, drawn[-1]):
            drawn = self._draw(seat, 1, "turn")
        if self.table.state.turn is not seat:
            return  # the table's rules end the turn with the draw
        playable = self._playable(seat, drawn[-1])
        if playable and (turn.drawn_card == "must_play" or self.rng.random() < 0.8):
            self._lay(seat, drawn[-1])
        elif self.rng.random() < 0.7:
            self._push(seat, e.Pass())

    def _playable(self, seat: Seat, card: Card) -> bool:
        """Whether the card just drawn may be laid, by the whole hand."""
        return card in self.table.legal(seat, self.hands[seat])

    def _jump_in(self) -> bool:
        if self.profile.house.jump_in == "none" or self.rng.random() < 0.5 or self.table.top is None:
            return False
        for seat in self.table.state.active:
            if seat is self._mover() or self.table.top not in self.hands[seat]:
                continue
            if self.table.top in self.table.legal(seat, self.hands[seat]):
                self._lay(seat, self.table.top, jump=True)
                return True
        return False

    def _lay(self, seat: Seat, card: Card, *, jump: bool = False) -> None:
        hand = self.hands[seat]
        hand.remove(card)
        last = not hand
        self.discard.append(card)
        target = self._target(seat, card, last=last)
        colour = self._colour(self.table.colour) if card.is_wild and not last else None
        early = len(hand) == 1 and self.profile.uno.call_from != "card_lands"
        early = early and (self.profile.uno.call_until == "card_lands" or self.rng.random() < 0.5)
        spoken = colour is not None and self.rng.random() < 0.3
        play = e.Play((card,), colour=None if spoken else colour, target=target, jump=jump)
        said = [e.ColourCall(colour)] if spoken and colour is not None else []
        self._exchange(seat, card, target, last=last)
        self._push(seat, *([e.SayUno()] if early else []), play, *said)
        self._call_uno()
        if card.symbol is Symbol.WILD_DRAW_FOUR and not last:
            self._challenge(seat)

    def _call_uno(self) -> None:
        if self.profile.uno.call_until == "card_lands":
            return
        for last in self.table.uno_window:
            self._push(last.seat, e.SayUno())

    def _challenge(self, player: Seat) -> None:
        four, wdf = self.table.state.draw_four, self.profile.wild_draw_four
        if four is None or wdf.enforcement != "challenge" or wdf.challenge == "nobody" or self.rng.random() < 0.7:
            return
        self._push(four.victim, e.Challenge(), e.Show(tuple(self.hands[player])), e.Verdict("innocent"))

    def _colour(self, before: Colour | None) -> Colour:
        choice = [colour for colour in Colour if self.profile.wild.may_keep_colour or colour is not before]
        return self.rng.choice(choice)

    def _target(self, seat: Seat, card: Card, *, last: bool) -> Seat | None:
        seven = card.symbol is Symbol.SEVEN and self.profile.house.seven_zero in ("seven_swaps", "both")
        wild = card.symbol is Symbol.WILD_SWAP_HANDS
        if last and (seven or self.profile.finish.hands_card == "plain_wild"):
            return None
        if not (seven or wild):
            return None
        return self.rng.choice([other for other in self.table.state.active if other is not seat])

    def _exchange(self, seat: Seat, card: Card, target: Seat | None, *, last: bool) -> None:
        hands, active = self.hands, self.table.state.active
        if target is not None:
            hands[seat], hands[target] = hands[target], hands[seat]
        elif card.symbol is Symbol.ZERO and self.profile.house.seven_zero in ("zero_rotates", "both") and not last:
            state = self.table.state
            hands.update({state.following(other): hands[other] for other in active})
        elif card.symbol is Symbol.WILD_SHUFFLE_HANDS and not (
            last and self.profile.finish.hands_card == "plain_wild"
        ):
            cards = [c for other in active for c in hands[other]]
            self.rng.shuffle(cards)
            start = active.index(seat) + 1
            order = active[start:] + active[:start]
            hands.update({other: cards[place :: len(order)] for place, other in enumerate(order)})

    def _count_hands(self) -> None:
        winner = next(seat for seat, hand in self.hands.items() if not hand)
        values = self.profile.score.values
        counted = tuple(
            e.HandCount(seat, sum(map(values.of, hand)), tuple(hand))
            for seat, hand in self.hands.items()
            if seat is not winner
        )
        result = e.Result(winner, counted)
        self.items.append(result)
        self.table.push(result)

    # fouls

    def _foul(self) -> bool:
        """Make one foul of a kind that is possible now, and put it right; False if that kind is not possible."""
        kind = self.rng.choice(self.foul_kinds)
        return bool(getattr(self, f"_{kind}")())

    def _mark(self, code: str) -> None:
        self.fouls.append((len(self.items), code))

    def _wrong_card(self) -> bool:
        seat = self.table.state.turn
        fitting = self.table.legal(seat, self.hands[seat])
        wrong = [c for c in self.hands[seat] if c not in fitting and not c.is_wild]
        if not wrong or self.table.state.drawn or self.profile.foul.remedy == "announce_only":
            return False
        self._mark("illegal_play")
        self._lay_wrongly(seat, self.rng.choice(wrong))
        return True

    def _wrong_seat(self) -> bool:
        state = self.table.state
        others = [
            seat for seat in state.active if seat not in (state.turn, state.mover) and seat not in state.skipped
        ]
        if not others or not state.moves or state.drawn or self.table.colour is None:
            return False
        seat = self.rng.choice(others)
        fitting = [c for c in self.hands[seat] if c.colour is self.table.colour and c != self.table.top]
        if not fitting or len(self.hands[seat]) == 1:
            return False
        self._mark("out_of_turn")
        self._lay_wrongly(seat, self.rng.choice(fitting))
        return True

    def _lay_wrongly(self, seat: Seat, card: Card) -> None:
        self._push(seat, e.Play((card,)))
        self._push(seat, e.TakeBack(card))

    def _too_many(self) -> bool:
        seat = self.table.state.turn
        if self.profile.turn.draw != "one" or self.table.state.drawn or not self.profile.turn.may_decline:
            return False
        if self.profile.turn.drawn_card != "may_play":
            return False
        self._draw(seat, 2, "turn", e.Pass())
        self.fouls.append((len(self.items) - 1, "drew_too_many"))  # a refill may have come before it
        return True

    def _two_cards(self) -> bool:
        """A second card of the same colour after a number, taken back at once."""
        seat = self.table.state.turn
        hand = self.hands[seat]
        first = [c for c in self.table.legal(seat, hand) if c.symbol.is_number and c.symbol.value not in "07"]
        if self.table.state.drawn or len(hand) < 4 or not first or len(self.table.state.active) < 3:
            return False
        card = self.rng.choice(first)
        second = [c for c in hand if c.colour is card.colour and c != card]
        if not second:
            return False
        self._lay(seat, card)
        self._mark("multiple_cards")
        self._lay_wrongly(seat, self.rng.choice(second))
        return True

    def _pass_at_once(self) -> bool:
        if self.table.state.drawn or self.profile.turn.pass_without_draw == "allowed":
            return False
        seat = self.table.state.turn
        self._mark("passed_without_drawing")
        self._push(seat, e.Pass())
        self._draw(seat, 1, "turn")
        return True

    def _missed(self) -> bool:
        """A player with two cards lays one, forgets to call, and is caught."""
        seat = self.table.state.turn
        numbers = [
            c
            for c in self.table.legal(seat, self.hands[seat])
            if not c.is_action and c.symbol not in (Symbol.SEVEN, Symbol.ZERO)
        ]
        if len(self.hands[seat]) != 2 or not numbers:
            return False
        card = self.rng.choice(numbers)
        self.hands[seat].remove(card)
        self.discard.append(card)
        self._push(seat, e.Play((card,)))
        catcher = self.rng.choice([other for other in self.table.state.active if other is not seat])
        self._mark("missed_uno")
        self._push(catcher, e.Catch(seat))
        return True
