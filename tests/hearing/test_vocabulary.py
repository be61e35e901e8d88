"""The words of a model, from the header of its graph or its word list; and near ones."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from referee.faults import InputFault
from referee.hearing.vocabulary import near_words, vocabulary


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<i", len(data)) + data


def graph(words: list[str], *, flags: int = 3, magic: int = 2125659606) -> bytes:
    """The beginning of an OpenFst file as Vosk's small models have it."""
    header = (
        struct.pack("<i", magic) + text("ngram") + text("standard") + struct.pack("<iiqqqq", 4, flags, 0, 0, 0, 0)
    )
    table = struct.pack("<i", 2125658996) + text("words.txt") + struct.pack("<qq", len(words), len(words))
    return header + table + b"".join(text(word) + struct.pack("<q", key) for key, word in enumerate(words))


def model(folder: Path, content: bytes) -> Path:
    (folder / "graph").mkdir(parents=True)
    (folder / "graph/Gr.fst").write_bytes(content + b"the graph itself")
    return folder


WORDS = ["<eps>", "[unk]", "uno", "última", "carta", "cartas", "azul"]


def test_words_come_from_the_graph(tmp_path: Path) -> None:
    assert vocabulary(model(tmp_path / "m", graph(WORDS))) == set(WORDS)


def test_a_word_list_beside_the_graph_comes_first(tmp_path: Path) -> None:
    folder = model(tmp_path / "m", b"")
    (folder / "graph/words.txt").write_text("<eps> 0\nuno 1\n\n", encoding="utf-8")
    assert vocabulary(folder) == {"<eps>", "uno"}


@pytest.mark.parametrize(
    ("word", "near"),
    [("cartaz", ["carta", "cartas"]), ("asul", ["azul"]), ("ultima", ["última"]), ("verificare", [])],
)
def test_near_words(tmp_path: Path, word: str, near: list[str]) -> None:
    assert near_words(word, model(tmp_path / "m", graph(WORDS))) == near


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "cannot be read"),
        (graph(WORDS, magic=7), "it is no graph"),
        (graph(WORDS, flags=0), "it holds no words"),
        (graph(WORDS)[:80], "cannot be read"),
        (graph(WORDS)[:20] + b"\xff" * 200, "cannot be read"),
    ],
)
def test_a_graph_that_does_not_tell_is_named(tmp_path: Path, content: bytes, fault: str) -> None:
    folder = tmp_path / "m"
    (folder / "graph").mkdir(parents=True)
    (folder / "graph/Gr.fst").write_bytes(content)
    with pytest.raises(InputFault, match=rf"Gr\.fst: .*{fault}"):
        vocabulary(folder)
