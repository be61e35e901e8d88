"""What hands do besides laying a card neatly: slide, drop, toss, hesitate, fumble, square a pile up, wait aside.

Each function plans one gesture with a `Planner` and moves its clock on; those that lay a card return when it rests.
"""

from __future__ import annotations

import math

import numpy as np

from referee.cards import Card, Seat
from referee.synth.film_plan import BACK, NEVER_S, Gesture, Placed, Planner, until
from referee.synth.motion import LEAD_SHARE, LIFT_MM, Carry, Flight, Key, Reach, ahead, pointing_deg
from referee.synth.tabletop import Point

Rng = np.random.Generator

_SQUARED_DEEP = 9  # cards from the top that a squared pile still shows
_HOVER_LIFT = 0.75
_SWAY_S = 0.22


def slide(planner: Planner, rng: Rng, seat: Seat, card: Card) -> float:
    """A card is put down a little before the pile and pushed onto it."""
    spot, shoulder, direction, lead = _aim(planner, seat)
    begins = ahead(
        spot, direction + float(rng.normal(0, 25)), -planner.layout.card_px[1] * float(rng.uniform(0.3, 0.7))
    )
    twist = planner.twist(seat)
    first, last = (ahead(at, pointing_deg(shoulder, at), -lead) for at in (begins, spot))
    hidden = planner.hidden(shoulder, spot)
    begin = planner.clock_s
    down = begin + planner.time(planner.pace.reach_s * 0.9)
    rests = down + float(rng.uniform(0.2, 0.45))
    leaves = rests + planner.time(planner.pace.dwell_s)
    gone = leaves + planner.time(planner.pace.withdraw_s)
    keys = (Key(begin, hidden, 0.5), Key(down, first), Key(rests, last), Key(leaves, last), Key(gone, hidden, 0.5))
    planner.reaches.append(
        Reach(seat, shoulder, keys, (Carry(card.code, begin, rests, (twist, twist), (lead, lead)),))
    )
    turn = pointing_deg(shoulder, last) + twist
    planner.placed.append(Placed(card.code, ahead(last, pointing_deg(shoulder, last), lead), turn, rests))
    return _done(planner, "slid", seat, begin, rests, gone)


def drop(planner: Planner, rng: Rng, seat: Seat, card: Card) -> float:
    """A card is let fall from a hand's breadth above the pile."""
    spot, shoulder, direction, lead = _aim(planner, seat)
    twist = planner.twist(seat)
    above = (spot[0] + planner.vary(0, 6), spot[1] + planner.vary(0, 6))
    grip = ahead(above, direction, -lead)
    hidden = planner.hidden(shoulder, spot)
    lift = float(rng.uniform(0.5, 1.0))
    begin = planner.clock_s
    lets_go = begin + planner.time(planner.pace.reach_s)
    rests = lets_go + float(rng.uniform(0.1, 0.17))
    leaves = lets_go + 0.06
    gone = leaves + planner.time(planner.pace.withdraw_s)
    keys = (Key(begin, hidden, 0.6), Key(lets_go, grip, lift), Key(leaves, grip, lift), Key(gone, hidden, 0.6))
    planner.reaches.append(
        Reach(seat, shoulder, keys, (Carry(card.code, begin, lets_go, (twist, twist), (lead, lead)),))
    )
    start = direction + twist
    turn = start + planner.vary(0, 12)
    height = lift * LIFT_MM * planner.layout.px_per_mm
    planner.flights.append(
        Flight(card.code, lets_go, rests, above, spot, (start, turn), (height, 0.0), airborne=0.85)
    )
    planner.placed.append(Placed(card.code, spot, turn, rests))
    return _done(planner, "dropped", seat, begin, rests, gone)


