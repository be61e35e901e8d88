"""What the referee asks when it cannot tell, in the languages of the table.

A question is written down as it was asked, in English; this finds which one it is and says it in another language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

_HOLE = re.compile(r"\{(\w+)\}")


def asked_in(text: str, language: str) -> str:
    """The question `text` in a language; as it is, where it is none of those that are known."""
    if language == "en":
        return text
    for pattern, said in _questions():
        if (found := pattern.fullmatch(text)) is not None:
            return said.get(language, text).format_map(found.groupdict())
    return text


@lru_cache(maxsize=1)
def _questions() -> tuple[tuple[re.Pattern[str], Mapping[str, str]], ...]:
    text = (files("referee.session") / "questions.toml").read_text(encoding="utf-8")
    return tuple((_pattern(one["en"]), one) for one in tomllib.loads(text)["question"])


def _pattern(wording: str) -> re.Pattern[str]:
    """A wording with `{holes}` as a pattern that finds what stands in them."""
    parts = _HOLE.split(wording)
    return re.compile("".join(re.escape(part) if n % 2 == 0 else f"(?P<{part}>.+?)" for n, part in enumerate(parts)))
