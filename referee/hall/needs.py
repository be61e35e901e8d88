"""Which tables need a person, and for what, the most urgent first."""

from __future__ import annotations

from referee.hall.messages import TableState

GOOD = frozenset({"running", "off", "muted"})
"""Words of a part's health that nobody has to do anything about."""

URGENCY = ("out_of_step", "asks", "view_lost", "part_lost", "deaf")


def needs_of(state: TableState) -> tuple[str, ...]:
    """What the table needs somebody for: codes of `URGENCY` in that order, `part_lost:camera` with the part.

    A session that has ended needs nobody; a table without a microphone was meant to have none.
    """
    if state.phase == "ended":
        return ()
    lost = sorted(part for part, word in state.health.items() if word not in GOOD)
    found = [
        "out_of_step" if state.phase == "out_of_step" else "",
        "asks" if state.asks else "",
        "view_lost" if state.view == "lost" else "",
        *(f"part_lost:{part}" for part in lost),
        "deaf" if not state.hears and state.health.get("microphone") == "running" else "",
    ]
    return tuple(code for code in found if code)


def urgency(code: str) -> int:
    """The place of a need in the order of urgency, 0 for the most urgent."""
    return URGENCY.index(code.partition(":")[0])
