"""Entries judged a second beside RLCard's steps a second, on the same games: `python benchmarks/judge.py`.

RLCard deals and plays rounds with players that choose by chance; every step is written down as entries. Then RLCard
plays the same rounds again, step by step, and the referee judges their entries, in turns and one after the other on
one core. RLCard moves on by its own rules; the referee is told what happened and has to find what was wrong, who owes
what, and whose move it is. Where RLCard departs from the printed rules, the referee judges that as well.

A step of RLCard is one entry, or two where a player is dealt cards for a Draw Two or a Wild Draw Four.

    --games N    rounds (300)      --players N  at each (4)      --repeat N  times that both are measured (5)
    --hidden     only with hands that nobody sees, as at a table; without it also with every hand known

Needs the extra `differential` (RLCard). Rates are by CPU time, so that a busy machine does not change them much; the
time on the clock stands beside them. Known hands give the judge more to check.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table as Sheet

from referee.cards import Card, Colour, Seat, Symbol
from referee.rules import entries as e
from referee.rules.table import Table

SYMBOLS = {
    "skip": Symbol.SKIP,
    "reverse": Symbol.REVERSE,
    "draw_2": Symbol.DRAW_TWO,
    "wild": Symbol.WILD,
    "wild_draw_4": Symbol.WILD_DRAW_FOUR,
}
COLOURS = {colour.value.lower(): colour for colour in Colour}


@dataclass(frozen=True, slots=True)
class Round:
    """A round that RLCard played: its seed and actions, and what the referee is told, with hands hidden and open."""

    seed: int
    actions: tuple[int, ...]
    start: dict[bool, str]
    entries: dict[bool, tuple[e.Entry | e.Result, ...]]


@dataclass
class Rate:
    """Time that a number of things took."""

    name: str
    unit: str
    count: int = 0
    cpu_s: float = 0.0
    wall_s: float = 0.0

    def measure(self, count: int, run: Callable[[], object]) -> None:
        wall_s, cpu_s = time.perf_counter(), time.process_time()
        run()
        self.cpu_s += time.process_time() - cpu_s
        self.wall_s += time.perf_counter() - wall_s
        self.count += count

    @property
    def by_cpu(self) -> float:
        return self.count / self.cpu_s


@dataclass
class Recorder:
    """Plays a round with RLCard and writes down what happened."""

    env: Any
    rng: Random
    hidden: list[e.Entry | e.Result] = field(default_factory=list)
    open: list[e.Entry | e.Result] = field(default_factory=list)

    def play(self, seed: int) -> Round:
        self.env.seed(seed)
        state, _ = self.env.reset()
        start = {opened: self._position(opened) for opened in (False, True)}
        actions = []
        while not self.env.is_over():
            action = self.rng.choice(list(state["legal_actions"]))
            actions.append(action)
            state = self._step(action)
        self._count_hands()
        return Round(seed, tuple(actions), start, {False: tuple(self.hidden), True: tuple(self.open)})

    def _position(self, opened: bool) -> str:
        table = self.env.game.round
        hands = (
            f"{Seat(number)}:{','.join(face(card).code for card in player.hand) if opened else len(player.hand)}"
            for number, player in enumerate(self.env.game.players, start=1)
        )
        turn = Seat(table.current_player + 1)
        arrow = ">" if table.direction > 0 else "<"
        return f"{face(table.target)} {COLOURS[table.target.color]} {arrow} {turn} {' '.join(hands)}"

    def _step(self, action: int) -> Any:
        game = self.env.game
        table, seat, target = game.round, Seat(game.round.current_player + 1), game.round.target
        hands = [list(player.hand) for player in game.players]
        played = len(table.played_cards)
        state, _ = self.env.step(action)
        refilled = len(table.played_cards) < played
        laid = None if table.target is target else table.target
        if laid is None:
            self._refill(refilled, drawn=1)
            self._write(seat, [game.players[seat - 1].hand[-1]], e.Pass())
            return state
        play = e.Play((face(laid),), colour=COLOURS[laid.color] if laid.type == "wild" else None)
        from_hand = any(card is laid for card in hands[seat - 1])
        victims = [
            (Seat(number), player.hand[len(hand) :])
            for number, (player, hand) in enumerate(zip(game.players, hands, strict=True), start=1)
            if len(player.hand) > len(hand)
        ]
        if from_hand:
            self._tell(seat, play)
        else:
            self._refill(refilled and not victims, drawn=1)
            self._write(seat, [laid], play)
        for victim, cards in victims:
            self._refill(refilled, drawn=len(cards))
            self._write(victim, cards)
        return state

    def _tell(self, subject: e.Subject, *events: e.Event) -> None:
        self.hidden.append(e.Entry(subject, events))
        self.open.append(e.Entry(subject, events))

    def _write(self, seat: Seat, cards: list[Any], *after: e.Event) -> None:
        """Cards drawn, and what followed in the same breath."""
        self.hidden.append(e.Entry(seat, (e.Draw(len(cards)), *after)))
        self.open.append(e.Entry(seat, (e.Draw(len(cards), cards=tuple(map(face, cards))), *after)))

    def _refill(self, refilled: bool, drawn: int) -> None:
        if refilled:
            self._tell("table", e.Reshuffle(len(self.env.game.dealer.deck) + drawn))

    def _count_hands(self) -> None:
        winner = Seat(self.env.game.round.winner[0] + 1)
        hands = [(Seat(n), [face(c) for c in p.hand]) for n, p in enumerate(self.env.game.players, start=1)]
        values = Table(seats=len(hands)).profile.score.values
        counted = tuple(e.HandCount(seat, sum(map(values.of, cards)), tuple(cards)) for seat, cards in hands if cards)
        self.hidden.append(e.Result(winner, counted))
        self.open.append(e.Result(winner, counted))


def face(card: Any) -> Card:
    symbol = SYMBOLS.get(card.trait) or Symbol(card.trait)
    return Card(symbol, None if symbol.is_wild else COLOURS[card.color])


def record(env: Any, games: int) -> Iterator[Round]:
    rng = Random("judge")
    for seed in range(games):
        yield Recorder(env, rng).play(seed)


def play_again(env: Any, played: Round, rates: tuple[Rate, Rate]) -> None:
    """RLCard's public step, with what its players observe; and the bare rules below it."""

    def steps() -> None:
        for action in played.actions:
            env.step(action)

    env.seed(played.seed)
    env.reset()
    rates[0].measure(len(played.actions), steps)
    assert env.is_over()
    game, names = env.game, [action for _, action in env.action_recorder]

    def bare_steps() -> None:
        for name in names:
            game.step(name)

    env.seed(played.seed)
    game.init_game()
    rates[1].measure(len(names), bare_steps)
    assert game.is_over()