def toss(planner: Planner, rng: Rng, seat: Seat, card: Card, *, tumble: bool) -> float:
    """A card is thrown onto the pile from a way off, turning as it flies."""
    spot, shoulder, direction, lead = _aim(planner, seat, spread=0.11)
    twist = planner.twist(seat)
    high = planner.layout.card_px[1]
    way = high * float(rng.uniform(1.1, 1.9))
    released = ahead(spot, direction + float(rng.normal(0, 6)), -way)
    grip = ahead(released, pointing_deg(shoulder, released), -lead)
    hidden = planner.hidden(shoulder, spot)
    begin = planner.clock_s
    lets_go = begin + planner.time(planner.pace.reach_s * 0.75)
    rests = lets_go + float(rng.uniform(0.3, 0.48))
    gone = lets_go + 0.12 + planner.time(planner.pace.withdraw_s * 0.85)
    after = ahead(grip, direction, high * 0.2)  # the hand swings on a little
    keys = (Key(begin, hidden, 0.5), Key(lets_go, grip, 0.5), Key(lets_go + 0.12, after, 0.7), Key(gone, hidden, 0.5))
    planner.reaches.append(
        Reach(seat, shoulder, keys, (Carry(card.code, begin, lets_go, (twist, twist), (lead, lead)),))
    )
    start = pointing_deg(shoulder, released) + twist
    turn = start + float(rng.normal(0, 110))
    mm = planner.layout.px_per_mm
    planner.flights.append(
        Flight(
            card.code,
            lets_go,
            rests,
            ahead(grip, pointing_deg(shoulder, released), lead),
            spot,
            (start, turn),
            (0.5 * LIFT_MM * mm, float(rng.uniform(10, 45 if not tumble else 80)) * mm),
            tumble_deg=360.0 if tumble else 0.0,
        )
    )
    planner.placed.append(Placed(card.code, spot, turn, rests))
    return _done(planner, "tumbled" if tumble else "tossed", seat, begin, rests, max(gone, rests))


def adjust(planner: Planner, rng: Rng, seat: Seat) -> None:
    """The seat puts the top card straighter."""
    index = _top(planner)
    top = planner.placed[index]
    _, shoulder, _, lead = _aim(planner, seat)
    direction = pointing_deg(shoulder, top.centre_px)
    spot = planner.spot()
    grip, ends = ahead(top.centre_px, direction, -lead), ahead(spot, pointing_deg(shoulder, spot), -lead)
    hidden = planner.hidden(shoulder, top.centre_px)
    begin = planner.clock_s
    touches = begin + planner.time(planner.pace.reach_s * 0.9)
    moves = touches + planner.time(planner.pace.grip_s)
    rests = moves + float(rng.uniform(0.25, 0.5))
    gone = rests + 0.1 + planner.time(planner.pace.withdraw_s)
    straight = 180.0 * round((top.turn_deg - direction) / 180)
    twists = (top.turn_deg - direction, straight + planner.vary(0, 6))
    keys = (Key(begin, hidden, 0.5), Key(touches, grip), Key(moves, grip), Key(rests, ends), Key(rests + 0.1, ends))
    carry = Carry(top.code, moves, rests, twists, (lead, lead), blend_s=rests - moves)
    planner.reaches.append(Reach(seat, shoulder, (*keys, Key(gone, hidden, 0.5)), (carry,)))
    planner.placed[index] = until(top, moves)
    end_direction = pointing_deg(shoulder, ends)
    planner.placed.append(Placed(top.code, ahead(ends, end_direction, lead), end_direction + twists[1], rests))
    _done(planner, "adjusted", seat, begin, rests, gone)


