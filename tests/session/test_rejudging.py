"""Judging a log again: as at the table, by other rules, and with what people put right."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cards import Card, Seat
from referee.faults import InputFault
from referee.session.corrections import Correction, add_correction, read_correction, standing_corrections
from referee.session.log import LogLine, SessionLog, read_log
from referee.session.rejudging import judge_log
from tests.session.drawn_log import PLAN, drew, landed, said, write

P1, P2 = Seat.P1, Seat.P2


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def fouls(lines: list[LogLine], profile: str | None = None) -> list[tuple[str, str]]:
    return [(i.code, str(i.seat)) for i in judge_log(lines, PLAN, profile).standing if i.kind == "foul"]


def ruled(lines: list[LogLine]) -> list[str]:
    """What was ruled or asked."""
    return [record["text"] for record in judge_log(lines, PLAN).ruling_records()]


def correct(path: Path, *corrections: Correction) -> list[LogLine]:
    log = SessionLog(path)
    for correction in corrections:
        add_correction(log, read_log(path).lines, correction, 99.0)
    log.close()
    return read_log(path).lines


def test_a_log_without_a_foul(path: Path) -> None:
    lines = write(path, [landed("v1", 2.0, "R9", P1), landed("v2", 5.0, "G9", P2)])
    assert fouls(lines) == []
    assert [e.judged.ruling.legal for e in judge_log(lines, PLAN).entries] == [True, True]


def test_observations_are_judged_in_the_order_of_their_times(path: Path) -> None:
    """The call was made before the card landed and known after it: no missed call (arrival order in the log)."""
    two_left = [landed("v1", 2.0, "R9", P1), landed("v2", 4.0, "R2", P2), landed("v3", 6.0, "R1", P1)]
    call = said("a1", 9.6, "uno")
    rest = [landed("v4", 8.0, "R3", P2), landed("v5", 10.0, "R4", P1), call, landed("v6", 14.0, "R7", P2)]
    assert fouls(write(path, [*two_left, *rest])) == []


def test_that_was_a_6(path: Path) -> None:
    lines = write(path, [landed("v1", 2.0, "G9", P1), landed("v2", 5.0, "G6", P2)])
    assert fouls(lines) == [("illegal_play", "P1")]
    assert fouls(correct(path, Correction("card", about=("v1",), card=Card.parse("R6")))) == []


def test_about_an_entry_or_a_ruling_is_about_what_it_rests_on(path: Path) -> None:
    write(path, [landed("v1", 2.0, "G9", P1), landed("v2", 5.0, "G6", P2)])
    log = SessionLog(path)
    ruling = log.append("ruling", 2.0, {"incident": "illegal_play", "evidence": ["v1"]})
    log.close()
    assert fouls(correct(path, Correction("card", about=(ruling,), card=Card.parse("R6")))) == []


def test_p2_drew_two(path: Path) -> None:
    lines = write(path, [landed("v1", 2.0, "RD", P1), drew("v2", 4.0, P2, 1), landed("v3", 8.0, "R1", P1)])
    assert ruled(lines) != []
    assert ruled(correct(path, Correction("drew", about=("v2",), count=2))) == []


def test_a_draw_that_nobody_noticed(path: Path) -> None:
    lines = write(path, [landed("v1", 2.0, "RD", P1), landed("v3", 8.0, "R1", P1)])
    assert ruled(lines) != []
    assert ruled(correct(path, Correction("drew", at_s=4.0, seat=P2, count=2))) == []


def test_this_did_not_happen(path: Path) -> None:
    write(path, [landed("v1", 2.0, "R9", P1), landed("v2", 3.0, "Y1", P2), landed("v3", 8.0, "R1", P2)])
    lines = correct(path, Correction("never", about=("v2",)))
    assert fouls(lines) == []
    assert len(judge_log(lines, PLAN).entries) == 2


def test_it_was_another_player(path: Path) -> None:
    lines = write(path, [landed("v1", 2.0, "R9", P2), landed("v2", 5.0, "R1", P2)])
    assert "P2: not your turn, P1 plays" in ruled(lines)[0]
    assert ruled(correct(path, Correction("seat", about=("v1",), seat=P1))) == []


def test_a_correction_said_twice_counts_once(path: Path) -> None:
    """G5: a correction announced twice skipped a player. Corrections are events with an id of their content."""
    write(path, [landed("v1", 2.0, "RD", P1), landed("v3", 8.0, "R1", P1)])
    draw = Correction("drew", at_s=4.0, seat=P2, count=2, said="P2 drew two")
    log = SessionLog(path)
    first = add_correction(log, read_log(path).lines, draw, 20.0)
    again = add_correction(log, read_log(path).lines, Correction("drew", at_s=4.0, seat=P2, count=2), 30.0)
    assert (first[1], again) == (True, (first[0], False))
    # even if a line says it twice, under another id
    log.append("correction", 40.0, draw.to_json(), line_id="other")
    log.close()
    lines = read_log(path).lines
    assert [s.id for s in standing_corrections(lines)] == ["other"]
    assert len(judge_log(lines, PLAN).entries) == 4  # two cards laid, two drawn


def test_the_last_word_about_a_card_counts(path: Path) -> None:
    write(path, [landed("v1", 2.0, "G9", P1)])
    six, nine = (Correction("card", about=("v1",), card=Card.parse(code)) for code in ("R6", "Y9"))
    assert fouls(correct(path, six, nine)) == [("illegal_play", "P1")]
    lines = correct(path, six)
    assert fouls(lines) == []
    assert [line.id for line in lines if line.type == "correction"][2] == f"{six.content_id}.2"


def test_a_correction_is_taken_back(path: Path) -> None:
    write(path, [landed("v1", 2.0, "G9", P1)])
    lines = correct(path, Correction("card", about=("v1",), card=Card.parse("R6")))
    name = next(line.id for line in lines if line.type == "correction")
    assert fouls(correct(path, Correction("retract", about=(name,)))) == [("illegal_play", "P1")]


def test_by_other_rules(path: Path) -> None:
    lines = write(path, [landed("v1", 2.0, "RD", P1), landed("v2", 5.0, "GD", P2)])
    assert fouls(lines) != []
    assert fouls(lines, "party") == []  # there a Draw Two may answer a Draw Two


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        ({"what": "guess"}, "unknown correction"),
        ({"what": "card", "about": ["v1"]}, "lacks 'card'"),
        ({"what": "card", "about": ["v1"], "card": "Z9"}, "no correction"),
        ({"what": "drew", "count": 2}, "lacks a line"),
        ({"what": "drew", "about": ["v1"], "count": 400}, "nobody draws"),
        ({"what": "seat", "about": ["v1"], "seat": "P99"}, "no correction"),
        ({"what": "played", "at_s": "noon", "card": "R5", "seat": "P1"}, "no correction"),
        ({}, "no correction"),
    ],
)
def test_a_correction_that_makes_no_sense(payload: dict[str, object], says: str) -> None:
    with pytest.raises(InputFault, match=says):
        read_correction(payload)


def test_a_correction_about_nothing_is_refused(path: Path) -> None:
    write(path, [landed("v1", 2.0, "G9", P1)])
    with pytest.raises(InputFault, match="no line 'v7'"):
        correct(path, Correction("never", about=("v7",)))
