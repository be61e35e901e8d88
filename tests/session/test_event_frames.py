"""Every event has its picture: named by time and event, with what was seen drawn on it, and listed in an index."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.cards import Card, Seat
from referee.faults import InputFault
from referee.fusion.desk import Judged, Question
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import ArmSeen, CardLanded, CardReading, Observation, Zone
from referee.rules.profiles import load_profile
from referee.session.event_frames import EventFrames
from referee.session.frame_memory import FrameMemory
from referee.session.plan import SessionPlan
from referee.session.telling import Entered
from referee.vision.zones import TableZones

QUAD = ((150.0, 90.0), (178.0, 90.0), (178.0, 134.0), (150.0, 134.0))
PLAN = SessionPlan("Tuesday <b>", (), {Seat.P1: "Ana", Seat.P2: "Bruno"}, "classic-108", "stand-in")
ARM = ArmSeen(id="v1", t_s=0.9, seen_s=1.5, seat=Seat.P1, zone=Zone.DISCARD, until_s=1.4)
CARD = CardLanded(
    id="v2", t_s=1.2, seen_s=1.8, seat=Seat.P1, reading=CardReading(Card.parse("B4"), 0.97, QUAD, (("B4", 0.97),))
)


def frames(folder: Path) -> EventFrames:
    memory = FrameMemory()
    for n in range(5):
        memory.keep(np.full((240, 320, 3), 60 + 20 * n, np.uint8), n * 0.5)
    seen: dict[str, Observation] = {o.id: o for o in (ARM, CARD)}
    return EventFrames(folder, memory, PLAN, TableZones.whole_frame_guess(320, 240, 2), seen, "en")


def judged() -> Judged:
    scribe = Scribe(load_profile("classic-108"), TableStart(Seat.first(2), position="R3 R > P1 P1:5 P2:5"))
    [entry] = scribe.take(CARD)
    assert isinstance(entry, Judged)
    return entry


def test_an_entry_and_a_question_have_their_pictures(tmp_path: Path) -> None:
    made = frames(tmp_path / "frames")
    assert made.note(ARM) is None
    play = made.note(Entered(judged(), 0.97))
    asked = made.note(Question("Which card is on top?", 1.9, ("v2",)))
    assert play is not None
    assert asked is not None
    assert play.name == "00001.20-001-P1-B4.jpg"
    assert asked.name == "00001.90-002-question.jpg"
    index = made.close().read_text(encoding="utf-8")
    assert play.name in index
    assert asked.name in index
    assert "Tuesday &lt;b&gt;" in index


def test_no_frame_no_picture(tmp_path: Path) -> None:
    empty = EventFrames(tmp_path, FrameMemory(), PLAN, TableZones.whole_frame_guess(320, 240, 2), {}, "en")
    assert empty.note(Question("?", 1.0)) is None


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputFault, match="cannot be made"):
        frames(tmp_path / "file" / "frames")
