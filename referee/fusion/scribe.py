"""Turns observations into the game's entries: who laid, drew, took back, called, showed. The judge does the rest.

An arm tells who acted; where no arm was seen the turn order does, and nobody is accused by it. What cannot be told
becomes a question. A table that is watched from its first card knows hands and turn order; a recording that begins
in the middle knows neither, so only the fit of cards is judged there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from referee.cards import Colour, Seat
from referee.fusion.desk import Desk, Judged, Question, unknown_position
from referee.fusion.drawing import Drawing, benefit_of_doubt
from referee.fusion.giving_way import GivingWay
from referee.fusion.listening import Listening
from referee.fusion.put_straight import PutStraight
from referee.fusion.readings import SURE, may_be, numbers_of_one_colour, play_of, readable
from referee.fusion.rounds import RoundEnd, to_be_replaced
from referee.fusion.showing import open_hand, proves_guilt
from referee.fusion.sight import Sight
from referee.observations import (
    EMPTY_PILE,
    UNREAD_CHANGE,
    ArmSeen,
    CallHeard,
    CardLanded,
    CardLifted,
    CardsDrawn,
    CardsShown,
    Observation,
    ViewChanged,
    ViewState,
    Zone,
)
from referee.rules.entries import UNHEARD, Opening, Play, Reshuffle, Show, TakeBack, Touch, Verdict
from referee.rules.profiles import Profile
from referee.rules.state import State
from referee.rules.table import Table

Written: TypeAlias = Judged | Question

READABLE = 0.3
"""Below this share of belief in the readings that the record would keep, a card counts as not read."""

RECENT_REACH_S = 2.0
"""A change of the pile found so soon after an arm left it is that arm's doing."""

FIRM = 0.95
"""Below this sureness of either, two cards of one player in one turn may be one that was read anew."""

TOOK_BACK = frozenset({"took_back_played_card"})
"""Not told where a silent pass explains it."""


@dataclass(frozen=True, slots=True)
class TableStart:
    """How the game begins. With a dealer: after the deal, the start card still to be turned or just turned.

    With a position: there, dealt by the dealer if one is given. With neither: unknown, somewhere in the middle.
    """

    seats: tuple[Seat, ...]
    dealer: Seat | None = None
    position: str | None = None


