"""House rules in plain questions: each has a few answers, and what differs becomes a file of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit

from referee.faults import InputFault
from referee.rules.profiles import Profile, load_profile, preset_names
from referee.rules.profiles.catalogue import entries

HOUSE_RULES_FILE = "house-rules.toml"
ASKED = (
    "turn.draw",
    "turn.drawn_card",
    "house.stacking",
    "house.seven_zero",
    "house.jump_in",
    "wild_draw_four.enforcement",
    "uno.penalty",
    "uno.referee_catches",
    "finish.action_card",
    "score.to",
)
"""What tables differ on most, in the order in which a game meets it."""

COUNTS: Mapping[str, tuple[int, ...]] = {"uno.penalty": (1, 2, 3, 4)}
"""The answers to questions for a number."""


def questions(profile: Profile, language: str = "en") -> list[dict[str, Any]]:
    """Each question with its answers, and which of them `profile` gives."""
    said = entries(language)
    return [
        {
            "option": option,
            "question": said[option].question,
            "value": profile.value(option),
            "answers": [{"value": value, "says": said[option].saying(value)} for value in _answers(option)],
        }
        for option in ASKED
    ]


def write_house_rules(path: Path, base: object, answers: Mapping[str, object]) -> Profile:
    """The preset `base` with these answers, as a profile in `path`.

    Raises InputFault for an unknown preset, question or answer, and for answers that contradict each other; the file
    is then as it was.
    """
    if base not in preset_names():
        raise InputFault(f"there are no rules {base!r}", mend="choose one of " + ", ".join(preset_names()))
    profile = load_profile(str(base))
    document = tomlkit.document()
    document["extends"] = str(base)
    document["source"] = {"title": f"House rules over {profile.title}"}
    for option, value in answers.items():
        if option not in ASKED or isinstance(value, list | dict) or value not in _answers(option):
            raise InputFault(
                f"{option}: {value!r} is no answer", where="the request", mend="choose one that is shown"
            )
        group, _, leaf = option.partition(".")
        if value != profile.value(option):
            document.setdefault(group, tomlkit.table())[leaf] = value
    half = path.with_name(f"new-{path.name}")
    try:
        half.parent.mkdir(parents=True, exist_ok=True)
        half.write_text(tomlkit.dumps(document), encoding="utf-8")
        load_profile(half)
        half.replace(path)
    except OSError as fault:
        raise InputFault(f"cannot be written: {fault.strerror}", where=str(path), mend="check its rights") from None
    finally:
        half.unlink(missing_ok=True)
    return load_profile(path)


def _answers(option: str) -> tuple[Any, ...]:
    if option in COUNTS:
        return COUNTS[option]
    truths = {"true": True, "false": False}
    return tuple(truths.get(key, key) for key in entries()[option].says if key != "any")
