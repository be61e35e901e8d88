"""Public states of made-up tables."""

from __future__ import annotations

from typing import Any

from referee.hall.messages import Player, PublicRuling, PublicState

ILLEGAL = PublicRuling(
    t_s=61.5, incident="illegal_play", kind="foul", certainty="sure", seat="P2", remedy="take_back"
)


def state(round_: int = 1, points: int = 0, **said: Any) -> PublicState:
    """A table of two that plays, and is well."""
    told: dict[str, Any] = {
        "round": round_,
        "phase": "playing",
        "view": "ready",
        "asks": False,
        "hears": True,
        "players": [Player(seat="P1", name="Ana", points=points), Player(seat="P2", name="Bruno", points=0)],
        "health": {"camera": "running", "microphone": "running"},
    }
    return PublicState(**{**told, **said})
