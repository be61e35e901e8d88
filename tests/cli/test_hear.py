"""`referee hear`: JSON and spoken lines, bad files beside good ones, languages and models that are not there."""

from __future__ import annotations

import json
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import referee.hearing.ear
import referee.hearing.vosk_recogniser
from referee.cli.main import app
from referee.faults import InputFault
from referee.hearing.phrases import load_pack
from referee.hearing.recogniser import Samples, Word
from tests.hearing.scripted import silence, voice

RUN = CliRunner()


class HearsUno:
    """Hears "uno" in every utterance; knows every word of every pack but one."""

    rate_hz = 16000

    def __init__(self, model_dir: Path) -> None:
        self.lacks = "galben"

    def knows(self, word: str) -> bool:
        return not word.startswith(self.lacks)  # in every wording of yellow

    def near(self, word: str) -> list[str]:
        return [word[:-1]]

    def listen_for(self, phrases: list[str]) -> None:
        assert all(self.knows(word) for phrase in phrases for word in phrase.split())

    def recognise(self, samples: Samples) -> list[Word]:
        return [Word("우노", 0.25, 0.6, 0.9), Word("<other>", 0.6, 0.7, 1.0)]


@pytest.fixture(autouse=True)
def _scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee.hearing.vosk_recogniser, "VoskRecogniser", HearsUno)
    monkeypatch.setattr(referee.hearing.ear, "shipped_spotter", lambda: None)  # it hears no word in a buzz


def recording(path: Path, sound: Samples, rate_hz: int = 16000, channels: int = 1) -> str:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(np.repeat(sound, channels).astype("<i2").tobytes())
    return str(path)


def one_call() -> Samples:
    return np.concatenate([silence(1), voice(0.5), silence(1)])


def hear(*arguments: str) -> Any:
    return RUN.invoke(app, ["hear", "--model", ".", *arguments])


def test_json_is_the_promised_line(tmp_path: Path) -> None:
    name = recording(tmp_path / "a.wav", one_call())
    result = hear("--json", name)
    assert result.exit_code == 0
    (record,) = [json.loads(line) for line in result.stdout.splitlines()]
    assert record["audio"] == name
    (call,) = record["calls"]
    assert list(call) == ["call", "start_s", "end_s", "heard_at_s", "confidence"]
    assert call["call"] == "uno"
    assert call["confidence"] == 0.9
    assert 0.9 < call["start_s"] < call["end_s"] < call["heard_at_s"] < 2.0


@pytest.mark.parametrize(("rate_hz", "channels"), [(8000, 1), (44100, 2), (48000, 1)])
def test_any_rate_and_stereo(tmp_path: Path, rate_hz: int, channels: int) -> None:
    at = np.arange(0, len(one_call()), 16000 / rate_hz)
    sound = np.interp(at, np.arange(len(one_call())), one_call()).astype(np.int16)
    result = hear("--json", recording(tmp_path / "a.wav", sound, rate_hz, channels))
    (call,) = json.loads(result.stdout)["calls"]
    assert call["start_s"] == pytest.approx(1.0, abs=0.15)


def test_people_get_times_and_words(tmp_path: Path) -> None:
    result = hear(recording(tmp_path / "a [1].wav", one_call()))
    assert result.exit_code == 0
    flat = " ".join(result.stdout.split())
    assert "a [1].wav 1 call" in flat
    assert "uno 0.90 우노" in flat


def test_silence_is_no_fault(tmp_path: Path) -> None:
    result = hear(recording(tmp_path / "a.wav", silence(2)))
    assert result.exit_code == 0
    assert "no calls" in " ".join(result.stdout.split())


def test_bad_files_get_one_line_each_and_the_good_one_is_heard(tmp_path: Path) -> None:
    (tmp_path / "empty.wav").write_bytes(b"")
    (tmp_path / "text.mp3").write_text("no sound at all")
    (tmp_path / "folder").mkdir()
    names = [str(tmp_path / n) for n in ("empty.wav", "text.mp3", "folder", "gone.wav")]
    names.append(recording(tmp_path / "no-samples.wav", silence(0)))
    result = hear("--json", *names, recording(tmp_path / "good.wav", one_call()))
    assert result.exit_code == 2
    assert [json.loads(line)["audio"] for line in result.stdout.splitlines()] == [str(tmp_path / "good.wav")]
    faults = result.stderr.splitlines()
    assert len(faults) == len(names)
    assert all(name in fault for name, fault in zip(names, faults, strict=True))


def test_a_refused_phrase_is_named_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = recording(tmp_path / "a.wav", silence(1))
    result = hear("--language", "ro", name, name)
    assert isinstance(result.exception, InputFault)
    assert "colour:Y" in str(result.exception)
    monkeypatch.setattr(HearsUno, "knows", lambda self, word: word != "ultima")
    result = hear("--language", "ro", name, name)
    assert result.exit_code == 0
    assert (
        result.stderr.count("lacks 'ultima' (near ones that it knows: ultim); not listened for: 'ultima carte'") == 1
    )


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--language", "xx", "a.wav"], "no phrase pack for 'xx'"),
        (["--language", "en", "a.wav"], "no speech model for 'en' is installed .*vosk-model-small-en-us"),
    ],
)
def test_languages_and_models_that_are_not_there(arguments: list[str], fault: str) -> None:
    result = RUN.invoke(app, ["hear", *arguments])
    assert isinstance(result.exception, InputFault)
    assert result.exception.mend
    with pytest.raises(InputFault, match=fault):
        raise result.exception


def test_the_default_language_is_the_stand_in() -> None:
    """The only model that a package registry holds: `referee hear` works after one install."""
    assert load_pack("stand-in").model_package
