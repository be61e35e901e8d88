"""Observations as eye and ear would report them, written in a few words: `laid("P1", "R5", 2.9)`."""

from __future__ import annotations

import itertools

from referee.cards import Card, Seat
from referee.observations import (
    EMPTY_PILE,
    UNREAD_CHANGE,
    ArmSeen,
    CallHeard,
    CardLanded,
    CardLifted,
    CardReading,
    CardsDrawn,
    CardsShown,
    ViewChanged,
    ViewState,
    Zone,
)

_ids = itertools.count(1)
QUAD = ((0.0, 0.0), (56.0, 0.0), (56.0, 87.0), (0.0, 87.0))


def reading(text: str) -> CardReading:
    """`R6`, or `R6~0.5|R9` for a doubtful one."""
    first, *others = text.split("|")
    code, _, doubt = first.partition("~")
    sure = float(doubt or 0.97)
    rest = (1 - sure) / max(1, len(others))
    return CardReading(Card.parse(code), sure, QUAD, ((code, sure), *((other, rest) for other in others)))


def laid(
    seat: str | None, card: str, t_s: float, *, perhaps: tuple[Seat, ...] = (), found: bool = False
) -> CardLanded:
    return CardLanded(
        id=f"v{next(_ids)}",
        t_s=t_s,
        seen_s=t_s + 0.5,
        reading=reading(card),
        seat=Seat.parse(seat) if seat else None,
        perhaps=perhaps,
        found=found,
    )


def lifted(seat: str, card: str, t_s: float) -> CardLifted:
    return CardLifted(id=f"v{next(_ids)}", t_s=t_s, seen_s=t_s + 0.5, reading=reading(card), seat=Seat.parse(seat))


def drew(
    seat: str | None, t_s: float, least: int = 1, most: int = 1, *, perhaps: tuple[Seat, ...] = ()
) -> CardsDrawn:
    return CardsDrawn(
        id=f"v{next(_ids)}",
        t_s=t_s,
        seen_s=t_s + 0.5,
        seat=Seat.parse(seat) if seat else None,
        at_least=least,
        at_most=most,
        perhaps=perhaps,
    )


def showed(seat: str, cards: str, t_s: float, *, complete: bool = True) -> CardsShown:
    return CardsShown(
        id=f"v{next(_ids)}",
        t_s=t_s,
        seen_s=t_s + 0.7,
        seat=Seat.parse(seat),
        readings=tuple(reading(code) for code in cards.split()),
        complete=complete,
    )


def said(
    call: str, t_s: float, *, certainty: str = "sure", phase: str = "confirmed", channel: str = "clear"
) -> CallHeard:
    return CallHeard(
        id=f"a{next(_ids)}",
        t_s=t_s,
        seen_s=t_s + 0.9,
        call=call,
        end_s=t_s + 0.4,
        certainty=certainty,
        phase=phase,
        channel=channel,
    )


def unread(t_s: float) -> ViewChanged:
    return ViewChanged(id=f"v{next(_ids)}", t_s=t_s, seen_s=t_s, state=ViewState.READY, reason=UNREAD_CHANGE)


def emptied(t_s: float) -> ViewChanged:
    return ViewChanged(id=f"v{next(_ids)}", t_s=t_s, seen_s=t_s, state=ViewState.READY, reason=EMPTY_PILE)


def back(t_s: float) -> ViewChanged:
    return ViewChanged(id=f"v{next(_ids)}", t_s=t_s, seen_s=t_s, state=ViewState.READY)


def lost(t_s: float) -> ViewChanged:
    return ViewChanged(id=f"v{next(_ids)}", t_s=t_s, seen_s=t_s, state=ViewState.LOST, reason="the picture is dark")


def reached(seat: str, zone: Zone, t_s: float) -> ArmSeen:
    return ArmSeen(
        id=f"v{next(_ids)}", t_s=t_s, seen_s=t_s + 0.6, seat=Seat.parse(seat), zone=zone, until_s=t_s + 0.6
    )


def covered(t_s: float) -> ViewChanged:
    return ViewChanged(id=f"v{next(_ids)}", t_s=t_s, seen_s=t_s, state=ViewState.HAND_OVER)
