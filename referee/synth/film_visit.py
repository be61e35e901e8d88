"""One visit of a hand that takes a packet of cards away or lays one down."""

from __future__ import annotations

from referee.cards import Seat
from referee.synth.film_plan import NEVER_S, Planner
from referee.synth.motion import LEAD_SHARE, Carry, Key, Reach, ahead, pointing_deg
from referee.synth.tabletop import Point


def visit(planner: Planner, seat: Seat, code: str, spot: Point, turn_deg: float, *, takes: bool) -> float:
    """The seat's hand comes for the cards at `spot`, or with them; returns when it lifts or lets go."""
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
