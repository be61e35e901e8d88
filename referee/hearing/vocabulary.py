"""The words that a speech model knows, read from its files: to name near ones, and to check phrases unloaded.

A small Vosk model keeps its words in the header of its grammar graph (`Gr.fst`), an OpenFst file; some have them in
a `words.txt` besides. Source: OpenFst's binary form, `FstHeader::Write` and `SymbolTableImpl::Write`.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from io import BufferedReader
from pathlib import Path

from referee.faults import InputFault
from referee.nearness import nearest

MOST_NAMED_NEAR = 20
"""A pack that lacks more words than this belongs to another language: near ones would take long and say nothing."""

_FST_MAGIC = 2125659606
_SYMBOLS_MAGIC = 2125658996
_HAS_INPUT, _HAS_OUTPUT = 1, 2
_MOST_WORDS = 5_000_000
_LONGEST_TEXT = 10_000


@lru_cache(maxsize=2)
def vocabulary(model_dir: Path) -> frozenset[str]:
    """All words of the model in `model_dir` (a checked folder). Raises InputFault when its files do not tell."""
    graph = model_dir / "graph" if (model_dir / "graph").is_dir() else model_dir
    table = graph / "words.txt"
    if table.is_file():
        lines = table.read_text(encoding="utf-8", errors="replace").splitlines()
        return frozenset(line.split()[0] for line in lines if line.strip())
    path = graph / "Gr.fst"
    try:
        with path.open("rb") as file:
            return frozenset(_symbols(file))
    except (OSError, ValueError, struct.error) as fault:
        raise InputFault(
            f"its list of words cannot be read: {fault}", where=str(path), mend="unpack the model again"
        ) from fault


def near_words(word: str, model_dir: Path, most: int = 3) -> list[str]:
    """Words of the model that are spelt nearly like `word`, best first."""
    by_length = _by_length(model_dir)
    return nearest(word, [one for more in range(-2, 3) for one in by_length.get(len(word) + more, ())], most)


@lru_cache(maxsize=2)
def _by_length(model_dir: Path) -> dict[int, list[str]]:
    words: dict[int, list[str]] = {}
    for word in sorted(vocabulary(model_dir)):
        words.setdefault(len(word), []).append(word)
    return words


def _symbols(file: BufferedReader) -> list[str]:
    if _number(file) != _FST_MAGIC:
        raise ValueError("it is no graph")
    _text(file), _text(file)  # kind of graph, kind of arc
    _number(file)  # version
    flags = _number(file)
    file.read(4 * 8)  # properties, start, states, arcs
    if not flags & (_HAS_INPUT | _HAS_OUTPUT):
        raise ValueError("it holds no words")
    if _number(file) != _SYMBOLS_MAGIC:
        raise ValueError("its words are not where they should be")
    _text(file)  # name
    _long(file)  # next free number
    count = _long(file)
    if not 0 <= count <= _MOST_WORDS:
        raise ValueError(f"{count} words")
    words = []
    for _ in range(count):
        words.append(_text(file))
        _long(file)
    return words


def _number(file: BufferedReader) -> int:
    (value,) = struct.unpack("<i", file.read(4))
    return int(value)


def _long(file: BufferedReader) -> int:
    (value,) = struct.unpack("<q", file.read(8))
    return int(value)


def _text(file: BufferedReader) -> str:
    length = _number(file)
    if not 0 <= length <= _LONGEST_TEXT:
        raise ValueError(f"a word of {length} bytes")
    return file.read(length).decode("utf-8", errors="replace")
