"""Eye and ear of a plan: what is missing is a remark, and the table's own words are heard."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import referee.hearing.ear
import referee.hearing.vosk_recogniser
import referee.session.senses
from referee.capture.media import MediaFacts
from referee.faults import InputFault
from referee.hearing.listener import Listener
from referee.hearing.vosk_recogniser import HearingUnavailable
from referee.observations import CardReading
from referee.session.folder import _session_toml
from referee.session.plan import SessionPlan, open_plan
from referee.session.senses import open_senses
from referee.session.voiceprints import FILE_VARIABLE
from tests.hearing.scripted import ScriptedRecogniser

SESSION = """\
format = 1
media = ["a.mkv"]
language = "es"

[words]
uno = ["ya casi"]

[players]
P1 = "Ana"
P2 = "Bruno"
"""
FACTS = MediaFacts(1.0, has_video=True, has_audio=True, width_px=64, height_px=48)


class NoCards:
    def read(self, image_bgr: object, expected_card_px: float | None = None) -> list[CardReading]:
        return []


class KnowsAll(ScriptedRecogniser):
    """Knows every word but one."""

    def __init__(self, model_dir: Path) -> None:
        super().__init__()

    def knows(self, word: str) -> bool:
        return word != "kasi"

    def near(self, word: str) -> list[str]:
        return ["casi"]


@pytest.fixture(autouse=True)
def voices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The voices that were learnt on this machine: none."""
    path = tmp_path / "voiceprints.json"
    monkeypatch.setenv(FILE_VARIABLE, str(path))
    return path


@pytest.fixture
def session(tmp_path: Path) -> Path:
    (tmp_path / "a.mkv").write_bytes(b"x")
    (tmp_path / "session.toml").write_text(SESSION, encoding="utf-8")
    return tmp_path


def test_v7_without_vosk_the_table_is_judged_by_sight(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No wheel for the system: importing it fails."""
    monkeypatch.setitem(sys.modules, "vosk", None)
    senses = open_senses(open_plan(session), reader=NoCards(), speech_model=session, facts=FACTS)
    assert senses.ear is None
    assert any("calls are not" in remark and "install the package vosk" in remark for remark in senses.remarks)
    with pytest.raises(HearingUnavailable):
        referee.hearing.ear.open_listener("es", session)


def test_a_tables_own_words_are_listened_for(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee.hearing.vosk_recogniser, "VoskRecogniser", KnowsAll)
    monkeypatch.setattr(referee.hearing.ear, "shipped_spotter", lambda: None)
    plan = open_plan(session)
    ear = open_senses(plan, reader=NoCards(), speech_model=session, facts=FACTS).ear
    assert isinstance(ear, Listener)
    assert isinstance(ear._recogniser, KnowsAll)
    assert "ya casi" in ear._recogniser.grammars[-1]
    (session / "session.toml").write_text(SESSION.replace("casi", "kasi"), encoding="utf-8")
    with pytest.raises(InputFault, match=r"words.uno: .* does not know 'kasi' \(near ones that it knows: casi\)"):
        open_senses(open_plan(session), reader=NoCards(), speech_model=session, facts=FACTS)


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("broken", "players' voices are not known"),
        (
            json.dumps({"format": 1, "voices": {"Ana": [0.5] * 256, "Bruno": [0.1] * 256}}),
            "the encoder that knows them",
        ),
    ],
)
def test_voices_that_cannot_be_known_are_a_remark(
    session: Path, voices: Path, monkeypatch: pytest.MonkeyPatch, text: str, remark: str
) -> None:
    monkeypatch.setattr(referee.hearing.vosk_recogniser, "VoskRecogniser", KnowsAll)
    monkeypatch.setattr(referee.hearing.ear, "shipped_spotter", lambda: None)
    monkeypatch.setattr(referee.session.senses, "voice_encoder", lambda: None)
    voices.write_text(text)
    opened = open_senses(open_plan(session), reader=NoCards(), speech_model=session, facts=FACTS)
    assert isinstance(opened.ear, Listener)
    assert sum(remark in one for one in opened.remarks) == 1


def test_own_words_are_kept_with_a_recorded_session(session: Path) -> None:
    plan = open_plan(session)
    text = _session_toml(plan, "classic-108", has_calibration=False)
    (session / "session.toml").write_text(text, encoding="utf-8")
    assert open_plan(session).words == {"uno": ("ya casi",)}


def test_a_call_that_is_none_is_named_with_the_file(session: Path) -> None:
    (session / "session.toml").write_text(SESSION.replace("uno =", "unno ="), encoding="utf-8")
    with pytest.raises(InputFault, match=r"session\.toml: words\.unno: there is no such call \(choose uno"):
        open_plan(session)
    assert SessionPlan("", (), {}, "", "").words is None
