"""Observation types, their JSON lines form. Imports only `cards`."""

from referee.observations.jsonl import from_json, reading_from_json, reading_to_json, to_json
from referee.observations.types import (
    BACK,
    EMPTY_PILE,
    UNREAD_CHANGE,
    ArmSeen,
    CallHeard,
    CardLanded,
    CardLifted,
    CardReading,
    CardsDrawn,
    CardsShown,
    Observation,
    ViewChanged,
    ViewState,
    Zone,
)

__all__ = [
    "BACK",
    "EMPTY_PILE",
    "UNREAD_CHANGE",
    "ArmSeen",
    "CallHeard",
    "CardLanded",
    "CardLifted",
    "CardReading",
    "CardsDrawn",
    "CardsShown",
    "Observation",
    "ViewChanged",
    "ViewState",
    "Zone",
    "from_json",
    "reading_from_json",
    "reading_to_json",
    "to_json",
]
