"""The small drawn films that ship with the project, judged from pixels and sound alone: exactly their own rulings."""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.capture.media import probe
from referee.fusion.desk import Question
from referee.rules.entries import Draw, Entry, Event, Play, Result, TakeBack
from referee.rules.record import Record
from referee.session.plan import open_plan
from referee.session.replaying import Replaying, Ruled, Told
from referee.session.senses import open_senses
from referee.vision.zones import TableZones

FIXTURES = Path(__file__).parents[2] / "fixtures"
FILMS = ("oblique-four-seats", "two-hands-and-a-squared-pile")


@dataclass(frozen=True)
class Judging:
    """What a judging of a film told, and the film's own record."""

    told: list[Told]
    fouls: list[tuple[str, str]]
    record: Record
    truth: Record


@pytest.fixture(scope="module", params=FILMS)
def judging(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Judging:
    folder = FIXTURES / str(request.param)
    plan = open_plan(folder)
    run = Replaying(plan, open_senses(plan), tmp_path_factory.mktemp(folder.name))
    told = list(run.run())
    fouls = [(i.code, str(i.seat)) for i in run.standing() if i.kind == "foul"]
    return Judging(told, fouls, Record(tuple(run.record())), Record.read(folder / "truth.ugn"))


def script_fouls(truth: Record) -> list[tuple[str, str]]:
    """(code, seat) of every foul that the script marks; its detail names the seat where it is not the subject."""
    found = []
    for entry in truth.entries:
        for flag in entry.flags:
            named = flag.detail.partition(",")[0]
            subject = entry.winner if isinstance(entry, Result) else entry.subject
            found.append((flag.code, named if named in ("P1", "P2", "P3", "P4") else str(subject)))
    return found


def events(record: Record, kind: type[Event]) -> list[tuple[str, Event, float | None]]:
    """(who, what, when) for the events of one kind, in order."""
    return [
        (str(entry.subject), event, entry.time_s)
        for entry in record.entries
        if isinstance(entry, Entry)
        for event in entry.events
        if isinstance(event, kind)
    ]


@pytest.mark.film
class TestJudged:
    """One judging of each film, looked at from several sides."""

    def test_the_rulings_are_those_of_the_script(self, judging: Judging) -> None:
        assert judging.fouls == script_fouls(judging.truth)
        assert judging.fouls

    def test_nothing_is_left_open(self, judging: Judging) -> None:
        """What one unseen move would explain is asked, and ruled when the card goes back."""
        ruled = [t for t in judging.told if isinstance(t, Ruled)]
        asked = [t for t in judging.told if isinstance(t, Question)]
        answered = {name for t in ruled if t.incident.kind == "foul" for name in t.judged.evidence}
        assert [t for t in asked if not answered.issuperset(t.evidence)] == []
        assert [t for t in ruled if t.incident.kind == "question"] == []

    def test_who_laid_and_took_back_what(self, judging: Judging) -> None:
        def laid(record: Record) -> list[tuple[str, str]]:
            return [(who, e.card.code) for who, e, _ in events(record, Play) if isinstance(e, Play)]

        def taken(record: Record) -> list[tuple[str, str]]:
            return [(who, e.card.code) for who, e, _ in events(record, TakeBack) if isinstance(e, TakeBack)]

        assert laid(judging.record) == laid(judging.truth)
        assert taken(judging.record) == taken(judging.truth)

    def test_every_draw_is_counted(self, judging: Judging) -> None:
        def drawn(record: Record) -> Counter[str]:
            counts: Counter[str] = Counter()
            for who, event, _ in events(record, Draw):
                counts[who] += event.count if isinstance(event, Draw) else 0
            return counts

        assert drawn(judging.record) == drawn(judging.truth)

    def test_times_are_those_of_the_film(self, judging: Judging) -> None:
        def landings(record: Record) -> list[float]:
            return [t_s or 0.0 for _, _, t_s in events(record, Play)]

        assert landings(judging.record) == pytest.approx(landings(judging.truth), abs=0.5)

    def test_the_score_is_the_scripts(self, judging: Judging) -> None:
        seen, meant = judging.record.entries[-1], judging.truth.entries[-1]
        assert isinstance(seen, Result)
        assert isinstance(meant, Result)
        assert seen.winner is meant.winner
        assert {(h.seat, h.points) for h in seen.hands} == {(h.seat, h.points) for h in meant.hands}


@pytest.mark.parametrize("name", FILMS)
def test_a_film_is_what_its_source_note_says(name: str) -> None:
    folder = FIXTURES / name
    source = tomllib.loads((folder / "SOURCE.toml").read_text(encoding="utf-8"))
    assert source["synthetic"] is True
    for file, sha256 in source["sha256"].items():
        assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == sha256, file
    facts = probe(folder / "media" / "table.mkv")
    assert (facts.width_px, facts.height_px) == tuple(source["size_px"])
    assert 40 <= facts.duration_s <= 75
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) <= 3_000_000


def test_the_oblique_film_has_a_table_plane() -> None:
    zones = TableZones.from_toml(FIXTURES / "oblique-four-seats" / "calibration.toml")
    assert zones.plane is not None
    assert len(zones.seats) == 4
