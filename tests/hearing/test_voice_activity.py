"""Where utterances begin and end: sound -> spans."""

from __future__ import annotations

import sys
from itertools import pairwise

import numpy as np
import pytest

from referee.faults import InputFault
from referee.hearing.recogniser import Samples
from referee.hearing.voice_activity import Cut, Utterance, UtteranceCutter, WebRtcDetector
from tests.hearing.scripted import RATE_HZ, LoudIsVoice, silence, voice


def cut(sound: Samples, chunk: int | None = None, settings: Cut | None = None) -> list[Utterance]:
    cutter = UtteranceCutter(RATE_HZ, settings, LoudIsVoice())
    size = chunk or len(sound)
    found = [u for at in range(0, len(sound), size) for u in cutter.feed(sound[at : at + size])]
    return found + cutter.flush()


def spans(utterances: list[Utterance]) -> list[tuple[float, float]]:
    return [(u.first / RATE_HZ, (u.first + len(u.samples)) / RATE_HZ) for u in utterances]


@pytest.mark.parametrize(
    ("name", "sound", "expected"),
    [
        ("silence holds nothing", [silence(3)], []),
        ("one word: pre-roll before, hangover after", [silence(1), voice(0.5), silence(1)], [(0.76, 1.80)]),
        ("a click is no utterance", [silence(1), voice(0.06), silence(1)], []),
        (
            "a short pause stays inside",
            [silence(1), voice(0.4), silence(0.2), voice(0.4), silence(1)],
            [(0.76, 2.30)],
        ),
        (
            "a long pause separates",
            [silence(1), voice(0.4), silence(0.8), voice(0.4), silence(1)],
            [(0.76, 1.70), (1.96, 2.90)],
        ),
        ("a file may begin in the middle of a word", [voice(0.5), silence(1)], [(0.0, 0.80)]),
        ("a file may end in the middle of a word", [silence(1), voice(0.5)], [(0.76, 1.50)]),
        ("a file shorter than a frame", [voice(0.01)], []),
    ],
)
def test_spans(name: str, sound: list[Samples], expected: list[tuple[float, float]]) -> None:
    found = spans(cut(np.concatenate(sound)))
    assert len(found) == len(expected), name
    for (a, b), (c, d) in zip(found, expected, strict=True):
        assert a == pytest.approx(c, abs=0.03)
        assert b == pytest.approx(d, abs=0.03)


def test_no_utterance_is_longer_than_the_most() -> None:
    found = cut(np.concatenate([silence(1), voice(9), silence(1)]), settings=Cut(most_s=4.0))
    assert len(found) == 3
    assert all(len(u.samples) <= 4.0 * RATE_HZ for u in found)
    # Each goes on where the one before was cut, with its pre-roll over it: no word falls between two utterances.
    for before, after in pairwise(found):
        assert after.first <= before.first + len(before.samples)


@pytest.mark.parametrize("chunk", [1, 160, 320, 333, 8000])
def test_chunk_size_changes_nothing(chunk: int) -> None:
    sound = np.concatenate([silence(0.4), voice(0.5), silence(0.6), voice(0.3), silence(0.5)])
    whole, parts = cut(sound), cut(sound, chunk)
    assert [(u.first, u.decided) for u in whole] == [(u.first, u.decided) for u in parts]
    assert all(np.array_equal(a.samples, b.samples) for a, b in zip(whole, parts, strict=True))


def test_no_utterance_begins_before_what_is_settled() -> None:
    sound = np.concatenate([silence(1), voice(0.5), silence(1), voice(0.4), silence(1)])
    cutter = UtteranceCutter(RATE_HZ, None, LoudIsVoice())
    settled = 0
    for at in range(0, len(sound), 700):
        assert all(utterance.first >= settled for utterance in cutter.feed(sound[at : at + 700]))
        assert cutter.settled >= settled
        settled = cutter.settled
    assert settled > len(sound) - 0.5 * RATE_HZ


def test_samples_are_the_sound_at_their_place() -> None:
    sound = np.concatenate([silence(1), voice(0.5), silence(1)])
    (utterance,) = cut(sound)
    assert np.array_equal(utterance.samples, sound[utterance.first : utterance.first + len(utterance.samples)])


def test_decided_is_never_before_the_end_of_the_utterance() -> None:
    (utterance,) = cut(np.concatenate([silence(1), voice(0.5), silence(1)]))
    assert utterance.decided == utterance.first + len(utterance.samples)


def test_the_steady_murmur_of_a_room_is_not_a_voice() -> None:
    """After the room's level is known, only what stands out of it opens an utterance."""
    rng = np.random.default_rng(5)
    room = (rng.normal(0, 400, 12 * RATE_HZ)).astype(np.int16)
    spoken = room.copy()
    at = 9 * RATE_HZ
    spoken[at : at + RATE_HZ // 2] += voice(0.5, 4000.0)
    late = [u for u in cut(spoken) if u.first > 5 * RATE_HZ]
    assert spans(late)[0][0] == pytest.approx(8.75, abs=0.05)
    assert len(late) == 1
    assert [u for u in cut(room) if u.first > 5 * RATE_HZ] == []


def test_a_noisy_room_is_known_within_a_second_and_a_half() -> None:
    """Symptom: the first call of a recording drowned in an utterance that had opened on the room's noise."""
    sound = np.random.default_rng(6).normal(0, 400, 5 * RATE_HZ).astype(np.int16)
    sound[2 * RATE_HZ : 2 * RATE_HZ + RATE_HZ // 2] += voice(0.5, 5000.0)
    first_s, last_s = spans(cut(sound))[-1]
    assert first_s == pytest.approx(1.75, abs=0.06)
    assert last_s == pytest.approx(2.8, abs=0.06)


def test_webrtc_tells_a_voice_from_silence() -> None:
    detector = WebRtcDetector(RATE_HZ, 1)
    buzz = voice(1.0)
    frames = [buzz[at : at + 320] for at in range(0, len(buzz), 320)]
    assert sum(detector.is_voice(frame) for frame in frames) > 40
    # The detector holds on for a moment after a voice; then silence is silence.
    after = [detector.is_voice(silence(0.02)) for _ in range(50)]
    assert not any(after[25:])


def test_a_missing_detector_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "webrtcvad", None)
    with pytest.raises(InputFault, match="webrtcvad-wheels"):
        WebRtcDetector(RATE_HZ, 1)
