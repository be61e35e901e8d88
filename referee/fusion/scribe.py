"""Turns observations into the game's entries: who laid, drew, took back, called, showed. The judge does the rest.

An arm tells who acted; where no arm was seen the turn order does, and nobody is accused by it. What cannot be told
becomes a question. A table that is watched from its first card knows hands and turn order; a recording that begins
in the middle knows neither, so only the fit of cards is judged there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from referee.cards import Colour, Seat
from referee.fusion.calls import attribute, colour_of, uno_caller
from referee.fusion.desk import Desk, Judged, Question, unknown_position
from referee.fusion.readings import play_of, readable
from referee.fusion.showing import OpenHand, open_hand, proves_guilt, result_of
from referee.observations import (
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
from referee.rules.entries import UNHEARD, Draw, Opening, Play, Show, TakeBack, Touch, Verdict
from referee.rules.profiles import Profile
from referee.rules.table import Table

Written: TypeAlias = Judged | Question

READABLE = 0.3
"""Below this share of belief in the readings that the record would keep, a card counts as not read."""

RECENT_REACH_S = 2.0
"""A change of the pile found so soon after an arm left it is that arm's doing."""

COLOUR_BEFORE_S = 3.0
"""A colour said so long before the wild lands is meant for it."""

DOUBT_S = 15.0
"""So long what was perhaps an UNO keeps its player from being told that there was none."""


@dataclass(frozen=True, slots=True)
class TableStart:
    """How the game begins. With a dealer: after the deal, the start card still to be turned or just turned.

    With a position: there. With neither: unknown, somewhere in the middle.
    """

    seats: tuple[Seat, ...]
    dealer: Seat | None = None
    position: str | None = None


