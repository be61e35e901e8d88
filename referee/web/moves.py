"""The last things that eye and ear noticed, as the page for putting right shows them."""

from __future__ import annotations

from collections.abc import Iterable

from referee.observations import CallHeard, CardLanded, CardsDrawn, Observation
from referee.web.table_link import Move

SHOWN_MOVES = 12
LIKELY = 0.002
"""Readings less probable than this are not offered as what it really was."""

OFFERED = 5


def moves_of(observations: Iterable[Observation], count: int = SHOWN_MOVES) -> list[Move]:
    """The newest `count` cards laid, draws and calls, the newest first."""
    found = [move for o in observations if (move := _move(o)) is not None]
    return sorted(found, key=lambda move: -move.t_s)[:count]


def _move(seen: Observation) -> Move | None:
    match seen:
        case CardLanded(reading=reading, seat=seat):
            others = tuple((c, round(p, 4)) for c, p in reading.alternatives if c != reading.code and p >= LIKELY)
            kept = (*others, *_lookalikes(reading.code, {c for c, _ in others}))[:OFFERED]
            return Move(seen.id, seen.t_s, "card", str(seat) if seat else None, card=reading.code, others=kept)
        case CardsDrawn(seat=seat):
            count = (seen.at_least, seen.at_most)
            return Move(seen.id, seen.t_s, "drew", str(seat) if seat else None, count=count)
        case CallHeard(phase="confirmed") if seen.certainty != "maybe":
            return Move(seen.id, seen.t_s, "call", None, call=seen.call)
        case _:
            return None


def _lookalikes(code: str, have: set[str]) -> list[tuple[str, float]]:
    """What people most often say a card really was: 6 for 9, the same sign in another colour."""
    if code.startswith("W"):
        return [(c, 0.0) for c in ("W", "W4") if c != code and c not in have]
    colour, symbol = code[0], code[1:]
    turned = {"6": "9", "9": "6"}.get(symbol)
    likes = [f"{colour}{turned}"] if turned else []
    likes += [f"{other}{symbol}" for other in "RYGB" if other != colour]
    return [(c, 0.0) for c in likes if c not in have]
