"""Opens the ear of a table: phrase pack, the table's own words, speech model, and the spotter where one ships."""

from __future__ import annotations

import tomllib
from pathlib import Path

from referee.bundled import bundled
from referee.hearing.listener import Listener
from referee.hearing.model_folder import model_of
from referee.hearing.own_words import OwnWords, with_own_words
from referee.hearing.phrases import load_pack
from referee.hearing.spotter import KIND, CallSpotter


def open_listener(
    language: str, model: Path | None = None, *, words: OwnWords | None = None, partials: bool = False
) -> Listener:
    """A listener for a phrase pack. model: a folder or a fetched model's name; None: the one that the pack names.

    Raises HearingUnavailable where Vosk is not, and InputFault when the pack is unknown, its model is not installed
    or incomplete, a call has no wording that the model knows, or one of the table's own `words` is unknown to it.
    """
    from referee.hearing.vosk_recogniser import VoskRecogniser

    pack = load_pack(language)
    recogniser = VoskRecogniser(model_of(pack, model))
    if words:
        pack = with_own_words(pack, words, recogniser.knows, recogniser.near)
    return Listener(recogniser, pack, spotter=shipped_spotter(), partials=partials)


def shipped_spotter() -> CallSpotter | None:
    """The spotter that ships with the referee, or None where none does."""
    manifest = bundled("models/manifest.toml")
    entries = tomllib.loads(manifest.read_text(encoding="utf-8"))["model"]
    return CallSpotter(manifest) if any(entry["kind"] == KIND for entry in entries) else None
