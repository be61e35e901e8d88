"""Observations as JSON lines, and back. The form is part of the command-line contract (`replay --json`)."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from typing import Any

from referee.cards import Card, Seat
from referee.observations import types
from referee.observations.types import CardReading, Observation, ViewState, Zone

KINDS: dict[str, type[Observation]] = {
    "card_landed": types.CardLanded,
    "card_lifted": types.CardLifted,
    "cards_drawn": types.CardsDrawn,
    "arm_seen": types.ArmSeen,
    "cards_shown": types.CardsShown,
    "call_heard": types.CallHeard,
    "view_changed": types.ViewChanged,
}
_NAMES = {cls: name for name, cls in KINDS.items()}


def to_json(observation: Observation) -> dict[str, Any]:
    """A JSON object for `observation`: its kind, times rounded to the millisecond, and its own fields.

    `speakers` and `voice` are left out where they say nothing.
    """
    fields = {f.name: _plain(getattr(observation, f.name)) for f in dataclasses.fields(observation)}
    for name, nothing in (("speakers", []), ("voice", None)):
        if name in fields and fields[name] == nothing:
            del fields[name]
    return {"kind": _NAMES[type(observation)], **fields}


def from_json(data: Mapping[str, Any]) -> Observation:
    """The observation that `to_json` wrote; ValueError names what is missing or unknown."""
    values = dict(data)
    kind = values.pop("kind", None)
    cls = KINDS.get(kind) if isinstance(kind, str) else None
    if cls is None:
        raise ValueError(f"unknown kind of observation {kind!r}: expected one of {', '.join(KINDS)}")
    known = {f.name for f in dataclasses.fields(cls)}
    if unknown := sorted(set(values) - known):
        raise ValueError(f"{kind}: unknown field {unknown[0]!r}")
    try:
        return cls(**{name: _rich(name, value) for name, value in values.items()})
    except (TypeError, KeyError) as fault:
        raise ValueError(f"{kind}: {fault}") from None


def reading_to_json(reading: CardReading) -> dict[str, Any]:
    """A card reading in the form that `referee read --json` promises."""
    return {
        "card": reading.code,
        "confidence": round(reading.confidence, 4),
        "quad_px": [[round(x, 1), round(y, 1)] for x, y in reading.quad_px],
        "alternatives": [[code, round(p, 4)] for code, p in reading.alternatives],
    }


def reading_from_json(data: Mapping[str, Any]) -> CardReading:
    """The reading that `reading_to_json` wrote."""
    code = data["card"]
    return CardReading(
        card=None if code == types.BACK else Card.parse(code),
        confidence=float(data["confidence"]),
        quad_px=tuple((float(x), float(y)) for x, y in data["quad_px"]),
        alternatives=tuple((str(c), float(p)) for c, p in data["alternatives"]),
    )


def _plain(value: object) -> object:
    match value:
        case CardReading():
            return reading_to_json(value)
        case Seat():
            return str(value)
        case enum.Enum():
            return value.value
        case float():
            return round(value, 3)
        case tuple():
            return [_plain(item) for item in value]
        case _:
            return value


def _rich(name: str, value: Any) -> Any:
    match name:
        case "seat" | "voice":
            return None if value is None else Seat.parse(value)
        case "perhaps":
            return tuple(Seat.parse(seat) for seat in value)
        case "speakers":
            return tuple((Seat.parse(seat), float(share)) for seat, share in value)
        case "zone":
            return Zone(value)
        case "state":
            return ViewState(value)
        case "reading":
            return reading_from_json(value)
        case "readings":
            return tuple(reading_from_json(item) for item in value)
        case _:
            return value
