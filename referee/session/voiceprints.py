"""The voices that were learnt, by players' names: they stay on this machine, in no session, until forgotten."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np
import platformdirs

from referee.cards import Seat
from referee.faults import InputFault
from referee.hearing.voiceprint import VoicePrint

FILE_VARIABLE = "REFEREE_VOICEPRINTS"
"""Environment variable that names another file."""

_FORMAT = 1
_NUMBERS = 256


def voiceprints_path() -> Path:
    """The file of the voices; it need not exist."""
    if given := os.environ.get(FILE_VARIABLE):
        return Path(given)
    return platformdirs.user_data_path("referee", appauthor=False) / "voiceprints.json"


def known_voices(players: Mapping[Seat, str]) -> dict[Seat, VoicePrint]:
    """What is known of these players' voices. Raises InputFault for a file that is none."""
    stored = _stored()
    return {seat: stored[name] for seat, name in players.items() if name in stored}


def remember_voices(prints: Mapping[str, VoicePrint]) -> Path:
    """Keep voices by their players' names, in place of what was known of them; only its owner may read the file."""
    _store({**_stored(), **prints})
    return voiceprints_path()


def forget_voices(names: Collection[str] | None = None) -> list[str]:
    """Delete the voices of these players, or of all; returns whose there were. An unreadable file goes whole."""
    try:
        stored = _stored()
    except InputFault:
        stored, names = {"all": np.zeros(_NUMBERS, np.float32)}, None
    gone = sorted(name for name in stored if names is None or name in names)
    _store({name: one for name, one in stored.items() if name not in gone})
    return gone


def _stored() -> dict[str, VoicePrint]:
    path = voiceprints_path()
    if not path.exists():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        found = {str(name): np.array(numbers, np.float32) for name, numbers in data["voices"].items()}
        whole = data["format"] == _FORMAT and all(one.shape == (_NUMBERS,) for one in found.values())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        whole, found = False, {}
    if not whole:
        mend = "delete it, or `referee forget --voices`, and learn the voices again"
        raise InputFault("is no file of voiceprints", where=str(path), mend=mend)
    return found


def _store(prints: Mapping[str, VoicePrint]) -> None:
    path = voiceprints_path()
    if not prints:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    voices = {name: [round(float(number), 4) for number in one] for name, one in prints.items()}
    half = path.with_name(path.name + ".new")
    half.touch(mode=0o600)
    half.write_text(json.dumps({"format": _FORMAT, "voices": voices}, ensure_ascii=False), encoding="utf-8")
    half.replace(path)
