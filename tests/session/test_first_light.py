"""The bundled film judged from pixels and sound alone: its rulings are those of its script, and no others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.bundled import bundled
from referee.capture.media import Frame
from referee.cards import Colour
from referee.fusion.desk import Question
from referee.rules.entries import ColourCall, Draw, Entry, Event, Opening, Play, Result, SayUno, TakeBack
from referee.rules.record import Record
from referee.rules.ruling import Incident
from referee.rules.ugn.writer import format_event
from referee.session import replaying
from referee.session.plan import open_plan
from referee.session.replaying import Replaying, Told
from referee.session.senses import open_senses

pytestmark = [pytest.mark.film, pytest.mark.timeout(1200)]

FILM = bundled("fixtures/first-light")
TRUTH = Record.read(FILM / "truth.ugn")


@dataclass(frozen=True)
class Judging:
    """What a judging of the film told and left behind."""

    told: list[Told]
    fouls: list[Incident]
    out: Path
    record: Record


def judge(out: Path) -> Judging:
    plan = open_plan(FILM)
    run = Replaying(plan, open_senses(plan), out)
    told = list(run.run())
    fouls = [incident for incident in run.standing() if incident.kind == "foul"]
    return Judging(told, fouls, out, Record(tuple(run.record())))


@pytest.fixture(scope="module")
def judging(tmp_path_factory: pytest.TempPathFactory) -> Judging:
    return judge(tmp_path_factory.mktemp("first-light"))


def script_fouls() -> list[tuple[str, str]]:
    """(code, seat) of every foul that the script marks; its detail names the seat where it is not the subject."""
    found = []
    for entry in TRUTH.entries:
        for flag in entry.flags:
            named = flag.detail.partition(" ")[0].strip(",")
            subject = entry.winner if isinstance(entry, Result) else entry.subject
            found.append((flag.code, named if named.startswith("P") else str(subject)))
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


def test_the_rulings_are_those_of_the_script(judging: Judging) -> None:
    assert [(i.code, str(i.seat)) for i in judging.fouls] == script_fouls()
    assert {code for code, _ in script_fouls()} == {"illegal_play", "missed_uno", "wd4_with_matching_colour"}


def test_nothing_is_left_open(judging: Judging) -> None:
    questions = [t for t in judging.told if isinstance(t, Question)]
    asked = [
        t.incident.code for t in judging.told if isinstance(t, replaying.Ruled) and t.incident.kind == "question"
    ]
    assert (questions, asked) == ([], [])


@pytest.mark.parametrize("kind", [Opening, Play, TakeBack, SayUno])
def test_everything_laid_taken_back_and_called_is_in_the_record(judging: Judging, kind: type[Event]) -> None:
    def told(record: Record) -> list[tuple[str, str]]:
        """Who and what, in the most probable reading; how sure it was is another matter."""
        found = events(record, kind)
        return [(who, e.card.code if isinstance(e, Play) else format_event(e)) for who, e, _ in found]

    assert told(judging.record) == told(TRUTH)


def test_the_colours_named_are_in_force(judging: Judging) -> None:
    """Said before or after the wild landed, in one entry or in two: what counts is what the next card must fit."""
    assert not [i for i in judging.fouls if i.code in ("no_colour_named", "early_play")]
    named = [e.colour for _, e, _ in events(judging.record, Play) if isinstance(e, Play) and e.card.is_wild]
    said = [e.colour for _, e, _ in events(judging.record, ColourCall) if isinstance(e, ColourCall)]
    heard = [colour for colour in (*named, *said) if isinstance(colour, Colour)]
    assert sorted(map(str, heard)) == ["B", "G"]


def test_every_draw_is_counted(judging: Judging) -> None:
    def drawn(record: Record) -> Counter[str]:
        counts: Counter[str] = Counter()
        for who, event, _ in events(record, Draw):
            counts[who] += event.count if isinstance(event, Draw) else 0
        return counts

    assert drawn(judging.record) == drawn(TRUTH)


def test_the_score_is_the_scripts(judging: Judging) -> None:
    seen, meant = judging.record.entries[-1], TRUTH.entries[-1]
    assert isinstance(seen, Result)
    assert isinstance(meant, Result)
    assert seen.winner is meant.winner
    assert {(h.seat, h.points) for h in seen.hands} == {(h.seat, h.points) for h in meant.hands}


def test_times_are_those_of_the_film(judging: Judging) -> None:
    """A card is entered with the moment at which it came to rest, to half a second."""

    def landings(record: Record) -> list[float]:
        return [t_s or 0.0 for _, _, t_s in events(record, Play)]

    assert landings(judging.record) == pytest.approx(landings(TRUTH), abs=0.5)


def test_a_picture_of_each_foul_lies_in_the_folder(judging: Judging) -> None:
    pictures = sorted(path.name.split("-", 2)[2] for path in judging.out.glob("foul-*.jpg"))
    assert pictures == sorted(f"{code}.jpg" for code, _ in script_fouls())
    assert all(path.stat().st_size > 20_000 for path in judging.out.glob("foul-*.jpg"))


def test_the_record_left_behind_reads_back(judging: Judging) -> None:
    left = Record.read(judging.out / "game.ugn")
    assert left.errors == ()
    assert left.entries == judging.record.entries
    score = json.loads((judging.out / "score.json").read_text(encoding="utf-8"))
    assert (score["profile"], len(score["rounds"])) == ("classic-108", 1)


def test_the_same_sound_over_an_empty_table_gives_no_ruling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the script leaks past the picture: without cards, calls alone accuse nobody."""
    from referee.synth.film import FilmStyle, film

    drawn = film(TRUTH.items, FilmStyle(), seed=3)
    stage, camera = drawn.stage(), drawn.camera()

    def empty(*_plan_and_rate: object, **_more: object) -> Iterator[Frame]:
        for index in range(int(drawn.duration_s * 4)):  # four a second: nothing moves that more would show
            yield Frame(index / 4, index, camera.picture(stage.top, index / 4))

    monkeypatch.setattr(replaying, "recorded_frames", empty)
    judging = judge(tmp_path)
    assert not [t for t in judging.told if isinstance(t, replaying.Ruled | replaying.Entered | replaying.Scored)]
