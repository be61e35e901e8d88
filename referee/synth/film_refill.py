"""The draw pile has run out: the discard pile is taken up, shuffled out of sight, and laid down as draw pile."""

from __future__ import annotations

import math

from referee.cards import Seat
from referee.synth.film_plan import BACK, NEVER_S, Placed, Planner, until
from referee.synth.motion import LEAD_SHARE, Carry, Key, Reach, ahead, pointing_deg
from referee.synth.tabletop import Point

_SHUFFLED_S = 2.5


def refill(planner: Planner, seat: Seat) -> float:
    """The seat turns the discard pile into the draw pile; returns when the top card lies on its place again."""
    high = planner.layout.card_px[1]
    lying = [
        index
        for index, card in enumerate(planner.placed)
        if card.until_s == NEVER_S and math.dist(card.centre_px, planner.layout.discard_px) < high * 0.6
    ]
    top = planner.placed[max(lying, key=lambda i: (planner.placed[i].from_s, i))]
    lifts = _carry(planner, seat, top.code, top.centre_px, top.turn_deg, takes=True)
    for index in lying:
        planner.placed[index] = until(planner.placed[index], lifts)
    planner.clock_s += planner.time(_SHUFFLED_S)
    laid = _carry(planner, seat, BACK, planner.layout.draw_px, 0.0, takes=False)
    planner.refills.append((laid, len(lying) - 1))
    spot = planner.spot()
    turn = pointing_deg(planner.shoulder(seat, spot, 0.0), spot)
    rests = _carry(planner, seat, top.code, spot, turn, takes=False)
    planner.placed.append(Placed(top.code, spot, turn, rests))
    return rests


def _carry(planner: Planner, seat: Seat, code: str, spot: Point, turn_deg: float, *, takes: bool) -> float:
    """One visit of a hand that takes cards away or lays them down; returns when it lifts or lets go."""
    lead = planner.layout.card_px[1] * LEAD_SHARE
    shoulder = planner.shoulder(seat, spot, planner.vary(0, 20))
    direction = pointing_deg(shoulder, spot)
    grip = ahead(spot, direction, -lead)
    hidden = planner.hidden(shoulder, spot)
    begin = planner.clock_s
    there = begin + planner.time(planner.pace.reach_s)
    leaves = there + planner.time(planner.pace.grip_s * 2)
    gone = leaves + planner.time(planner.pace.withdraw_s)
    twist = turn_deg - direction
    from_s, until_s = (leaves, NEVER_S) if takes else (begin, there)
    keys = (Key(begin, hidden, 0.5), Key(there, grip), Key(leaves, grip), Key(gone, hidden, 0.5))
    carry = Carry(code, from_s, until_s, (twist, twist), (lead, lead))
    planner.reaches.append(Reach(seat, shoulder, keys, (carry,)))
    planner.clock_s = gone + planner.time(planner.pace.rest_s)
    return leaves if takes else there
