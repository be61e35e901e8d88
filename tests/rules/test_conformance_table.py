"""Every row of the rule matrix, under every seed's preset, has a test that names it or a reason why there is none.

The table is `conformance.toml`. A row maps to tests (`file::name`, the name of a test function or of one situation
in its table) or to a reason in words; `all` stands for the four seeds. Names are collected from the test files, so
a test that is renamed or dropped fails here.
"""

import ast
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SEEDS = ("seed-000", "seed-001", "seed-003", "seed-004")


def numbered(letter: str, first: int, last: int) -> list[str]:
    return [f"{letter}{number}" for number in range(first, last + 1)]


ROWS = [
    *numbered("A", 1, 9), *numbered("B", 1, 10), *numbered("C", 1, 5), *numbered("D", 1, 5), *numbered("E", 0, 8),
    *numbered("F", 1, 14), *numbered("G", 1, 2), *numbered("H", 0, 16), *numbered("I", 1, 6), *numbered("J", 1, 11),
    *numbered("K", 1, 4), *numbered("L", 1, 13), *numbered("M", 1, 5), "N1", *numbered("O", 1, 11),
    *numbered("P", 1, 5),
]  # fmt: skip
CONTRADICTIONS = [*(f"C{number:02}" for number in range(1, 23)), "C06b", "C14b"]


@lru_cache(maxsize=1)
def table() -> dict[str, dict[str, str | list[str]]]:
    return tomllib.loads((HERE / "conformance.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def known_tests() -> frozenset[str]:
    """`file::name` of every test function and of every situation in a table of the rules' tests."""
    return frozenset(
        f"{path.relative_to(HERE).as_posix()}::{name}"
        for path in sorted(HERE.rglob("test_*.py"))
        for name in names_in(ast.parse(path.read_text(encoding="utf-8")))
    )


def names_in(module: ast.Module) -> Iterator[str]:
    """Test functions, and the keys of tables (dicts in capitals) that a module's tests run through."""
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and target.id.isupper() and isinstance(value, ast.Dict):
            yield from (
                key.value for key in value.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
            )


def answer(row: str, seed: str) -> str | list[str]:
    return table()[row].get(seed, table()[row].get("all", []))


def test_every_row_is_in_the_table_and_nothing_else() -> None:
    assert set(table()) == {*ROWS, *CONTRADICTIONS}
    assert len(ROWS) == 127
    assert len(CONTRADICTIONS) == 24
    for row, answers in table().items():
        assert set(answers) <= {"all", *SEEDS}, row


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("row", [*ROWS, *CONTRADICTIONS])
def test_the_row_has_a_test_or_a_reason(row: str, seed: str) -> None:
    found = answer(row, seed)
    assert found, f"{row} is not mapped under {seed}"
    if isinstance(found, str):
        assert len(found.split()) >= 4, f"{row} under {seed}: say why there is nothing to judge"
        return
    missing = [test for test in found if test not in known_tests()]
    assert not missing, f"{row} under {seed} names tests that do not exist"


def test_every_named_situation_names_a_row() -> None:
    """A situation that no row names would be lost from the table."""
    mapped = {test for answers in table().values() for found in answers.values() if found for test in found}
    lost = {name for name in known_tests() if name.startswith("seeds/") and "::test_" not in name} - mapped
    assert not lost
