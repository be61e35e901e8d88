"""`referee hear --live` on a scripted microphone: calls as they come, what goes wrong, Ctrl-C ends in order."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import referee.cli.hear_live as live
import referee.hearing.ear
import referee.hearing.vosk_recogniser
from referee.capture.input_devices import RawBlock
from referee.capture.sound_events import Level
from referee.cli.main import app
from referee.faults import InputFault
from referee.hearing.recogniser import Samples, Word
from referee.testing.manual_clock import ManualClock
from referee.testing.scripted_microphone import ScriptedMicrophone
from tests.hearing.scripted import voice

RUN = CliRunner()
BUZZ = voice(0.5)


class HearsUno:
    """Hears "uno" in every utterance."""

    rate_hz = 16000

    def __init__(self, model_dir: Path) -> None:
        pass

    def knows(self, word: str) -> bool:
        return True

    def near(self, word: str) -> list[str]:
        return []

    def listen_for(self, phrases: list[str]) -> None:
        pass

    def recognise(self, samples: Samples) -> list[Word]:
        return [Word("우노", 0.25, 0.6, 0.9)]


def somebody_calls_at_3_s(t_s: float, samples: int, rate_hz: int) -> RawBlock:
    """Speaks half a second; else a quiet room."""
    times_s = t_s + np.arange(samples) / rate_hz
    at = np.clip(((times_s - 3.0) * 16000).astype(int), 0, len(BUZZ) - 1)
    return np.where((times_s >= 3.0) & (times_s < 3.5), BUZZ[at], 3).astype(np.int16)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> ScriptedMicrophone:
    clock = ManualClock()
    driver = ScriptedMicrophone(clock, sound=somebody_calls_at_3_s)
    monkeypatch.setattr(live, "PortAudioDriver", lambda: driver)
    monkeypatch.setattr(live, "MonotonicClock", lambda: clock)
    monkeypatch.setattr(referee.hearing.vosk_recogniser, "VoskRecogniser", HearsUno)
    monkeypatch.setattr(referee.hearing.ear, "shipped_spotter", lambda: None)
    return driver


def hear(table: ScriptedMicrophone, *arguments: str, until_s: float = 6.0) -> Any:
    table.clock.at(until_s, lambda: signal.raise_signal(signal.SIGINT))
    return RUN.invoke(app, ["hear", "--live", "--model", ".", *arguments])


def test_a_call_is_told_as_it_comes_and_ctrl_c_ends_in_order(table: ScriptedMicrophone) -> None:
    before = signal.getsignal(signal.SIGINT)
    result = hear(table)
    assert result.exit_code == 0
    told = " ".join(result.stdout.split())
    assert told.startswith("Listening to Table microphone (ALSA); Ctrl-C ends it.")
    assert "3.00 s uno 0.90 우노" in told or "2.98 s uno 0.90 우노" in told
    assert told.endswith("Stopped. 1 call heard.")
    assert signal.getsignal(signal.SIGINT) is before
    assert result.stderr == ""


def test_json_tells_calls_and_levels(table: ScriptedMicrophone) -> None:
    records = [json.loads(line) for line in hear(table, "--json").stdout.splitlines()]
    assert {record["type"] for record in records} == {"call", "level"}
    calls = [record for record in records if record["type"] == "call"]
    assert calls[-1]["call"] == "uno"
    assert calls[-1]["phase"] == "confirmed"
    assert calls[-1]["start_s"] == pytest.approx(3.0, abs=0.15)
    assert [record["t_s"] for record in records if record["type"] == "level"][:3] == [0.5, 1.0, 1.5]


def test_an_unplugged_microphone_is_told_and_regained(table: ScriptedMicrophone) -> None:
    table.clock.at(5.0, table.unplug)
    table.clock.at(7.0, table.plug)
    told = " ".join(hear(table, until_s=15.0).stdout.split())
    assert "not listening: Table microphone (ALSA): no sound comes from it" in told
    assert "listening again after" in told
    assert "gap of" in told


def test_a_call_in_the_last_moment_is_heard(table: ScriptedMicrophone) -> None:
    """Stopped in the middle of the word: what was said before counts."""
    assert "1 call heard" in hear(table, until_s=3.45).stdout


def test_the_device_is_chosen_by_name(table: ScriptedMicrophone) -> None:
    result = hear(table, "--device", "Tabel microphone")
    with pytest.raises(InputFault, match=r"no microphone is called .*there is 'Table microphone'"):
        raise result.exception or AssertionError(result.stdout)
    assert table.opened == []


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["hear"], "nothing to hear"),
        (["hear", "--live", "a.wav"], "too much"),
        (["hear", "--device", "x", "a.wav"], "--device names a microphone"),
    ],
)
def test_files_or_a_microphone(arguments: list[str], fault: str) -> None:
    result = RUN.invoke(app, arguments)
    with pytest.raises(InputFault, match=fault):
        raise result.exception or AssertionError(result.stdout)


@pytest.mark.parametrize(
    ("rms_dbfs", "peak_dbfs", "bar"),
    [(-96.0, -96.0, "|" + "·" * 39), (-30.0, -15.0, "█" * 20 + "·" * 10 + "|" + "·" * 9), (0.0, 0.0, "█" * 39 + "|")],
)
def test_the_meter(rms_dbfs: float, peak_dbfs: float, bar: str) -> None:
    shown = live.meter(Level(0.0, rms_dbfs, peak_dbfs))
    assert shown.plain == f"  {bar} {rms_dbfs:6.1f} dB"
    assert str(shown.style) == ("red" if peak_dbfs > -6 else "green")
