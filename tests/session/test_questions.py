"""What the referee asks is asked in every language of the pages."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import referee.fusion
from referee.rules.messages import LANGUAGES
from referee.session.questions import asked_in

NAMES = ("text", "question", "TO_GO_ON")
MADE_OF_OTHERS = {"who": ("P2 laid something", "Something was laid"), "counts": ("2 or 3", "2 to 6")}
"""Parts of a question that are words themselves."""


def _written(node: ast.expr) -> list[str]:
    """The texts that an expression of the source can be, seats and numbers standing for what is not known."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if not isinstance(node, ast.JoinedStr):
        return []
    texts = [""]
    for part in node.values:
        if isinstance(part, ast.Constant):
            more: tuple[str, ...] = (str(part.value),)
        else:
            assert isinstance(part, ast.FormattedValue)
            more = MADE_OF_OTHERS.get(ast.unparse(part.value), ("P3",))
        texts = [text + one for text in texts for one in more]
    return texts


def _asked_in_the_source() -> list[str]:
    found: list[str] = []
    for path in sorted(Path(referee.fusion.__path__[0]).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in NAMES:
                    found += _written(value)
                case ast.Call(func=ast.Name(id="Question"), args=[text, *_]):
                    found += _written(text)
                case ast.Call(func=ast.Name(id="Unsure"), args=[_, text]):
                    found += _written(text)
                case _:
                    pass
    return sorted({text for text in found if text.endswith(("?", ".", "again."))})


QUESTIONS = _asked_in_the_source()


def test_they_were_found() -> None:
    assert len(QUESTIONS) >= 15


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_in_every_language(question: str) -> None:
    said = {language: asked_in(question, language) for language in LANGUAGES}
    assert said["en"] == question
    assert len(set(said.values())) == len(LANGUAGES), said
    assert all(("P3" in text) or "P3" not in question or "reason" in question for text in said.values()) or (
        "By my record" in question or "could not see" in question
    )


def test_what_is_put_in_is_kept() -> None:
    assert asked_in("How many cards did P2 draw: 2 or 3?", "pt") == "Quantas cartas P2 comprou: 2 ou 3?"
    assert asked_in("Nobody ever asked this?", "ro") == "Nobody ever asked this?"
