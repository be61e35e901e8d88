"""A table: push what was observed, get a ruling; ask what is legal, who owes what, and how things stand.

After python-chess: `push` accepts anything and judges it, `push_legal` refuses, `pop` undoes.

>>> table = Table.from_pos("R5 R > P1 P1:4 P2:2 P3:4")
>>> table.push("P1: Y7").incidents[0].code
'illegal_play'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.cards import Card, Colour, Seat
from referee.faults import InputFault
from referee.rules.entries import Entry, Result, Tag
from referee.rules.hand import UNBOUNDED, Hand
from referee.rules.judge import judge
from referee.rules.judge.bench import deck_of
from referee.rules.judge.legal import legal_cards
from referee.rules.judge.opening import new_round, next_round
from referee.rules.position import check_copies, format_position, parse_position, state_of
from referee.rules.profiles import Profile, load_profile
from referee.rules.ruling import Debt, IllegalPlay, Incident, Remark, Ruling
from referee.rules.state import LastCard, State
from referee.rules.ugn import parse_entry


class Table:
    """One table under one profile. `seats` is a number of players or their seats in clockwise order.

    A new table stands after the deal: every hand has the profile's size and no first card is turned up yet.
    Raises InputFault for an unknown profile, for fewer players than the profile allows, or for more.
    """

    def __init__(
        self,
        profile: Profile | str = "classic-108",
        seats: int | Sequence[Seat] = 4,
        dealer: Seat | None = None,
    ) -> None:
        self.profile = load_profile(profile) if isinstance(profile, str) else profile
        ring = _ring(seats)
        players = self.profile.players
        if not players.min <= len(ring) <= players.max:
            raise InputFault(f"{self.profile.title} is for {players.min} to {players.max} players, not {len(ring)}")
        dealer = dealer or ring[-1]
        if dealer not in ring:
            raise InputFault(f"the dealer {dealer} does not sit at this table")
        setup = self.profile.setup
        direction = 1 if setup.direction == "clockwise" else -1
        self._state = new_round(ring, dealer, hand_size=setup.hand_size, direction=direction)
        self._steps: list[tuple[State, Ruling]] = []
        self._lines: list[int | None] = []

    @classmethod
    def from_pos(cls, text: str, profile: Profile | str = "classic-108", dealer: Seat | None = None) -> Table:
        """A table at a position (see `referee.rules.position`). Raises InputFault for one that cannot be."""
        position = parse_position(text)
        table = cls(profile, tuple(position.hands), dealer=dealer)
        table.set_position(text, dealer=dealer)
        return table

    def set_position(self, text: str, dealer: Seat | None = None) -> None:
        """Put the table at another position; what was pushed before stays judged and can be popped no more."""
        position = parse_position(text)
        check_copies(position, deck_of(self.profile))
        self._state = state_of(position, dealer)

    def set_unknown(self, turn: Seat) -> None:
        """Put the table where nothing is known but whose move it is: hands, top card and calls are open."""
        ring = self._state.seats
        hands = {seat: Hand(0, UNBOUNDED) for seat in ring}
        self._state = State(seats=ring, active=ring, turn=turn, hands=hands, dealer=self._state.dealer)

    def deal(self, dealer: Seat | None = None, seats: Sequence[Seat] | None = None) -> None:
        """Begin a round: the next dealer by the profile, or the one given, deals to `seats` (all, if not given)."""
        s = self._state.copy()
        s.active = tuple(seats or s.seats)
        fresh = next_round(self.profile, s)
        if dealer is not None:
            setup = self.profile.setup
            fresh = new_round(
                fresh.active, dealer, hand_size=setup.hand_size, direction=fresh.direction, seats=s.seats
            )
        self._state = fresh

    def push(self, item: Entry | Result | str, *, heard_clearly: bool = True) -> Ruling:
        """Record what was observed, whatever it is, and judge it.

        heard_clearly: False when the sound of this moment cannot be trusted (clipped, overlapping, speaker unsure):
        a missed call is then a question, never a foul. Raises InputFault only for text that is no entry.
        """
        entry = parse_entry(item) if isinstance(item, str) else item
        before = self._state
        state, ruling = judge(self.profile, before, entry, len(self._steps), self._lines, clear=heard_clearly)
        self._steps.append((before, ruling))
        self._lines.append(entry.line)
        self._state = state
        return ruling

    def push_legal(self, item: Entry | Result | str) -> Ruling:
        """As `push`, for games entered by keyboard: raises IllegalPlay for a foul and leaves the table as it was."""
        ruling = self.push(item)
        if not ruling.legal:
            self.pop()
            raise IllegalPlay(ruling)
        return ruling

    def pop(self) -> Entry | Result | Tag:
        """Undo the latest push and return what was pushed; IndexError if nothing was."""
        before, ruling = self._steps.pop()
        self._lines.pop()
        self._state = before
        return ruling.entry

    @property
    def state(self) -> State:
        """The state of the round. It is replaced by every push and must not be changed."""
        return self._state

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Every ruling so far, one for each push."""
        return tuple(ruling for _, ruling in self._steps)

    @property
    def incidents(self) -> tuple[Incident, ...]:
        """All incidents that stand, in the order of the entries they belong to."""
        return standing_incidents(self.rulings)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What was kept for the log."""
        return tuple(remark for _, ruling in self._steps for remark in ruling.remarks)

    @property
    def to_act(self) -> Seat | None:
        """Who has to do something next: draw for a lost turn, or move; None once the round is over."""
        return self._state.to_act

    @property
    def top(self) -> Card | None:
        """The top card of the discard pile, in its most probable reading."""
        return self._state.top[0] if self._state.top else None

    @property
    def colour(self) -> Colour | None:
        """The colour in force; None if it was not named or not heard."""
        top, named = self.top, self._state.colour
        if top is not None and top.colour is not None:
            return top.colour
        return named if isinstance(named, Colour) else None

    @property
    def direction(self) -> int:
        """1 for clockwise, -1 for the other way."""
        return self._state.direction

    @property
    def owed(self) -> tuple[Debt, ...]:
        """Cards that still have to be drawn, in the order in which they fell due."""
        return self._state.debts

    @property
    def uno_window(self) -> tuple[LastCard, ...]:
        """Seats that may be caught just now: one card, no call heard, next player not begun."""
        return tuple(last for last in self._state.last_cards if last.status in ("open", "doubtful"))

    @property
    def hands(self) -> Mapping[Seat, Hand]:
        """What is known of every hand."""
        return self._state.hands

    @property
    def over(self) -> bool:
        """True once somebody certainly went out, or the round was closed."""
        return self._state.phase != "play"

    @property
    def winner(self) -> Seat | None:
        """Who went out."""
        return self._state.winner

    def legal(self, seat: Seat, hand: Iterable[Card] | None = None) -> tuple[Card, ...]:
        """The cards that `seat` may lay now: of `hand`, or of all cards in the box by the top card alone.

        A Wild Draw Four is in it only if the hand, where it is given, holds nothing that forbids it.
        """
        return legal_cards(self.profile, self._state, seat, hand)

    def pos(self) -> str:
        """The position as text; `Table.from_pos` reads it. What is owed or drawn in this turn is not part of it."""
        return format_position(self._state)


def standing_incidents(rulings: Iterable[Ruling]) -> tuple[Incident, ...]:
    """The incidents of a game that no later entry took back, by entry."""
    found: list[Incident] = []
    for ruling in rulings:
        for gone in ruling.withdrawn:
            found = [i for i in found if (i.entry, i.code) != (gone.entry, gone.code)]
        found += ruling.incidents
    return tuple(sorted(found, key=lambda incident: incident.entry))


def _ring(seats: int | Sequence[Seat]) -> tuple[Seat, ...]:
    if isinstance(seats, int):
        try:
            return Seat.first(seats)
        except ValueError as fault:
            raise InputFault(str(fault)) from None
    if len(set(seats)) != len(seats):
        raise InputFault("a seat is named twice")
    return tuple(sorted(seats))
