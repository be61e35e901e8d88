"""A game that is made up for measuring: two players in turn lay red on red, and nothing is ever wrong."""

from __future__ import annotations

from referee.cards import Card, Seat
from referee.observations import CardLanded, CardReading
from referee.session.plan import SessionPlan


def plan_of(title: str) -> SessionPlan:
    """The plan of such a session, which takes the game up under way."""
    return SessionPlan(
        title=title,
        media=(),
        players={Seat.P1: "Ana", Seat.P2: "Bruno"},
        profile="classic-108",
        language="stand-in",
        dealer=Seat.P2,
        position="R5 R > P1 P1:? P2:?",
    )


def red_card(number: int, t_s: float) -> CardLanded:
    """The card that is laid as the `number`th, counted from 1, when it is seen at once."""
    reading = CardReading(Card.parse(f"R{number % 10}"), 0.99, ((10, 10), (30, 10), (30, 40), (10, 40)))
    seat = Seat.P1 if number % 2 else Seat.P2
    return CardLanded(id=f"v{number}", t_s=t_s, seen_s=t_s, reading=reading, seat=seat)
