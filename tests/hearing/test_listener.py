"""Sound in chunks -> calls with their times, bars and refractory time; the recogniser is scripted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from referee.faults import InputFault
from referee.hearing.listener import Listener
from referee.hearing.phrases import parse_pack
from referee.hearing.recogniser import Samples, Word
from referee.observations import CallHeard
from tests.hearing.scripted import Chunk, ScriptedRecogniser, chunks, silence, voice, word, zeros

PACK = parse_pack(
    """
format = 1
[calls]
uno = ["uno"]
catch = ["penalty"]
"colour:R" = ["red"]
[decoys]
words = ["no"]
""",
    "x",
)


def spoken(count: int, gap_s: float = 1.2) -> Samples:
    """`count` utterances of 0.5 s; the first word begins at 1.0 s, each next one `gap_s` + 0.5 s later."""
    return np.concatenate([silence(1.0), *[np.concatenate([voice(0.5), silence(gap_s)]) for _ in range(count)]])


def heard(
    script: Sequence[Sequence[Word]],
    *,
    sound: Samples | None = None,
    chunk_s: float = 0.1,
    expected: Sequence[str] | None = None,
    start_s: float = 0.0,
) -> list[CallHeard]:
    listener = Listener(ScriptedRecogniser(script), PACK)
    listener.set_expected(expected)
    given = spoken(len(script)) if sound is None else sound
    calls = [call for chunk in chunks(given, chunk_s, start_s) for call in listener.hear(chunk)]
    return calls + listener.close()


def made_out(calls: Sequence[CallHeard]) -> list[CallHeard]:
    """Without the stretches in which an UNO may be hidden."""
    return [call for call in calls if call.heard_by]


def test_what_is_settled_stays_behind_a_word_under_way_and_follows_silence() -> None:
    listener = Listener(ScriptedRecogniser([[word("uno", 0.25, 0.6, 0.9)]]), PACK)
    assert listener.settled_s == float("-inf")
    at = {
        round(chunk.t_s + 0.1, 1): (listener.hear(chunk), listener.settled_s)[1]
        for chunk in chunks(spoken(1), 0.1, 10.0)
    }
    assert at[11.6] == pytest.approx(10.75, abs=0.05)
    assert at[12.5] == pytest.approx(12.2, abs=0.05)


def test_a_call_carries_its_times_words_and_confidence() -> None:
    (call,) = heard([[word("uno", 0.25, 0.6, 0.9)]], start_s=10.0)
    assert call.call == "uno"
    assert call.words == "uno"
    assert call.id == "a1"
    assert call.confidence == pytest.approx(0.9)
    # The utterance begins a pre-roll before the voice; takes at another tempo give the same place.
    assert call.t_s == pytest.approx(11.0, abs=0.06)
    assert call.end_s == pytest.approx(11.34, abs=0.06)
    # Known when the hangover was over, and not a moment before.
    assert call.seen_s == pytest.approx(11.8, abs=0.1)


def test_s1_calls_keep_step_with_a_drifting_sound_card() -> None:
    """Counted samples alone would be 1.7 s early after a hundred seconds of a clock that is off by so much."""
    listener = Listener(ScriptedRecogniser([[word("uno", 0.25, 0.6, 0.9)]]), PACK)
    sound = np.concatenate([silence(100.0), voice(0.5), silence(1.2)])
    drifting = [Chunk(chunk.t_s * 1.017, chunk.samples) for chunk in chunks(sound, 0.1, 0.0)]
    (call,) = [call for chunk in drifting for call in listener.hear(chunk)]
    assert call.t_s == pytest.approx(101.7, abs=0.08)


def test_silence_and_unknown_talk_give_nothing() -> None:
    assert heard([], sound=silence(5)) == []
    assert made_out(heard([[], [word("no")]])) == []


@pytest.mark.parametrize("chunk_s", [0.02, 0.1, 0.5, 7.0])
def test_chunk_size_changes_nothing(chunk_s: float) -> None:
    script = [[word("uno")], [word("red")], []]
    assert heard(script, chunk_s=chunk_s) == heard(script, chunk_s=0.03)


@pytest.mark.parametrize(
    ("call", "confidence", "expected", "certainty"),
    [
        ("uno", 0.22, None, "sure"),  # an honest caller gets the benefit of the doubt
        ("uno", 0.10, None, None),
        ("uno", 0.13, ["uno"], "sure"),  # and more of it when an uno is awaited
        ("penalty", 0.30, None, None),
        ("penalty", 0.35, None, "likely"),  # a catch starts a penalty: a higher bar
        ("penalty", 0.60, None, "sure"),
        ("penalty", 0.35, ["catch"], "sure"),
        ("red", 0.15, None, None),
        ("red", 0.25, None, "likely"),  # if a colour has to be named just now
        ("red", 0.40, None, "sure"),
        ("red", 1.0, ["uno"], None),  # at set-up nobody asks for a colour
    ],
)
def test_bars(call: str, confidence: float, expected: list[str] | None, certainty: str | None) -> None:
    calls = made_out(heard([[word(call, confidence=confidence)]], expected=expected))
    assert [call.certainty for call in calls] == ([certainty] if certainty else [])


@pytest.mark.parametrize(
    ("script", "gap_s", "calls"),
    [
        ([[word("uno")], [word("uno")]], 0.4, ["uno"]),  # one call fires twice
        ([[word("uno")], [word("uno")]], 1.6, ["uno", "uno"]),
        ([[word("uno")], [word("red")]], 0.4, ["uno", "colour:R"]),  # another call is another call
        ([[word("uno"), word("uno", 0.7, 0.9)]], 1.0, ["uno"]),
    ],
)
def test_a10_one_call_counts_once(script: list[list[Word]], gap_s: float, calls: list[str]) -> None:
    assert [c.call for c in made_out(heard(script, sound=spoken(len(script), gap_s)))] == calls


def test_a1_while_nothing_but_zeros_comes_an_uno_may_have_been_said() -> None:
    """A muted microphone, or a hole in a recording: that nothing was heard says nothing."""
    calls = heard([], sound=np.concatenate([silence(1), zeros(2.5), silence(1)]), start_s=10.0)
    assert {(call.call, call.certainty, call.channel, call.heard_by) for call in calls} == {
        ("uno", "maybe", "lost", "")
    }
    assert calls[0].t_s == pytest.approx(11.0, abs=0.01)
    assert calls[-1].end_s == pytest.approx(13.5, abs=0.01)


def test_a_word_that_neither_ear_makes_out_may_be_an_uno() -> None:
    """Honest callers in voices unknown to the ear were told that they had not called, in a quiet room."""
    (doubt,) = heard([[]])
    assert (doubt.call, doubt.certainty, doubt.channel, doubt.heard_by) == ("uno", "maybe", "clear", "")
    assert [call.heard_by for call in heard([[word("red")]])] == ["vosk"]


def test_a_quick_word_that_neither_ear_makes_out_may_be_one_too() -> None:
    """An "uno" of a fifth of a second in babble: its caller was told that there was none."""
    (doubt,) = heard([[]], sound=np.concatenate([silence(1), voice(0.18), silence(1.2)]))
    assert (doubt.call, doubt.certainty, doubt.heard_by) == ("uno", "maybe", "")
    assert heard([[]], sound=np.concatenate([silence(1), voice(0.12), silence(1.2)])) == []  # a knock


def test_a10_an_uno_so_soon_after_another_may_be_the_next_players() -> None:
    """It counts once, and the next player was told that there was none of theirs."""
    first, doubt = heard([[word("uno")], [word("uno")]], sound=spoken(2, 0.4))
    assert (first.certainty, doubt.certainty, doubt.heard_by) == ("sure", "maybe", "")


def test_under_long_talk_an_uno_may_be_hidden() -> None:
    (doubt,) = heard([], sound=np.concatenate([silence(1), voice(2.0), silence(1)]))
    assert (doubt.call, doubt.certainty, doubt.channel, doubt.phase) == ("uno", "maybe", "overlapped", "confirmed")
    assert doubt.t_s < 1.0
    assert doubt.end_s > 3.0


def test_two_calls_in_one_breath_come_in_order_of_time() -> None:
    found = heard([[word("penalty", 0.6, 0.8), word("uno", 0.3, 0.5)]])
    assert [c.call for c in found] == ["uno", "catch"]


def test_what_the_end_of_the_sound_cuts_off_is_still_heard() -> None:
    (call,) = heard([[word("uno")]], sound=np.concatenate([silence(1), voice(0.5)]))
    assert call.seen_s == pytest.approx(1.5)


def test_long_talk_is_heard_in_fewer_takes() -> None:
    recogniser = ScriptedRecogniser()
    listener = Listener(recogniser, PACK)
    for chunk in chunks(np.concatenate([silence(1), voice(4), silence(1)]), 0.1):
        listener.hear(chunk)
    assert len(recogniser.heard) == 2


def test_the_grammar_follows_what_is_expected() -> None:
    recogniser = ScriptedRecogniser()
    listener = Listener(recogniser, PACK)
    listener.set_expected(["uno", "undo"])  # `undo` has no wording in this pack
    listener.set_expected(["uno"])
    listener.set_expected(None)
    everything = ["uno", "penalty", "red", "no"]
    assert recogniser.grammars == [everything, ["uno", "no"], everything]


def test_phrases_that_the_model_lacks_are_refused_by_name() -> None:
    """V2."""
    recogniser = ScriptedRecogniser(vocabulary={"uno", "penalty", "red"})
    listener = Listener(recogniser, PACK)
    assert listener.refused == {"no": ["no"]}
    assert recogniser.grammars == [["uno", "penalty", "red"]]
    with pytest.raises(InputFault, match="no wording of catch, colour:R"):
        Listener(ScriptedRecogniser(vocabulary={"uno"}), PACK)


def test_sound_at_another_rate_is_refused() -> None:
    with pytest.raises(InputFault, match="8000 Hz"):
        Listener(ScriptedRecogniser(), PACK).hear(Chunk(0.0, silence(0.1), rate_hz=8000))


def test_ids_may_be_given() -> None:
    listener = Listener(ScriptedRecogniser([[word("uno")]]), PACK, ids=lambda: "o17")
    calls = [call for chunk in chunks(spoken(1), 0.1) for call in listener.hear(chunk)]
    assert [call.id for call in calls] == ["o17"]
