"""UGN, the UNO Game Notation: reading with faults collected, and writing."""

from referee.rules.ugn.reader import Fault, Reading, parse_entry, read_items
from referee.rules.ugn.writer import canonical_text, format_event, format_item, format_items

__all__ = [
    "Fault",
    "Reading",
    "canonical_text",
    "format_event",
    "format_item",
    "format_items",
    "parse_entry",
    "read_items",
]