class Scribe:
    """Writes one round from observations given in the order of their times."""

    def __init__(self, profile: Profile, start: TableStart) -> None:
        self._profile = profile
        self.desk = _open_desk(profile, start)
        self._early_colour: tuple[Colour, CallHeard] | None = None
        self._perhaps_uno: dict[Seat, CallHeard] = {}
        self._last_reach: ArmSeen | None = None
        self._hands: dict[Seat, OpenHand] = {}
        self._finished = False

    def take(self, observation: Observation) -> list[Written]:
        """Write what one observation means; returns the entries judged and the questions it raises."""
        self.desk.heard_clearly = self._heard_clearly(observation)
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
                return self._heard(observation)
            case ArmSeen():
                return self._reached(observation)
            case ViewChanged():
                return self._viewed(observation)
            case _:
                return []

    def close(self, t_s: float) -> list[Written]:
        """The recording is over: counts the hands that were shown, asks for those that were not."""
        desk = self.desk
        if self._finished:
            return []
        if desk.state.phase == "over" and desk.state.winner is not None:
            missing = [s for s in self._losers(desk) if s not in self._hands or not self._hands[s].whole]
            names = ", ".join(str(seat) for seat in missing)
            return [
                Question(f"The round is over, but the hand of {names} was not seen whole: count it by hand.", t_s)
            ]
        return []

    def _landed(self, seen: CardLanded) -> list[Written]:
        desk, play = self.desk, play_of(seen.reading)
        if play is None or desk.state.phase != "play":
            return []
        if readable(seen.reading) < READABLE:
            return self._unread(seen.seat, seen.t_s, (seen.id,))
        if seen.seat is None and not (desk.in_step and desk.state.top):
            return self._lies(seen, play)
        seat = seen.seat or desk.state.to_act
        if seat is None:
            return []
        evidence: tuple[str, ...] = (seen.id,)
        unsettled = self._unsettled_challenge(seen.t_s, evidence)
        if play.card.is_wild:
            # A silent microphone is not a silent player: until a colour is heard, nobody heard one.
            play = replace(play, colour=UNHEARD)
            if self._early_colour is not None and seen.t_s - self._early_colour[1].t_s <= COLOUR_BEFORE_S:
                colour, call = self._early_colour
                play, evidence = replace(play, colour=colour), (seen.id, call.id)
        self._early_colour = None
        return [*unsettled, *desk.write(seat, play, t_s=seen.t_s, evidence=evidence)]

    def _unsettled_challenge(self, t_s: float, evidence: tuple[str, ...]) -> list[Written]:
        """Play goes on after a challenge whose end was neither seen nor heard: who owes what cannot be told."""
        doubt = self.desk.state.draw_four
        if doubt is None or doubt.status != "asked":
            return []
        self.desk.lose_step(doubt.player)
        return [Question(f"How did the challenge of {doubt.player}'s Wild Draw Four end?", t_s, evidence)]

    def _lies(self, seen: CardLanded, play: Play) -> list[Written]:
        """A card that nobody was seen to lay: the first card of the round, or the top when the recording begins."""
        if not self.desk.in_step:
            self.desk.lies(play.card if play.confidence is None else None)
            return []
        if play.confidence is not None:
            return [Question("Which card was turned up first? Show it again.", seen.t_s, (seen.id,))]
        return list(self.desk.write("dealer", Opening(play.card), t_s=seen.t_s, evidence=(seen.id,)))

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
        if self.desk.state.phase != "play" or not self.desk.state.top:
            return []
        if seen.state is ViewState.READY and seen.reason == UNREAD_CHANGE:
            reach = self._last_reach
            recent = reach is not None and seen.t_s - reach.until_s <= RECENT_REACH_S
            return self._unread(reach.seat if reach and recent else None, seen.t_s, (seen.id,))
        if seen.state is ViewState.LOST and self.desk.in_step:
            self.desk.lose_step(None)
            return [Question(f"I cannot see the table: {seen.reason}.", seen.t_s, (seen.id,))]
        return []

    def _lifted(self, seen: CardLifted) -> list[Written]:
        state = self.desk.state
        if seen.reading.card is None or not state.top:
            return []
        laid = state.laid
        card = laid[1] if laid else seen.reading.card
        seat = seen.seat or (laid[0] if laid else state.to_act)
        if seat is None:
            return []
        written = self.desk.write(seat, TakeBack(card), t_s=seen.t_s, evidence=(seen.id,))
        self.desk.lifted()
        return list(written)

    def _drawn(self, seen: CardsDrawn) -> list[Written]:
        desk = self.desk
        if seen.at_most == 0 or desk.state.phase == "scored" or not desk.state.top:
            return []
        seat = seen.seat or desk.state.to_act
        if seat is None:
            return []
        evidence = (seen.id,)
        written = self._verdict_by_drawing(seat, seen.t_s, evidence)
        for _ in range(seen.at_least):
            debt = next((d for d in desk.state.debts if d.seat is seat), None)
            draw = Draw(1, debt.cause if debt else "turn")
            written += desk.write(seat, draw, t_s=seen.t_s, evidence=evidence)
        if seen.at_least != seen.at_most:
            desk.doubt_count(seat)
            text = f"How many cards did {seat} draw: {seen.at_least} or {seen.at_most}?"
            written.append(Question(text, seen.t_s, evidence))
        return written

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
        if seen.zone is Zone.HAND:
            return []
        if seen.zone is Zone.DISCARD:
            self._last_reach = seen
        # Only while somebody can still be caught does it matter who touched a pile (row J3).
        state = self.desk.state
        if seen.seat is not state.to_act or not any(
            last.status == "open" and last.seat is not seen.seat for last in state.last_cards
        ):
            return []
        touch = Touch("draw" if seen.zone is Zone.DRAW else "discard")
        return list(self.desk.write(seen.seat, touch, t_s=seen.t_s, evidence=(seen.id,)))

    def _heard_clearly(self, observation: Observation) -> bool:
        """Whether nobody with an open UNO window may have called, and the sound of a call came through whole."""
        if isinstance(observation, CallHeard) and observation.channel != "clear":
            return False
        open_seats = {last.seat for last in self.desk.state.last_cards if last.status == "open"}
        return not any(
            seat in open_seats and observation.t_s - call.t_s <= DOUBT_S for seat, call in self._perhaps_uno.items()
        )

    def _heard(self, call: CallHeard) -> list[Written]:
        desk = self.desk
        if not desk.state.top or call.phase != "confirmed":
            return []
        if call.certainty == "maybe":
            if call.call == "uno" and (caller := uno_caller(desk.state)):
                self._perhaps_uno[caller] = call
            return []
        meant = attribute(call, desk.state)
        if meant is not None:
            return list(desk.write(meant.subject, meant.event, t_s=call.t_s, evidence=(call.id,)))
        if (colour := colour_of(call)) is not None:
            self._early_colour = (colour, call)
        return []

    def _shown(self, seen: CardsShown) -> list[Written]:
        desk = self.desk
        hand = open_hand(seen, desk.state)
        doubt = desk.state.draw_four
        if doubt is not None and doubt.status == "asked" and seen.seat is doubt.player:
            if hand.whole or proves_guilt(hand, desk.state):
                return list(desk.write(seen.seat, Show(hand.cards), t_s=hand.t_s, evidence=(hand.evidence,)))
            return []
        if desk.state.phase == "over":
            return self._counted(desk, seen.seat, hand)
        return []

    def _counted(self, desk: Desk, seat: Seat, hand: OpenHand) -> list[Written]:
        losers = self._losers(desk)
        if seat not in losers or self._finished:
            return []
        self._hands[seat] = hand
        if not all(s in self._hands and self._hands[s].whole for s in losers) or desk.state.winner is None:
            return []
        self._finished = True
        result = result_of(desk.state.winner, self._hands, self._profile, hand.t_s)
        evidence = tuple(h.evidence for h in self._hands.values())
        return [desk.write_result(result, t_s=hand.t_s, evidence=evidence)]

    def _losers(self, desk: Desk) -> list[Seat]:
        return [seat for seat in desk.state.active if seat is not desk.state.winner]


def _open_desk(profile: Profile, start: TableStart) -> Desk:
    if start.position is not None:
        return Desk(Table.from_pos(start.position, profile))
    if start.dealer is not None:
        return Desk(Table(profile, seats=len(start.seats), dealer=start.dealer))
    return Desk(Table.from_pos(unknown_position(start.seats), profile), in_step=False)
