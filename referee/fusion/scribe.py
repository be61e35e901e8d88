"""Turns observations into the game's entries: who laid, drew, took back, called, showed. The judge does the rest.

An arm tells who acted; where no arm was seen the turn order does, and nobody is accused by it. What cannot be told
becomes a question. A table that is watched from its first card knows hands and turn order; a recording that begins
in the middle knows neither, so only the fit of cards is judged there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from referee.cards import Card, Colour, Seat
from referee.fusion.calls import attribute, colour_of
from referee.fusion.desk import Desk, Judged, Question
from referee.fusion.readings import play_of
from referee.fusion.showing import OpenHand, open_hand, proves_guilt, result_of
from referee.observations import (
    ArmSeen,
    CallHeard,
    CardLanded,
    CardLifted,
    CardsDrawn,
    CardsShown,
    Observation,
    Zone,
)
from referee.rules.entries import UNHEARD, Draw, Opening, Play, Show, TakeBack, Touch
from referee.rules.profiles import Profile
from referee.rules.table import Table

Written: TypeAlias = Judged | Question

COLOUR_BEFORE_S = 3.0
"""A colour said so long before the wild lands is meant for it."""


@dataclass(frozen=True, slots=True)
class TableStart:
    """How the game begins. With a dealer: after the deal, the start card still to be turned or just turned.

    With a position: there. With neither: unknown, somewhere in the middle.
    """

    seats: tuple[Seat, ...]
    dealer: Seat | None = None
    position: str | None = None

    @property
    def known(self) -> bool:
        """True if hands and turn order are known from the start."""
        return self.dealer is not None or self.position is not None


class Scribe:
    """Writes one round from observations given in the order of their times."""

    def __init__(self, profile: Profile, start: TableStart) -> None:
        self._profile = profile
        self._start = start
        self._desk: Desk | None = None
        self._top: CardLanded | None = None
        self._early_colour: tuple[Colour, CallHeard] | None = None
        self._pile: list[Card] = []
        self._hands: dict[Seat, OpenHand] = {}
        self._finished = False
        if start.position is not None:
            self._desk = Desk(Table.from_pos(start.position, profile))
        elif start.dealer is not None:
            self._desk = Desk(Table(profile, seats=len(start.seats), dealer=start.dealer))

    @property
    def desk(self) -> Desk | None:
        """The record and the judge's state; None until a recording from the middle shows its first play."""
        return self._desk

    def take(self, observation: Observation) -> list[Written]:
        """Write what one observation means; returns the entries judged and the questions it raises."""
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
            case _:
                return []

    def close(self, t_s: float) -> list[Written]:
        """The recording is over: counts the hands that were shown, asks for those that were not."""
        desk = self._desk
        if desk is None or self._finished:
            return []
        if desk.state.phase == "over" and desk.state.winner is not None:
            missing = [s for s in self._losers(desk) if s not in self._hands or not self._hands[s].whole]
            names = ", ".join(str(seat) for seat in missing)
            return [
                Question(f"The round is over, but the hand of {names} was not seen whole: count it by hand.", t_s)
            ]
        return []

    def _landed(self, seen: CardLanded) -> list[Written]:
        play = play_of(seen.reading)
        if play is None:
            return []
        desk = self._desk
        if desk is not None and desk.state.phase != "play":
            return []
        if desk is None or (seen.seat is None and not desk.state.top):
            return self._first_card(seen, play)
        if not self._start.known:
            desk = self._follow(seen.seat) or desk
        seat = seen.seat or desk.state.to_act
        if seat is None:
            return []
        evidence: tuple[str, ...] = (seen.id,)
        if play.card.is_wild:
            # A silent microphone is not a silent player: until a colour is heard, nobody heard one.
            play = replace(play, colour=UNHEARD)
            if self._early_colour is not None and seen.t_s - self._early_colour[1].t_s <= COLOUR_BEFORE_S:
                colour, call = self._early_colour
                play, evidence = replace(play, colour=colour), (seen.id, call.id)
        self._early_colour = None
        self._pile.append(play.card)
        return list(desk.write(seat, play, t_s=seen.t_s, evidence=evidence))

    def _first_card(self, seen: CardLanded, play: Play) -> list[Written]:
        if self._desk is not None:
            if play.confidence is not None:
                return [Question("Which card was turned up first? Show it again.", seen.t_s, (seen.id,))]
            return list(self._desk.write("dealer", Opening(play.card), t_s=seen.t_s, evidence=(seen.id,)))
        if self._top is not None and seen.seat is not None and self._top.reading.card is not None:
            self._pile = [self._top.reading.card]
            self._desk = Desk(self._table_at(seen.seat, None))
            return self._landed(seen)
        self._top = seen if play.confidence is None else None
        return []

    def _table_at(self, seat: Seat, colour: Colour | None) -> Table:
        """The table as it lies: the top card that is seen, `seat` to move, hands unknown."""
        top = self._pile[-1]
        shown = top.colour or colour
        hands = " ".join(f"{s}:?" for s in self._start.seats)
        return Table.from_pos(f"{top.code} {shown or '?'} > {seat} {hands}", self._profile)

    def _follow(self, seat: Seat | None) -> Desk | None:
        """In a recording from the middle the direction is unknown: whoever acts is taken to be in turn."""
        desk = self._desk
        if desk is None or seat is None or desk.state.to_act in (seat, None):
            return None
        named = desk.state.colour if isinstance(desk.state.colour, Colour) else None
        self._desk = Desk(self._table_at(seat, named))
        return self._desk

    def _lifted(self, seen: CardLifted) -> list[Written]:
        if self._desk is None or seen.reading.card is None or not self._desk.state.top:
            return []
        state = self._desk.state
        card = state.top[0] if seen.reading.card in state.top else seen.reading.card
        seat = seen.seat or (state.laid[0] if state.laid else state.to_act)
        if seat is None:
            return []
        if len(self._pile) > 1:
            self._pile.pop()
        return list(self._desk.write(seat, TakeBack(card), t_s=seen.t_s, evidence=(seen.id,)))

    def _drawn(self, seen: CardsDrawn) -> list[Written]:
        desk = self._desk
        if desk is None or seen.at_most == 0 or desk.state.phase == "scored":
            return []
        if not self._start.known:
            desk = self._follow(seen.seat) or desk
        seat = seen.seat or desk.state.to_act
        if seat is None:
            return []
        evidence = (seen.id,)
        written: list[Written] = []
        for _ in range(seen.at_least):
            debt = next((d for d in desk.state.debts if d.seat is seat), None)
            draw = Draw(1, debt.cause if debt else "turn")
            written += desk.write(seat, draw, t_s=seen.t_s, evidence=evidence)
        if seen.at_least != seen.at_most:
            text = f"How many cards did {seat} draw: {seen.at_least} or {seen.at_most}?"
            written.append(Question(text, seen.t_s, evidence))
        return written

    def _reached(self, seen: ArmSeen) -> list[Written]:
        # Only while somebody can still be caught does it matter who touched a pile (row J3).
        if self._desk is None or seen.zone is Zone.HAND:
            return []
        others = [
            last for last in self._desk.state.last_cards if last.status == "open" and last.seat is not seen.seat
        ]
        if not others or seen.seat is not self._desk.state.to_act:
            return []
        touch = Touch("draw" if seen.zone is Zone.DRAW else "discard")
        return list(self._desk.write(seen.seat, touch, t_s=seen.t_s, evidence=(seen.id,)))

    def _heard(self, call: CallHeard) -> list[Written]:
        desk = self._desk
        if desk is None or not desk.state.top:
            return []
        meant = attribute(call, desk.state)
        if meant is not None:
            return list(desk.write(meant.subject, meant.event, t_s=call.t_s, evidence=(call.id,)))
        if (colour := colour_of(call)) is not None:
            self._early_colour = (colour, call)
        return []

    def _shown(self, seen: CardsShown) -> list[Written]:
        desk = self._desk
        if desk is None:
            return []
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
