"""A written game judged from its first entry to its last, with the score sheet of its rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.cards import Seat
from referee.faults import InputFault
from referee.rules import entries as e
from referee.rules.profiles import Profile
from referee.rules.ruling import Incident, Remark, Ruling
from referee.rules.scoring import SheetLine, score_round
from referee.rules.scoring_sheet import Match
from referee.rules.table import Table
from referee.rules.ugn import Fault


@dataclass(frozen=True, slots=True)
class Replay:
    """What a game was judged to be under one profile.

    rulings: one for each entry and result. incidents: those that stand. remarks: for the log. sheet: the score, a
    line a round. faults: what the record says that cannot be under this profile.
    """

    profile: Profile
    seats: tuple[Seat, ...]
    rulings: tuple[Ruling, ...]
    incidents: tuple[Incident, ...]
    remarks: tuple[Remark, ...]
    sheet: tuple[SheetLine, ...]
    faults: tuple[Fault, ...]
    last_position: str

    def with_causes(self, items: Sequence[e.Item]) -> tuple[e.Item, ...]:
        """The items with the cause of every draw, as the judge understood it."""
        judged = iter(self.rulings)
        return tuple(item if isinstance(item, e.Tag) else _caused(item, next(judged)) for item in items)


def _caused(item: e.Entry | e.Result, ruling: Ruling) -> e.Entry | e.Result:
    if isinstance(item, e.Result) or not any(isinstance(event, e.Draw) for event in item.events):
        return item
    causes = iter(ruling.causes)
    events = tuple(replace(ev, cause=next(causes, "turn")) if isinstance(ev, e.Draw) else ev for ev in item.events)
    return replace(item, events=events)


def replay_items(items: Sequence[e.Item], profile: Profile, seats: tuple[Seat, ...]) -> Replay:
    """Judge the items of a record. Raises InputFault when the profile does not seat so many players."""
    run = _Run(items, profile, seats)
    for number, item in enumerate(items):
        if isinstance(item, e.Tag):
            run.tag(item, number)
        else:
            run.entry(item)
    table = run.table
    return Replay(
        profile,
        seats,
        table.rulings,
        table.incidents,
        table.remarks,
        run.match.lines,
        tuple(run.faults),
        table.pos(),
    )


class _Run:
    """A replay on its way through a record."""

    def __init__(self, items: Sequence[e.Item], profile: Profile, seats: tuple[Seat, ...]) -> None:
        self.items = items
        self.match = Match(profile, seats)
        self.faults: list[Fault] = []
        self.table = Table(profile, seats, dealer=_dealer(items, profile, seats))

    def tag(self, tag: e.Tag, number: int) -> None:
        """A position or a dealer sets the table for what follows."""
        if tag.name == "Pos":
            try:
                self.table.set_position(tag.value, dealer=_named_dealer(self.items))
            except InputFault as fault:
                if fault.what not in {known.what for known in self.faults}:
                    self.faults.append(Fault(tag.line or 1, 1, f"[Pos] {fault.what}", fault.mend))
                first = _first_mover(self.items[number:]) or self.table.state.turn
                self.table.set_unknown(first)
        elif tag.name == "Dealer" and self.table.rulings and tag.value in Seat.__members__:
            dealer = Seat[tag.value]
            if dealer in self.match.playing:
                self.table.deal(dealer, self.match.playing)

    def entry(self, item: e.Entry | e.Result) -> None:
        """Judge an entry; a result goes on the sheet, and the next round is dealt to those still in the game."""
        before = self.table.state
        self.table.push(item)
        if not isinstance(item, e.Result):
            return
        seats = tuple(seat for seat in self.match.playing if seat in before.seats)
        line = self.match.add(
            score_round(self.table.profile, item, before.hands, seats, entry=len(self.table.rulings) - 1)
        )
        if line.out and not line.over:
            self.table.deal(None, self.match.playing)


def _named_dealer(items: Sequence[e.Item]) -> Seat | None:
    for item in items:
        if isinstance(item, e.Tag) and item.name == "Dealer" and item.value.upper() in Seat.__members__:
            return Seat[item.value.upper()]
    return None


def _first_mover(items: Sequence[e.Item]) -> Seat | None:
    """The first seat that moves."""
    moves = (e.Play, e.Draw, e.Pass)
    for item in items:
        if isinstance(item, e.Entry) and any(isinstance(event, moves) for event in item.events):
            return item.subject if isinstance(item.subject, Seat) else None
    return None


def _dealer(items: Sequence[e.Item], profile: Profile, seats: tuple[Seat, ...]) -> Seat:
    """The dealer as written; where nobody wrote it, one with whom the round begins as it should."""
    named = _named_dealer(items)
    if named in seats:
        return named
    opening = [item for item in items if isinstance(item, e.Entry)][:6]
    for dealer in (seats[-1], *seats[:-1]):
        table = Table(profile, seats, dealer=dealer)
        for entry in opening:
            ruling = table.push(entry)
            if any(i.code in ("wrong_first_player", "out_of_turn", "start_effect_missed") for i in ruling.incidents):
                break
            if any(isinstance(event, (e.Play, e.Draw, e.Pass)) for event in entry.events):
                return dealer
    return seats[-1]
