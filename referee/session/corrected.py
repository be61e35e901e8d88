"""A scribe who hears the corrections along with the observations, from a log, a recording or a live table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from referee.cards import Card
from referee.fusion.scribe import Scribe, TableStart, Written
from referee.observations import (
    CallHeard,
    CardLanded,
    CardLifted,
    CardReading,
    CardsDrawn,
    Observation,
    from_json,
)
from referee.observations.jsonl import KINDS
from referee.rules.profiles import Profile
from referee.session.corrections import INSERTS, Correction, Standing
from referee.session.log import LogLine

SAME_MOMENT_S = 0.3
"""What is read again from a recording is the same observation if it is of one kind and so near in time."""


class CorrectedScribe(Scribe):
    """Takes observations in the order of their times, as `Scribe` does, and puts them right by `corrections`.

    by_id: the observations carry the ids of the log. Otherwise eye and ear looked anew, and the same kind of thing at
    the same moment is what the correction is about.
    """

    def __init__(
        self, profile: Profile, start: TableStart, corrections: Sequence[Standing] = (), *, by_id: bool = False
    ) -> None:
        super().__init__(profile, start)
        self._by_id = by_id
        self._changes = [
            (s.correction, observation)
            for s in corrections
            for line in s.targets
            if line.type == "observation" and (observation := observation_of(line)) is not None
        ]
        inserted = [_inserted(s) for s in corrections if s.correction.what in INSERTS and not s.correction.about]
        self._unnoticed = sorted((o for o in inserted if o is not None), key=lambda o: o.t_s)

    def take(self, observation: Observation) -> list[Written]:
        """As `Scribe.take`, after what was put in before it, and as it was put right."""
        written = self._until(observation.t_s)
        corrected: Observation | None = observation
        for correction, about in self._changes:
            same = observation.id == about.id if self._by_id else _same(observation, about)
            if corrected is not None and same:
                corrected = _apply(correction, corrected)
        return written if corrected is None else [*written, *super().take(corrected)]

    def close(self, t_s: float) -> list[Written]:
        """As `Scribe.close`, after all that was put in."""
        return [*self._until(float("inf")), *super().close(t_s)]

    def _until(self, t_s: float) -> list[Written]:
        written: list[Written] = []
        while self._unnoticed and self._unnoticed[0].t_s <= t_s:
            written += super().take(self._unnoticed.pop(0))
        return written


def observation_of(line: LogLine) -> Observation | None:
    """The observation that a line of the log holds, None if it is none; fields of other versions are passed over."""
    kind = KINDS.get(str(line.payload.get("kind")))
    if kind is None:
        return None
    known = {"kind", *(field.name for field in fields(kind))}
    values = {name: value for name, value in line.payload.items() if name in known}
    try:
        return from_json({**values, "id": line.id, "t_s": line.t_s})
    except (ValueError, KeyError, TypeError):
        return None


def _same(seen: Observation, about: Observation) -> bool:
    if type(seen) is not type(about) or abs(seen.t_s - about.t_s) > SAME_MOMENT_S:
        return False
    return getattr(seen, "seat", None) is getattr(about, "seat", None) or seen.id == about.id


def _apply(correction: Correction, seen: Observation) -> Observation | None:
    match correction.what, seen:
        case "never", _:
            return None
        case "card", CardLanded() | CardLifted() if correction.card:
            return replace(seen, reading=_sure(correction.card, seen.reading.quad_px), confidence=1.0)
        case "seat", CardLanded() | CardLifted() | CardsDrawn():
            return replace(seen, seat=correction.seat)
        case "drew", CardsDrawn() if correction.count is not None:
            seat = correction.seat or seen.seat
            count = correction.count
            return replace(seen, seat=seat, at_least=count, at_most=count, confidence=1.0) if count else None
        case "call", CallHeard() if correction.call:
            by = ((correction.seat, 1.0),) if correction.seat else seen.speakers
            surely = replace(seen, certainty="sure", phase="confirmed", channel="clear", confidence=1.0)
            return replace(surely, call=correction.call, speakers=by)
        case _:
            return seen


def _inserted(standing: Standing) -> Observation | None:
    c, t_s = standing.correction, standing.correction.at_s or 0.0
    match c.what:
        case "drew" if c.count:
            return CardsDrawn(id=standing.id, t_s=t_s, seen_s=t_s, seat=c.seat, at_least=c.count, at_most=c.count)
        case "played" if c.card:
            return CardLanded(id=standing.id, t_s=t_s, seen_s=t_s, seat=c.seat, reading=_sure(c.card, ()))
        case "call" if c.call:
            by = ((c.seat, 1.0),) if c.seat else ()
            return CallHeard(id=standing.id, t_s=t_s, seen_s=t_s, end_s=t_s, call=c.call, words=c.said, speakers=by)
        case _:
            return None


def _sure(card: Card, quad_px: tuple[tuple[float, float], ...]) -> CardReading:
    return CardReading(card, 1.0, quad_px, ((card.code, 1.0),))
