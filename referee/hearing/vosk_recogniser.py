"""The only importer of Vosk: a closed grammar, one utterance at a time.

What must be kept, or the process dies or hears phantoms (Vosk 0.3.45):
- the grammar is a JSON string and holds the model's own unknown word, else any noise becomes a word (V1);
- words outside the vocabulary are dropped without a sound, so they are refused by name first (V2);
- `SetGrammar` while an utterance runs aborts the process: it is called only after `FinalResult`;
- a result may be empty or lack its word list (V3); a recogniser grows with time and is replaced in silence (V4);
- it is not thread-safe: one recogniser, one thread (V5).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee.faults import InputFault
from referee.hearing.model_folder import checked_model_folder
from referee.hearing.recogniser import Samples, Word
from referee.hearing.vocabulary import near_words

RATE_HZ = 16000
UNKNOWN_WORDS = ("[unk]", "<UNK>", "<unk>", "[UNK]")
"""How models write "something else"; official ones use the first, the stand-in the second."""

_RENEW_AFTER_S = 300.0  # of recognised sound, every take of an utterance counted
_BLOCK = RATE_HZ // 10  # fed in equal blocks, so that the result never depends on how sound arrives


class HearingUnavailable(InputFault):
    """Nothing can be recognised on this system: the referee goes on by sight alone (V7)."""


class VoskRecogniser:
    """Vosk as the listener wants it; see `Recogniser`.

    model_dir: a checked or unchecked model folder. Raises InputFault when Vosk is not installed, the folder
    is no usable model, or the model has no unknown word.
    """

    def __init__(self, model_dir: Path) -> None:
        self._vosk = _library()
        self._folder = checked_model_folder(model_dir).resolve()
        self._model = _loaded(self._folder)
        self._owner: threading.Thread | None = None
        self._where = str(model_dir)
        self.unknown_word = self._find_unknown_word()
        self._grammar = self._grammar_of(())
        self._recogniser = self._fresh()
        self._fed = 0

    @property
    def rate_hz(self) -> int:
        """Samples a second."""
        return RATE_HZ

    def knows(self, word: str) -> bool:
        """Whether the word is in the model's vocabulary."""
        return bool(self._model.vosk_model_find_word(word) >= 0)

    def near(self, word: str) -> list[str]:
        """Words of the vocabulary that are spelt nearly so; none when the model's files do not tell."""
        try:
            return near_words(word, self._folder)
        except InputFault:
            return []

    def listen_for(self, phrases: Sequence[str]) -> None:
        """Hear only these phrases and the unknown word. Raises InputFault naming the words the model lacks."""
        self._check_thread()
        words = {word for phrase in phrases for word in phrase.split()}
        if lacking := sorted(word for word in words if not self.knows(word)):
            near = [f"for {word!r} it knows {', '.join(found)}" for word in lacking[:3] if (found := self.near(word))]
            raise InputFault(
                f"the speech model does not know: {', '.join(lacking)}",
                where=self._where,
                mend="; ".join(near) or "spell them as its language does, or take them out of the phrase pack",
            )
        grammar = self._grammar_of(phrases)
        if grammar != self._grammar:
            self._grammar = grammar
            self._recogniser.SetGrammar(grammar)

    def recognise(self, samples: Samples) -> list[Word]:
        """The words of one utterance, int16 at 16 kHz; times count from its first sample."""
        self._check_thread()
        self._owner = threading.current_thread()
        if self._fed > _RENEW_AFTER_S * RATE_HZ:
            self._recogniser, self._fed = self._fresh(), 0
        start_s = self._fed / RATE_HZ
        results = []
        for at in range(0, len(samples), _BLOCK):
            block = samples[at : at + _BLOCK]
            if self._recogniser.AcceptWaveform(block.astype("<i2").tobytes()):
                results.append(self._recogniser.Result())
        results.append(self._recogniser.FinalResult())
        self._fed += len(samples)
        return [word for text in results for word in words_of(text, start_s) if word.text not in UNKNOWN_WORDS]

    def _check_thread(self) -> None:
        if self._owner and self._owner is not threading.current_thread() and self._owner.is_alive():
            # Not a fault of the input: two threads in one recogniser end the process without a word (V5).
            raise RuntimeError("a recogniser belongs to the thread that recognises with it")

    def _fresh(self) -> Any:
        recogniser = self._vosk.KaldiRecognizer(self._model, RATE_HZ, self._grammar)
        recogniser.SetWords(True)
        return recogniser

    def _grammar_of(self, phrases: Sequence[str]) -> str:
        return json.dumps([*phrases, self.unknown_word], ensure_ascii=False)

    def _find_unknown_word(self) -> str:
        for word in UNKNOWN_WORDS:
            if self.knows(word):
                return word
        raise InputFault(
            "the speech model has no word for 'something else': every noise would become a call",
            where=self._where,
            mend="use one of the small models of the Vosk project",
        )


def words_of(result: str, start_s: float = 0.0) -> list[Word]:
    """The words of one Vosk result (a JSON text), times shifted by `-start_s`; empty results give none (V3)."""
    return [
        Word(entry["word"], entry["start"] - start_s, entry["end"] - start_s, entry.get("conf", 1.0))
        for entry in json.loads(result or "{}").get("result", ())
    ]


def _library() -> Any:
    try:
        import vosk
    except (ImportError, OSError) as error:  # no wheel for this system, or its library does not load (V7)
        raise HearingUnavailable(
            "speech recognition is not available on this system",
            where="vosk",
            mend="install the package vosk; until then plays are judged and calls are not",
        ) from error
    vosk.SetLogLevel(-1)
    return vosk


@lru_cache(maxsize=1)
def _loaded(model_dir: Path) -> Any:
    """The model of a folder; loading takes seconds and 540 MB, so it is done once in a process."""
    try:
        return _library().Model(str(model_dir))
    except Exception as error:  # Vosk raises bare Exception (V6)
        raise InputFault(
            "Vosk cannot load this speech model", where=str(model_dir), mend="unpack it again from its archive"
        ) from error
