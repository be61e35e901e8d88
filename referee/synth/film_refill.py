"""The draw pile has run out: the discard pile is taken up, shuffled out of sight, and laid down as draw pile."""

from __future__ import annotations

import math

from referee.cards import Seat
from referee.synth.film_plan import BACK, NEVER_S, Placed, Planner, until
from referee.synth.film_visit import visit
from referee.synth.motion import pointing_deg

_SHUFFLED_S = 2.5


def take_up(planner: Planner, seat: Seat) -> tuple[Placed, int]:
    """The seat takes the discard pile up; returns its top card and how many cards lay in view there."""
    high = planner.layout.card_px[1]
    lying = [
        index
        for index, card in enumerate(planner.placed)
        if card.until_s == NEVER_S and math.dist(card.centre_px, planner.layout.discard_px) < high * 0.6
    ]
    top = planner.placed[max(lying, key=lambda i: (planner.placed[i].from_s, i))]
    lifts = visit(planner, seat, top.code, top.centre_px, top.turn_deg, takes=True)
    for index in lying:
        planner.placed[index] = until(planner.placed[index], lifts)
    return top, len(lying)


def refill(planner: Planner, seat: Seat) -> float:
    """The seat turns the discard pile into the draw pile; returns when the top card lies on its place again."""
    top, cards = take_up(planner, seat)
    planner.clock_s += planner.time(_SHUFFLED_S)
    laid = visit(planner, seat, BACK, planner.layout.draw_px, 0.0, takes=False)
    planner.refills.append((laid, cards - 1))
    spot = planner.spot()
    turn = pointing_deg(planner.shoulder(seat, spot, 0.0), spot)
    rests = visit(planner, seat, top.code, spot, turn, takes=False)
    planner.placed.append(Placed(top.code, spot, turn, rests))
    return rests
