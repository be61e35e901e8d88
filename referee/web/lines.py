"""Lines that other rooms word in English, in the language of a page: faults, remarks, notes, titles of rules."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from referee.faults import InputFault


@dataclass(frozen=True, slots=True)
class _Line:
    form: re.Pattern[str]
    texts: Mapping[str, str]


def line_in(text: str, language: str) -> str:
    """`text` in `language`; as it is where the page has no words for it."""
    for line in _lines():
        found = line.form.fullmatch(text)
        if found is not None and language in line.texts:
            parts = {name: line_in(part, language) for name, part in found.groupdict().items()}
            return line.texts[language].format(**parts)
    return text


def fault_in(fault: InputFault, language: str) -> str:
    """A fault as a page tells it: in its language and with what to do there, else the fault's own line."""
    told = line_in(fault.what, language)
    return told if told != fault.what else str(fault)


@lru_cache(maxsize=1)
def _lines() -> tuple[_Line, ...]:
    text = (files("referee.web") / "words" / "lines.toml").read_text(encoding="utf-8")
    return tuple(_Line(_form(one.pop("says")), one) for one in tomllib.loads(text)["line"])


def _form(says: str) -> re.Pattern[str]:
    """`only {a} markers` as an expression that finds what stands for `a`."""
    return re.compile(re.sub(r"\\{([a-z])\\}", r"(?P<\1>.+)", re.escape(says)))
