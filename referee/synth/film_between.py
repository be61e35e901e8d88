"""Between two rounds: all cards thrown together, shuffled out of sight, dealt, and the first one turned up.

Everybody pushes the counted hand to the middle; the next dealer takes all cards up, lays the deck down as draw pile
and deals one card after another, face down, over the table to each place, where its player picks them up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.cards import Card, Seat
from referee.synth.film_plan import BACK, Placed, Planner, until
from referee.synth.film_refill import take_up
from referee.synth.film_visit import visit
from referee.synth.motion import LEAD_SHARE, Carry, Flight, Key, Reach, ahead, pointing_deg
from referee.synth.tabletop import Point

_COUNTED_S = (1.2, 3.0)
_SHUFFLED_S = (3.0, 6.0)
_TO_THE_PILE_S = 0.3
_FLICK_S = 0.22
_GLIDES_S = 0.28
_LET_GO_SHARE = 0.35
"""Of the way from the pile to a place: there the dealer lets a card go, and it glides on."""

_FACE_DOWN = 0.5
"""Chance that a hand is pushed to the middle with its backs up."""


@dataclass(frozen=True, slots=True)
class Deck:
    """What is dealt: cards in the pile that is laid down, and how many each seat gets, in the order of dealing."""

    count: int
    hands: tuple[tuple[Seat, int], ...]


def deal_again(planner: Planner, dealer: Seat, deck: Deck) -> float:
    """Gather all cards, shuffle and deal, but for the first card; returns when the first hand reaches for its own."""
    planner.clock_s = max(planner.clock_s, *planner.busy_until_s.values(), 0.0)
    planner.clock_s += float(planner.rng.uniform(*_COUNTED_S))
    begun_s = planner.clock_s
    for seat in sorted(planner.shown):
        _push_in(planner, seat)
    _take_up(planner, dealer)
    planner.clock_s += float(planner.rng.uniform(*_SHUFFLED_S))
    visit(planner, dealer, BACK, planner.layout.draw_px, 0.0, takes=False)
    planner.stocks.append((planner.reaches[-1].carries[0].until_s, deck.count))
    dealt = _deal(planner, dealer, deck.hands)
    for seat, _ in deck.hands:
        _pick_up(planner, seat, dealt[seat])
    return begun_s


def turn_up(planner: Planner, dealer: Seat, card: Card) -> float:
    """The dealer turns the top card of the draw pile up and lays it down as discard pile; returns when it rests."""
    pile, spot = planner.layout.draw_px, planner.spot()
    shoulder = planner.shoulder(dealer, spot, planner.vary(0, 30))
    high = planner.layout.card_px[1]
    lead = high * LEAD_SHARE
    direction = pointing_deg(shoulder, pile)
    near = high * 0.2
    from_pile, onto = ahead(pile, direction, -near), ahead(spot, pointing_deg(shoulder, spot), -lead)
    hidden = planner.hidden(shoulder, pile)
    begin = planner.clock_s
    touches = begin + planner.time(planner.pace.reach_s)
    lifts = touches + planner.time(planner.pace.grip_s)
    rests = lifts + planner.time(planner.pace.reach_s)
    leaves = rests + planner.time(planner.pace.dwell_s)
    gone = leaves + planner.time(planner.pace.withdraw_s)
    keys = (
        Key(begin, hidden, 0.5),
        Key(touches, from_pile),
        Key(lifts, from_pile),
        Key(rests, onto),
        Key(leaves, onto),
        Key(gone, planner.hidden(shoulder, spot), 0.5),
    )
    turns = (lifts + rests) / 2
    twist = planner.twist(dealer)
    along = -180.0 * round(direction / 180)
    carries = (
        Carry(BACK, lifts, turns, (-direction, along), (near, lead)),
        Carry(card.code, turns, rests, (twist, twist), (lead, lead)),
    )
    planner.reaches.append(Reach(dealer, shoulder, keys, carries))
    planner.dealt_s.append(lifts)
    planner.placed.append(Placed(card.code, spot, pointing_deg(shoulder, spot) + twist, rests))
    planner.clock_s = gone + planner.time(planner.pace.rest_s)
    return rests


def _push_in(planner: Planner, seat: Seat) -> None:
    """A seat takes its open cards together and puts them down on the pile."""
    lead = planner.layout.card_px[1] * LEAD_SHARE
    shoulder, keys, lifted = planner.lift_shown(seat)
    spot = planner.spot()
    direction = pointing_deg(shoulder, spot)
    grip = ahead(spot, direction, -lead)
    rests = keys[-1].t_s + planner.time(planner.pace.reach_s)
    leaves = rests + planner.time(planner.pace.dwell_s)
    gone = leaves + planner.time(planner.pace.withdraw_s)
    keys += [Key(rests, grip), Key(leaves, grip), Key(gone, planner.hidden(shoulder, spot), 0.5)]
    twist = planner.twist(seat)
    ends = [at_s for _, at_s in lifted[1:]]
    carries = []
    for (card, from_s), until_s in zip(lifted[:-1], ends, strict=True):
        held = card.turn_deg - pointing_deg(shoulder, card.centre_px)
        carries.append(Carry(card.code, from_s, until_s, (held, held), (lead, lead)))
    last, from_s = lifted[-1]
    code = BACK if planner.rng.random() < _FACE_DOWN else last.code
    held = last.turn_deg - pointing_deg(shoulder, last.centre_px)
    carries.append(Carry(code, from_s, rests, (held, twist), (lead, lead)))
    planner.reaches.append(Reach(seat, shoulder, tuple(keys), tuple(carries)))
    planner.placed.append(Placed(code, spot, direction + twist, rests))
    planner.clock_s = gone + planner.time(planner.pace.rest_s) * 0.5


def _take_up(planner: Planner, dealer: Seat) -> None:
    """The dealer takes up the heap, then the draw pile."""
    take_up(planner, dealer)
    lifts = visit(planner, dealer, BACK, planner.layout.draw_px, 0.0, takes=True)
    planner.stocks.append((lifts, 0))


def _deal(planner: Planner, dealer: Seat, hands: Sequence[tuple[Seat, int]]) -> dict[Seat, list[int]]:
    """One card after another to each place, the dealer's arm over the pile all the time; the cards' indices."""
    layout, pace = planner.layout, planner.pace
    pile, high = layout.draw_px, layout.card_px[1]
    lead, near = high * LEAD_SHARE, high * 0.2
    shoulder = planner.shoulder(dealer, pile, planner.vary(0, 30))
    hidden = planner.hidden(shoulder, pile)
    keys = [Key(planner.clock_s, hidden, 0.5)]
    carries: list[Carry] = []
    dealt: dict[Seat, list[int]] = {seat: [] for seat, _ in hands}
    rounds = max(count for _, count in hands)
    for number in range(rounds):
        for seat, count in hands:
            if number >= count:
                continue
            direction = pointing_deg(shoulder, pile)
            grip = ahead(pile, direction, -near + planner.vary(0, 4))
            touches = keys[-1].t_s + planner.time(pace.reach_s if len(keys) == 1 else _TO_THE_PILE_S)
            lifts = touches + 0.08
            spot = _spot_of(planner, seat)
            share = 0.8 if seat is dealer else _LET_GO_SHARE
            released = (pile[0] + share * (spot[0] - pile[0]), pile[1] + share * (spot[1] - pile[1]))
            lets_go = lifts + planner.time(_FLICK_S)
            turned = pointing_deg(shoulder, released)
            at = ahead(released, turned, -lead)
            keys += [Key(touches, grip), Key(lifts, grip), Key(lets_go, at, 0.15)]
            along = -180.0 * round(direction / 180)
            carries.append(Carry(BACK, lifts, lets_go, (-direction, along), (near, lead), blend_s=lets_go - lifts))
            rests = lets_go + planner.time(_GLIDES_S)
            turn = turned + along + planner.vary(0, 25)
            planner.flights.append(
                Flight(BACK, lets_go, rests, ahead(at, turned, lead), spot, (turned + along, turn), (8.0, 0.0))
            )
            dealt[seat].append(len(planner.placed))
            planner.placed.append(Placed(BACK, spot, turn, rests))
            planner.dealt_s.append(lifts)
    gone = keys[-1].t_s + planner.time(pace.withdraw_s)
    planner.reaches.append(Reach(dealer, shoulder, (*keys, Key(gone, hidden, 0.5)), tuple(carries)))
    planner.clock_s = gone + planner.time(pace.rest_s)
    return dealt


def _spot_of(planner: Planner, seat: Seat) -> Point:
    """Where a dealt card comes to lie before a seat."""
    place = planner.layout.at(seat)
    (mx, my), spread = place.middle_px, planner.layout.card_px[1] * 0.15
    along, across = planner.vary(0, spread), planner.vary(0, spread / 3)
    return (mx + along, my + across) if place.edge in ("bottom", "top") else (mx + across, my + along)


def _pick_up(planner: Planner, seat: Seat, indices: Sequence[int]) -> None:
    """A seat takes up all the cards that it was dealt."""
    top = planner.placed[indices[-1]]
    lifts = visit(planner, seat, BACK, top.centre_px, top.turn_deg, takes=True)
    for index in indices:
        planner.placed[index] = until(planner.placed[index], lifts)
