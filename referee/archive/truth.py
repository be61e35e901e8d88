"""How near a judging comes to what is known to have happened: by `truth.ugn`, else by what people put right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from referee.archive.tasks import NotDone
from referee.cards import Seat
from referee.rules.entries import Draw, Entry, Item, Play
from referee.rules.record import Record
from referee.session.comparing import SAME_S
from referee.session.corrections import standing_corrections
from referee.session.log import LogLine
from referee.session.plan import SessionPlan
from referee.session.rejudging import judge_log

TRUTH_FILE = "truth.ugn"
PLAY_WITHIN_S = 1.0
DRAW_WITHIN_S = 4.0
"""A draw takes its time, and is written down at its beginning by one, at its end by another."""

Foul: TypeAlias = tuple[str, str, float]
"""Incident, seat, time in s."""
Drawn: TypeAlias = tuple[Seat, int, float, int]
"""Seat, at least how many cards, time of the first in s, at most how many."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What happened: the entries, and the fouls. source: `truth.ugn` or `corrections`."""

    source: str
    items: Sequence[Item]
    fouls: list[Foul]


def truth_of(folder: Path, plan: SessionPlan, lines: Sequence[LogLine]) -> Truth:
    """What is known of a session. Raises NotDone when nothing is, InputFault when it cannot be read."""
    if (folder / TRUTH_FILE).exists():
        record = Record.read(folder / TRUTH_FILE)
        if record.errors:
            raise NotDone("broken", f"{TRUTH_FILE}: {record.errors[0]}")
        replay = record.replay(plan.profile)
        times = [entry.time_s or 0.0 for entry in record.entries]
        fouls = [
            (i.code, str(i.seat), at)
            for at, ruling in zip(times, replay.rulings, strict=True)
            for i in ruling.incidents
            if i.kind == "foul"
        ]
        return Truth(TRUTH_FILE, record.items, fouls)
    standing = standing_corrections(lines)
    if not standing:
        raise NotDone("refused", f"nobody knows what happened: it has no {TRUTH_FILE} and no correction")
    judged = judge_log(lines, plan)
    overturned = [
        foul
        for s in standing
        if s.correction.what == "overturned"
        for foul in fouls_in([{**line.payload, "t_s": line.t_s} for line in s.targets])
    ]
    stands = [f for f in fouls_in(judged.ruling_records()) if not any(_same(f, o) for o in overturned)]
    return Truth("corrections", judged.items, stands)


def fouls_in(records: Sequence[Mapping[str, Any]]) -> list[Foul]:
    """The fouls among rulings."""
    return [(str(r["incident"]), str(r.get("seat")), float(r["t_s"])) for r in records if r.get("kind") == "foul"]


def held_against(truth: Truth, items: Sequence[Item], fouls: Sequence[Foul]) -> dict[str, Any]:
    """How much of the truth was judged so, and what was judged that is not true: counts of plays, draws, fouls."""
    plays, said_plays = list(_plays(truth.items)), list(_plays(items))
    plays_right = _right(plays, said_plays, lambda t, s: t[:2] == s[:2] and abs(t[2] - s[2]) <= PLAY_WITHIN_S)
    draws, said_draws = list(_draws(truth.items)), list(_draws(items))
    draws_right = _right(draws, said_draws, _draw_fits)
    fouls_right = _right(truth.fouls, fouls, _same)
    return {
        "truth": truth.source,
        "plays_true": len(plays),
        "plays_right": plays_right,
        "plays_false": len(said_plays) - plays_right,
        "draws_true": len(draws),
        "draws_right": draws_right,
        "fouls_true": len(truth.fouls),
        "fouls_right": fouls_right,
        "fouls_false": len(fouls) - fouls_right,
    }


def _right(true: Sequence[Any], said: Sequence[Any], fits: Any) -> int:
    """How many of the true ones were said, each by one of its own."""
    left, right = list(said), 0
    for one in true:
        near = [other for other in left if fits(one, other)]
        if near:
            left.remove(min(near, key=lambda other: abs(one[2] - other[2])))
            right += 1
    return right


def _same(true: Foul, said: Foul) -> bool:
    return true[:2] == said[:2] and abs(true[2] - said[2]) <= SAME_S


def _draw_fits(true: Drawn, said: Drawn) -> bool:
    return true[0] == said[0] and abs(true[2] - said[2]) <= DRAW_WITHIN_S and said[1] <= true[1] <= said[3]


def _plays(items: Sequence[Item]) -> Iterator[tuple[Seat, str, float]]:
    for entry in _seated(items):
        for event in entry.events:
            if isinstance(event, Play) and event.readings and isinstance(entry.subject, Seat):
                yield entry.subject, event.readings[0].code, entry.time_s or 0.0


def _draws(items: Sequence[Item]) -> Iterator[Drawn]:
    """What each player drew at a stretch: a pair of cards may be written as one draw, or card by card."""
    last: Drawn | None = None
    for entry in _seated(items):
        for event in entry.events:
            if isinstance(event, Draw) and event.count and isinstance(entry.subject, Seat):
                seat, at_s, most = entry.subject, entry.time_s or 0.0, event.most or event.count
                if last and last[0] is seat:
                    last = (seat, last[1] + event.count, last[2], last[3] + most)
                    continue
                if last:
                    yield last
                last = (seat, event.count, at_s, most)
            elif isinstance(event, Play) and last:
                yield last
                last = None
    if last:
        yield last


def _seated(items: Sequence[Item]) -> Iterator[Entry]:
    return (item for item in items if isinstance(item, Entry) and isinstance(item.subject, Seat))
