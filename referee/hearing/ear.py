"""Opens the ear of a table: phrase pack, the table's own words, speech model, and the spotter where one ships."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from referee.bundled import bundled
from referee.hearing.listener import Listener
from referee.hearing.model_folder import model_of
from referee.hearing.own_words import OwnWords, with_own_words
from referee.hearing.phrases import load_pack
from referee.hearing.spotter import KIND, CallSpotter
from referee.hearing.vocabulary import MOST_NAMED_NEAR


def open_listener(
    language: str,
    model: Path | None = None,
    *,
    words: OwnWords | None = None,
    partials: bool = False,
    told: Callable[[str], None] = lambda _: None,
) -> Listener:
    """A listener for a phrase pack. model: a folder or a fetched model's name; None: the one that the pack names.

    told: gets a line for each word of the pack that the model lacks, with near ones that it knows (V2).

    Raises HearingUnavailable where Vosk is not, and InputFault when the pack is unknown, its model is not installed
    or incomplete, a call has no wording that the model knows, or one of the table's own `words` is unknown to it.
    """
    from referee.hearing.vosk_recogniser import VoskRecogniser

    pack = load_pack(language)
    recogniser = VoskRecogniser(model_of(pack, model))
    if words:
        pack = with_own_words(pack, words, recogniser.knows, recogniser.near)
    listener = Listener(recogniser, pack, spotter=shipped_spotter(), partials=partials)
    for line in _refusals(listener.refused, recogniser.near):
        told(line)
    return listener


def shipped_spotter() -> CallSpotter | None:
    """The spotter that ships with the referee, or None where none does."""
    manifest = bundled("models/manifest.toml")
    entries = tomllib.loads(manifest.read_text(encoding="utf-8"))["model"]
    return CallSpotter(manifest) if any(entry["kind"] == KIND for entry in entries) else None


def _refusals(refused: Mapping[str, Sequence[str]], near: Callable[[str], list[str]]) -> Iterator[str]:
    phrases: dict[str, list[str]] = {}
    for phrase, lacking in refused.items():
        for word in lacking:
            phrases.setdefault(word, []).append(repr(phrase))
    for word, of_word in phrases.items():
        found = near(word) if len(phrases) <= MOST_NAMED_NEAR else []
        told = f" (near ones that it knows: {', '.join(found)})" if found else ""
        yield f"the speech model lacks {word!r}{told}; not listened for: {', '.join(of_word)}"