def hesitate(planner: Planner, rng: Rng, seat: Seat, card: Card) -> None:
    """A hand comes with its card, hovers over the pile, and goes back."""
    spot, shoulder, direction, lead = _aim(planner, seat)
    short = ahead(spot, direction, -planner.layout.card_px[1] * float(rng.uniform(0.0, 0.8)))
    grip = ahead(short, direction, -lead)
    hidden = planner.hidden(shoulder, spot)
    begin = planner.clock_s
    there = begin + planner.time(planner.pace.reach_s)
    turns = there + float(rng.uniform(0.3, 1.1))
    gone = turns + planner.time(planner.pace.withdraw_s)
    mm = planner.layout.px_per_mm
    swaying = [Key(there, grip, _HOVER_LIFT)]
    while swaying[-1].t_s < turns - _SWAY_S:  # no hand in the air is still
        at = (grip[0] + planner.vary(0, 4) * mm, grip[1] + planner.vary(0, 4) * mm)
        swaying.append(Key(swaying[-1].t_s + _SWAY_S, at, _HOVER_LIFT + planner.vary(0, 0.08)))
    keys = (Key(begin, hidden, 0.5), *swaying, Key(gone, hidden, 0.5))
    planner.reaches.append(Reach(seat, shoulder, keys, (Carry(card.code, begin, NEVER_S, (0.0, 0.0), (lead, lead)),)))
    _done(planner, "hesitated", seat, begin, gone, gone)
    planner.clock_s = gone + float(rng.uniform(0.2, 0.9))


def fumble(planner: Planner, rng: Rng, seat: Seat, card: Card) -> None:
    """A card falls before its player, face up or down, and is picked up again."""
    place = planner.layout.at(seat)
    mx, my = place.middle_px
    along = planner.vary(0, planner.layout.card_px[1] * 0.5)
    spot = (mx + along, my) if place.edge in ("bottom", "top") else (mx, my + along)
    shoulder = planner.shoulder(seat, spot, planner.vary(0, 20))
    direction = pointing_deg(shoulder, spot)
    lead = planner.layout.card_px[1] * LEAD_SHARE
    hidden = planner.hidden(shoulder, spot)
    code = card.code if rng.random() < 0.5 else BACK
    grip = ahead(spot, direction, -lead)
    begin = planner.clock_s
    slips = begin + planner.time(planner.pace.reach_s * 0.6)
    rests = slips + 0.15
    waits = slips + float(rng.uniform(0.35, 0.9))
    touches = waits + 0.25
    lifts = touches + planner.time(planner.pace.grip_s)
    gone = lifts + planner.time(planner.pace.withdraw_s * 0.8)
    back = ahead(grip, direction, -planner.layout.card_px[1] * 0.5)
    keys = (
        Key(begin, hidden, 0.5),
        Key(slips, grip, 0.6),
        Key(waits, back, 0.5),
        Key(touches, grip),
        Key(lifts, grip),
        Key(gone, hidden, 0.5),
    )
    turn = direction + planner.vary(0, 30)
    height = 0.6 * LIFT_MM * planner.layout.px_per_mm
    carries = (
        Carry(code, begin, slips, (0.0, 0.0), (lead, lead)),
        Carry(code, lifts, NEVER_S, (turn - direction, 0.0), (lead, lead)),
    )
    planner.reaches.append(Reach(seat, shoulder, keys, carries))
    planner.flights.append(Flight(code, slips, rests, spot, spot, (direction, turn), (height, 0.0), airborne=0.9))
    planner.placed.append(Placed(code, spot, turn, rests, lifts))
    _done(planner, "fumbled", seat, begin, gone, gone)


