"""The adapter's promises on a scripted Vosk: V1 to V7, and that the grammar changes only between utterances."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import referee.hearing.vosk_recogniser as adapter
from referee.faults import InputFault
from referee.hearing.vosk_recogniser import VoskRecogniser, words_of
from tests.hearing.scripted import silence
from tests.hearing.test_model_folder import model


class FakeModel:
    loaded: list[str]

    def __init__(self, path: str) -> None:
        FakeModel.loaded.append(path)

    def vosk_model_find_word(self, word: str) -> int:
        return FakeVosk.vocabulary.index(word) if word in FakeVosk.vocabulary else -1


class FakeKaldi:
    """Aborts, as Vosk does, when the grammar is set while an utterance runs."""

    made: list[FakeKaldi]

    def __init__(self, model: FakeModel, rate_hz: int, grammar: str) -> None:
        self.grammar = grammar
        self.running = False
        self.fed = 0
        FakeKaldi.made.append(self)

    def SetWords(self, on: bool) -> None:  # noqa: N802 - Vosk's name
        assert on

    def SetGrammar(self, grammar: str) -> None:  # noqa: N802
        assert not self.running, "terminate called after throwing an instance of 'std::runtime_error'"
        self.grammar = grammar

    def AcceptWaveform(self, data: bytes) -> int:  # noqa: N802
        assert isinstance(data, bytes)
        self.running = True
        self.fed += len(data) // 2
        return int(bool(FakeVosk.at_endpoint))

    def Result(self) -> str:  # noqa: N802
        return FakeVosk.at_endpoint.pop(0)

    def FinalResult(self) -> str:  # noqa: N802
        self.running = False
        return FakeVosk.at_end


class FakeVosk:
    vocabulary: list[str]
    at_endpoint: list[str]
    at_end: str


@pytest.fixture(autouse=True)
def _vosk(monkeypatch: pytest.MonkeyPatch) -> None:
    FakeModel.loaded, FakeKaldi.made = [], []
    FakeVosk.vocabulary, FakeVosk.at_endpoint, FakeVosk.at_end = ["[unk]", "uno", "last", "card"], [], ""
    fake = SimpleNamespace(Model=FakeModel, KaldiRecognizer=FakeKaldi, SetLogLevel=lambda level: None)
    monkeypatch.setitem(sys.modules, "vosk", fake)
    adapter._loaded.cache_clear()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return model(tmp_path / "m")


def result(*words: tuple[str, float, float, float]) -> str:
    return json.dumps({"result": [{"word": w, "start": a, "end": b, "conf": c} for w, a, b, c in words], "text": "x"})


def test_v1_the_grammar_always_holds_the_unknown_word(folder: Path) -> None:
    """V1: without it any noise becomes a call."""
    recogniser = VoskRecogniser(folder)
    assert json.loads(FakeKaldi.made[0].grammar) == ["[unk]"]
    recogniser.listen_for(["uno", "last card"])
    assert json.loads(FakeKaldi.made[0].grammar) == ["uno", "last card", "[unk]"]


@pytest.mark.parametrize("spelling", ["[unk]", "<UNK>", "<unk>", "[UNK]"])
def test_v1_the_unknown_word_is_the_models_own(folder: Path, spelling: str) -> None:
    FakeVosk.vocabulary = ["uno", spelling]
    recogniser = VoskRecogniser(folder)
    assert recogniser.unknown_word == spelling
    FakeVosk.at_end = result((spelling, 0.0, 0.5, 1.0), ("uno", 0.5, 0.9, 1.0))
    assert [word.text for word in recogniser.recognise(silence(1))] == ["uno"]


def test_v1_a_model_without_an_unknown_word_is_refused(folder: Path) -> None:
    FakeVosk.vocabulary = ["uno"]
    with pytest.raises(InputFault, match="no word for 'something else'"):
        VoskRecogniser(folder)


def test_v2_words_outside_the_vocabulary_are_refused_by_name(folder: Path) -> None:
    """V2."""
    recogniser = VoskRecogniser(folder)
    with pytest.raises(InputFault, match="does not know: desafío, vermelho"):
        recogniser.listen_for(["uno", "vermelho", "desafío card"])
    assert recogniser.knows("uno")
    assert not recogniser.knows("vermelho")


@pytest.fixture
def with_words(folder: Path) -> Path:
    """A model that lists its words, as some do beside the graph."""
    (folder / "graph/words.txt").write_text("<eps> 0\nverde 1\nvermelha 2\nuno 3\n", encoding="utf-8")
    return folder


def test_v2_near_words_that_the_model_knows_are_named(with_words: Path) -> None:
    with pytest.raises(InputFault, match=r"does not know: vermelho \(for 'vermelho' it knows vermelha"):
        VoskRecogniser(with_words).listen_for(["vermelho"])


@pytest.mark.parametrize("word", ['u"no', "u\\no", "uno]", "[", "últïma"])
def test_v2_the_grammar_is_always_a_json_array(folder: Path, word: str) -> None:
    """Anything else is dropped without a sound, or ends the process."""
    FakeVosk.vocabulary += [word]
    VoskRecogniser(folder).listen_for([word, f"last {word}"])
    assert json.loads(FakeKaldi.made[0].grammar) == [word, f"last {word}", "[unk]"]


def test_v5_a_recogniser_belongs_to_one_thread(folder: Path) -> None:
    """Made in one thread, used by the one that listens; a second one beside it would end the process."""
    recogniser = VoskRecogniser(folder)
    faults: list[RuntimeError] = []

    def use() -> None:
        try:
            recogniser.listen_for(["uno"])
            recogniser.recognise(silence(0.3))
        except RuntimeError as fault:
            faults.append(fault)

    def beside() -> None:
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()

    beside()
    assert not faults
    use()  # that thread has ended: the recogniser is free
    assert not faults
    beside()
    assert "belongs to the thread" in str(faults)


@pytest.mark.parametrize("text", ["", "{}", '{"text": ""}', '{"result": [], "text": ""}'])
def test_v3_empty_results_are_no_words(text: str) -> None:
    """V3."""
    assert words_of(text) == []


def test_v3_results_at_an_endpoint_are_kept(folder: Path) -> None:
    """V3: Vosk's own endpoint inside an utterance takes its words with it unless they are fetched."""
    FakeVosk.at_endpoint = [result(("uno", 0.1, 0.4, 1.0))]
    FakeVosk.at_end = result(("card", 0.8, 0.9, 0.7))
    found = VoskRecogniser(folder).recognise(silence(1))
    assert [(word.text, word.confidence) for word in found] == [("uno", 1.0), ("card", 0.7)]


