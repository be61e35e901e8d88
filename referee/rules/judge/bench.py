"""The bench: one entry before the judge, with the state it changes and the incidents it brings up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from referee.cards import Card, Seat, Symbol, deck_counts
from referee.rules.entries import Cause, Entry, Result
from referee.rules.judge.codes import OFFENCES, WEIGHTS
from referee.rules.judge.lines import row_of
from referee.rules.messages import Fact
from referee.rules.profiles import Profile
from referee.rules.ruling import Certainty, Incident, Kind, Remark, Withdrawn
from referee.rules.state import State


class Bench:
    """Working place for one entry.

    `state` is a working copy. `index` is the entry's place in the game, `lines` the file lines of all entries so far.
    `origin` is the state before the entry while nothing in it has changed that state. `clear` is False when the sound
    of this moment cannot be trusted: then no missed call is ruled, only asked.
    """

    incidents: tuple[Incident, ...] = ()
    remarks: tuple[Remark, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()
    causes: tuple[Cause, ...] = ()
    origin: State | None = None

    def __init__(
        self,
        profile: Profile,
        state: State,
        entry: Entry | Result,
        index: int,
        lines: Sequence[int | None],
        *,
        clear: bool = True,
    ) -> None:
        self.profile = profile
        self.state = state
        self.entry = entry
        self.index = index
        self.lines = lines
        self.clear = clear
        self.time_s = entry.time_s

    def trial(self, state: State) -> Bench:
        """A bench for the same entry over a copy of another state, with nothing found yet."""
        return Bench(self.profile, state.copy(), self.entry, self.index, self.lines, clear=self.clear)

    def adopt(self, trial: Bench) -> None:
        """Take over what a trial found and where it ended."""
        self.state = trial.state
        self.incidents += trial.incidents
        self.remarks += trial.remarks
        self.withdrawn += trial.withdrawn
        self.causes += trial.causes

    @property
    def weight(self) -> int:
        """How much was found against the players so far."""
        return sum(WEIGHTS[incident.kind] for incident in self.incidents)

    def flag(
        self,
        code: str,
        seat: Seat | None,
        *,
        variant: str = "",
        kind: Kind | None = None,
        certainty: Certainty | None = None,
        remedy: str | None = None,
        option: str = "",
        entry: int | None = None,
        **facts: Fact,
    ) -> None:
        """Bring up an incident; what is not given comes from the list of incidents."""
        offence = OFFENCES[code]
        index = self.index if entry is None else entry
        option = option or offence.option
        incident = Incident(
            code=code,
            kind=kind or offence.kind,
            certainty=certainty or offence.certainty,
            seat=seat,
            entry=index,
            line=self.line(index),
            variant=variant,
            facts={"player": seat, **facts},
            remedy=offence.remedy if remedy is None else remedy,
            option=option,
            value=self.profile.value(option),
            sources=self.profile.source_of(option, row_of(code, variant, option, self._top)),
        )
        self.incidents += (incident,)

    def remark(self, code: str, seat: Seat, *, variant: str = "", entry: int | None = None) -> None:
        """Keep something for the log."""
        index = self.index if entry is None else entry
        self.remarks += (Remark(code, seat, index, self.line(index), variant),)

    def withdraw(self, code: str, entry: int) -> None:
        """Take back an incident of an earlier entry that this one mends or overtakes."""
        self.withdrawn += (Withdrawn(entry, code),)

    def line(self, index: int) -> int | None:
        """The file line of an entry of this game."""
        if index == self.index:
            return self.entry.line
        return self.lines[index] if 0 <= index < len(self.lines) else None

    @property
    def _top(self) -> Card | None:
        return self.state.top[0] if self.state.top else None

    @property
    def deck(self) -> dict[Card, int]:
        """Copies of each card at this table."""
        return deck_of(self.profile)

    @property
    def cards(self) -> int:
        """Cards in the box."""
        found = _boxes.get(id(self.profile)) or _box(self.profile)
        return found[2]


def deck_of(profile: Profile) -> dict[Card, int]:
    """Copies of each card that a profile plays with."""
    found = _boxes.get(id(profile)) or _box(profile)
    return found[1]


def _box(profile: Profile) -> tuple[Profile, dict[Card, int], int]:
    deck = profile.deck
    if len(_boxes) > 64:
        _boxes.clear()
    copies = _copies(deck.edition, deck.hands_card, deck.customizable, deck.copies)
    return _boxes.setdefault(id(profile), (profile, copies, sum(copies.values())))


_boxes: dict[int, tuple[Profile, dict[Card, int], int]] = {}
"""By the identity of a profile, which is kept here and so stays its own: the hash goes through every option."""


@lru_cache(maxsize=64)
def _copies(edition: str, hands_card: str, customizable: int, decks: int) -> dict[Card, int]:
    counts = deck_counts(edition, customizable=customizable, decks=decks)
    for name, symbol in (("swap", Symbol.WILD_SWAP_HANDS), ("shuffle", Symbol.WILD_SHUFFLE_HANDS)):
        if hands_card != name:
            counts.pop(Card(symbol), None)
    return dict(counts)
