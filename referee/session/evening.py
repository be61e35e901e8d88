"""One evening as the book keeps it: the rounds with their points, and what each player did."""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.cards import Seat
from referee.faults import InputFault
from referee.rules.entries import Draw, Entry, Item, Play, Result, SayUno
from referee.rules.profiles import load_profile
from referee.rules.record import Record
from referee.rules.replay import Replay
from referee.rules.scoring import SheetLine
from referee.session.folder import GAME_FILE
from referee.session.plan import SESSION_FILE


@dataclass(frozen=True, slots=True)
class Tally:
    """What a player did in an evening: cards laid and drawn, sure fouls, UNO called, UNO caught missing."""

    plays: int = 0
    draws: int = 0
    fouls: int = 0
    calls_made: int = 0
    calls_missed: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.plays + other.plays,
            self.draws + other.draws,
            self.fouls + other.fouls,
            self.calls_made + other.calls_made,
            self.calls_missed + other.calls_missed,
        )

    def to_json(self) -> dict[str, int]:
        """The counts by name."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Round:
    """A round on the sheet, by players' names. certain: False where a hand was not counted."""

    number: int
    winner: str
    points: dict[str, int]
    totals: dict[str, int]
    certain: bool
    game_winners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evening:
    """One session in the book. players: names clockwise from P1. print: changes when the game's record does."""

    folder: Path
    title: str
    started: str
    profile: str
    players: tuple[str, ...]
    rounds: tuple[Round, ...]
    tallies: dict[str, Tally]
    print: str

    def to_json(self) -> dict[str, Any]:
        """The evening as one JSON object."""
        rounds = [
            {
                "round": line.number,
                "winner": line.winner,
                "points": line.points,
                "totals": line.totals,
                "certain": line.certain,
                "game_winners": list(line.game_winners),
            }
            for line in self.rounds
        ]
        return {
            "type": "evening",
            "session": str(self.folder),
            "title": self.title,
            "started": self.started,
            "profile": self.profile,
            "players": list(self.players),
            "rounds": rounds,
            "statistics": {name: tally.to_json() for name, tally in self.tallies.items()},
        }


def print_of(folder: Path) -> str:
    """SHA-256 of the session's facts and of its game. Raises InputFault when the session has no record yet."""
    try:
        parts = ((folder / name).read_bytes() for name in (SESSION_FILE, GAME_FILE))
        return hashlib.sha256(b"\0".join(parts)).hexdigest()
    except OSError:
        raise InputFault(
            f"has no {GAME_FILE}: it was not closed", where=str(folder), mend="run `referee repair` on it"
        ) from None


def read_evening(folder: Path) -> Evening:
    """The evening that `folder/game.ugn` records, judged by the profile it names. Raises InputFault."""
    record = Record.read(folder / GAME_FILE)
    title, started, rules = _facts(folder)
    replay = record.replay(load_profile(folder / rules) if rules and (folder / rules).is_file() else None)
    names = _names(record)
    return Evening(
        folder,
        title,
        started,
        replay.profile.name,
        tuple(names[seat] for seat in record.seats),
        tuple(_round(line, names) for line in replay.sheet),
        _tallies(record.items, replay, names),
        print_of(folder),
    )


def _names(record: Record) -> dict[Seat, str]:
    """A name for each seat; two players of one name are told apart by their seats."""
    given = {seat: record.tags.get(str(seat)) or str(seat) for seat in record.seats}
    shared = {name for name, count in Counter(given.values()).items() if count > 1}
    return {seat: f"{name} ({seat})" if name in shared else name for seat, name in given.items()}


def _facts(folder: Path) -> tuple[str, str, str]:
    """Title, when it began (ISO 8601, "" if nobody wrote it), and the rules: a name, or a file in the folder."""
    try:
        facts = tomllib.loads((folder / SESSION_FILE).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise InputFault(f"cannot be read: {fault}", where=str(folder / SESSION_FILE), mend="mend the file") from None
    began = facts.get("began", {})
    started = str(began.get("wall", "")) if isinstance(began, dict) else ""
    return str(facts.get("title") or folder.resolve().name), started, str(facts.get("profile", ""))


def _round(line: SheetLine, names: dict[Seat, str]) -> Round:
    return Round(
        line.number,
        names[line.score.winner],
        {names[seat]: points for seat, points in line.score.points.items()},
        {names[seat]: points for seat, points in line.totals.items()},
        line.score.certain,
        tuple(names[seat] for seat in line.winners),
    )


def _tallies(items: Iterable[Item], replay: Replay, names: dict[Seat, str]) -> dict[str, Tally]:
    plays: Counter[Seat] = Counter()
    draws: Counter[Seat] = Counter()
    calls: Counter[Seat] = Counter()
    for entry in items:
        if isinstance(entry, Result) or not isinstance(entry, Entry) or not isinstance(entry.subject, Seat):
            continue
        plays[entry.subject] += sum(isinstance(event, Play) for event in entry.events)
        draws[entry.subject] += sum(event.count for event in entry.events if isinstance(event, Draw))
        calls[entry.subject] += sum(isinstance(event, SayUno) for event in entry.events)
    fouls = Counter(i.seat for i in replay.incidents if i.kind == "foul" and i.seat is not None)
    missed = Counter(i.seat for i in replay.incidents if i.kind == "foul" and i.code == "missed_uno")
    escaped = Counter(remark.seat for remark in replay.remarks if remark.code == "missed_uno")
    return {
        name: Tally(plays[seat], draws[seat], fouls[seat], calls[seat], missed[seat] + escaped[seat])
        for seat, name in names.items()
    }
