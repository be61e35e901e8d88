"""A table that is being watched, as the pages see it: its board follows, and it is put right while it plays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.cards import Card, Seat
from referee.faults import InputFault
from referee.observations import Observation
from referee.session.corrections import Correction
from referee.session.folder import log_of
from referee.session.log import LOG_FILE, verify
from referee.vision.outlines import ArmOutline
from referee.web.live_marks import mark_in_words
from tests.session.drawn_log import PLAN, landed
from tests.web.scripted_table import ScriptedTable, wait_until

P1, P2 = Seat.P1, Seat.P2
SCRIPT: list[Observation] = [
    replace(landed("v1", 0.3, "G9", P1), seen_s=0.4),
    replace(landed("v2", 0.9, "R6", P2), seen_s=1.0),
]


def fouls(scripted: ScriptedTable) -> list[str]:
    return [said["text"] for said in scripted.table.board()[1].to_json()["said"] if said["standing"]]


def test_a_card_is_put_right_while_the_table_plays(tmp_path: Path) -> None:
    scripted = ScriptedTable(tmp_path / "evening", PLAN, SCRIPT)
    with scripted as table:
        wait_until(lambda: len(table.moves()) == 2 and fouls(scripted))
        assert "green 9 does not fit red 5" in fouls(scripted)[0]
        answer = table.correct(Correction("card", about=("v1",), card=Card.parse("R9"), by="page"))
        assert (answer.new, answer.gone) == (True, 1)
        wait_until(lambda: not fouls(scripted))
        assert table.correct(Correction("card", about=("v1",), card=Card.parse("R9"), by="page")).new is False
    assert "R9" in (tmp_path / "evening" / "game.ugn").read_text()
    assert verify(tmp_path / "evening" / LOG_FILE) == []


def test_a_correction_that_brings_a_foul_is_numbered(tmp_path: Path) -> None:
    nine = replace(landed("v1", 0.3, "R9", P1), seen_s=0.4)
    scripted = ScriptedTable(tmp_path / "evening", PLAN, [nine])
    with scripted as table:
        wait_until(lambda: len(scripted.watching.desk.judged) == 1)
        answer = table.correct(Correction("card", about=("v1",), card=Card.parse("B2"), by="page"))
        assert answer.added == 1
        assert [(case.number, case.line.payload["since"]) for case in table.cases()] == [(1, answer.id)]


def test_what_makes_no_sense_is_refused_and_the_table_plays_on(tmp_path: Path) -> None:
    with ScriptedTable(tmp_path / "evening", PLAN, SCRIPT) as table:
        wait_until(table.moves)
        with pytest.raises(InputFault, match="no line"):
            table.correct(Correction("never", about=("v99",)))
        wait_until(lambda: len(table.moves()) == 2)


def test_a_lost_part_is_told_at_once_and_the_end_too(tmp_path: Path) -> None:
    scripted = ScriptedTable(tmp_path / "evening", PLAN, SCRIPT)
    with scripted as table:
        number = table.board()[0]
        scripted.parts.set("microphone", "lost", "it was pulled out")
        assert table.changed(number, 1.0)
        board = table.board()[1].to_json()
        assert (board["health"]["microphone"], board["calls_judged"]) == ("lost", False)
    assert table.board()[1].to_json()["phase"] == "ended"


def test_after_the_end_nothing_is_put_right_here(tmp_path: Path) -> None:
    with ScriptedTable(tmp_path / "evening", PLAN, SCRIPT) as table:
        wait_until(table.moves)
    with pytest.raises(InputFault, match="referee correct"):
        table.correct(Correction("never", about=("v1",)))


def test_the_newest_frame_with_zones_and_cards(tmp_path: Path) -> None:
    arms = [
        ArmOutline(P2, ((0.4, 0.0), (0.6, 0.0), (0.5, 0.5))),
        ArmOutline(None, ((0.0, 0.4), (0.0, 0.6), (0.3, 0.5))),
    ]
    with ScriptedTable(tmp_path / "evening", PLAN, SCRIPT, arms=arms) as table:
        wait_until(lambda: len(table.moves()) == 2 and table.picture())
        picture = table.picture()
    assert picture is not None
    assert picture.jpeg[:2] == b"\xff\xd8"
    told = [(mark["label"], mark.get("name")) for mark in (mark_in_words(mark, "pt") for mark in picture.marks)]
    places = [(":discard_pile", None), (":draw_pile", None), ("Ana", None), ("Bruno", None)]
    assert told == [*places, (":arm_of", "Bruno"), (":arm", ""), ("6 vermelho 99%", None)]
    assert all(0 <= x <= 1 and 0 <= y <= 1 for mark in picture.marks for x, y in mark["quad"])


def test_the_log_knows_what_was_put_right(tmp_path: Path) -> None:
    with ScriptedTable(tmp_path / "evening", PLAN, SCRIPT) as table:
        wait_until(lambda: len(table.moves()) == 2)
        table.correct(Correction("seat", about=("v1",), seat=P2, by="page"))
    corrections = [line.payload for line in log_of(tmp_path / "evening") if line.type == "correction"]
    assert [(c["what"], c["seat"], c["by"]) for c in corrections] == [("seat", "P2", "page")]


def test_a_foul_already_told_is_not_told_again_by_a_correction(tmp_path: Path) -> None:
    """A correction of an earlier card judged the last foul a second time, and the log had it twice."""
    scripted = ScriptedTable(
        tmp_path / "evening", PLAN, [SCRIPT[0], replace(landed("v3", 1.5, "Y1", P2), seen_s=1.6)]
    )
    with scripted as table:
        wait_until(lambda: len(table.cases()) == 2)
        table.correct(Correction("call", at_s=1.2, call="uno", by="page"))
        wait_until(lambda: scripted.table.board()[1].t_s > 0 and len(scripted.watching.desk.judged) >= 2)
    assert [case.line.payload["incident"] for case in table.cases()] == ["illegal_play", "illegal_play"]
