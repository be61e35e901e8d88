"""A listener with a spotter beside its recogniser, both scripted: provisional calls, the referee's own voice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from referee.hearing.features import FRAMES, Features
from referee.hearing.listener import OWN_ECHO_S, Listener
from referee.hearing.phrases import parse_pack
from referee.hearing.recogniser import Samples, Word
from referee.hearing.spotter import CallSpotter, Track
from referee.observations import CallHeard
from tests.hearing.scripted import ScriptedRecogniser, chunks, silence, voice, word

PACK = parse_pack('format = 1\n[calls]\nuno = ["uno"]\ncatch = ["penalty"]\n"colour:R" = ["red"]\n', "x")
CALLS = ("none", "uno", "catch", "colour:R")


class ScriptedSpotter(CallSpotter):
    """Sees one call wherever a voice stops: when the last 0.2 s are silent and a voice came before."""

    def __init__(self, call: str = "uno", share: float = 0.97) -> None:
        self.calls = CALLS
        self._column, self._share = CALLS.index(call), share

    def shares(self, pictures: Features) -> Features:
        loud = pictures[:, 0].mean(axis=1)  # (n, FRAMES)
        voiced = loud > loud.min(axis=1, keepdims=True) + 0.5
        stopped = ~voiced[:, -12:].any(axis=1) & voiced[:, -30:-12].any(axis=1)
        shares = np.zeros((len(pictures), len(CALLS)), np.float32)
        shares[:, self._column] = np.where(stopped, self._share, 0)
        shares[:, 0] = 1 - shares.sum(axis=1)
        return shares


def said(*gaps_s: float) -> Samples:
    """A voice of 0.5 s after 1 s, and another one after each gap."""
    room = np.random.default_rng(1).normal(size=round((3 + 0.5 + sum(gaps_s) + 0.5 * len(gaps_s)) * 16000)) * 8
    sound = np.concatenate(
        [silence(1), voice(0.5), *(np.concatenate([silence(g), voice(0.5)]) for g in gaps_s), silence(1)]
    )
    sound = sound + room[: len(sound)]
    return np.asarray(sound, np.int16)


def heard(
    script: Sequence[Sequence[Word]],
    spotter: CallSpotter | None,
    *,
    sound: Samples | None = None,
    expected: Sequence[str] | None = None,
    partials: bool = False,
    own_voice: tuple[float, float] | None = None,
    takes: int = 6,
    chunk_s: float = 0.1,
) -> list[CallHeard]:
    listener = Listener(ScriptedRecogniser(script, takes=takes), PACK, spotter=spotter, partials=partials)
    listener.set_expected(expected)
    if own_voice:
        listener.speaking(*own_voice)
    calls = [call for chunk in chunks(said() if sound is None else sound, chunk_s) for call in listener.hear(chunk)]
    return calls + listener.close()


@pytest.mark.parametrize(
    ("words", "spotter", "expected", "outcome"),
    [
        ([word("uno")], ScriptedSpotter(), None, [("uno", "both", "sure")]),
        ([], ScriptedSpotter(), None, [("uno", "spotter", "sure")]),
        ([], ScriptedSpotter("colour:R"), None, [("colour:R", "spotter", "sure")]),
        ([], ScriptedSpotter(share=0.25), ["uno"], [("uno", "spotter", "maybe")]),
        ([word("uno")], ScriptedSpotter(share=0.0), None, [("uno", "vosk", "maybe")]),
        ([word("uno")], ScriptedSpotter(share=0.0), ["uno"], [("uno", "vosk", "maybe")]),
        ([word("uno")], None, None, [("uno", "vosk", "sure")]),
    ],
)
def test_which_ear_heard_it(
    words: list[Word], spotter: CallSpotter | None, expected: list[str] | None, outcome: list[tuple[str, str, str]]
) -> None:
    calls = heard([words], spotter, expected=expected)
    assert [(call.call, call.heard_by, call.certainty) for call in calls] == outcome


def test_a_call_heard_by_the_spotter_alone_has_the_time_of_the_word() -> None:
    (call,) = heard([[]], ScriptedSpotter())
    assert call.t_s == pytest.approx(1.1, abs=0.2)
    assert call.end_s == pytest.approx(1.5, abs=0.15)
    assert call.end_s < call.seen_s < 1.5 + 0.6


@pytest.mark.parametrize("chunk_s", [0.03, 0.5, 7.0])
def test_chunk_size_changes_nothing(chunk_s: float) -> None:
    sound = said(1.4, 1.4)
    script: list[list[Word]] = [[], [word("red")], []]
    assert heard(script, ScriptedSpotter(), sound=sound, chunk_s=chunk_s) == heard(
        script, ScriptedSpotter(), sound=sound, chunk_s=0.1
    )


def test_a_call_is_provisional_first_and_keeps_its_id() -> None:
    calls = heard([[word("uno")]], ScriptedSpotter(), partials=True, takes=99)
    assert [(call.call, call.phase) for call in calls] == [("uno", "provisional"), ("uno", "confirmed")]
    early, final = calls
    assert early.id == final.id
    assert early.seen_s < final.seen_s
    assert abs(early.t_s - final.t_s) < 0.4


def test_two_partial_hearings_that_agree_are_enough() -> None:
    calls = heard([[word("uno", 0.3, 0.5)]], None, partials=True, takes=99)
    assert [(call.phase, call.heard_by) for call in calls] == [("provisional", "vosk"), ("confirmed", "vosk")]


def test_what_the_end_of_the_utterance_does_not_bear_out_is_withdrawn() -> None:
    """Only the hearings under way hold the word; all takes of the whole utterance hold nothing."""

    class Fickle(ScriptedRecogniser):
        def recognise(self, samples: Samples) -> list[Word]:
            return [word("uno", 0.3, 0.5)] if len(samples) < 0.95 * 16000 else []

    listener = Listener(Fickle(), PACK, partials=True)
    calls = [call for chunk in chunks(said(), 0.1) for call in listener.hear(chunk)]
    told = [(call.call, call.phase, call.heard_by) for call in calls]
    # what was said is not known: it was perhaps an UNO
    assert told == [("uno", "provisional", "vosk"), ("uno", "confirmed", ""), ("uno", "withdrawn", "vosk")]
    assert calls[0].id == calls[2].id


@pytest.mark.parametrize(
    ("span", "phase"),
    [
        ((0.5, 1.2), "ignored"),
        ((0.2, 1.1 - OWN_ECHO_S + 0.2), "ignored"),  # the room still rings of it
        ((0.0, 0.3), "confirmed"),
        ((1.9, 3.0), "confirmed"),
        ((0.9, float("inf")), "ignored"),  # still speaking
    ],
)
def test_the_referees_own_voice_is_no_call(span: tuple[float, float], phase: str) -> None:
    """A9. The word lies between 1.0 and 1.5 s."""
    call, *doubts = heard([[word("uno", 0.3, 0.7)]], None, own_voice=span)
    assert call.phase == phase
    assert [(doubt.certainty, doubt.heard_by) for doubt in doubts] in ([], [("maybe", "")])


def test_a9_under_the_referees_own_voice_a_player_may_have_called() -> None:
    """The referee talks over an honest UNO: its player must not be told that there was none."""
    ignored, doubt = heard([[word("uno", 0.3, 0.7)]], None, own_voice=(0.9, 1.6))
    assert ignored.phase == "ignored"
    assert (doubt.call, doubt.certainty, doubt.channel) == ("uno", "maybe", "overlapped")
    assert doubt.t_s < 1.0
    assert doubt.end_s > 1.5


def test_a9_the_spans_of_a_whole_recording_may_be_told_before_it_is_heard() -> None:
    """A replay knows them all from the log; more than a hundred fall into an evening."""
    listener = Listener(ScriptedRecogniser([[word("uno", 0.3, 0.7)]] * 2), PACK)
    for number in range(200):
        listener.speaking(0.9 + 10.0 * number, 1.4 + 10.0 * number)
    calls = [call for chunk in chunks(said(1.6), 0.1) for call in listener.hear(chunk)]
    assert [call.phase for call in calls if call.heard_by] == ["ignored", "confirmed"]


def test_an_honest_call_right_after_the_referees_own_is_heard() -> None:
    calls = heard([[word("uno")], [word("uno")]], None, sound=said(0.6), own_voice=(0.9, 1.5))
    assert [call.phase for call in calls if call.heard_by] == ["ignored", "confirmed"]


def test_clipped_sound_is_marked() -> None:
    loud = np.clip(said().astype(np.int32) * 900, -32768, 32767).astype(np.int16)
    call, doubt = heard([[word("uno")]], None, sound=loud)
    assert (call.channel, doubt.channel, doubt.certainty) == ("clipped", "clipped", "maybe")


def test_looks_end_where_they_say() -> None:
    track = ScriptedSpotter().track(said())
    assert isinstance(track, Track)
    share, at_s = track.best("uno")
    assert share > 0.9
    assert at_s == pytest.approx(1.68, abs=0.1)
    assert track.best("uno", 0.0, 1.5)[0] == 0.0
    assert track.best("guilty") == (0.0, 0.0)
    assert np.all(np.diff(track.ends_s) == pytest.approx(0.05))
    assert FRAMES * 0.01 < 1.7
