"""Logs of made-up evenings, for tests: observations written as a live table would write them."""

from __future__ import annotations

from pathlib import Path

from referee.cards import Card, Seat
from referee.observations import CallHeard, CardLanded, CardReading, CardsDrawn, Observation, to_json
from referee.session.log import LogLine, SessionLog, read_log
from referee.session.plan import SessionPlan

PLAN = SessionPlan(
    title="Two at a table",
    media=(),
    players={Seat.P1: "Ana", Seat.P2: "Bruno"},
    profile="classic-108",
    language="stand-in",
    dealer=Seat.P2,
    position="R5 R > P1 P1:4 P2:4",
)


def landed(name: str, t_s: float, card: str, seat: Seat | None) -> CardLanded:
    quad = ((0.0, 0.0), (50.0, 0.0), (50.0, 80.0), (0.0, 80.0))
    reading = CardReading(Card.parse(card), 0.99, quad, ((card, 0.99),))
    return CardLanded(id=name, t_s=t_s, seen_s=t_s + 0.3, reading=reading, seat=seat)


def drew(name: str, t_s: float, seat: Seat, count: int) -> CardsDrawn:
    return CardsDrawn(id=name, t_s=t_s, seen_s=t_s + 0.3, seat=seat, at_least=count, at_most=count)


def said(name: str, t_s: float, call: str) -> CallHeard:
    return CallHeard(id=name, t_s=t_s, seen_s=t_s + 0.6, call=call, end_s=t_s + 0.3)


def write(path: Path, observations: list[Observation]) -> list[LogLine]:
    """The log of these observations at `path`, each logged when it was seen."""
    log = SessionLog(path)
    for observation in observations:
        judged_to_s = round(max(0.0, observation.seen_s - 0.08), 3)
        log.append("observation", observation.t_s, {**to_json(observation), "judged_to_s": judged_to_s})
    log.append("state", max(o.seen_s for o in observations) + 2, {"what": "closed"})
    log.close()
    return read_log(path).lines