class Scribe:
    """Writes one round from observations given in the order of their times."""

    def __init__(self, profile: Profile, start: TableStart) -> None:
        self._profile = profile
        self.desk = _open_desk(profile, start)
        self._listening = Listening(uno_catches=profile.uno.catch_words == "uno")
        self._last_reach: ArmSeen | None = None
        self._drawing = Drawing()
        self._giving_way = GivingWay()
        self._put_straight = PutStraight()
        self._sight = Sight()
        self._end = RoundEnd(profile)
        self._cleared = self._undealt = False
        self._laid_with = 1.0

    def take(self, observation: Observation) -> list[Written]:
        """Write what one observation means; returns the entries judged and the questions it raises."""
        self.desk.heard_clearly = self._listening.clear(observation)
        written = [*self._written(observation), *self.desk.doubts()]
        self._listening.follow(self.desk.state, observation.t_s)
        return written

    def _written(self, observation: Observation) -> list[Written]:
        match observation:
            case CardLanded():
                return self._landed(observation)
            case CardLifted():
                return self._lifted(observation)
            case CardsDrawn():
                return self._drawn(observation)
            case CardsShown():
                return self._shown(observation)
            case CallHeard():
                return list(self._listening.take(observation, self.desk, self._drawing))
            case ArmSeen():
                return self._reached(observation)
            case ViewChanged():
                return self._viewed(observation)
            case _:
                return []

    def close(self, t_s: float) -> list[Written]:
        """The recording is over: counts the hands that were shown, asks for those that were not."""
        return [*self._sight.again(self.desk, t_s), *self._end.missing(self.desk, t_s)]

    def _landed(self, seen: CardLanded) -> list[Written]:
        desk, play = self.desk, play_of(seen.reading)
        again = self._sight.again(desk, seen.t_s)
        if play is None:
            return again
        self._goes_on()
        cleared, self._cleared = self._cleared, False
        if desk.state.phase != "play" or (cleared and self._undealt):
            return [*again, *self._after_the_end(seen, play, cleared=cleared)]
        self._undealt = self._undealt and not desk.in_step
        if self._undealt:
            desk.footing.bares(explained=False)
        if readable(seen.reading) < READABLE:
            return [*again, *self._unread(seen.seat, seen.t_s, (seen.id,))]
        if desk.in_step and (not desk.state.top or to_be_replaced(desk)):
            return [*again, *self._turned_up(seen, play)]
        if cleared and desk.in_step:
            return [*again, *self._refilled(seen, play)]
        if seen.found or (seen.seat is None and (not desk.in_step or self._sight.just_back(seen.t_s))):
            return [*again, *self._lies(seen, play)]
        seat = self._layer(seen)
        if seat is None:
            return again
        evidence: tuple[str, ...] = (seen.id,)
        first, self._laid_with = self._laid_with, seen.reading.confidence
        if desk.in_step and seat is desk.state.mover is not desk.state.to_act:
            same = may_be(seen.reading, desk.state.top) or desk.lay_lately(play.card)
            if same or min(first, seen.reading.confidence) < FIRM:
                return [*again, self._put_straight.ask(seen, seat, play, same=same)]
        before = [*again, *self._unsettled_challenge(seen.t_s, evidence)]
        before += benefit_of_doubt(desk, seat, seen.t_s, evidence)
        before += self._giving_way.to(seat, desk, seen.t_s, evidence)
        self._giving_way.moved(seen.t_s)
        desk.footing.reads(readable(seen.reading))
        desk.footing.hides(self._sight.hidden_s(seen.t_s))
        if play.card.is_wild:
            # A silent microphone is not a silent player: until a colour is heard, nobody heard one.
            play = replace(play, colour=UNHEARD)
            if early := self._listening.colour_before(seen.t_s):
                play, evidence = replace(play, colour=early[0]), (seen.id, early[1])
        self._listening.forget_colour()
        if seat is not seen.seat:
            desk.footing.guesses()
        return [*before, *self._with_end(desk.write(seat, play, t_s=seen.t_s, evidence=evidence))]

    def _goes_on(self) -> None:
        """Somebody makes the next move: what was asked about the one before is not answered by a card going back."""
        self.desk.stands()
        self._put_straight.moves_on(self.desk)

    def _layer(self, seen: CardLanded) -> Seat | None:
        """Whose card it is: the arm tells; where there was none, or several as near, the turn order does."""
        to_act = self.desk.state.to_act
        if seen.seat is None or (self.desk.in_step and to_act in seen.perhaps):
            return to_act
        return seen.seat

    def _with_end(self, written: list[Judged]) -> list[Written]:
        if written and self.desk.state.phase == "over":
            self._end.over(written[-1].t_s)
        return list(written)

    def _after_the_end(self, seen: CardLanded, play: Play, *, cleared: bool) -> list[Written]:
        """A card lands although the round is over: the next one begins, or the record is wrong about its end."""
        desk = self.desk
        if self._undealt or self._end.begins_anew(seen.t_s, cleared=cleared):
            missing = self._end.missing(desk, seen.t_s)
            # Where no deal was seen it may be a card of a hand that is thrown in, and those that follow as well.
            self._undealt = not self._end.dealt and not self._undealt
            self._end = RoundEnd(self._profile)
            self._giving_way.moved(seen.t_s)
            desk.begin_round(None if self._undealt else seen.seat, seen.perhaps)
            return [*missing, *self._turned_up(seen, play)]
        self._end.gathers(seen.t_s)
        desk.footing.bares(explained=False)
        if seen.seat is None or seen.found or self._end.certain or desk.state.winner is None:
            return []
        self._end.certain = True  # or asked about, at least
        winner = desk.state.winner
        text = f"By my count {winner} has laid the last card. How many cards does {winner} hold?"
        return [Question(text, seen.t_s, (seen.id,))]

    def _turned_up(self, seen: CardLanded, play: Play) -> list[Written]:
        """The first card of a round."""
        asked: list[Written] = []
        if play.confidence is not None:
            asked = [Question("Which card was turned up first? Show it again.", seen.t_s, (seen.id,))]
            if seen.seat is None or not numbers_of_one_colour(play):
                return asked
        written = self.desk.write("dealer", Opening(play.card), t_s=seen.t_s, evidence=(seen.id,))
        if asked:  # a six or a nine: the round has begun, and what fits on it is asked about
            self.desk.footing.bares(explained=False)
        return [*written, *asked]

    def _refilled(self, seen: CardLanded, play: Play) -> list[Written]:
        """The discard pile was taken up, and a card lies there again: its top card, or one newly turned up."""
        desk, evidence = self.desk, (seen.id,)
        keeps_top = self._profile.reshuffle.keep_top
        if keeps_top and not may_be(seen.reading, desk.state.top):
            return self._lies(seen, play)
        self._giving_way.moved(seen.t_s)
        written: list[Written] = list(desk.write("table", Reshuffle(), t_s=seen.t_s, evidence=evidence))
        return written if keeps_top else [*written, *self._turned_up(seen, play)]

    def _lies(self, seen: CardLanded, play: Play) -> list[Written]:
        """A card that nobody was seen to lay: the top when the recording begins or the table is in view again."""
        desk = self.desk
        card = play.card if play.confidence is None else None
        if not desk.in_step:
            desk.lies(card)
            return []
        if may_be(seen.reading, desk.state.top):
            return []
        text = "Another card lies on the pile, and I did not see how it came there. Whose turn is it?"
        desk.lose_step(None, text)
        desk.lies(card)
        return [Question(text, seen.t_s, (seen.id,))]

    def _unsettled_challenge(self, t_s: float, evidence: tuple[str, ...]) -> list[Written]:
        """Play goes on after a challenge whose end was neither seen nor heard: who owes what cannot be told."""
        doubt = self.desk.state.draw_four
        if doubt is None or doubt.status != "asked":
            return []
        self.desk.lose_step(doubt.player)
        return [Question(f"How did the challenge of {doubt.player}'s Wild Draw Four end?", t_s, evidence)]

    def _unread(self, seat: Seat | None, t_s: float, evidence: tuple[str, ...]) -> list[Written]:
        """Something was laid that could not be read: from here on only what lies open is judged."""
        desk = self.desk
        if not desk.state.top and desk.in_step:
            return [Question("Which card was turned up first? Show it again.", t_s, evidence)]
        asked = desk.in_step
        desk.lose_step(seat)
        who = f"{seat} laid something" if seat else "Something was laid"
        text = f"{who} that I could not read. Which card is on top?"
        return [Question(text, t_s, evidence)] if asked else []

    def _viewed(self, seen: ViewChanged) -> list[Written]:
        desk = self.desk
        self._sight.changes(desk, seen)
        if seen.state is ViewState.LOST:
            self._sight.lost(desk, seen.t_s, seen.reason)
            return []
        ready = seen.state is ViewState.READY
        again: list[Written] = list(self._sight.again(desk, seen.t_s, rests=True)) if ready else []
        if seen.reason == EMPTY_PILE:
            self._cleared = True
            return again
        if desk.state.phase != "play" or not desk.state.top:
            return again
        if ready and seen.reason == UNREAD_CHANGE:
            reach = self._last_reach
            recent = reach is not None and seen.t_s - reach.until_s <= RECENT_REACH_S
            return [*again, *self._unread(reach.seat if reach and recent else None, seen.t_s, (seen.id,))]
        return again

    def _lifted(self, seen: CardLifted) -> list[Written]:
        again: list[Written] = list(self._sight.again(self.desk, seen.t_s))
        again += self._put_straight.taken_back(self.desk, seen)
        state, contested = self.desk.state, self.desk.contested
        if seen.reading.card is None or not state.top or state.phase != "play":
            self._end.gathers(seen.t_s)
            return again  # once the round is over the pile is taken up
        laid = (contested.seat, contested.card) if contested else state.laid
        if contested and seen.seat is not contested.seat:
            self.desk.unproven()
        card = laid[1] if laid else seen.reading.card
        if laid and laid[1] != seen.reading.card and seen.reading.confidence >= SURE:
            return [*again, *self._lifted_unseen(seen)]
        seat = seen.seat or (laid[0] if laid else state.to_act)
        if seat is None:
            return []
        undone = state.undo.drawn if state.undo and state.taking is None else None
        passed = undone is not None and undone.seat is seat  # nobody says "I pass" after drawing
        firm = seen.seat is not None and self.desk.footing.top_certain and _colour_known(state.undo)
        unsure = TOOK_BACK if passed or contested or not firm else frozenset[str]()
        written = self.desk.write(seat, TakeBack(card), t_s=seen.t_s, evidence=(seen.id,), untold=unsure)
        self.desk.lifted(card)
        return [*again, *written]

    def _lifted_unseen(self, seen: CardLifted) -> list[Written]:
        """Another card leaves than the one that the record has on top: it came unseen."""
        desk, asked = self.desk, self.desk.in_step
        if not asked:
            desk.lies(None)
            return []
        text = f"{seen.reading.code} was taken back, and I did not see it come. Whose turn is it?"
        desk.lose_step(seen.seat, text)
        return [Question(text, seen.t_s, (seen.id,))]

    def _drawn(self, seen: CardsDrawn) -> list[Written]:
        desk = self.desk
        again: list[Written] = list(self._sight.again(desk, seen.t_s))
        if desk.state.phase != "play":
            self._end.deals("cards")
        if seen.at_most == 0 or desk.state.phase == "scored" or not desk.state.top or self._cleared:
            return again  # nothing was drawn, or the cards are taken up and the draw pile laid down
        if seen.at_least:
            self._goes_on()
        desk.footing.hides(self._sight.hidden_s(seen.t_s))
        seat = self._drawer(seen)
        if seat is None:
            return again
        if desk.state.phase == "over" and all(debt.seat is not seat for debt in desk.state.debts):
            return again  # the cards are taken up and dealt anew
        if seen.seat is None and not seen.at_least and not desk.in_step:
            return again
        if seen.seat is None and desk.in_step:
            text = "Somebody was at the draw pile, and I did not see who. Did anyone draw?"
            again.append(Question(text, seen.t_s, (seen.id,)))
        written = [*again, *self._verdict_by_drawing(seat, seen.t_s, (seen.id,))]
        if seen.at_least:
            written += benefit_of_doubt(desk, seat, seen.t_s, (seen.id,))
            written += self._giving_way.to(seat, desk, seen.t_s, (seen.id,))
            self._giving_way.moved(seen.t_s)
        elif desk.in_step and seat is not desk.state.to_act and all(d.seat is not seat for d in desk.state.debts):
            self._giving_way.may_have_drawn(seat)
            return written
        return [*written, *self._drawing.write(desk, seat, seen)]

    def _drawer(self, seen: CardsDrawn) -> Seat | None:
        """Whose draw it is: the arm tells; where it may be one of several, the one who has to draw or to move."""
        state = self.desk.state
        seats = [seat for seat in (seen.seat, *seen.perhaps) if seat is not None]
        if not seats or not self.desk.in_step:
            return seen.seat or state.to_act
        expected = {state.to_act, *(debt.seat for debt in state.debts)}
        return next((seat for seat in seats if seat in expected), seats[0])

    def _verdict_by_drawing(self, seat: Seat, t_s: float, evidence: tuple[str, ...]) -> list[Written]:
        """After a challenge the one who lost it draws: that shows how the table ruled, if the cards did not."""
        doubt = self.desk.state.draw_four
        if doubt is None or doubt.status != "asked" or doubt.challenger is None:
            return []
        if seat not in (doubt.player, doubt.challenger):
            return self._unsettled_challenge(t_s, evidence)
        verdict = Verdict("guilty" if seat is doubt.player else "innocent")
        return list(self.desk.write(doubt.challenger, verdict, t_s=t_s, evidence=evidence))

    def _reached(self, seen: ArmSeen) -> list[Written]:
        self._giving_way.saw(seen)
        if seen.zone is Zone.HAND:
            return []
        if seen.zone is Zone.DISCARD:
            self._last_reach = seen
        elif self.desk.state.phase != "play":
            self._end.deals("arm")
        # Only while somebody can still be caught does it matter who touched a pile (row J3).
        state = self.desk.state
        if seen.seat is not state.to_act or not any(
            last.status == "open" and last.seat is not seen.seat for last in state.last_cards
        ):
            return []
        touch = Touch("draw" if seen.zone is Zone.DRAW else "discard")
        return list(self.desk.write(seen.seat, touch, t_s=seen.t_s, evidence=(seen.id,)))

    def _shown(self, seen: CardsShown) -> list[Written]:
        desk = self.desk
        self._goes_on()
        hand = open_hand(seen, desk.state)
        doubt = desk.state.draw_four
        if doubt is not None and doubt.status == "asked" and seen.seat is doubt.player:
            if hand.whole or proves_guilt(hand, desk.state):
                return list(desk.write(seen.seat, Show(hand.cards), t_s=hand.t_s, evidence=(hand.evidence,)))
            return []
        if desk.state.phase == "over":
            return list(self._end.show(desk, seen.seat, hand))
        return []


def _colour_known(before: State | None) -> bool:
    """Whether a card could be told to fit then: on a wild of which no colour was heard, nobody knows."""
    return before is None or not before.top or not before.top[0].is_wild or isinstance(before.colour, Colour)


def _open_desk(profile: Profile, start: TableStart) -> Desk:
    if start.position is not None:
        return Desk(Table.from_pos(start.position, profile, start.dealer))
    if start.dealer is not None:
        return Desk(Table(profile, seats=len(start.seats), dealer=start.dealer))
    return Desk(Table.from_pos(unknown_position(start.seats), profile), in_step=False)