def judge(played: Round, rate: Rate, *, opened: bool) -> Table:
    entries = played.entries[opened]
    table = Table.from_pos(played.start[opened])

    def push_all() -> None:
        for entry in entries:
            table.push(entry)

    rate.measure(len(entries), push_all)
    return table


def report(rates: Sequence[Rate], games: int) -> Sheet:
    sheet = Sheet(title="The same games, one core")
    for heading in ("", "", "a second (CPU)", "a second (clock)", "beside RLCard", "games a second", "beside RLCard"):
        sheet.add_column(heading, justify="left" if not sheet.columns else "right")
    first = rates[0]
    for rate in rates:
        per_game = games / rate.cpu_s
        sheet.add_row(
            rate.name,
            rate.unit,
            f"{rate.by_cpu:,.0f}",
            f"{rate.count / rate.wall_s:,.0f}",
            f"{rate.by_cpu / first.by_cpu:.2f}",
            f"{per_game:,.0f}",
            f"{per_game / (games / first.cpu_s):.2f}",
        )
    return sheet


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--hidden", action="store_true", help="only with hands that nobody sees")
    args = parser.parse_args()
    try:
        rlcard = importlib.import_module("rlcard")
    except ImportError:
        print("RLCard is not installed: pip install '.[differential]'", file=sys.stderr)
        return 2
    env = rlcard.make("uno", config={"seed": 0})
    env.game.configure({"game_num_players": args.players})
    games = list(record(env, args.games))
    stepped = (Rate("RLCard, env.step", "steps"), Rate("RLCard, game.step (no observation)", "steps"))
    judged = {False: Rate("referee, hands hidden", "entries"), True: Rate("referee, all hands known", "entries")}
    if args.hidden:
        del judged[True]
    found: dict[bool, Counter[str]] = {opened: Counter() for opened in judged}
    for _ in range(args.repeat):
        for played in games:
            play_again(env, played, stepped)
        for opened, rate in judged.items():
            for played in games:
                table = judge(played, rate, opened=opened)
                found[opened].update(incident.code for incident in table.incidents)
    console = Console()
    console.print(report((*stepped, *judged.values()), args.games * args.repeat))
    steps, entries = sum(len(g.actions) for g in games), sum(len(g.entries[False]) for g in games)
    console.print(f"{args.games} games of {args.players}, {steps} steps, {entries} entries, {args.repeat} times")
    for opened, codes in found.items():
        told = ", ".join(f"{count // args.repeat} {code}" for code, count in codes.most_common())
        console.print(f"found with hands {'known' if opened else 'hidden'}: {told or 'nothing'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
