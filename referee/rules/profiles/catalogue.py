"""What every option means, in one plain saying per value, grouped by topic of the game (`topics/*.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from referee.rules.profiles.options import CardValues

TOPICS = ("deck", "players", "setup", "start_card", "turn", "wilds", "uno", "finish", "score", "house", "speech")


@dataclass(frozen=True, slots=True)
class Entry:
    """One option in the catalogue.

    `question` is what players argue about; `says` follows a table's name ("seed-003 draws one card"), by value;
    `rows` are the rows of the rule matrix, `gap` the gap that no document fills, `pieces` the parts of a saying
    about a table of values.
    """

    option: str
    topic: str
    question: str
    says: Mapping[str, str]
    rows: tuple[str, ...]
    gap: str = ""
    pieces: Mapping[str, str] = field(default_factory=dict)
    face: str = "the face"

    def saying(self, value: object, *, unlike: object = None) -> str:
        """What a table with this value does; of a table of values, only what differs from `unlike`.

        KeyError when the catalogue lacks the value (a test goes through them all).
        """
        if isinstance(value, CardValues):
            return self.says["any"].format(value=self._pieces(value, unlike))
        if isinstance(value, tuple):
            texts = "; ".join(rule.text or rule.effect.replace("_", " ") for rule in value)
            return self.says["any"].format(value=texts) if value else self.says["none"]
        key = str(value).lower() if isinstance(value, bool) else str(value)
        return self.says[key if key in self.says else "any"].format(value=value)

    def _pieces(self, values: CardValues, unlike: object) -> str:
        others = asdict(unlike) if isinstance(unlike, CardValues) else {}
        shown = {name: points for name, points in asdict(values).items() if others.get(name) != points}
        return ", ".join(
            self.pieces[name].format(value=self.face if points == "face" else points)
            for name, points in shown.items()
        )


@lru_cache(maxsize=4)
def entries(language: str = "en") -> Mapping[str, Entry]:
    """Every option of the catalogue by dotted name, in the order in which a game meets them.

    FileNotFoundError for a language that no sayings were written in.
    """
    if language != "en":
        text = (files("referee.rules.profiles") / "sayings" / f"{language}.toml").read_text(encoding="utf-8")
        return {option: replace(entries()[option], **words) for option, words in tomllib.loads(text).items()}
    found: dict[str, Entry] = {}
    for topic in TOPICS:
        text = (files("referee.rules.profiles") / "topics" / f"{topic}.toml").read_text(encoding="utf-8")
        found |= _entries_in(tomllib.loads(text))
    return found


def assumed(option: str) -> tuple[str, ...]:
    """The source of a value that no document gives: `assumed`, with the gap's id where the matrix names one."""
    entry = entries().get(option)
    return (f"assumed {entry.gap}" if entry and entry.gap else "assumed",)


def _entries_in(data: dict[str, Any]) -> dict[str, Entry]:
    topic = data.pop("topic")
    return {
        f"{group}.{leaf}": Entry(
            option=f"{group}.{leaf}",
            topic=topic,
            question=entry["question"],
            says=entry["says"],
            rows=tuple(entry["rows"]),
            gap=entry.get("gap", ""),
            pieces=entry.get("pieces", {}),
        )
        for group, leaves in data.items()
        for leaf, entry in leaves.items()
    }
