"""The same word in two mouths, from two microphones to the verdict: recorded, read back, heard, judged (row J2)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from referee.capture.media import SoundChunk
from referee.cards import Seat
from referee.faults import InputFault
from referee.fusion.desk import Judged, Question
from referee.fusion.scribe import Scribe, TableStart
from referee.hearing.direction import SeatDelay
from referee.hearing.learning_seats import learn_seats
from referee.hearing.speakers import SpeakerEar, TwoSided
from referee.observations import CallHeard, from_json, to_json
from referee.rules.profiles import load_profile
from referee.session.folder import create_session
from referee.session.plan import SessionPlan, open_plan
from referee.session.recorder import Recorder
from referee.session.recording import recorded_sound
from tests.fusion.scripted import laid

RATE_HZ = 16_000
P1, P2, P3 = Seat.first(3)
VOICES = {P1: SeatDelay(-0.4, 0.012), P2: SeatDelay(0.05, 0.012), P3: SeatDelay(0.35, 0.012)}
SAID_S = 1.5
CLASSIC = load_profile("classic-108")
BY_UNO = replace(CLASSIC, uno=replace(CLASSIC.uno, catch_words="uno"))


def table_sound(
    delay_ms: float, *, at_s: tuple[float, ...] = (SAID_S,), channels: int = 2, seed: int = 4
) -> list[SoundChunk]:
    """Three seconds and more of a table with a word in it that the second microphone hears later."""
    rng = np.random.default_rng(seed)
    count = round((max(at_s) + 1.5) * RATE_HZ)
    dry = np.zeros(count)
    for t_s in at_s:
        word = rng.normal(size=6400) * np.abs(np.sin(np.linspace(0, 2 * np.pi, 6400))) * 3000
        dry[round(t_s * RATE_HZ) :][:6400] = word
    hz = np.fft.rfftfreq(count, 1 / RATE_HZ)
    late = np.fft.irfft(np.fft.rfft(dry) * np.exp(-2j * np.pi * hz * delay_ms / 1000), n=count)
    both = (np.stack([dry, late], axis=1) + rng.normal(size=(count, 2)) * 20).astype(np.int16)
    mono = np.round(both.mean(axis=1)).astype(np.int16)
    size = RATE_HZ // 10
    return [
        SoundChunk(at / RATE_HZ, mono[at : at + size], RATE_HZ, both[at : at + size] if channels == 2 else None)
        for at in range(0, count - size, size)
    ]


@dataclass
class ScriptedEar:
    """Hears an UNO at the times it is told, a while after it was said."""

    at_s: tuple[float, ...] = (SAID_S,)
    settled_s: float = 0.0
    refused: dict[str, list[str]] = field(default_factory=dict)
    given: int = 0

    def hear(self, chunk: TwoSided) -> list[CallHeard]:
        if self.given < len(self.at_s) and chunk.t_s > self.at_s[self.given] + 0.9:
            t_s = self.at_s[self.given]
            self.given += 1
            return [CallHeard(id=f"a{self.given}", t_s=t_s, end_s=t_s + 0.4, seen_s=chunk.t_s, call="uno")]
        return []

    def close(self) -> list[CallHeard]:
        return []

    def set_expected(self, calls: Iterable[str] | None) -> None: ...

    def speaking(self, start_s: float, end_s: float = 0.0) -> None: ...


def test_a_second_voice_from_elsewhere_overlaps_a_call() -> None:
    """Two who begin and end at once are one utterance to a single microphone, and two directions to a pair."""
    alone, other = table_sound(-0.4), table_sound(0.35, seed=9)
    both = [
        replace(one, sides=one.sides + two.sides // 10 * 8)
        for one, two in zip(alone, other, strict=True)
        if one.sides is not None and two.sides is not None
    ]
    for sound, channel in ((alone, "clear"), (both, "overlapped")):
        ear = SpeakerEar(ScriptedEar(), VOICES)
        (call,) = [call for chunk in sound for call in ear.hear(chunk)]
        assert call.channel == channel


def recorded(folder: Path, sound: list[SoundChunk], channels: int) -> SessionPlan:
    plan = SessionPlan("", (), dict.fromkeys((P1, P2, P3), ""), "classic-108", "stand-in", voices=VOICES)
    create_session(folder, plan, calibration=None)
    recorder = Recorder(folder, lambda *_: None, size_px=(64, 48), rate_hz=RATE_HZ, channels=channels)
    for chunk in sound:
        recorder.sound(chunk)
    recorder.close()
    return open_plan(folder)


def verdict(chunks: Iterator[SoundChunk], voices: dict[Seat, SeatDelay]) -> tuple[list[str], list[str]]:
    """Fouls and questions after P1 laid the last card but one and somebody said UNO."""
    ear = SpeakerEar(ScriptedEar(), voices)
    calls = [call for chunk in chunks for call in ear.hear(chunk)]
    assert [call.call for call in calls] == ["uno"]
    assert [from_json(to_json(call)) for call in calls] == calls
    scribe = Scribe(BY_UNO, TableStart((P1, P2, P3), position="R3 R > P1 P1:2 P2:4 P3:4"))
    written = [w for seen in (laid("P1", "R9", 1.0), *calls) for w in scribe.take(seen)]
    fouls = [f"{i.seat} {i.code}" for w in written if isinstance(w, Judged) for i in w.ruling.incidents]
    return fouls, [w.text for w in written if isinstance(w, Question)]


@pytest.mark.parametrize(
    ("delay_ms", "channels", "fouls", "asked"),
    [
        (-0.4, 2, [], []),
        (0.35, 2, ["P1 missed_uno"], []),
        (0.35, 1, [], ["Who said UNO: P1, or somebody who catches P1?"]),
        (1.2, 2, [], ["Who said UNO: P1, or somebody who catches P1?"]),
    ],
    ids=["P1 says it", "P3 says it", "one microphone", "somebody beside the table says it"],
)
def test_the_speaker_decides_and_the_recording_says_the_same(
    tmp_path: Path, delay_ms: float, channels: int, fouls: list[str], asked: list[str]
) -> None:
    sound = table_sound(delay_ms, channels=channels)
    plan = recorded(tmp_path / "s", sound, channels)
    assert plan.voices == VOICES
    assert verdict(iter(sound), VOICES) == (fouls, asked)
    assert verdict(recorded_sound(plan), plan.voices) == (fouls, asked)


def test_a_microphone_with_one_channel_recorded_as_two_says_nothing(tmp_path: Path) -> None:
    """The recorder gives one channel twice where a microphone was changed in the middle of a piece."""
    plan = recorded(tmp_path / "s", table_sound(0.35, channels=1), 2)
    assert plan.voices
    _, asked = verdict(recorded_sound(plan), plan.voices)
    assert len(asked) == 1


def test_seats_are_learnt_from_recordings_of_everybody_saying_uno() -> None:
    said_s = (1.0, 3.0, 5.0)
    sounds = {seat: table_sound(VOICES[seat].delay_ms, at_s=said_s) for seat in (P1, P3)}
    later = [replace(chunk, t_s=chunk.t_s + 10) for chunk in sounds[P3]]
    ear = ScriptedEar(at_s=(*said_s, *(t_s + 10 for t_s in said_s)))
    learnt = learn_seats({P1: ("ana.wav", sounds[P1]), P3: ("carla.wav", later)}, ear)
    assert learnt[P1].delay_ms == pytest.approx(-0.4, abs=0.01)
    assert learnt[P3].delay_ms == pytest.approx(0.35, abs=0.01)


@pytest.mark.parametrize(
    ("channels", "at_s", "says"),
    [(1, (1.0, 3.0), "ana.wav: has one channel"), (2, (1.0,), "ana.wav: UNO is heard 1 times")],
)
def test_recordings_that_teach_nothing_are_refused_by_name(channels: int, at_s: tuple[float, ...], says: str) -> None:
    sound = table_sound(0.3, at_s=at_s, channels=channels)
    with pytest.raises(InputFault, match=says):
        learn_seats({P1: ("ana.wav", sound)}, ScriptedEar(at_s=at_s))