def square(planner: Planner, rng: Rng, seat: Seat) -> None:
    """The seat squares the discard pile up."""
    lying = sorted(
        (i for i, p in enumerate(planner.placed) if p.until_s == NEVER_S and _on_pile(planner, p)),
        key=lambda i: (planner.placed[i].from_s, i),
    )[-_SQUARED_DEEP:]
    top = planner.placed[lying[-1]]
    spot = (top.centre_px[0] + planner.vary(0, 5), top.centre_px[1] + planner.vary(0, 5))
    turn = 180.0 * round(top.turn_deg / 180) + planner.vary(0, 4)
    shoulder = planner.shoulder(seat, spot, planner.vary(0, 30))
    direction = pointing_deg(shoulder, spot)
    grip = ahead(spot, direction, -planner.layout.card_px[1] * 0.15)
    hidden = planner.hidden(shoulder, spot)
    begin = planner.clock_s
    touches = begin + planner.time(planner.pace.reach_s)
    ends = touches + float(rng.uniform(0.5, 0.9))
    gone = ends + planner.time(planner.pace.withdraw_s)
    strokes = [ahead(grip, direction + 90, side * planner.layout.card_px[1] * 0.06) for side in (-1.0, 1.0)]
    third = (ends - touches) / 3
    keys = (
        Key(begin, hidden, 0.5),
        Key(touches, grip),
        Key(touches + third, strokes[0]),
        Key(touches + 2 * third, strokes[1]),
        Key(ends, grip),
        Key(gone, hidden, 0.5),
    )
    planner.reaches.append(Reach(seat, shoulder, keys))
    steps = [touches + third * (0.4 + 0.5 * number) for number in range(4)]
    for index in lying:
        card = planner.placed[index]
        aim = turn + 180.0 * round((card.turn_deg - turn) / 180) + planner.vary(0, 1.2)
        end = (spot[0] + planner.vary(0, 1.2), spot[1] + planner.vary(0, 1.2))
        planner.placed[index] = until(card, steps[0])
        for number, at_s in enumerate(steps):
            share = (number + 1) / len(steps)
            centre = tuple(a + share * (b - a) for a, b in zip(card.centre_px, end, strict=True))
            leaves = steps[number + 1] if number + 1 < len(steps) else NEVER_S
            turned = card.turn_deg + share * (aim - card.turn_deg)
            planner.placed.append(Placed(card.code, (centre[0], centre[1]), turned, at_s, leaves))
    _done(planner, "squared", seat, begin, steps[-1], gone)


def wait_aside(planner: Planner, rng: Rng, seat: Seat, from_s: float) -> None:
    """Another seat's hand lies over its own place for a while; the table does not wait for it."""
    place = planner.layout.at(seat)
    spot: Point = place.middle_px
    shoulder = planner.shoulder(seat, spot, planner.vary(0, 60))
    direction = pointing_deg(shoulder, spot)
    short = ahead(spot, direction, -planner.layout.card_px[1] * float(rng.uniform(0.1, 0.6)))
    hidden = planner.hidden(shoulder, short)
    there = from_s + planner.time(0.5)
    leaves = there + float(rng.uniform(0.5, 1.6))
    gone = leaves + planner.time(0.5)
    moved = ahead(short, direction + 90, planner.vary(0, 14))
    keys = (Key(from_s, hidden, 0.4), Key(there, short, 0.15), Key(leaves, moved, 0.15), Key(gone, hidden, 0.4))
    planner.reaches.append(Reach(seat, shoulder, keys))
    planner.gestures.append(Gesture("waited", seat, from_s, gone))
    planner.busy_until_s[seat] = gone


def _aim(planner: Planner, seat: Seat, spread: float | None = None) -> tuple[Point, Point, float, float]:
    """Where the card shall lie, the shoulder, the arm's direction, and how far the card's middle is from the grip."""
    spot = planner.spot()
    if spread is not None:
        x, y = planner.layout.discard_px
        off = planner.layout.card_px[1] * spread
        spot = (x + planner.vary(0, off), y + planner.vary(0, off))
    shoulder = planner.shoulder(seat, spot, planner.vary(0, 45))
    return spot, shoulder, pointing_deg(shoulder, spot), planner.layout.card_px[1] * LEAD_SHARE


def _top(planner: Planner) -> int:
    lying = (i for i, p in enumerate(planner.placed) if p.until_s == NEVER_S and _on_pile(planner, p))
    return max(lying, key=lambda i: (planner.placed[i].from_s, i))


def _on_pile(planner: Planner, card: Placed) -> bool:
    return math.dist(card.centre_px, planner.layout.discard_px) < planner.layout.card_px[1] * 0.6


def _done(planner: Planner, kind: str, seat: Seat, begin_s: float, rests_s: float, gone_s: float) -> float:
    planner.gestures.append(Gesture(kind, seat, begin_s, rests_s))
    planner.clock_s = gone_s + planner.time(planner.pace.rest_s)
    return rests_s
