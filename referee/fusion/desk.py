"""The scorer's desk: keeps the record, pushes each entry to the judge, and knows whether record and table agree.

In step, hands and turn order are known and every foul can be told. Out of step - the recording begins in the middle,
something was laid that could not be read, the view was lost - whoever acts is taken to be in turn, and only what lies
open is judged: whether a card fits the card below it. What the record alone would make a foul is contested: it is
asked, and ruled when the card goes back; when play goes on instead, something was not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from referee.cards import Card, Colour, Seat
from referee.fusion.footing import RESTS_ON_ORDER, Footing, Weighed
from referee.rules.entries import (
    Challenge,
    Draw,
    Entry,
    Event,
    Item,
    Opening,
    Pass,
    Play,
    Reshuffle,
    Result,
    Show,
    Subject,
    Tag,
    TakeBack,
    Verdict,
)
from referee.rules.ruling import Ruling
from referee.rules.state import State
from referee.rules.table import Table

OPEN_TO_SEE = frozenset({"illegal_play", "wd4_with_matching_colour"})
"""Incidents that rest on cards in sight, not on who was in turn or how many cards anybody holds."""


_BARED = 6

_UNTIL_NEXT_MOVE = Play | Draw | Challenge | Show | Verdict

TO_GO_ON = "Leave the top card in view and play on: after a lap in order I follow again."


@dataclass(frozen=True, slots=True)
class Judged:
    """One entry of the game with the judge's answer. evidence: ids of the observations that the entry rests on."""

    entry: Entry | Result
    ruling: Ruling
    t_s: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Something that eye and ear could not settle. Asked, never judged. evidence: as in `Judged`."""

    text: str
    t_s: float
    evidence: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Contested:
    """A card that by the record should not lie there, until the table shows who is right.

    proven: what is ruled if it goes back. at: its place among the items. waiting: whose move it was by the record.
    """

    entry: Entry
    seat: Seat
    card: Card
    weighed: Weighed
    question: Question
    at: int
    waiting: Seat | None


class Desk:
    """One round at one table. Entries go in through `write`, in the order of their times.

    in_step: whether hands and turn order are known. While they are not, rulings pause, and `waits_for` says what to
    show or say to go on; a lap in a steady order restores it as well, where it was known before.
    """

    def __init__(self, table: Table, *, in_step: bool = True) -> None:
        self.table = table
        self.in_step = in_step
        self.judged: list[Judged] = []
        self.items: list[Item] = []
        self.heard_clearly = True
        """False: what was said just now cannot be told for certain, so that a missed call is asked, not judged."""
        self.blind = False
        """True while the table is not in view: nothing is ruled but on what lies open."""
        self.waits_for = "" if in_step else TO_GO_ON
        self.footing = Footing()
        self.contested: Contested | None = None
        self._doubts: list[Question] = []
        self._regains = in_step
        self._pile: list[Card | None] = []
        self._unsure_hands: set[Seat] = set()
        self._lap: list[Seat] = []
        self._layer: Seat | None = None

    @property
    def state(self) -> State:
        """What the judge knows at this moment."""
        return self.table.state

    def write(
        self,
        subject: Subject,
        *events: Event,
        t_s: float,
        evidence: tuple[str, ...],
        untold: frozenset[str] = frozenset(),
    ) -> list[Judged]:
        """Record what `subject` did and have it judged; a turn that ended in silence before it is closed first.

        untold: incidents that something nobody saw may explain.
        """
        if any(isinstance(event, _UNTIL_NEXT_MOVE) and not _perhaps(event) for event in events):
            self.stands()
        moves = [event for event in events if isinstance(event, Play | Draw)]
        ended: list[Judged] = []
        if moves and isinstance(subject, Seat):
            self._follow(subject)
            ended = self._silent_pass(subject, moves[0], t_s, evidence)
        if isinstance(subject, Seat) and any(isinstance(event, Play) for event in events):
            self._note_layer(subject)
        self._pile += [event.card for event in events if isinstance(event, Play | Opening)]
        if any(isinstance(event, Opening | Reshuffle) for event in events):
            self.footing.settles(t_s)
        return [*ended, self._push(Entry(subject, events, time_s=round(t_s, 2)), t_s, evidence, untold)]

    def stands(self) -> None:
        """Play goes on: a card that by the record should have gone back lies by right, and something was unseen."""
        told, self.contested = self.contested, None
        if told is None:
            return
        self.footing.bares(explained=False)  # or it went back, and nobody saw that
        if not told.weighed.by_order:
            if not self.in_step:
                self._reposition(self.state.following(told.seat))
            return  # in turn as ever; the judge keeps what may lie there
        if not self.in_step:
            return
        one_unseen = told.waiting is not None and self.state.following(told.waiting) is told.seat
        self._unsure_hands |= {told.waiting} if one_unseen and told.waiting else set(self.state.seats)
        self._pile.insert(len(self._pile) - 1, None)
        position = self._position(told.seat, "? ?")
        self.table.set_position(position, dealer=self.state.dealer)
        self.table.push(told.entry)
        self.items.insert(told.at, Tag("Pos", position))
        if not one_unseen:
            self._out_of_step(told.question.text)

    def unproven(self) -> None:
        """The contested card goes back, but nobody saw its player take it: that proves nothing."""
        self.contested = None
        self.footing.bares(explained=False)

    def doubts(self) -> list[Question]:
        """What was asked since the last time in place of an accusation that the record could not carry."""
        asked, self._doubts = self._doubts, []
        return asked

    def write_result(self, result: Result, *, t_s: float, evidence: tuple[str, ...]) -> Judged:
        """Record the end of the round."""
        return self._push(result, t_s, evidence)

    def lies(self, card: Card | None) -> None:
        """A card lies on the pile that nobody was seen to lay; None for one that cannot be read."""
        self.contested = None
        if self._layer is not None:  # whoever laid it, the next one need not be the next to play
            self._layer = None
            self.footing.bares(explained=False)
        self._pile.append(card)
        self._reposition(self.state.turn, named=False)

    def counts(self) -> dict[Seat, tuple[int, int]]:
        """Bounds of every hand: how many cards each seat holds at least and at most."""
        return {seat: (hand.least, hand.most) for seat, hand in self.state.hands.items()}

    def lay_lately(self, card: Card) -> bool:
        """Whether such a card is among the last on the pile: what is moved bares those below."""
        return card in self._pile[-_BARED:]

    def lifted(self, card: Card) -> None:
        """`card` left the pile again; what it lay on is known only if the record has seen it come."""
        if self._pile and self._pile[-1] == card:
            self._pile.pop()
        else:
            self._pile.append(None)
        if not self.in_step:
            self._reposition(self.state.turn)

    def lose_step(self, seat: Seat | None, waits_for: str = "") -> None:
        """`seat` (None: somebody) did something that could not be read: what it holds is not certain any more."""
        self.contested = None
        self._out_of_step(waits_for)
        self._unsure_hands |= {seat} if seat else set(self.state.seats)
        self._pile.append(None)
        self._reposition(self.state.following(seat) if seat else self.state.turn)

    def doubt_count(self, seat: Seat, waits_for: str = "") -> None:
        """`seat` drew an unknown number of cards: neither its hand nor whether its turn is over is certain."""
        self.contested = None
        self._out_of_step(waits_for)
        self._unsure_hands.add(seat)
        self._reposition(self.state.turn)

    def begin_round(self, dealer: Seat | None, perhaps: Sequence[Seat] = ()) -> None:
        """Another round: everybody has been dealt a fresh hand, and nothing lies on the pile.

        dealer: who turns up its first card, or one of `perhaps`, if the rules name that one. Where nobody saw it, who
        begins is not known either, and a lap will tell.
        """
        by_rule = self.state.dealer is not None
        self.table.deal()
        named = by_rule and self.state.dealer in (dealer, *perhaps)
        if dealer and not named:
            self.table.deal(dealer)
            self.items.append(Tag("Dealer", str(dealer)))
        self.in_step, self.waits_for = dealer is not None, "" if dealer else TO_GO_ON
        self._pile, self._lap = [], []
        self._unsure_hands.clear()
        self.contested = None
        self.footing.anew()

    def _note_layer(self, seat: Seat) -> None:
        """Out of step nobody is out of turn, but a card of another than the next one may lie on one unseen."""
        before, self._layer = self._layer, seat
        if not self.in_step and self._regains and before and self.state.following(before) is not seat:
            self.footing.bares(explained=False)

    def _out_of_step(self, waits_for: str) -> None:
        self.in_step, self._lap = False, []
        self.waits_for = waits_for or TO_GO_ON

    def _follow(self, seat: Seat) -> None:
        if self.in_step:
            return
        if self.state.to_act not in (seat, None):
            self._lap = []
            self._reposition(seat)
        if not self._lap or self._lap[-1] is not seat:
            self._lap.append(seat)
        # A lap in which everybody moved when it was their turn shows that the direction is right again.
        self.in_step = self._regains and len(self._lap) > len(self.state.active)
        if self.in_step:
            self.waits_for = ""

    def _reposition(self, turn: Seat, *, named: bool = True) -> None:
        """named: whether the colour that was named is that of the card on top."""
        s = self.state
        top = self._pile[-1] if self._pile else None
        said = s.colour if named and isinstance(s.colour, Colour) else None
        colour = (top.colour or said) if top else None
        position = self._position(turn, f"{top or '?'} {colour or '?'}")
        self.table.set_position(position, dealer=s.dealer)
        self.items.append(Tag("Pos", position))

    def _position(self, turn: Seat, pile: str) -> str:
        s = self.state
        hands = " ".join(f"{seat}:{self._hand(seat)}" for seat in s.seats)
        return f"{pile} {'>' if s.direction > 0 else '<'} {turn} {hands}"

    def _hand(self, seat: Seat) -> str:
        count = self.state.hands[seat].count
        return "?" if count in (None, 0) or seat in self._unsure_hands else str(count)

    def _silent_pass(self, subject: Seat, move: Play | Draw, t_s: float, evidence: tuple[str, ...]) -> list[Judged]:
        # Nobody says "I pass" after drawing: the next player's move is what shows it.
        drawn = self.state.drawn
        if drawn is None or subject is drawn.seat or self.state.to_act is not drawn.seat:
            return []
        if isinstance(move, Draw) and move.cause not in (None, "turn"):
            return []  # a penalty is drawn whenever it falls due
        entry = Entry(drawn.seat, (Pass(),), time_s=round(t_s, 2))
        return [self._push(entry, t_s, evidence, untold=RESTS_ON_ORDER)]

    def _push(
        self, entry: Entry | Result, t_s: float, evidence: tuple[str, ...], untold: frozenset[str] = frozenset()
    ) -> Judged:
        waiting, taking = self.state.to_act, self.state.taking
        ruling = self.table.push(entry, heard_clearly=self.heard_clearly)
        if untold:
            ruling = ruling._replace(incidents=tuple(i for i in ruling.incidents if i.code not in untold))
        weighed = self._weighed(entry, ruling, t_s)
        ruling = weighed.ruling
        if self.blind or not self.in_step:
            ruling = ruling._replace(incidents=tuple(i for i in ruling.incidents if i.code in OPEN_TO_SEE))
        if isinstance(entry, Entry):
            ruling, evidence = self._gone_back(entry, ruling, evidence, odd=taking is None or not self.in_step)
        judged = Judged(entry, ruling, t_s, evidence)
        self.judged.append(judged)
        self.items.append(entry)
        if weighed.doubted and not self.blind:
            self._contest(entry, weighed, waiting, t_s, evidence)
        return judged

    def _weighed(self, entry: Entry | Result, ruling: Ruling, t_s: float) -> Weighed:
        if isinstance(entry, Entry) and isinstance(entry.subject, Seat):
            if any(isinstance(event, Draw) and event.cause in (None, "turn") for event in entry.events):
                self.footing.draws()
            if any(isinstance(event, Play) for event in entry.events):
                return self.footing.weigh_play(ruling, t_s, in_step=self.in_step)
            if any(isinstance(event, Draw) and event.count for event in entry.events):
                return self.footing.weigh_draw(ruling, entry.subject, t_s)
        if isinstance(entry, Result):
            return self.footing.weigh_end(ruling)
        return Weighed(ruling)  # what perhaps happened and what was not done prove nothing

    def _gone_back(
        self, entry: Entry, ruling: Ruling, evidence: tuple[str, ...], *, odd: bool
    ) -> tuple[Ruling, tuple[str, ...]]:
        """If the contested card is taken back, the table agrees that it was wrong: it is ruled now."""
        back = next((event.card for event in entry.events if isinstance(event, TakeBack)), None)
        if back is None:
            return ruling, evidence
        told, self.contested = self.contested, None
        proven = told is not None and back == told.card and entry.subject is told.seat
        if told is not None or odd:  # odd: by the record nothing had to go back
            self.footing.bares(explained=proven and not odd)
        if told is None or not proven:
            return ruling, evidence
        proven_now = (replace(i, remedy="") if i.remedy == "take_back" else i for i in told.weighed.proven)
        incidents = (*proven_now, *ruling.incidents)  # nobody is told to take back what went back
        return ruling._replace(incidents=incidents), (*told.question.evidence, *evidence)

    def _contest(
        self, entry: Entry | Result, weighed: Weighed, waiting: Seat | None, t_s: float, evidence: tuple[str, ...]
    ) -> None:
        """By the record this is a foul, but something that nobody saw would explain it: asked, not ruled."""
        if weighed.by_order and not self.in_step:
            return
        told = weighed.doubted[0]
        asks = "Whose turn is it?" if weighed.by_order else "Which card lay below?"
        text = f"Did I miss a move? By my record: {told.say_fault()} {asks}"
        heard = told.certainty == "heard" and not weighed.by_order
        text = f"Did I mishear the colour? By my record: {told.say_fault()} Which was named?" if heard else text
        question = Question(text, t_s, evidence)
        self._doubts.append(question)
        assert isinstance(entry, Entry)
        play = next((event for event in entry.events if isinstance(event, Play)), None)
        if play is not None and isinstance(entry.subject, Seat):
            if self.state.hands[entry.subject].least == 1:
                weighed = replace(weighed, proven=())  # the last card of a hand goes when the pile is taken up, too
            self.contested = Contested(
                entry, entry.subject, play.card, weighed, question, len(self.items) - 1, waiting
            )
            return
        self._out_of_step(text)
        self._unsure_hands |= set(self.state.seats)
        self.lies(None)  # who was to move before that has laid a card, most likely


def _perhaps(event: Event) -> bool:
    return isinstance(event, Draw) and not event.count


def unknown_position(seats: Sequence[Seat]) -> str:
    """The position of a table of which nothing is known yet."""
    return f"? ? > {seats[0]} " + " ".join(f"{seat}:?" for seat in seats)