def test_times_count_from_each_utterance(folder: Path) -> None:
    """Vosk counts on over its whole life."""
    recogniser = VoskRecogniser(folder)
    recogniser.recognise(silence(2))
    FakeVosk.at_end = result(("uno", 2.25, 2.5, 1.0))
    (found,) = recogniser.recognise(silence(1))
    assert (found.start_s, found.end_s) == pytest.approx((0.25, 0.5))


def test_the_grammar_changes_only_between_utterances(folder: Path) -> None:
    """While an utterance runs, SetGrammar aborts the whole process."""
    recogniser = VoskRecogniser(folder)
    for phrases in (["uno"], ["uno", "card"], ["uno"]):
        recogniser.listen_for(phrases)
        recogniser.recognise(silence(0.35))
        assert not FakeKaldi.made[0].running


def test_sound_is_fed_whole_as_little_endian_bytes(folder: Path) -> None:
    recogniser = VoskRecogniser(folder)
    recogniser.recognise(np.arange(4001, dtype=np.int16))
    assert FakeKaldi.made[0].fed == 4001


def test_v4_a_recogniser_is_replaced_every_five_minutes(folder: Path) -> None:
    """V4: memory grows over a long stream."""
    recogniser = VoskRecogniser(folder)
    recogniser.listen_for(["uno"])
    for _ in range(11):
        recogniser.recognise(silence(30))
    FakeVosk.at_end = result(("uno", 0.25, 0.5, 1.0))
    (found,) = recogniser.recognise(silence(1))
    assert len(FakeKaldi.made) == 2
    assert json.loads(FakeKaldi.made[1].grammar) == ["uno", "[unk]"]
    assert found.start_s == pytest.approx(0.25)


def test_a_model_is_loaded_once(folder: Path) -> None:
    VoskRecogniser(folder)
    VoskRecogniser(folder)
    assert len(FakeModel.loaded) == 1


def test_v6_a_wrong_folder_never_reaches_vosk(tmp_path: Path) -> None:
    """V6."""
    with pytest.raises(InputFault, match="holds no speech model"):
        VoskRecogniser(tmp_path)
    assert FakeModel.loaded == []


def test_v6_a_model_that_vosk_cannot_load_is_a_fault(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """V6: Vosk raises a bare Exception."""

    def fail(path: str) -> Any:
        raise Exception("Failed to create a model")

    monkeypatch.setattr(sys.modules["vosk"], "Model", fail)
    with pytest.raises(InputFault, match="cannot load this speech model"):
        VoskRecogniser(folder)


@pytest.mark.parametrize("error", [ImportError("no wheel"), OSError("libvosk.so")])
def test_v7_vosk_missing_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """V7: no wheel for the system, or its library does not load."""

    class Missing:
        def find_spec(self, name: str, path: object = None, target: object = None) -> None:
            if name == "vosk":
                raise error

    monkeypatch.delitem(sys.modules, "vosk")
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    with pytest.raises(InputFault, match=r"speech recognition is not available .*install the package vosk"):
        VoskRecogniser(folder)
