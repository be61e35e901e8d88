"""Whose voice it is: a hint from a word of half a second, silent where it is not certain."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from referee.capture.media import SoundChunk
from referee.cards import Seat
from referee.faults import InputFault
from referee.hearing import voiceprint
from referee.hearing.learning_seats import VoiceLearner, learn_seats
from referee.hearing.recogniser import Samples
from referee.hearing.speakers import SpeakerEar, TwoSided
from referee.hearing.voiceprint import VoiceEncoder, VoicePrint, mean_print, voice_of
from referee.observations import CallHeard, from_json, to_json
from tests.hearing.scripted import voice, zeros
from tests.session.test_speakers import SAID_S, ScriptedEar, table_sound

P1, P2, P3 = Seat.first(3)


def towards(*parts: float) -> VoicePrint:
    found = np.zeros(256, np.float32)
    found[: len(parts)] = parts
    return np.asarray(found / np.linalg.norm(found), np.float32)


ANA, BRUNO, CARLA = towards(1, 0, 0), towards(0.6, 0.8, 0), towards(0.5, 0.2, 0.84)
KNOWN = {P1: ANA, P2: BRUNO, P3: CARLA}


@pytest.mark.parametrize(
    ("situation", "heard", "known", "seat"),
    [
        ("her own voice", ANA, KNOWN, P1),
        ("nearly hers", towards(1, 0.3, 0.1), KNOWN, P1),
        ("between two", towards(0.85, 0.5, 0.1), KNOWN, None),
        ("a stranger, nearest to one", towards(0.4, 0.0, -0.9), KNOWN, None),
        ("too short, or silent", None, KNOWN, None),
        ("one voice known: everybody is like it", ANA, {P1: ANA}, None),
        ("none known", ANA, {}, None),
    ],
)
def test_whose_voice(
    situation: str, heard: VoicePrint | None, known: dict[Seat, VoicePrint], seat: Seat | None
) -> None:
    assert voice_of(heard, known) is seat, situation


class ByLoudness:
    """Tells voices by how loud they are."""

    def print_of(self, samples: Samples) -> VoicePrint | None:
        return ANA if np.abs(samples.astype(np.int32)).max() > 7000 else BRUNO


class HearsAs(ScriptedEar):
    """Hears the word with something changed."""

    changed: ClassVar[dict[str, str]] = {}

    def hear(self, chunk: TwoSided) -> list[CallHeard]:
        return [replace(call, **self.changed) for call in super().hear(chunk)]  # type: ignore[arg-type]


def spoken(level: float, channels: int = 1, at_s: tuple[float, ...] = (SAID_S,)) -> list[SoundChunk]:
    return [
        replace(chunk, samples=(chunk.samples * level).astype(np.int16))
        for chunk in table_sound(-0.4, at_s=at_s, channels=channels)
    ]


@pytest.mark.parametrize(
    ("situation", "level", "changed", "voice"),
    [
        ("loud Ana", 1.5, {}, P1),
        ("soft Bruno", 0.5, {}, P2),
        ("another word", 1.5, {"call": "catch"}, None),
        ("others talk too", 1.5, {"channel": "overlapped"}, None),
        ("in noise", 1.5, {"channel": "noisy"}, None),
        ("the referee itself", 1.5, {"phase": "ignored"}, None),
        ("nothing was heard", 1.5, {"heard_by": "", "certainty": "maybe"}, None),
    ],
)
def test_an_uno_through_a_clear_channel_has_a_voice(
    situation: str, level: float, changed: dict[str, str], voice: Seat | None
) -> None:
    inner = HearsAs()
    inner.changed = changed  # type: ignore[misc]
    ear = SpeakerEar(inner, {}, KNOWN, ByLoudness())
    (call,) = [call for chunk in spoken(level) for call in ear.hear(chunk)]
    assert call.voice is voice, situation
    assert from_json(to_json(call)) == call
    assert ("voice" in to_json(call)) is (voice is not None)


def test_without_an_encoder_or_voices_there_is_no_hint() -> None:
    for ear in (SpeakerEar(ScriptedEar(), {}, KNOWN, None), SpeakerEar(ScriptedEar(), {}, {}, ByLoudness())):
        assert [call.voice for chunk in spoken(1.5) for call in ear.hear(chunk)] == [None]


def test_voices_are_learnt_from_one_channel_while_directions_are_not() -> None:
    said_s = (1.0, 3.0, 5.0)
    later = [replace(chunk, t_s=chunk.t_s + 10) for chunk in spoken(0.5, at_s=said_s)]
    ear = ScriptedEar(at_s=(*said_s, *(t_s + 10 for t_s in said_s)))
    voices = VoiceLearner(ByLoudness())
    assert learn_seats({P1: ("ana.wav", spoken(1.5, at_s=said_s)), P2: ("bo.wav", later)}, ear, voices) == {}
    found = voices.prints()
    assert {seat: voice_of(one, KNOWN) for seat, one in found.items()} == {P1: P1, P2: P2}


def test_a_voice_that_was_heard_once_is_not_learnt() -> None:
    voices = VoiceLearner(ByLoudness())
    ear = ScriptedEar(at_s=(1.0,))
    with pytest.raises(InputFault, match="UNO is heard 1 times"):
        learn_seats({P1: ("ana.wav", spoken(1.5, at_s=(1.0,)))}, ear, voices)
    assert voices.prints() == {}


def test_what_several_words_have_in_common() -> None:
    assert np.allclose(mean_print([towards(1, 0.2), towards(1, -0.2)]), towards(1, 0))


def test_other_weights_are_refused_by_name(tmp_path: Path) -> None:
    other = tmp_path / "pretrained.pt"
    other.write_bytes(b"not the encoder")
    with pytest.raises(InputFault, match="not the voice encoder that is known"):
        VoiceEncoder(other)


def test_the_weights_are_read_and_run_as_their_library_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(3)
    memory, last = torch.nn.LSTM(40, 256, 3, batch_first=True), torch.nn.Linear(256, 256)
    state = {f"lstm.{name}": value for name, value in memory.state_dict().items()}
    state |= {f"linear.{name}": value for name, value in last.state_dict().items()}
    file = tmp_path / "weights.pt"
    torch.save({"step": 7, "model_state": state}, file, _use_new_zipfile_serialization=False)
    monkeypatch.setattr(voiceprint, "SHA256", hashlib.sha256(file.read_bytes()).hexdigest())
    word = np.concatenate([voice(0.3), voice(0.2, 2000.0)])
    found = VoiceEncoder(file).print_of(word)
    level = np.sqrt(np.mean((word / 32768) ** 2))
    steps = voiceprint.mel_power(word / 32768 * max(10 ** (-30 / 20) / level, 1.0))
    with torch.no_grad():
        _, (hidden, _) = memory(torch.tensor(steps[None], dtype=torch.float32))
        wanted = torch.relu(last(hidden[-1]))[0].numpy()
    assert found is not None
    assert float(found @ (wanted / np.linalg.norm(wanted))) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("sound", [voice(0.1), zeros(0.5), voice(0.0)], ids=["short", "silent", "nothing"])
def test_too_little_to_tell(sound: Samples) -> None:
    encoder = object.__new__(VoiceEncoder)
    assert encoder.print_of(sound) is None
